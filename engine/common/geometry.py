"""Shapes as geometries of shapely, which does the exact tests; an optional package.

Geometries lie between -180 and 180 degrees of longitude: what crosses the date line is cut there.
"""

import math
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.geo import LAT_STEP, LON_STEP, Point, normalized
from lanner.engine.common.shapes import Line, Rings, Shape

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_EARTH = 6_371_008.7714  # metres, the mean radius
_CORNERS = 256  # of the polygon that stands for a circle
_TURNS = 3  # around the earth that a line may go


def check_available() -> None:
    """Refuse to go on without shapely."""
    _shapely()


def _shapely() -> Any:
    try:
        import shapely
    except ImportError:
        raise IllegalArgument(
            "geo_shape needs the package [shapely], which is not installed; install [lanner[geo]]"
        ) from None
    return shapely


def geometry_of(shape: Shape) -> Any:
    """Return the geometry of a shape.

    Raises IllegalArgument for one without any part, beyond the poles, or with polygons that cross themselves.
    """
    shapely = _shapely()
    kind = shape.kind
    if not (shape.parts or shape.lines or shape.polygons):
        raise IllegalArgument("the list of shapes cannot be null or empty")
    if kind == "geometrycollection":
        return shapely.GeometryCollection([geometry_of(part) for part in shape.parts])
    if kind == "point":
        return shapely.Point(_placed(shape.lines[0])[0])
    if kind == "multipoint":
        return shapely.MultiPoint(_placed(shape.lines[0]))
    for line in (*shape.lines, *(ring for rings in shape.polygons for ring in rings)):
        for lon, lat in line:
            check_degrees(lon, lat, most=_TURNS * 360.0)
    if kind == "envelope":
        (west, north), (east, south) = shape.lines[0]
        check_degrees(west, north)
        check_degrees(east, south)
        if west <= east:
            return shapely.box(west, south, east, north)
        return shapely.MultiPolygon(
            [shapely.box(west, south, 180, north), shapely.box(-180, south, east, north)]
        )
    if kind == "circle":
        ((lon, lat),) = shape.lines[0]
        return _circle(shapely, lon, lat, shape.metres / _EARTH)
    if shape.polygons:
        found = [_polygon(shapely, rings, shape.right) for rings in shape.polygons]
    else:
        found = [_within_world(shapely, shapely.LineString(line)) for line in shape.lines]
    return found[0] if len(found) == 1 else shapely.union_all(found)


def check_degrees(lon: float, lat: float, *, most: float = 180.0) -> None:
    """Refuse a place that is nowhere. most: how far east or west it may be."""
    if not -90.0 <= lat <= 90.0:
        raise IllegalArgument(f"invalid latitude {lat}; must be between -90.0 and 90.0")
    if not -most <= lon <= most:
        raise IllegalArgument(f"invalid longitude {lon}; must be between -180.0 and 180.0")


def _placed(points: Line) -> list[tuple[float, float]]:
    return [(place.lon, place.lat) for place in (normalized(Point(y, x)) for x, y in points)]


def _polygon(shapely: Any, rings: Rings, right: bool) -> Any:
    """Return a polygon. One that is wide and runs the wrong way round is meant to cross the date line."""
    xs = [x for x, _ in rings[0]]
    width = max(xs) - min(xs)
    if 180 < width < 360 and shapely.is_ccw(shapely.LinearRing(rings[0])) != right:
        rings = tuple(tuple((x + 360 if x < 0 else x, y) for x, y in ring) for ring in rings)
    made = shapely.Polygon(rings[0], rings[1:])
    if not shapely.is_valid(made):
        raise IllegalArgument("Unable to Tessellate shape. Possible malformed shape detected.")
    return _within_world(shapely, made)


def _within_world(shapely: Any, geometry: Any) -> Any:
    """Return a geometry whose longitudes lie in range: what is beyond comes back on the other side."""
    west, _, east, _ = geometry.bounds
    if west >= -180 and east <= 180:
        return geometry
    parts = []
    for turn in range(math.floor((west + 180) / 360), math.ceil((east - 180) / 360) + 1):
        world = shapely.box(360 * turn - 180, -90, 360 * turn + 180, 90)
        part = shapely.intersection(geometry, world)
        if not part.is_empty:
            parts.append(shapely.transform(part, lambda at, turn=turn: at - [360.0 * turn, 0.0]))
    return shapely.union_all(parts)


def _circle(shapely: Any, lon: float, lat: float, reach: float) -> Any:
    """Return the polygon that stands for a circle on the sphere. reach: its radius in radians."""
    degrees = math.degrees(reach)
    if degrees >= 180:
        return shapely.box(-180, -90, 180, 90)
    north, south = lat + degrees >= 90, lat - degrees <= -90
    if north and south:  # all but a circle on the other side of the earth
        away = lon - 180 if lon > 0 else lon + 180
        return shapely.difference(
            shapely.box(-180, -90, 180, 90), _circle(shapely, away, -lat, math.pi - reach)
        )
    corners = [_corner(lon, lat, reach, 2 * math.pi * i / _CORNERS) for i in range(_CORNERS)]
    if north or south:  # the pole is inside: everything beyond the circle's edge, all around
        pole = 90 if north else -90
        around = sorted(((x + 180) % 360 - 180, y) for x, y in corners)
        edge = [(-180.0, around[0][1]), *around, (180.0, around[-1][1])]
        return shapely.Polygon([(-180, pole), *edge, (180, pole)])
    return _within_world(shapely, shapely.Polygon(corners))


def _corner(lon: float, lat: float, reach: float, bearing: float) -> tuple[float, float]:
    """Return the place at a distance from another, both in degrees."""
    y = math.radians(lat)
    sine = math.sin(y) * math.cos(reach) + math.cos(y) * math.sin(reach) * math.cos(bearing)
    turned = math.atan2(
        math.sin(bearing) * math.sin(reach) * math.cos(y), math.cos(reach) - math.sin(y) * sine
    )
    return lon + math.degrees(turned), math.degrees(math.asin(max(-1.0, min(1.0, sine))))


def quantized(geometry: Any) -> Any:
    """Return a geometry whose corners are those that 32 bits each can hold, rounded down as cells are."""
    import numpy

    steps = numpy.array([LON_STEP, LAT_STEP])
    most = numpy.array([2.0**31 - 1, 2.0**31 - 1])

    def round_down(at: "npt.NDArray[np.float64]") -> Any:
        return numpy.minimum(numpy.floor(at / steps), most) * steps

    return _shapely().transform(geometry, round_down)
