"""The second look at the best hits of a shard.

Source: QueryRescorer of Lucene 9 and the modes of OpenSearch.
"""

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from pyroaring import BitMap

from lanner.engine.search.request_parts import Rescore
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top

DEFAULT_WINDOW = 10
_FLOAT = struct.Struct("f")


class Best(NamedTuple):
    """Hits of a shard, best first."""

    segments: list[int]
    docs: list[int]
    scores: list[float]


def float32(value: float) -> float:
    """Return the nearest number of single precision."""
    found: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return found


COMBINE: dict[str, Callable[[float, float], float]] = {
    "total": lambda first, second: first + second,
    "multiply": lambda first, second: first * second,
    "avg": lambda first, second: (first + second) / 2,
    "max": max,
    "min": min,
}


def rescore(reader: IndexReader, weight: Any, best: Best, asked: Rescore) -> tuple[Best, list[BitMap]]:
    """Return the hits with new scores in their new order, and those that were looked at, per segment.

    weight: the query of the second look.
    """
    window = DEFAULT_WINDOW if asked.window is None else asked.window
    hits = list(zip(best.segments, best.docs, best.scores, strict=True))
    chosen = [BitMap() for _ in reader.segments]
    if not hits or window == 0:
        return best, chosen
    for segment, doc, _ in hits[:window]:
        chosen[segment].add(doc)
    top = search_top(
        reader, BooleanWeight(must=[weight], filter=[DocSetWeight(reader, chosen)]), window, track=0
    )
    second = dict(zip(zip(top.segments, top.docs, strict=True), top.scores, strict=True))
    combine = COMBINE[asked.mode]
    scored = []
    for i, (segment, doc, score) in enumerate(hits):
        first = float32(score * asked.query_weight)
        other = second.get((segment, doc)) if i < window else None
        if other is not None:
            first = float32(combine(first, float32(other * asked.rescore_weight)))
        scored.append((segment, doc, first))
    scored.sort(key=lambda hit: (-hit[2], hit[0], hit[1]))
    return Best([hit[0] for hit in scored], [hit[1] for hit in scored], [hit[2] for hit in scored]), chosen
