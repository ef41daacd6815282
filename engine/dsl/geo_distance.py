"""geo_distance: documents with a point near another."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, java_text
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.geo import Point, parse_distance, parse_point
from lanner.engine.common.shapes import Shape
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.geo import STRICT, checked, geo_field, read_option, shape_query, unexpected
from lanner.engine.query.base import Query
from lanner.engine.query.geo import GeoDistanceQuery
from lanner.engine.query.match_all import MatchNoneQuery

_KIND = "geo_distance"


@dataclass(frozen=True, slots=True)
class GeoDistanceDsl(DslQuery):
    """A circle. metres: its radius."""

    field: str
    center: Point
    metres: float
    ignore_unmapped: bool = False
    validation: str = STRICT

    def build(self, context: DslContext) -> Query:
        """Return the documents with a point in the circle."""
        field = geo_field(context, self.field, ignore_unmapped=self.ignore_unmapped, shapes=True)
        if field is None:
            return MatchNoneQuery()
        names = ("center point latitude", "center point longitude")
        center = checked(self.center, self.validation, _KIND, names)
        if field.type_name == "geo_shape":
            circle = Shape("circle", (((center.lon, center.lat),),), metres=self.metres)
            return shape_query(field, circle)
        return GeoDistanceQuery(field.name, center, self.metres)


def parse_geo_distance(body: dict[str, Any], context: ParseContext) -> GeoDistanceDsl:
    """Read the body of a geo_distance query."""
    values: dict[str, Any] = {}
    distance, unit = None, None
    for key, value in body.items():
        if key == "distance":
            distance = value
        elif key == "unit":
            unit = java_text(value)
        elif key == "distance_type":
            if java_text(value).lower() not in ("arc", "plane"):
                raise IllegalArgument(f"No geo distance for [{java_text(value)}]")
        elif isinstance(value, dict | list | str) and key not in ("_name", "validation_method", "boost"):
            if "field" in values:
                raise LocatedError(
                    f"[{_KIND}] query doesn't support multiple fields, found [{values['field']}] and [{key}]",
                    Anchor(body, key),
                )
            values["field"], values["center"] = key, parse_point(value)
        elif not read_option(_KIND, body, key, values):
            raise unexpected(_KIND, body, key)
    if distance is None:
        raise LocatedError(f"{_KIND} requires 'distance' to be specified", Anchor(body, None, "close"))
    metres = parse_distance(distance, unit)
    if "field" not in values:
        raise IllegalArgument("fieldName must not be null or empty")
    if not metres > 0:
        raise IllegalArgument("distance must be greater than zero")
    return GeoDistanceDsl(metres=metres, **values)
