"""What the queries for terms by pattern share: the reading of their bodies, and fields that have no terms."""

from collections.abc import Callable, Mapping
from typing import Any

from lanner.engine.common.body import read_flag, read_text, unknown_token
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, check_field_name, one_field, read_common
from lanner.engine.dsl.index_name import index_name_query
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import NO_MATCH

Reader = Callable[[str, dict[str, Any], str], Any]


def nullable_text(kind: str, body: dict[str, Any], key: str) -> str | None:
    """Return a text, or None for null."""
    return None if body[key] is None else read_text(kind, body, key)


VALUE: Mapping[str, tuple[str, Reader]] = {
    "value": ("value", nullable_text),
    "rewrite": ("rewrite", nullable_text),
}
ANY_CASE: Mapping[str, tuple[str, Reader]] = {"case_insensitive": ("any_case", read_flag)}


def read_pattern(
    kind: str, body: dict[str, Any], readers: Mapping[str, tuple[str, Reader]]
) -> tuple[str, dict[str, Any]]:
    """Return the field and the typed values of {field: value} or {field: {value: ..., ...}}.

    readers: by key, the name of the value and what reads it.
    """
    field, given = one_field(kind, body)
    values: dict[str, Any] = {}
    if isinstance(given, dict):
        for key in given:
            if key in readers:
                name, read = readers[key]
                values[name] = read(kind, given, key)
            else:
                read_common(kind, given, key, values)
    elif isinstance(given, list):
        raise unknown_token(kind, body, field)
    else:
        values["value"] = None if given is None else read_text(kind, body, field)
    check_field_name(field)
    if values.get("value") is None:
        raise IllegalArgument("value cannot be null")
    return field, values


def pattern_query(
    name: str, context: DslContext, make: Callable[[FieldType], Query], index_pattern: str | None
) -> Query:
    """Return what make gives for a field.

    index_pattern: what a query on the name of the index looks for.
    """
    field = context.mapping.field_type(name)
    if field is None or name == "_index":
        found = None if index_pattern is None else index_name_query(name, index_pattern, context)
        return found or NO_MATCH
    context.count(1)
    return field.of_terms(make(field))
