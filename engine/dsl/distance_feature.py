"""distance_feature: documents with a date, scored by how near it is to another."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedXContentError,
    java_text,
    read_number,
    read_text,
    token_name,
    unknown_token,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.units import parse_time
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.distance_feature import DistanceFeatureQuery
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True)
class DistanceFeatureDsl(DslQuery):
    """A field, a date, and the distance at which half of the score is left."""

    field: str
    origin: Any
    pivot: str

    def build(self, context: DslContext) -> Query:
        """Score the documents that have the field."""
        field = context.mapping.field_type(self.field)
        if field is None:
            return MatchNoneQuery("Can't run [distance_feature] query on unmapped fields!")
        if not isinstance(field, DateFieldType):
            raise IllegalArgument(
                f"Illegal data type of [{field.type_name}]![distance_feature] query can only be run on a "
                "date, date_nanos or geo_point field type!"
            )
        context.count(1)
        origin = field.moment(java_text(self.origin), context.now, round_up=True)
        pivot = int(parse_time(self.pivot.removeprefix("-"), "distance_feature.pivot"))
        pivot = -pivot if self.pivot.startswith("-") else pivot
        if pivot <= 0:
            raise IllegalArgument(f"pivotDistance must be > 0, got {pivot}")
        field.check_sortable()
        return DistanceFeatureQuery(field.name, origin, pivot * field.cells_per_milli, field.exists_query())


def parse_distance_feature(body: dict[str, Any], context: ParseContext) -> DistanceFeatureDsl:
    """Read the body of a distance_feature query."""
    kind = "distance_feature"
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key in ("field", "pivot"):
            if not isinstance(value, str):
                reason = f"[{kind}] {key} doesn't support values of type: {token_name(value)}"
                raise LocatedXContentError(reason, Anchor(body, key))
            values[key] = read_text(kind, body, key)
        elif key == "origin":
            if value is None or isinstance(value, dict | bool):
                raise unknown_token(kind, body, key)
            values[key] = value
        elif key == "boost":
            values[key] = check_boost(kind, read_number(kind, body, key))
        elif key == "_name":
            values["name"] = read_text(kind, body, key)
        else:
            raise LocatedXContentError(f"[{kind}] unknown field [{key}]", Anchor(body, key, "key"))
    missing = [key for key in ("field", "origin", "pivot") if key not in values]
    if missing:
        raise IllegalArgument(f"Required [{', '.join(missing)}]")
    if isinstance(values["origin"], list):
        raise IllegalArgument("[distance_feature] takes one date as [origin]")
    return DistanceFeatureDsl(**values)
