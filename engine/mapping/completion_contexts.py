"""Contexts of completions: what else than its text a proposal is looked up by, a category or a place.

A context is a text in front of the key of a proposal. What mappings and documents say about contexts is read
here; what searches say is read in `engine/search/suggest/contexts.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lanner.engine.common import geohash
from lanner.engine.common.body import java_class, java_text, token_name
from lanner.engine.common.errors import (
    ClassCastError,
    IllegalArgument,
    MapperParsingError,
    NumberFormatError,
    ParseError,
)
from lanner.engine.common.geo import decode_point, parse_distance, parse_point

DEFAULT_PRECISION = 6


@dataclass(frozen=True, slots=True)
class ContextType(ABC):
    """One context of a field. path: the field whose values are contexts as well."""

    kind: ClassVar[str]
    name: str
    path: str | None = None

    @abstractmethod
    def parse(self, value: Any) -> list[str]:
        """Return the contexts that a document gives."""

    @abstractmethod
    def of_column(self, value: Any) -> str:
        """Return the context that a value of the field at the path is."""

    def render(self) -> dict[str, Any]:
        """Return the context as GET _mapping shows it."""
        shown: dict[str, Any] = {"name": self.name, "type": self.kind.upper()}
        if self.path is not None:
            shown["path"] = self.path
        return shown


@dataclass(frozen=True, slots=True)
class CategoryContext(ContextType):
    """A word."""

    kind = "category"

    def parse(self, value: Any) -> list[str]:
        """Return the words of a scalar or a list of scalars."""
        if isinstance(value, list):
            for one in value:
                if one is None or isinstance(one, dict | list):
                    raise ParseError(
                        "context array must have string, number or boolean values, but was "
                        f"[{token_name(one)}]"
                    )
            return [java_text(one) for one in value]
        if value is None or isinstance(value, dict):
            raise ParseError(
                "contexts must be a string, number or boolean or a list of string, number or boolean, but "
                f"was [{token_name(value)}]"
            )
        return [java_text(value)]

    def of_column(self, value: Any) -> str:
        """Return a term as it is."""
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else java_text(value)


@dataclass(frozen=True, slots=True)
class GeoContext(ContextType):
    """A place, as a geohash of so many letters."""

    kind = "geo"
    precision: int = DEFAULT_PRECISION

    def parse(self, value: Any) -> list[str]:
        """Return the cells of a geohash, a point, or a list of points."""
        if isinstance(value, str):
            return [value[: self.precision]]
        if isinstance(value, list) and not (value and _is_number(value[0])):
            return [geohash.encode(parse_point(one), self.precision) for one in value]
        if isinstance(value, list):
            if len(value) < 2 or not _is_number(value[1]):
                raise ParseError("latitude must be a numeric value")
            if len(value) > 2:
                raise ParseError("only two values [lon, lat] expected")
        return [geohash.encode(parse_point(value), self.precision)]

    def of_column(self, value: Any) -> str:
        """Return the cell of a point."""
        return geohash.encode(decode_point(value), self.precision)

    def render(self) -> dict[str, Any]:
        """Show the precision too."""
        shown = {"name": self.name, "type": "GEO", "precision": self.precision}
        if self.path is not None:
            shown["path"] = self.path
        return shown


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_context_types(_: str, given: Any) -> tuple[ContextType, ...]:
    """Return the contexts that a mapping defines; raises what a bad mapping answers."""
    if isinstance(given, dict):
        return (_context_type(given),)
    if not isinstance(given, list):
        raise ParseError("expected a list or an entry of context mapping")
    if not given:
        raise ParseError("expected at least one context mapping")
    return tuple(map(_context_type, given))


def _context_type(given: Any) -> ContextType:
    if not isinstance(given, dict):
        raise ClassCastError(
            f"class {java_class(given)} cannot be cast to class java.util.Map ({java_class(given)} and "
            "java.util.Map are in module java.base of loader 'bootstrap')"
        )
    rest = dict(given)
    for key in ("name", "type"):
        if rest.get(key) is None:
            raise ParseError(f"missing [{key}] in context mapping")
    name, kind = java_text(rest.pop("name")), java_text(rest.pop("type"))
    path = rest.pop("path", None)
    path = None if path is None else java_text(path)
    made: ContextType
    if kind.lower() == "category":
        made = CategoryContext(name, path)
    elif kind.lower() == "geo":
        made = GeoContext(name, path, _precision(rest.pop("precision", None)))
    else:
        raise IllegalArgument(f"No context type for [{kind}]")
    if rest:
        shown = " ".join(f"[{key} : {java_text(value)}]" for key, value in rest.items())
        raise MapperParsingError(f"Mapping definition for [{name}] has unsupported parameters:  {shown}")
    return made


def _precision(value: Any) -> int:
    """Return a number of letters, given as such or as the size of a cell."""
    if value is None:
        return DEFAULT_PRECISION
    return int(value) if _is_number(value) else precision_of(java_text(value))


def precision_of(text: str) -> int:
    """Return the letters that a text asks for: a number, or a distance."""
    try:
        return int(text)
    except ValueError:
        try:
            return geohash.letters_for(parse_distance(text))
        except NumberFormatError:
            raise NumberFormatError(f'For input string: "{text}"') from None


def parse_contexts(given: Any, types: tuple[ContextType, ...]) -> dict[str, list[str]]:
    """Return the contexts of a document's completion, by name."""
    if not isinstance(given, dict):
        raise IllegalArgument(f"contexts must be an object or an array , but was [{token_name(given)}]")
    found: dict[str, list[str]] = {}
    for name, value in given.items():
        found.setdefault(name, []).extend(context_named(name, types).parse(value))
    return found


def context_named(name: str, types: tuple[ContextType, ...]) -> ContextType:
    """Return a context of a field; raises IllegalArgument."""
    for one in types:
        if one.name == name:
            return one
    raise IllegalArgument(
        f"Unknown context name [{name}], must be one of [{', '.join(one.name for one in types)}]"
    )


def check_paths(name: str, types: tuple[ContextType, ...], fields: Mapping[str, Any]) -> None:
    """Refuse a place whose path is no point; raises ParseError."""
    for one in types:
        if not isinstance(one, GeoContext) or one.path is None:
            continue
        found = fields.get(one.path)
        if found is None:
            raise ParseError(
                f"field [{one.path}] referenced in context [{one.name}] is not defined in the mapping"
            )
        if found.type_name != "geo_point":
            raise ParseError(
                f"field [{one.path}] referenced in context [{one.name}] must be mapped to geo_point, found "
                f"[{found.type_name}]"
            )
