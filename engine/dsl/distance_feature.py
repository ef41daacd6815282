"""distance_feature: documents with a date or a place, scored by how near it is to another."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedXContentError,
    java_class,
    java_text,
    read_number,
    read_text,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.common.geo import Point, parse_distance, parse_point
from lanner.engine.common.units import parse_time
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.mapping.types.geo_point import GeoPointFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.distance_feature import DistanceFeatureQuery, PlaceFeatureQuery
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True)
class DistanceFeatureDsl(DslQuery):
    """A field, a date or a place, and the distance at which half of the score is left."""

    field: str
    origin: Any
    pivot: str

    def build(self, context: DslContext) -> Query:
        """Score the documents that have the field."""
        field = context.mapping.field_type(self.field)
        if field is None:
            return MatchNoneQuery("Can't run [distance_feature] query on unmapped fields!")
        if isinstance(field, GeoPointFieldType):
            return self._place(field, context)
        if not isinstance(field, DateFieldType):
            raise IllegalArgument(
                f"Illegal data type of [{field.type_name}]![distance_feature] query can only be run on a "
                "date, date_nanos or geo_point field type!"
            )
        context.count(1)
        given = self.origin
        written = f"{java_text(given.lat)}, {java_text(given.lon)}" if isinstance(given, Point) else given
        origin = field.moment(java_text(written), context.now, round_up=True)
        pivot = int(parse_time(self.pivot.removeprefix("-"), "distance_feature.pivot"))
        pivot = -pivot if self.pivot.startswith("-") else pivot
        if pivot <= 0:
            raise IllegalArgument(f"pivotDistance must be > 0, got {pivot}")
        field.check_sortable()
        return DistanceFeatureQuery(field.name, origin, pivot * field.cells_per_milli, field.exists_query())

    def _place(self, field: GeoPointFieldType, context: DslContext) -> Query:
        context.count(1)
        origin = parse_point(self.origin) if isinstance(self.origin, str) else self.origin
        if not isinstance(origin, Point):
            raise IllegalArgument(
                f"Illegal type [class {'java.lang.Long' if isinstance(origin, int) else java_class(origin)}] "
                "for [origin]! Must be of type [geo_point] or [string] for geo_point fields!"
            )
        pivot = parse_distance(self.pivot)
        for name, degrees, most in (("latitude", origin.lat, 90.0), ("longitude", origin.lon, 180.0)):
            if not -most <= degrees <= most:
                reason = f"invalid {name} {degrees}; must be between -{most} and {most}"
                raise IllegalArgument(reason)
        if pivot <= 0:
            raise IllegalArgument(f"pivotDistance must be > 0, got {java_text(pivot)}")
        if not field.has_doc_values:
            return MatchNoneQuery("no doc values")
        return PlaceFeatureQuery(field.name, origin, pivot, field.exists_query())


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
            if value is None or isinstance(value, bool):
                reason = f"[{kind}] origin doesn't support values of type: {token_name(value)}"
                raise LocatedXContentError(reason, Anchor(body, key))
            values[key] = _read_place(body, key) if isinstance(value, dict | list) else value
        elif key == "boost":
            values[key] = check_boost(kind, read_number(kind, body, key))
        elif key == "_name":
            values["name"] = read_text(kind, body, key)
        else:
            raise LocatedXContentError(f"[{kind}] unknown field [{key}]", Anchor(body, key, "key"))
    missing = [key for key in ("field", "origin", "pivot") if key not in values]
    if missing:
        raise IllegalArgument(f"Required [{', '.join(missing)}]")
    return DistanceFeatureDsl(**values)


def _read_place(body: dict[str, Any], key: str) -> Point:
    try:
        return parse_point(body[key])
    except LannerError as cause:
        reason = "[distance_feature] failed to parse field [origin]"
        raise LocatedXContentError(reason, Anchor(body, key), caused_by=cause) from None
