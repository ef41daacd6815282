"""``matched_queries``: the names of the named queries that a hit matched."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pyroaring import BitMap

from lanner.engine.dsl.base import DslContext, DslQuery
from lanner.engine.query.base import WeightContext
from lanner.ext.json.number import float32
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.search.count import matching
from lanner.ext.search.top_docs import search_top

if TYPE_CHECKING:
    from lanner.engine.search.query_phase import ShardResult


def all_queries(query: DslQuery | None) -> Iterator[DslQuery]:
    """Yield a query and every one inside it, from the outside in."""
    pending = [] if query is None else [query]
    while pending:
        one = pending.pop()
        yield one
        pending += reversed(one.children())


def bind_named(
    queries: list[DslQuery], context: DslContext, weights: WeightContext
) -> list[tuple[str, list[BitMap]]]:
    """Return (name, matching documents per segment) of named queries."""
    return [
        (query.name or "", matching(weights.reader, query.resolve(context).weight(weights.matching())))
        for query in queries
    ]


def named_scores(
    queries: list[DslQuery], context: DslContext, result: "ShardResult"
) -> Callable[[dict[str, Any], Any, int, int], None]:
    """Return what adds the names of the queries that a hit matched, each with the score it gives alone."""
    reader = result.reader
    weights = WeightContext(reader, result.target.mapping.similarity)
    chosen = [BitMap() for _ in reader.segments]
    for segment, doc in zip(result.segments, result.docs, strict=True):
        chosen[segment].add(doc)
    hits = DocSetWeight(reader, chosen)
    scores: list[tuple[str, dict[tuple[int, int], float]]] = []
    for query in queries:
        weight = BooleanWeight(must=[query.resolve(context).weight(weights)], filter=[hits])
        top = search_top(reader, weight, max(len(result.docs), 1), track=0)
        found = dict(zip(zip(top.segments, top.docs, strict=True), top.scores, strict=True))
        scores.append((query.name or "", found))

    def add_scores(hit: dict[str, Any], segment: Any, segment_index: int, doc: int) -> None:
        shown = {
            name: float32(found[segment_index, doc])
            for name, found in scores
            if (segment_index, doc) in found
        }
        if shown:
            hit["matched_queries"] = shown

    return add_scores
