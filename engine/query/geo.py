"""Documents with a point inside a shape on the earth, all scored alike."""

import math
from dataclasses import dataclass

from lanner.engine.common.geo import Point, encode_lat, encode_lon
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.geo import GeoBoxWeight, GeoDistanceWeight, GeoPolygonWeight

_EARTH = 6_371_008.7714  # metres, the mean radius
_WIDER = 1.000001  # so that no rounding cuts the latitudes of a circle off


@dataclass(frozen=True, slots=True)
class GeoBoxQuery(Query):
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


@dataclass(frozen=True, slots=True)
class GeoDistanceQuery(Query):
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


@dataclass(frozen=True, slots=True)
class GeoPolygonQuery(Query):
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
