"""bool: clauses that must, should or must not match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedXContentError,
    read_boolean,
    read_number,
    read_text,
    token_name,
)
from lanner.engine.common.errors import IllegalStateError, LannerError
from lanner.engine.dsl.base import (
    DslContext,
    DslQuery,
    ParseContext,
    QueryTooDeepError,
    check_boost,
    check_clauses,
)
from lanner.engine.query.base import Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.engine.query.minimum import clauses_needed

_CLAUSES = {
    "must": "must",
    "should": "should",
    "filter": "filter",
    "must_not": "must_not",
    "mustNot": "must_not",
}


@dataclass(frozen=True, slots=True)
class BoolDsl(DslQuery):
    """Clauses by how they occur."""

    must: tuple[DslQuery, ...] = ()
    should: tuple[DslQuery, ...] = ()
    filter: tuple[DslQuery, ...] = ()
    must_not: tuple[DslQuery, ...] = ()
    minimum_should_match: str | None = None
    adjust_pure_negative: bool = True

    def children(self) -> tuple[DslQuery, ...]:
        """Return the clauses."""
        return (*self.must, *self.should, *self.filter, *self.must_not)

    def build(self, context: DslContext) -> Query:
        """Resolve every clause."""
        n = len(self.must) + len(self.should) + len(self.filter) + len(self.must_not)
        if n == 0:
            return MatchAllQuery()
        check_clauses(n)
        minimum = 0
        if self.minimum_should_match is not None:
            minimum = clauses_needed(len(self.should), self.minimum_should_match)
        query = BooleanQuery(
            tuple([clause.resolve(context) for clause in self.must]),
            tuple([clause.resolve(context) for clause in self.should]),
            tuple([clause.resolve(context) for clause in self.filter]),
            tuple([clause.resolve(context) for clause in self.must_not]),
            minimum,
        )
        if not self.adjust_pure_negative and not (self.must or self.should or self.filter):
            return MatchNoneQuery("only exclusions")
        return query


def parse_bool(body: dict[str, Any], context: ParseContext) -> BoolDsl:
    """Read the body of a bool query."""
    context.enter_bool()
    values: dict[str, Any] = {}
    for key, value in body.items():
        occur = _CLAUSES.get(key)
        if occur is not None:
            if value is not None:
                values[occur] = (*values.get(occur, ()), *_read_clauses(body, key, context))
        elif key in ("minimum_should_match", "minimumShouldMatch"):
            values["minimum_should_match"] = read_text("bool", body, key)
        elif key == "adjust_pure_negative":
            values[key] = read_boolean(value)
        elif key == "boost":
            values[key] = check_boost("bool", read_number("bool", body, key))
        elif key == "_name":
            values["name"] = read_text("bool", body, key)
        else:
            raise LocatedXContentError(f"[bool] unknown field [{key}]", Anchor(body, key, "key"))
    context.bool_depth -= 1
    return BoolDsl(**values)


def _read_clauses(body: dict[str, Any], key: str, context: ParseContext) -> list[DslQuery]:
    given = body[key]
    container: Any
    keys: Sequence[Any]
    if isinstance(given, dict):
        container, keys = body, (key,)
    elif isinstance(given, list):
        container, keys = given, range(len(given))
    else:
        raise LocatedXContentError(
            f"[bool] {key} doesn't support values of type: {token_name(given)}", Anchor(body, key)
        )
    queries = []
    for one in keys:
        try:
            if isinstance(container[one], list):
                raise IllegalStateError("expected value but got [START_ARRAY]")
            queries.append(context.clause(container, one))
        except QueryTooDeepError:
            raise
        except LannerError as error:
            anchor = getattr(error, "anchor", None) or Anchor(container, one)
            raise LocatedXContentError(
                f"[bool] failed to parse field [{key}]", anchor, caused_by=error
            ) from None
    return queries
