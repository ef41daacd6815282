"""range: documents with a value between two bounds."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_boolean, read_text, unsupported_key
from lanner.engine.common.dates import date_format, parse_zone
from lanner.engine.common.errors import (
    DateTimeError,
    IllegalArgument,
    LannerError,
    ParseError,
    ZoneRulesError,
)
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_field_name, read_common
from lanner.engine.mapping.field_type import Bounds
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import NO_MATCH

_BOUNDS = {
    "gte": ("lower", True),
    "ge": ("lower", True),
    "gt": ("lower", False),
    "lte": ("upper", True),
    "le": ("upper", True),
    "lt": ("upper", False),
    "from": ("lower", None),
    "to": ("upper", None),
}


class DirectError(Exception):
    """An error of a shard that the answer shows as it is, not as a query that could not be created."""

    def __init__(self, error: LannerError) -> None:
        super().__init__(error.reason)
        self.error = error


@dataclass(frozen=True, slots=True)
class RangeDsl(DslQuery):
    """Two bounds of one field."""

    field: str
    bounds: Bounds

    def build(self, context: DslContext) -> Query:
        """Ask the field; without bounds every document that has it."""
        field = context.mapping.field_type(self.field)
        if field is None:
            return NO_MATCH
        context.count(1)
        bounds = self.bounds
        if bounds.lower is None and bounds.upper is None and field.type_name in ("date", "keyword"):
            return field.exists_query()
        try:
            return field.range_query(bounds, context.now)
        except ParseError as error:
            if isinstance(field, DateFieldType):
                raise DirectError(error) from None
            raise


def parse_range(body: dict[str, Any], context: ParseContext) -> RangeDsl:
    """Read the body of a range query."""
    field: str | None = None
    common: dict[str, Any] = {}
    bounds: dict[str, Any] = {}
    for key, value in body.items():
        if isinstance(value, dict):
            if field is not None:
                raise LocatedError(
                    f"[range] query doesn't support multiple fields, found [{field}] and [{key}]",
                    Anchor(body, key),
                )
            field = key
            for inner in value:
                _read_key(value, inner, bounds, common)
        elif key == "_name":
            common["name"] = read_text("range", body, key)
        else:
            raise unsupported_key("range", body, key)
    return RangeDsl(check_field_name(field or ""), Bounds(**bounds), **common)


def _read_key(given: dict[str, Any], key: str, bounds: dict[str, Any], common: dict[str, Any]) -> None:
    value = given[key]
    if key in _BOUNDS:
        side, included = _BOUNDS[key]
        if isinstance(value, dict | list):
            raise LocatedError(f"[range] [{key}] takes one value", Anchor(given, key))
        bounds[side] = value
        if included is not None:
            bounds[f"include_{side}"] = included
    elif key in ("include_lower", "include_upper"):
        bounds[key] = read_boolean(value)
    elif key == "format":
        bounds[key] = read_text("range", given, key)
        date_format(bounds[key])
    elif key == "time_zone":
        bounds[key] = read_zone(read_text("range", given, key))
    elif key == "relation":
        relation = read_text("range", given, key).upper()
        if relation not in ("INTERSECTS", "CONTAINS", "WITHIN"):
            known = relation == "DISJOINT"
            raise IllegalArgument(
                f"[range] query does not support relation [{value}]"
                if known
                else f"{value} is not a valid relation"
            )
        bounds[key] = relation.lower()
    else:
        read_common("range", given, key, common)


def read_zone(text: str) -> str:
    """Return the name of a time zone that exists."""
    try:
        parse_zone(text)
    except ZoneRulesError as error:
        if text[:1].isdigit() or text[:1] in "+-":
            cause: LannerError = DateTimeError(f"Invalid ID for ZoneOffset, invalid format: {text}")
            raise IllegalArgument(f"java.time.DateTimeException: {cause.reason}", caused_by=cause) from None
        raise IllegalArgument(f"java.time.zone.ZoneRulesException: {error.reason}", caused_by=error) from None
    return text
