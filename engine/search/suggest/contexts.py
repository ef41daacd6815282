"""The contexts that a completion suggester asks for."""

from typing import Any, NamedTuple

import msgspec

from lanner.engine.common import geohash
from lanner.engine.common.body import java_text, locate, read_boolean
from lanner.engine.common.errors import IllegalArgument, LannerError, ParseError, XContentParseError
from lanner.engine.common.geo import Point, parse_point
from lanner.engine.common.object_parser import Field, parse_object
from lanner.engine.mapping.completion_contexts import (
    DEFAULT_PRECISION,
    CategoryContext,
    GeoContext,
    context_named,
    precision_of,
)
from lanner.engine.mapping.types.completion import CONTEXT_END, CompletionFieldType, context_start

_MOST_PRECISION = geohash.MOST_LETTERS


class AskedContext(NamedTuple):
    """Beginnings of terms that count so much. whole: the context ends there; else others may begin so too."""

    start: bytes
    boost: float
    whole: bool


def asked_contexts(given: dict[str, Any] | None, field: CompletionFieldType) -> list[AskedContext]:
    """Return what a suggestion says; raises IllegalArgument, ParseError.

    Places in errors are those in the contexts alone, written without spaces.
    """
    try:
        return _asked(given, field)
    except LannerError as error:
        located = locate(error, given, msgspec.json.encode(given))
        if isinstance(located, XContentParseError):  # its place is not one of the request
            located = XContentParseError(located.reason, caused_by=located.caused_by)
        raise located from None


def _asked(given: dict[str, Any] | None, field: CompletionFieldType) -> list[AskedContext]:
    if not field.contexts:
        if given is not None:
            raise IllegalArgument(f"suggester [{field.name}] doesn't expect any context")
        return [AskedContext(b"", 0.0, True)]
    found: dict[tuple[bytes, bool], AskedContext] = {}
    for name, value in (given or {}).items():
        kind = context_named(name, field.contexts)
        number = field.contexts.index(kind)
        if isinstance(kind, GeoContext):
            asked = _places(value, kind)
        else:
            assert isinstance(kind, CategoryContext)
            asked = _words(value)
        for text, boost, begins in asked:
            if "\x1d" in text:
                raise IllegalArgument("a context must not contain the character [0x1d]")
            start = context_start(number) + text.encode("utf-8", "replace")
            one = AskedContext(start if begins else start + CONTEXT_END, float(boost), not begins)
            known = found.get((start, begins))
            if known is None or known.boost < one.boost:
                found[start, begins] = one
    if not found:
        raise IllegalArgument("Missing mandatory contexts in context query")
    return list(found.values())


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _boost(value: Any, key: str) -> int:
    """Read a whole number above zero."""
    try:
        number = int(value)
    except ValueError:
        raise IllegalArgument(
            f"Boost must be a string representing a numeric value, but was [{value}]"
        ) from None
    if number <= 0:
        raise IllegalArgument("boost must be greater than 0")
    return number


_BOOST = Field((int, float, str), _boost)


def _words(value: Any) -> list[tuple[str, int, bool]]:
    found = []
    for one in _each(value):
        if isinstance(one, dict):
            fields = {
                "context": Field((str,)),
                "boost": _BOOST,
                "prefix": Field((bool, str), lambda given, _: read_boolean(given)),
            }
            try:
                values = parse_object("category", one, fields)
            except XContentParseError:
                raise XContentParseError("category context must be a string, number or boolean") from None
            if "context" not in values:
                raise IllegalArgument("category must not be null")
            found.append((values["context"], values.get("boost", 1), values.get("prefix", False)))
        elif one is None or isinstance(one, list):
            raise XContentParseError("category context must be an object, string, number or boolean")
        else:
            found.append((java_text(one), 1, False))
    return found


def _places(value: Any, kind: GeoContext) -> list[tuple[str, int, bool]]:
    found: list[tuple[str, int, bool]] = []
    if isinstance(value, list) and len(value) == 2 and all(type(one) in (int, float) for one in value):
        value = [{"context": value}]
    for one in _each(value):
        precision, boost, around = DEFAULT_PRECISION, 1, None
        if isinstance(one, dict) and not one.keys() & {"lat", "lon"}:
            fields = {
                "context": Field((dict,), lambda given, _: parse_point(given)),
                "boost": _BOOST,
                "precision": Field((int, float, str), _letters),
                "neighbours": Field((int, float, str, list), _all_letters),
            }
            values = parse_object("geo", one, fields)
            if "context" not in values:
                raise IllegalArgument("geoPoint must not be null")
            point = values["context"]
            precision = values.get("precision", precision)
            boost = values.get("boost", boost)
            around = values.get("neighbours")
        else:
            if not isinstance(one, str | dict):
                raise ParseError("geo context must be an object or string")
            fields_of_point = dict(one) if isinstance(one, dict) else one
            if isinstance(fields_of_point, dict):
                boost = _boost(fields_of_point.pop("boost", 1), "boost")
                precision = _letters(fields_of_point.pop("precision", precision), "precision")
                if "neighbours" in fields_of_point:
                    around = _all_letters(fields_of_point.pop("neighbours"), "neighbours")
            point = parse_point(fields_of_point)
        cells = _cells(point, min(kind.precision, precision), around, kind.precision)
        found += [(cell, boost, len(cell) < kind.precision) for cell in cells]
    return found


def _cells(point: Point, letters: int, around: list[int] | None, whole: int) -> list[str]:
    """Return the cell of a point and the cells around it, or around coarser ones."""
    cell = geohash.encode(point, letters)
    found = {cell: None}
    if not around:
        if len(cell) == whole:
            found |= dict.fromkeys(geohash.neighbours(cell))
        return list(found)
    for shorter in around:
        if shorter < len(cell):
            found |= dict.fromkeys([cell[:shorter], *geohash.neighbours(cell[:shorter])])
    return list(found)


def _all_letters(value: Any, key: str) -> list[int]:
    return [_letters(one, key) for one in _each(value)]


def _letters(value: Any, key: str) -> int:
    if isinstance(value, str):
        letters = precision_of(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        letters = int(value)
    else:
        raise IllegalArgument(f"{key} must be a number of letters or a distance")
    if not 1 <= letters <= _MOST_PRECISION:
        raise IllegalArgument(f"{key} must be between 1 and {_MOST_PRECISION}")
    return letters
