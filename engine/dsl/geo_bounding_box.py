"""geo_bounding_box: documents with a point between two latitudes and two longitudes."""

import math
import re
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, as_double, java_text, parse_double
from lanner.engine.common.errors import IllegalArgument, LannerError, ParseError
from lanner.engine.common.geo import Point, parse_point
from lanner.engine.common.shapes import Shape
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.geo import (
    IGNORE_MALFORMED,
    STRICT,
    checked,
    geo_field,
    read_option,
    shape_query,
    unexpected,
)
from lanner.engine.query.base import Query
from lanner.engine.query.geo import GeoBoxQuery
from lanner.engine.query.match_all import MatchNoneQuery

_KIND = "geo_bounding_box"
_NUMBER = r"\s*([^,\s]+)\s*"
_WKT = re.compile(rf"\s*BBOX\s*\({_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}\)\s*", re.IGNORECASE)
_CORNERS = {
    f"{vertical}{joint}": (vertical, horizontal)
    for vertical in ("top", "bottom")
    for horizontal in ("left", "right")
    for joint in (f"_{horizontal}", horizontal.capitalize())
}


@dataclass(frozen=True, slots=True)
class GeoBoundingBoxDsl(DslQuery):
    """A box."""

    field: str
    top_left: Point
    bottom_right: Point
    ignore_unmapped: bool = False
    validation: str = STRICT

    def build(self, context: DslContext) -> Query:
        """Return the documents with a point in the box."""
        field = geo_field(context, self.field, ignore_unmapped=self.ignore_unmapped, shapes=True)
        if field is None:
            return MatchNoneQuery()
        first = checked(self.top_left, self.validation, _KIND, ("top latitude", "left longitude"))
        second = checked(self.bottom_right, self.validation, _KIND, ("bottom latitude", "right longitude"))
        if field.type_name == "geo_shape":
            corners = ((first.lon, first.lat), (second.lon, second.lat))
            return shape_query(field, Shape("envelope", (corners,)))
        return GeoBoxQuery(field.name, first, second)


def parse_geo_bounding_box(body: dict[str, Any], context: ParseContext) -> GeoBoundingBoxDsl:
    """Read the body of a geo_bounding_box query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if isinstance(value, dict):
            if "field" in values:
                raise LocatedError(
                    f"[{_KIND}] query doesn't support multiple fields, found [{values['field']}] and [{key}]",
                    Anchor(body, key),
                )
            values["field"] = key
            try:
                sides = _read_box(value)
            except LannerError as error:
                raise ParseError(f"failed to parse [{_KIND}] query. [{error.reason}]") from None
        elif key != "type" and not read_option(_KIND, body, key, values):
            raise unexpected(_KIND, body, key)
    if "field" not in values:
        raise LocatedError(f"failed to parse [{_KIND}] query. bounding box not provided", Anchor(body))
    if values.get("validation") != IGNORE_MALFORMED:
        for side in ("top", "left", "bottom", "right"):
            if math.isnan(sides[side]):
                degrees = "latitude" if side in ("top", "bottom") else "longitude"
                raise IllegalArgument(f"{side} {degrees} is invalid: NaN")
        if sides["top"] < sides["bottom"]:
            raise IllegalArgument(f"top is below bottom corner: {sides['top']} vs. {sides['bottom']}")
    top_left = Point(sides["top"], sides["left"])
    return GeoBoundingBoxDsl(top_left=top_left, bottom_right=Point(sides["bottom"], sides["right"]), **values)


def _read_box(body: dict[str, Any]) -> dict[str, float]:
    """The four sides in degrees, NaN for those that are not given."""
    sides = dict.fromkeys(("top", "bottom", "left", "right"), math.nan)
    for key, value in body.items():
        if key in sides:
            degrees = as_double(value) if isinstance(value, int | float) else parse_double(java_text(value))
            if not math.isfinite(degrees):
                raise ParseError(f"{key} must be a number")
            sides[key] = degrees
        elif key in _CORNERS:
            vertical, horizontal = _CORNERS[key]
            sides[vertical], sides[horizontal] = parse_point(value, corner=f"{vertical}_{horizontal}")
        elif key == "wkt":
            match = _WKT.fullmatch(java_text(value))
            if match is None:
                raise ParseError(f"failed to parse WKT bounding box. [{java_text(value)}]")
            west, east, north, south = map(parse_double, match.groups())
            if not all(map(math.isfinite, (west, east, north, south))):
                raise ParseError(f"failed to parse WKT bounding box. [{java_text(value)}]")
            sides.update(top=north, bottom=south, left=west, right=east)
        else:
            raise ParseError(f"failed to parse bounding box. unexpected field [{key}]")
    return sides
