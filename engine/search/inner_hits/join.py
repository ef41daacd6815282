"""Inner hits of ``has_child`` and ``has_parent``: the children, or the parent, of a hit that match."""

from typing import Any

from lanner.engine.dsl.join import HasChildDsl, RelativesDsl
from lanner.engine.query.base import WeightContext
from lanner.engine.query.terms import ids_query
from lanner.engine.search.inner_hits.definition import InnerHits
from lanner.engine.search.query_phase import ShardResult, context_of, resolve_query
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchNoneWeight


def bind_relatives(
    query: RelativesDsl, definition: InnerHits, result: ShardResult, now_millis: int
) -> tuple[Any, Any, None]:
    """Return what finds the relatives of a hit: (segment, doc) -> weight; and the reader of all documents."""
    target, reader = result.target, result.reader
    join = target.mapping.join
    assert join is not None
    weights = WeightContext(reader, target.mapping.similarity, scoring=definition.scored)
    matching = weights.matching()
    context = context_of(target, now_millis)
    sought = resolve_query(query.query, context, target.index_uuid).weight(weights)
    own = join.term_query(query.relation).weight(matching)
    fetches_children = isinstance(query, HasChildDsl)
    column = join.parents[join.children[query.relation] if fetches_children else query.relation]

    def of(segment: int, doc: int) -> Any:
        around = reader.segments[segment]
        if not around.terms(join.name, doc):
            return MatchNoneWeight(reader)
        if fetches_children:
            parent = column.term_query(around.id(doc).decode())
            return BooleanWeight(must=[sought], filter=[parent.weight(matching), own])
        found = around.terms(column.name, doc)
        if not found:
            return MatchNoneWeight(reader)
        return BooleanWeight(must=[sought], filter=[ids_query([found[0].decode()]).weight(matching)])

    return of, reader, None
