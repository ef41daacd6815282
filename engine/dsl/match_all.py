"""match_all and match_none."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import object_parser_fault, read_number, read_text
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost, read_common
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import NO_MATCH, MatchAllQuery


@dataclass(frozen=True, slots=True)
class MatchAllDsl(DslQuery):
    """Every document."""

    def build(self, context: DslContext) -> Query:
        """Return every document."""
        return MatchAllQuery()


@dataclass(frozen=True, slots=True)
class MatchNoneDsl(DslQuery):
    """No document."""

    def build(self, context: DslContext) -> Query:
        """Return no document."""
        return NO_MATCH


def parse_match_all(body: dict[str, Any], context: ParseContext) -> MatchAllDsl:
    """Read the body of a match_all query."""
    values: dict[str, Any] = {}
    for key in body:
        if key == "boost":
            values["boost"] = check_boost("match_all", read_number("match_all", body, key))
        elif key == "_name":
            values["name"] = read_text("match_all", body, key)
        else:
            raise object_parser_fault("match_all", body, key)
    return MatchAllDsl(**values)


def parse_match_none(body: dict[str, Any], context: ParseContext) -> MatchNoneDsl:
    """Read the body of a match_none query."""
    values: dict[str, Any] = {}
    for key in body:
        read_common("match_none", body, key, values)
    return MatchNoneDsl(**values)
