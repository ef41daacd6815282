"""``matched_queries``: the names of the named queries that a hit matched, and its scores under them."""

from collections.abc import Iterator

from pyroaring import BitMap

from lanner.engine.dsl.base import DslContext, DslQuery
from lanner.engine.query.base import WeightContext
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.search.count import matching
from lanner.ext.search.top_docs import search_top


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


def bind_scores(
    queries: list[DslQuery], context: DslContext, weights: WeightContext, segments: list[int], docs: list[int]
) -> list[tuple[str, dict[tuple[int, int], float]]]:
    """Return (name, score by segment and document) of named queries, for the given hits."""
    sets = [BitMap() for _ in weights.reader.segments]
    for segment, doc in zip(segments, docs, strict=True):
        sets[segment].add(doc)
    hits = DocSetWeight(weights.reader, sets)
    scored = WeightContext(weights.reader, weights.similarity)
    found = []
    for query in queries:
        weight = BooleanWeight(must=[query.resolve(context).weight(scored)], filter=[hits])
        top = search_top(weights.reader, weight, max(len(docs), 1))
        places = zip(top.segments, top.docs, strict=True)
        found.append((query.name or "", dict(zip(places, top.scores, strict=True))))
    return found
