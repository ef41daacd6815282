"""``matched_queries``: the names of the named queries that a hit matched."""

from collections.abc import Iterator

from pyroaring import BitMap

from lanner.engine.dsl.base import DslContext, DslQuery
from lanner.engine.query.base import WeightContext
from lanner.ext.search.count import matching


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
