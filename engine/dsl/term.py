"""term: documents with one exact value."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_boolean
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import (
    DslContext,
    DslQuery,
    ParseContext,
    check_field_name,
    one_field,
    read_common,
)
from lanner.engine.dsl.index_name import index_name_query
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import NO_MATCH


@dataclass(frozen=True, slots=True)
class TermDsl(DslQuery):
    """One value of one field, not analysed."""

    field: str
    value: Any
    any_case: bool = False

    def build(self, context: DslContext) -> Query:
        """Ask the field for its value."""
        context.count(1)
        field = context.mapping.field_type(self.field)
        if field is None or self.field == "_index":
            return index_name_query(self.field, self.value, context) or NO_MATCH
        return field.term_query_any_case(self.value) if self.any_case else field.term_query(self.value)


def parse_term(body: dict[str, Any], context: ParseContext) -> TermDsl:
    """Read the body of a term query."""
    field, given = one_field("term", body)
    if isinstance(given, list):
        raise LocatedError("[term] query does not support array of values", Anchor(body, field))
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("field name is null or empty")
        return TermDsl(check_field_name(field), given)
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key in ("value", "term"):
            if isinstance(value, dict | list):
                inner = next(iter(value), "") if isinstance(value, dict) else key
                anchor = Anchor(value, inner) if isinstance(value, dict) and value else Anchor(given, key)
                raise LocatedError(f"[term] query does not support [{inner}]", anchor)
            values["value"] = value
        elif key == "case_insensitive":
            values["any_case"] = read_boolean(value)
        else:
            read_common("term", given, key, values)
    check_field_name(field)
    if values.get("value") is None:
        raise IllegalArgument("value cannot be null")
    return TermDsl(field, **values)
