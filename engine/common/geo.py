"""Points on the earth: how requests and documents write them, and the one integer that a column holds.

A cell is Lucene's: latitude and longitude each as a 32-bit integer, the latitude in the upper half, so that
cells of one range of latitudes are one range of cells (org.apache.lucene.geo.GeoEncodingUtils).
"""

import math
import re
from typing import Any, NamedTuple

from lanner.engine.common.body import as_double, parse_double
from lanner.engine.common.errors import IllegalArgument, LannerError, NumberFormatError, ParseError

LAT_STEP = 180.0 / 2**32
LON_STEP = 360.0 / 2**32
_BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"
_MAX_GEOHASH = 12
_UNITS = {
    **dict.fromkeys(("in", "inch"), 0.0254),
    **dict.fromkeys(("yd", "yards"), 0.9144),
    **dict.fromkeys(("ft", "feet"), 0.3048),
    **dict.fromkeys(("km", "kilometers"), 1000.0),
    **dict.fromkeys(("NM", "nmi", "nauticalmiles"), 1852.0),
    **dict.fromkeys(("mm", "millimeters"), 0.001),
    **dict.fromkeys(("cm", "centimeters"), 0.01),
    **dict.fromkeys(("mi", "miles"), 1609.344),
    **dict.fromkeys(("m", "meters"), 1.0),
}
_SUFFIXES = sorted(_UNITS, key=len, reverse=True)
_WKT_POINT = re.compile(r"\s*POINT\s*\(\s*(\S+)\s+(\S+?)(?:\s+(\S+?))?\s*\)\s*", re.IGNORECASE)


class Point(NamedTuple):
    """Degrees north and east."""

    lat: float
    lon: float


# -- cells


def encode_lat(lat: float, *, up: bool = False) -> int:
    """Return a latitude as a 32-bit integer, rounded down or up."""
    if lat >= 90.0:
        return 2**31 - 1
    return math.ceil(lat / LAT_STEP) if up else math.floor(lat / LAT_STEP)


def encode_lon(lon: float, *, up: bool = False) -> int:
    """Return a longitude as a 32-bit integer, rounded down or up."""
    if lon >= 180.0:
        return 2**31 - 1
    return math.ceil(lon / LON_STEP) if up else math.floor(lon / LON_STEP)


def encode_point(point: Point) -> int:
    """Return the cell of a point."""
    return encode_lat(point.lat) << 32 | encode_lon(point.lon) & 0xFFFFFFFF


def decode_point(cell: int) -> Point:
    """Return the point of a cell: the one that was encoded, to about a centimetre."""
    lon = cell & 0xFFFFFFFF
    return Point((cell >> 32) * LAT_STEP, (lon - (1 << 32) if lon >> 31 else lon) * LON_STEP)


# -- texts


def parse_point(value: Any, *, ignore_z: bool = True, corner: str | None = None) -> Point:
    """Return a point from any of the forms that JSON may give it; raises ParseError.

    corner: which corner of its cell a geohash stands for, as in ``top_left``; None for the middle.
    """
    if isinstance(value, str):
        return _from_text(value, ignore_z, corner)
    if isinstance(value, list):
        return _from_array(value, ignore_z)
    if isinstance(value, dict):
        return _from_object(value, ignore_z, corner)
    raise ParseError("geo_point expected")


def _from_text(text: str, ignore_z: bool, corner: str | None) -> Point:
    if "POINT" in text.upper():
        match = _WKT_POINT.fullmatch(text)
        if match is None:
            raise ParseError(f"Invalid WKT format [{text}]")
        _check_z(match[3], ignore_z)
        return _finite(_degrees(match[2], "latitude"), _degrees(match[1], "longitude"))
    if "," in text:
        parts = text.split(",")
        if len(parts) > 3:
            raise ParseError(
                f"failed to parse [{text}], expected 2 or 3 coordinates but found: [{len(parts)}]"
            )
        _check_z(parts[2] if len(parts) == 3 else None, ignore_z)
        return _finite(_degrees(parts[0], "latitude"), _degrees(parts[1], "longitude"))
    return _from_geohash(text, corner)


def _degrees(text: str, name: str) -> float:
    try:
        return parse_double(text.strip())
    except NumberFormatError:
        raise ParseError(f"{name} must be a number") from None


def _finite(lat: float, lon: float) -> Point:
    if not (math.isfinite(lat) and math.isfinite(lon)):
        raise ParseError("[lon] and [lat] must be valid double values")
    return Point(lat, lon)


def _check_z(given: Any, ignore_z: bool) -> None:
    if given is not None and not ignore_z:
        raise ParseError(
            f"Exception parsing coordinates: found Z value [{given}] but [ignore_z_value] parameter is "
            "[false]"
        )


def _from_array(values: list[Any], ignore_z: bool) -> Point:
    if len(values) > 3:
        raise ParseError("Exception parsing coordinates: number of dimensions do not match (3 at most)")
    if len(values) < 2 or not all(_is_number(value) for value in values[:2]):
        raise ParseError("numeric value expected")
    _check_z(values[2] if len(values) == 3 else None, ignore_z)
    return _finite(as_double(values[1]), as_double(values[0]))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _from_object(body: dict[str, Any], ignore_z: bool, corner: str | None) -> Point:
    if not body.keys() <= {"lat", "lon", "geohash", "type", "coordinates", "z"}:
        raise ParseError("field must be either [lon|lat], [type|coordinates], or [geohash]")
    if "geohash" in body:
        if "lat" in body or "lon" in body:
            raise ParseError("field must be either lat/lon or geohash")
        return _from_geohash(str(body["geohash"]), corner)
    if "coordinates" in body:
        if str(body.get("type", "")).lower() != "point" or not isinstance(body["coordinates"], list):
            raise ParseError("GeoJSON 'type' must be 'Point' and 'coordinates' an array")
        return _from_array(body["coordinates"], ignore_z)
    for name in ("lat", "lon"):
        if name not in body:
            raise ParseError(f"field [{name}] missing")
    try:
        lat, lon = (
            as_double(body[name]) if _is_number(body[name]) else parse_double(str(body[name]))
            for name in ("lat", "lon")
        )
    except NumberFormatError as error:
        raise ParseError("[lon] and [lat] must be valid double values", caused_by=error) from None
    return _finite(lat, lon)


def _from_geohash(text: str, corner: str | None) -> Point:
    if not text:
        fault = IllegalArgument("empty geohash")
        raise ParseError("empty geohash", caused_by=fault)
    south, north, west, east = -90.0, 90.0, -180.0, 180.0
    even = True
    for letter in text[:_MAX_GEOHASH]:
        digit = _BASE32.find(letter)
        if digit < 0:
            reason = f"unsupported symbol [{letter}] in geohash [{text}]"
            raise ParseError(reason, caused_by=IllegalArgument(reason))
        for bit in (16, 8, 4, 2, 1):
            if even:
                middle = (west + east) / 2
                west, east = (middle, east) if digit & bit else (west, middle)
            else:
                middle = (south + north) / 2
                south, north = (middle, north) if digit & bit else (south, middle)
            even = not even
    if corner is None:
        # the reference takes the south-western corner of the finest cell
        return Point(south, west)
    return Point(north if corner.startswith("top") else south, west if corner.endswith("left") else east)


def parse_distance(value: Any, unit: str | None = None) -> float:
    """Return metres from ``12km`` or a number of the unit; raises IllegalArgument."""
    if unit is not None and unit not in _UNITS:
        raise IllegalArgument(f"No distance unit match [{unit}]")
    if _is_number(value):
        return as_double(value) * _UNITS[unit or "m"]
    text = str(value)
    for suffix in _SUFFIXES:
        if text.endswith(suffix):
            return parse_double(text[: -len(suffix)].strip()) * _UNITS[suffix]
    return parse_double(text.strip()) * _UNITS[unit or "m"]


# -- checks


def normalized(point: Point) -> Point:
    """Return the same place with degrees in range: beyond a pole the longitude changes sides."""
    lat, lon = point
    turned = math.fmod(lat, 360.0)
    if turned > 180.0:
        turned -= 360.0
    elif turned < -180.0:
        turned += 360.0
    if abs(turned) > 90.0:
        turned = math.copysign(180.0 - abs(turned), turned)
        lon += 180.0
    lon = math.fmod(lon, 360.0)
    if lon > 180.0:
        lon -= 360.0
    elif lon < -180.0:
        lon += 360.0
    return Point(turned, lon)


def valid_lat(lat: float) -> bool:
    """Return whether a latitude is one."""
    return -90.0 <= lat <= 90.0


def valid_lon(lon: float) -> bool:
    """Return whether a longitude is one."""
    return -180.0 <= lon <= 180.0


def check_indexed(point: Point, field: str) -> LannerError | None:
    """Return why a document's point cannot be kept, or None."""
    for name, degrees, valid in (("latitude", point.lat, valid_lat), ("longitude", point.lon, valid_lon)):
        if not valid(degrees):
            return IllegalArgument(f"illegal {name} value [{degrees}] for {field}")
    return None
