"""The order of hits by how far they are from given points."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, java_text, read_boolean
from lanner.engine.common.errors import IllegalArgument, NumberFormatError, ParseError
from lanner.engine.common.geo import Point, normalized, parse_distance, parse_point, valid_lat, valid_lon
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.number_encoding import decode_double, encode_double
from lanner.engine.mapping.types.geo_point import GeoPointFieldType
from lanner.ext.search.distance import Distance
from lanner.ext.search.sort_keys import SortKey

NAME = "_geo_distance"
_METHODS = ("strict", "coerce", "ignore_malformed")
_KINDS = ("arc", "plane")


@dataclass(frozen=True, slots=True)
class GeoDistance:
    """What a request measures. unit: in metres."""

    points: tuple[Point, ...]
    unit: float = 1.0
    kind: str = "arc"
    validation: str = "strict"
    ignore_unmapped: bool = False


def parse_geo_distance_sort(
    given: dict[str, Any], order: Callable[[str], bool], mode: Callable[[str], str]
) -> dict[str, Any]:
    """Return the parts of a sort by distance: field, reverse, mode and what is measured."""
    values: dict[str, Any] = {}
    measured: dict[str, Any] = {}
    points: list[Point] = []
    field: str | None = None
    for key, value in given.items():
        if isinstance(value, list):
            points += _points(value)
            field = key
        elif isinstance(value, dict):
            if key in ("nested", "nested_filter"):
                raise IllegalArgument(f"[{key}] of [{NAME}] is not supported by this version")
            field = key
            points.append(parse_point(value))
        elif key == "order":
            values["reverse"] = order(java_text(value))
        elif key == "unit":
            measured["unit"] = parse_distance(1, java_text(value))
        elif key == "distance_type":
            measured["kind"] = _choice(value, _KINDS, f"No geo distance for [{java_text(value)}]")
        elif key == "validation_method":
            complaint = "operator needs to be either [COERCE, IGNORE_MALFORMED, STRICT], but not "
            measured["validation"] = _choice(value, _METHODS, f"{complaint}[{java_text(value)}]")
        elif key in ("mode", "sort_mode"):
            values["mode"] = mode(java_text(value))
        elif key == "ignore_unmapped":
            measured[key] = read_boolean(value)
        elif key == "nested_path":
            raise IllegalArgument(f"[{key}] of [{NAME}] is not supported by this version")
        elif not isinstance(value, str):
            raise LocatedError(f"[{NAME}] does not support [{key}]", Anchor(given, key))
        elif field not in (None, key):
            raise LocatedError(
                f"Trying to reset fieldName to [{key}], already set to [{field}].", Anchor(given, key)
            )
        else:
            field = key
            points.append(parse_point(value))
    if not points:
        raise IllegalArgument("Geo distance sorting needs at least one point.")
    if values.get("mode") == "sum":
        raise IllegalArgument("sort_mode [sum] isn't supported for sorting by geo distance")
    return {"field": field, "distance": GeoDistance(tuple(points), **measured), **values}


def _choice(value: Any, known: tuple[str, ...], complaint: str) -> str:
    chosen = java_text(value).lower()
    if chosen not in known:
        raise IllegalArgument(complaint)
    return chosen


def _points(given: list[Any]) -> list[Point]:
    """Return the points of an array, which is one itself if it begins with a number."""
    if given and isinstance(given[0], int | float):
        return [parse_point(given)]
    return [parse_point(one) for one in given]


def bind_geo_distance(
    field_name: str, asked: GeoDistance, mapping: Mapping, *, reverse: bool, mode: str | None
) -> tuple[SortKey, Callable[[int], Any], Callable[[Any], int]]:
    """Return the key, what shows its values, and what reads a value; raises the errors of a shard."""
    points = [_checked(point, asked.validation, field_name) for point in asked.points]
    field = mapping.field_type(field_name)
    if field is None:
        if not asked.ignore_unmapped:
            raise IllegalArgument(f"failed to find mapper for [{field_name}] for geo distance based sort")
    elif not isinstance(field, GeoPointFieldType):
        raise IllegalArgument(
            f"field [{field_name}] of type [{field.type_name}] is not a geo_point field, which [{NAME}] needs"
        )
    else:
        field.check_sortable()
    key = SortKey(
        "distance",
        field_name if field is None else field.name,
        reverse=reverse,
        missing_value=encode_double(inf),
        mode=mode,
        distance=Distance(
            [point.lat for point in points],
            [point.lon for point in points],
            asked.unit,
            plane=asked.kind == "plane",
        ),
    )

    def show(bits: int) -> Any:
        distance = decode_double(bits)
        return "Infinity" if distance == inf else distance

    def read(value: Any) -> int:
        try:
            return encode_double(float(value))
        except (ValueError, TypeError):
            cause = NumberFormatError(f'For input string: "{java_text(value)}"')
            raise IllegalArgument(
                f"Failed to parse search_after value for field [{field_name}].", caused_by=cause
            ) from None

    return key, show, read


def _checked(point: Point, method: str, field: str) -> Point:
    if method == "coerce":
        return normalized(point)
    for name, degrees, valid, most in (
        ("latitude", point.lat, valid_lat, 90.0),
        ("longitude", point.lon, valid_lon, 180.0),
    ):
        if valid(degrees):
            continue
        if method == "strict":
            raise ParseError(f"illegal {name} value [{degrees}] for [GeoDistanceSort] for field [{field}].")
        raise IllegalArgument(f"invalid {name} {degrees}; must be between -{most} and {most}")
    return point
