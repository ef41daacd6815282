"""ids: documents of given ids."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    LocatedXContentError,
    anchored,
    java_text,
    object_parser_fault,
    read_number,
    read_text,
    repeating_error,
)
from lanner.engine.common.errors import IllegalStateError
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import NO_MATCH
from lanner.engine.query.terms import ids_query


@dataclass(frozen=True, slots=True)
class IdsDsl(DslQuery):
    """Some ids."""

    ids: tuple[str, ...] = ()

    def build(self, context: DslContext) -> Query:
        """Return the documents."""
        context.count(1)
        return ids_query(list(self.ids)) if self.ids else NO_MATCH


def parse_ids(body: dict[str, Any], context: ParseContext) -> IdsDsl:
    """Read the body of an ids query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "values":
            given = value if isinstance(value, list) else [value]
            for i, one in enumerate(given):
                if one is None or isinstance(one, dict | list):
                    anchor = Anchor(value, i) if isinstance(value, list) else Anchor(body, key)
                    raise _bad_value(one, anchor)
            values["ids"] = tuple(map(java_text, given))
        elif key == "boost":
            values["boost"] = check_boost("ids", read_number("ids", body, key))
        elif key == "_name":
            values["name"] = read_text("ids", body, key)
        else:
            raise object_parser_fault("ids", body, key)
    return IdsDsl(**values)


def _bad_value(value: Any, anchor: Anchor) -> LocatedError:
    if value is None:
        cause = anchored(IllegalStateError("Can't get text on a VALUE_NULL at {line}:{column}"), anchor)
    else:
        cause = IllegalStateError(
            f"expected value but got [{'START_ARRAY' if isinstance(value, list) else 'START_OBJECT'}]"
        )
    return repeating_error(
        LocatedXContentError("[ids] failed to parse field [values]", anchor, caused_by=cause), anchor
    )
