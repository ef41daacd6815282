"""Shapes on the earth as requests and documents write them: GeoJSON and well-known text.

Sources: RFC 7946; OGC Simple Feature Access, part 1. ``envelope`` and ``BBOX`` are the API's own, and so are
circles, which only queries may have.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

from lanner.engine.common.body import as_double, java_text, parse_double
from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
    NumberFormatError,
    ParseError,
    XContentParseError,
)
from lanner.engine.common.geo import parse_distance

Position: TypeAlias = tuple[float, float]  # longitude, latitude
Line: TypeAlias = tuple[Position, ...]
Rings: TypeAlias = tuple[Line, ...]

_MAX_DEPTH = 32  # of collections within collections
_LEFT = frozenset(("left", "clockwise", "cw"))
_RIGHT = frozenset(("right", "counterclockwise", "ccw"))
_NAMES = {
    "point": "Point",
    "multipoint": "MultiPoint",
    "linestring": "LineString",
    "multilinestring": "MultiLineString",
    "polygon": "Polygon",
    "multipolygon": "MultiPolygon",
    "geometrycollection": "GeometryCollection",
    "envelope": "Envelope",
    "circle": "Circle",
}
#: the kinds of shapes in small letters, as texts may call them too
KINDS = frozenset((*_NAMES, "bbox"))
_TOKEN = re.compile(r"\s*(?:([(),])|([A-Za-z][A-Za-z0-9_]*)|([^\s(),]+))")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of some kind, by its GeoJSON name in small letters.

    lines: of a point or several points one line; of lines each; of an envelope its two corners. polygons: the
    rings of each, the outer one first. parts: of a collection. metres: the radius of a circle. right: whether
    outer rings run against the clock.
    """

    kind: str
    lines: tuple[Line, ...] = ()
    polygons: tuple[Rings, ...] = ()
    parts: tuple["Shape", ...] = ()
    metres: float = 0.0
    right: bool = True


@dataclass(frozen=True, slots=True)
class ShapeRules:
    """How lenient a reader is."""

    coerce: bool = False
    ignore_z: bool = True
    right: bool = True


def read_orientation(text: str) -> bool:
    """Return whether outer rings run against the clock; raises IllegalArgument."""
    if text.lower() in _RIGHT:
        return True
    if text.lower() in _LEFT:
        return False
    raise IllegalArgument(f"Unknown orientation [{text}]")


def parse_shape(value: Any, rules: ShapeRules = ShapeRules()) -> Shape:
    """Return a shape from GeoJSON or well-known text; raises LannerError."""
    if isinstance(value, str):
        return _Text(value, rules).shape()
    if not isinstance(value, dict):
        raise ParseError("shape must be an object consisting of type and coordinates")
    return _from_object(value, rules, _MAX_DEPTH)


# -- what both forms share


def _line(positions: Line) -> Line:
    if len(positions) < 2:
        raise IllegalArgument("at least two points in the line is required")
    return positions


def _ring(positions: Line, rules: ShapeRules) -> Line:
    if rules.coerce and positions and positions[0] != positions[-1]:
        positions = (*positions, positions[0])
    if len(_line(positions)) < 4:
        raise IllegalArgument("at least 4 polygon points required")
    (x, y), (last_x, last_y) = positions[0], positions[-1]
    if (x, y) != (last_x, last_y):
        last = len(positions) - 1
        raise IllegalArgument(
            "first and last points of the linear ring must be the same (it must close itself): "
            f"x[0]={java_text(x)} x[{last}]={java_text(last_x)} "
            f"y[0]={java_text(y)} y[{last}]={java_text(last_y)}"
        )
    return positions


def _rings(lines: Rings, rules: ShapeRules) -> Rings:
    if not lines:
        raise IllegalArgument("a polygon needs a ring")
    return tuple(_ring(line, rules) for line in lines)


def _envelope(west: float, north: float, east: float, south: float) -> Shape:
    if north < south:
        raise IllegalArgument("max y cannot be less than min x")
    return Shape("envelope", (((west, north), (east, south)),))


def _check_z(z: float | None, rules: ShapeRules) -> None:
    if z is not None and not rules.ignore_z:
        raise IllegalArgument(f"found Z value [{java_text(z)}] but [ignore_z_value] parameter is [false]")


# -- GeoJSON


def _from_object(body: dict[str, Any], rules: ShapeRules, depth: int) -> Shape:
    if "type" not in body:
        raise IllegalArgument("Required [type]")
    try:
        return _build(body, rules, depth)
    except _CoordinatesError as error:
        raise XContentParseError(
            "[geojson] failed to parse field [coordinates]", caused_by=ParseError(error.reason)
        ) from None
    except LannerError as error:
        if error.reason.startswith("found Z value"):
            raise
        raise XContentParseError(
            "Failed to build [geojson] after last required field arrived", caused_by=error
        ) from None


class _CoordinatesError(LannerError):
    """Coordinates that are none, whatever the type."""


def _build(body: dict[str, Any], rules: ShapeRules, depth: int) -> Shape:
    kind = java_text(body["type"]).lower()
    if kind not in _NAMES:
        raise IllegalArgument(f"No enum constant org.opensearch.geometry.ShapeType.{kind.upper()}")
    if body.get("orientation") is not None:
        right = read_orientation(java_text(body["orientation"]))
        rules = ShapeRules(rules.coerce, rules.ignore_z, right)
    if kind == "geometrycollection":
        given = body.get("geometries")
        if not isinstance(given, list):
            raise ParseError("geometries not included")
        if depth == 0:
            raise IllegalArgument("a collection of shapes is nested too deeply")
        parts = [part for part in given if isinstance(part, dict)]
        return Shape(kind, parts=tuple(_from_object(part, rules, depth - 1) for part in parts))
    given = body.get("coordinates")
    if given is None:
        raise ParseError("coordinates not included")
    if not isinstance(given, list):
        raise _CoordinatesError("coordinates must be an array")
    if kind == "circle":
        if "radius" not in body:
            raise ParseError("radius is required for circle")
        center = _position(given, rules)
        return Shape(kind, ((center,),), metres=parse_distance(body["radius"]))
    if kind == "point":
        if given and isinstance(given[0], list):
            raise LannerError("expected a single points but got a list")
        return Shape(kind, ((_position(given, rules),),))
    if kind == "envelope":
        corners = _positions(given, rules)
        if len(corners) != 2:
            raise ParseError(
                f"invalid number of points [{len(corners)}] provided for geo_shape [ENVELOPE] when expecting "
                "an array of 2 coordinates"
            )
        (west, north), (east, south) = corners
        return _envelope(west, north, east, south)
    if kind == "multipoint":
        if not given:
            raise IllegalArgument("the list of shapes cannot be null or empty")
        return Shape(kind, (_positions(given, rules),))
    if kind == "linestring":
        positions = _positions(given, rules)
        if len(positions) < 2:
            raise LannerError("not enough points to build a line")
        return Shape(kind, (positions,))
    if kind == "multilinestring":
        return Shape(kind, tuple(_line(line) for line in _lines(given, rules)))
    if kind == "polygon":
        return Shape(kind, polygons=(_rings(_lines(given, rules), rules),), right=rules.right)
    polygons = tuple(_rings(_lines(_list(polygon), rules), rules) for polygon in given)
    return Shape(kind, polygons=polygons, right=rules.right)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _CoordinatesError("geo coordinates must be numbers")
    return value


def _lines(given: list[Any], rules: ShapeRules) -> tuple[Line, ...]:
    return tuple(_positions(_list(line), rules) for line in given)


def _positions(given: list[Any], rules: ShapeRules) -> Line:
    return tuple(_position(_list(position), rules) for position in given)


def _position(given: list[Any], rules: ShapeRules) -> Position:
    numbers = [one for one in given if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) != len(given) or not 2 <= len(numbers) <= 3:
        raise _CoordinatesError("geo coordinates must be numbers")
    x, y, *z = map(as_double, numbers)
    if not (isfinite(x) and isfinite(y)):
        raise IllegalArgument("coordinates must be finite")
    _check_z(z[0] if z else None, rules)
    return x, y


# -- well-known text


class _Text:
    """A reader of one text, from the left."""

    def __init__(self, text: str, rules: ShapeRules) -> None:
        self.rules = rules
        self.tokens = self._split(text)
        self.current: str | None = next(self.tokens, None)

    @staticmethod
    def _split(text: str) -> Iterator[str]:
        for match in _TOKEN.finditer(text):
            yield match[1] or match[2] or match[3]

    def take(self) -> str | None:
        """Return the next token."""
        token = self.current
        self.current = next(self.tokens, None)
        return token

    def expect(self, *wanted: str) -> str:
        """Return the next token, which must be one of some signs."""
        token = self.take()
        if token not in wanted:
            shown = " or ".join(f"'{sign}'" for sign in wanted)
            raise ParseError(f"expected {shown} but found: {_shown(token)}")
        return token or ""

    def number(self) -> float:
        """Return the next token as a number."""
        token = self.take()
        try:
            found = parse_double(token or "")
        except NumberFormatError:
            raise ParseError(f"expected number but found: {_shown(token)}") from None
        if not isfinite(found):
            raise IllegalArgument("coordinates must be finite")
        return found

    def shape(self, depth: int = _MAX_DEPTH) -> Shape:
        """Return the shape that stands next."""
        name = (self.take() or "").lower()
        readers: dict[str, Callable[[], Shape]] = {
            "point": lambda: Shape("point", (self.line_of(1),)),
            "multipoint": lambda: Shape("multipoint", (self.points(),)),
            "linestring": lambda: Shape("linestring", (_line(self.line_of()),)),
            "multilinestring": lambda: Shape(
                "multilinestring", tuple(_line(line) for line in self.many(self.line_of))
            ),
            "polygon": lambda: Shape("polygon", polygons=(self.polygon(),), right=self.rules.right),
            "multipolygon": lambda: Shape(
                "multipolygon", polygons=tuple(self.many(self.polygon)), right=self.rules.right
            ),
            "bbox": self.box,
            "envelope": self.box,
            "circle": self.circle,
        }
        if name == "geometrycollection":
            if depth == 0:
                raise IllegalArgument("a collection of shapes is nested too deeply")
            return Shape(name, parts=tuple(self.many(lambda: self.shape(depth - 1))))
        if name not in readers:
            raise IllegalArgument(f"Unknown geometry type: {name}")
        return readers[name]()

    def many(self, read: Callable[[], Any]) -> list[Any]:
        """Return what stands between brackets, with commas between."""
        self.expect("(")
        found = [read()]
        while self.expect(",", ")") == ",":
            found.append(read())
        return found

    def position(self) -> Position:
        """Return two numbers; a third is passed over if it may be."""
        x, y = self.number(), self.number()
        if self.current not in (",", ")", "(", None):
            _check_z(self.number(), self.rules)
        return x, y

    def line_of(self, n: int | None = None) -> Line:
        """Return positions between brackets."""
        found = tuple(self.many(self.position))
        if n is not None and len(found) != n:
            raise ParseError("expected ')' but found: ','")
        return found

    def points(self) -> Line:
        """Return positions, each of which may have brackets of its own."""

        def one() -> Position:
            if self.current != "(":
                return self.position()
            return self.line_of(1)[0]

        return tuple(self.many(one))

    def polygon(self) -> Rings:
        """Return rings."""
        return _rings(tuple(self.many(self.line_of)), self.rules)

    def box(self) -> Shape:
        """Return an envelope: west, east, north, south."""
        sides = self.many(self.number)
        if len(sides) != 4:
            raise ParseError("expected four numbers in a bounding box")
        west, east, north, south = sides
        return _envelope(west, north, east, south)

    def circle(self) -> Shape:
        """Return a circle: longitude, latitude, metres."""
        self.expect("(")
        x, y, metres = self.number(), self.number(), self.number()
        self.expect(")")
        return Shape("circle", (((x, y),),), metres=metres)


def _shown(token: str | None) -> str:
    return "end of stream" if token is None else f"'{token}'" if token in "()," else token


# -- writing


def to_geojson(shape: Shape) -> dict[str, Any]:
    """Return a shape as GeoJSON."""
    shown: dict[str, Any] = {"type": _NAMES[shape.kind]}
    if shape.kind == "geometrycollection":
        return {**shown, "geometries": [to_geojson(part) for part in shape.parts]}
    lines: Any = [[list(position) for position in line] for line in shape.lines]
    if shape.kind in ("point", "circle"):
        lines = lines[0][0]
    elif shape.kind in ("multipoint", "linestring", "envelope"):
        lines = lines[0]
    elif shape.polygons:
        lines = [[[list(position) for position in ring] for ring in rings] for rings in shape.polygons]
        lines = lines[0] if shape.kind == "polygon" else lines
    return {**shown, "coordinates": lines}


def to_text(shape: Shape) -> str:
    """Return a shape as well-known text."""
    kind = shape.kind.upper()
    if shape.kind == "geometrycollection":
        return f"{kind} ({','.join(map(to_text, shape.parts))})"
    if shape.kind == "envelope":
        ((west, north), (east, south)) = shape.lines[0]
        return f"BBOX ({', '.join(map(java_text, (west, east, north, south)))})"
    if shape.polygons:
        texts = [f"({', '.join(map(_line_text, rings))})" for rings in shape.polygons]
    else:
        texts = [_line_text(line) for line in shape.lines]
    if shape.kind in ("multilinestring", "multipolygon"):
        return f"{kind} ({', '.join(texts)})"
    return f"{kind} {texts[0]}"


def _line_text(line: Line) -> str:
    return f"({', '.join(f'{java_text(x)} {java_text(y)}' for x, y in line)})"
