"""Documents with a point inside a shape on the earth, all scored alike."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.common.body import java_text
from lanner.engine.common.geo import Point, decode_point, encode_lat, encode_lon
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.range import two_ways
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.geo import GeoBoxWeight, GeoDistanceWeight, GeoPolygonWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

_LOW = 0xFFFFFFFF
_EARTH = 6_371_008.7714  # metres, the mean radius
_WIDER = 1.000001  # so that no rounding cuts the latitudes of a circle off


class GeoQuery(Query):
    """What is told of all of them."""

    __slots__ = ()
    field: str

    @property
    def kind(self) -> str:
        """The name of Lucene's class for a field with points and doc values."""
        return "IndexOrDocValuesQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return the shape as points and as doc values show it."""
        return two_ways(fields, self.field, self.points(), self.cells())

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return whether the doc values are inside, or the points where there are no others."""
        from lanner.engine.query.explanation import constant

        decides = self.cells() if document.fields.has_doc_values(self.field) else None
        return constant(document, self, boost, decides)

    @abstractmethod
    def points(self) -> str:
        """Return the shape as points show it."""

    @abstractmethod
    def cells(self) -> str:
        """Return the shape as doc values show it."""


def _degrees(*values: float) -> list[str]:
    return [java_text(float(value)) for value in values]


@dataclass(frozen=True, slots=True)
class GeoBoxQuery(GeoQuery):
    """Points between two latitudes and, eastwards, two longitudes."""

    field: str
    top_left: Point
    bottom_right: Point

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the points of the latitudes."""
        north, west = self.top_left
        south, east = self.bottom_right
        child = GeoBoxWeight(
            context.reader,
            self.field,
            encode_lat(south, up=True),
            encode_lat(north),
            encode_lon(west, up=True),
            encode_lon(east),
        )
        return ConstantWeight(child, boost)

    def bounds(self) -> list[str]:
        """Return south, north, west and east as they are indexed."""
        low = decode_point(
            encode_lat(self.bottom_right.lat, up=True) << 32 | encode_lon(self.top_left.lon, up=True) & _LOW
        )
        high = decode_point(encode_lat(self.top_left.lat) << 32 | encode_lon(self.bottom_right.lon) & _LOW)
        return _degrees(low.lat, high.lat, low.lon, high.lon)

    def points(self) -> str:
        """Return both ranges."""
        south, north, west, east = self.bounds()
        return f"{self.field}:[{south} TO {north}],[{west} TO {east}]"

    def cells(self) -> str:
        """Return the box."""
        south, north, west, east = self.bounds()
        return f"{self.field}:box(minLat={south}, maxLat={north}, minLon={west}, maxLon={east})"


@dataclass(frozen=True, slots=True)
class GeoDistanceQuery(GeoQuery):
    """Points at most so many metres from a centre."""

    field: str
    center: Point
    metres: float

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the points of the latitudes that the circle touches."""
        reach = math.degrees(self.metres / _EARTH) * _WIDER
        south, north = max(-90.0, self.center.lat - reach), min(90.0, self.center.lat + reach)
        child = GeoDistanceWeight(
            context.reader,
            self.field,
            encode_lat(south),
            encode_lat(north, up=True),
            self.center.lat,
            self.center.lon,
            self.metres,
        )
        return ConstantWeight(child, boost)

    def points(self) -> str:
        """Return centre and radius."""
        lat, lon, metres = _degrees(self.center.lat, self.center.lon, self.metres)
        return f"{self.field}:{lat},{lon} +/- {metres} meters"

    def cells(self) -> str:
        """Return the circle."""
        lat, lon, metres = _degrees(self.center.lat, self.center.lon, self.metres)
        circle = f"CIRCLE([{lat},{lon}] radius = {metres} meters)"
        return f"{self.field}:INTERSECTS:geometries([{circle}])"


@dataclass(frozen=True, slots=True)
class GeoPolygonQuery(GeoQuery):
    """Points inside a ring."""

    field: str
    corners: tuple[Point, ...]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the points of the latitudes that the ring touches."""
        lats, lons = [corner.lat for corner in self.corners], [corner.lon for corner in self.corners]
        child = GeoPolygonWeight(
            context.reader, self.field, encode_lat(min(lats), up=True), encode_lat(max(lats)), lats, lons
        )
        return ConstantWeight(child, boost)

    def ring(self) -> str:
        """Return the corners, the first one again at the end."""
        ring = self.corners if self.corners[0] == self.corners[-1] else (*self.corners, self.corners[0])
        return "".join(f"[{', '.join(_degrees(*corner))}] " for corner in ring)

    def points(self) -> str:
        """Return the ring."""
        return f"LatLonPointQuery: field={self.field}:[{self.ring()},]"

    def cells(self) -> str:
        """Return the ring."""
        return f"{self.field}:INTERSECTS:geometries([{self.ring()}])"
