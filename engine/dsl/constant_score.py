"""constant_score: the matches of a filter, all with the same score."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, unsupported_key
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, read_common
from lanner.engine.query.base import Query
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True)
class ConstantScoreDsl(DslQuery):
    """One filter."""

    filter: DslQuery

    def children(self) -> tuple[DslQuery, ...]:
        """Return the clauses."""
        return (self.filter,)

    def build(self, context: DslContext) -> Query:
        """Resolve the filter."""
        query = self.filter.resolve(context)
        return query if isinstance(query, MatchNoneQuery) else ConstantScoreQuery(query)


def parse_constant_score(body: dict[str, Any], context: ParseContext) -> ConstantScoreDsl:
    """Read the body of a constant_score query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if isinstance(value, list):
            raise LocatedError("unexpected token [START_ARRAY]", Anchor(body, key))
        if key == "filter" and isinstance(value, dict):
            if "filter" in values:
                raise LocatedError("[constant_score] accepts only one 'filter' element.", Anchor(body, key))
            values["filter"] = context.clause(body, key)
        elif isinstance(value, dict) or key == "filter":
            raise unsupported_key("constant_score", body, key)
        else:
            read_common("constant_score", body, key, values)
    if "filter" not in values:
        raise LocatedError("[constant_score] requires a 'filter' element", Anchor(body, None, "close"))
    return ConstantScoreDsl(**values)
