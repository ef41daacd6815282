"""dis_max: the best of several queries."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_number, unsupported_key
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, read_common
from lanner.engine.query.base import Query
from lanner.engine.query.dis_max import DisMaxQuery


@dataclass(frozen=True, slots=True)
class DisMaxDsl(DslQuery):
    """Some queries; tie_breaker is how much the others add to the best one."""

    queries: tuple[DslQuery, ...]
    tie_breaker: float = 0.0

    def children(self) -> tuple[DslQuery, ...]:
        """Return the clauses."""
        return self.queries

    def build(self, context: DslContext) -> Query:
        """Resolve every query."""
        return DisMaxQuery(tuple([query.resolve(context) for query in self.queries]), self.tie_breaker)


def parse_dis_max(body: dict[str, Any], context: ParseContext) -> DisMaxDsl:
    """Read the body of a dis_max query."""
    queries: list[DslQuery] = []
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "queries" and isinstance(value, dict):
            queries.append(context.clause(body, key))
        elif key == "queries" and isinstance(value, list):
            if not value:
                raise LocatedError(
                    "[_na] query malformed, must start with start_object", Anchor(value, None, "close")
                )
            queries += [context.clause(value, i) for i in range(len(value))]
        elif isinstance(value, dict | list) or key == "queries":
            raise unsupported_key("dis_max", body, key)
        elif key == "tie_breaker":
            values[key] = read_number("dis_max", body, key)
        else:
            read_common("dis_max", body, key, values)
    if not queries:
        raise LocatedError(
            "[dis_max] requires 'queries' field with at least one clause", Anchor(body, None, "close")
        )
    return DisMaxDsl(tuple(queries), **values)
