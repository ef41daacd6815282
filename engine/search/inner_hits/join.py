"""Inner hits of ``has_child`` and ``has_parent``: the children, or the parent, of a hit that match."""

from typing import Any

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslQuery
from lanner.engine.dsl.join import HasChildDsl, RelativesDsl
from lanner.engine.query.base import WeightContext
from lanner.engine.query.terms import ids_query
from lanner.engine.search.inner_hits.definition import InnerHits, inner_hits_of
from lanner.engine.search.query_phase import ShardResult, context_of, resolve_query
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchNoneWeight

#: with one hit, on all levels; to and fro between parents and children there is no end of levels
MOST_SHOWN = 100_000


def bind_relatives(
    query: RelativesDsl, definition: InnerHits, result: ShardResult, now_millis: int
) -> tuple[Any, Any, None]:
    """Return what finds the relatives of a hit: (segment, doc) -> weight; and the reader of all documents."""
    _check_most(query)
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


def _check_most(query: DslQuery) -> None:
    """Refuse inner hits inside inner hits that could be very many: each level multiplies those around it."""
    most = 0
    pending = [(query, 1)]
    while pending:
        one, around = pending.pop()
        definition: InnerHits = one.inner()
        shown = around * definition.request.size if isinstance(one, RelativesDsl) else around
        most += shown
        if most > MOST_SHOWN:
            raise IllegalArgument(
                f"inner hits inside inner hits could show more than [{MOST_SHOWN}] hits with a single hit; "
                "ask for fewer by their [size]"
            )
        pending += [(inner, shown) for inner in inner_hits_of(*one.children())]
