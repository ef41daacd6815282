"""Reading of JSON bodies: values as Java prints them, typed reading, and where in the text a fault stands.

A body travels as decoded JSON, which has no positions. A fault carries an anchor (the container, the key and
which end of it is meant); only when an error is shown, ``locate`` scans the raw text beside the decoded body
and finds line and column. Containers are told apart by identity, so anchors cost nothing as long as nothing
is wrong.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, TypeAlias, TypeVar

from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
    NamedObjectNotFound,
    NumberFormatError,
    ParsingError,
    XContentParseError,
)
from lanner.ext.json.number import float64_text

E = TypeVar("E", bound=LannerError)
JsonObject: TypeAlias = Mapping[str, Any]
End = Literal["key", "value", "after", "close"]

_FLOAT = struct.Struct("<f")
_JAVA_DOUBLE = re.compile(r"[+-]?(?:NaN|Infinity|(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?)", re.ASCII)
_JAVA_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_GAP = re.compile(rb"[\s,:]*")
_SCALAR = re.compile(rb"[^\s,\]}]+")
_TOKENS = {dict: "START_OBJECT", list: "START_ARRAY", str: "VALUE_STRING", type(None): "VALUE_NULL"}


class SpelledFloat(float):
    """A JSON number with its spelling, for fields that keep the text of what they are given."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "SpelledFloat":
        """Read the number and keep its text."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def token_name(value: Any) -> str:
    """Return the name of the JSON token that a value starts with."""
    if isinstance(value, bool):
        return "VALUE_BOOLEAN"
    if isinstance(value, int | float):
        return "VALUE_NUMBER"
    return _TOKENS[type(value)]


def java_text(value: Any) -> str:
    """Print a decoded value as Java's toString does: ``{a=[1, null]}``, ``1.0E10``."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float64_text(value).decode().strip('"')
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}={java_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(java_text, value)) + "]"
    return str(value)


def java_class(value: Any) -> str:
    """Return the Java class that holds such a value: ``java.lang.Integer``."""
    if isinstance(value, bool):
        return "java.lang.Boolean"
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return "java.lang.Integer"
        return "java.lang.Long" if -(2**63) <= value < 2**63 else "java.math.BigInteger"
    if isinstance(value, float):
        return "java.lang.Double"
    if isinstance(value, dict):
        return "java.util.HashMap"
    return "java.util.ArrayList" if isinstance(value, list) else "java.lang.String"


def scalar_text(value: Any) -> str:
    """Return the text of a string, number or boolean as it stood in the body."""
    if isinstance(value, SpelledFloat):
        return value.text
    return value if isinstance(value, str) else java_text(value)


def parse_double(text: str) -> float:
    """Return the number as Java's Double.parseDouble reads it; raises NumberFormatError."""
    stripped = text.strip()
    if not _JAVA_DOUBLE.fullmatch(stripped):
        raise NumberFormatError("empty String" if not stripped else f'For input string: "{text}"')
    return float(stripped.rstrip("fFdD") if not stripped.endswith("Infinity") else stripped)


def java_float(text: str) -> float:
    """Return the number as Java's Float.parseFloat reads it; raises NumberFormatError."""
    try:
        rounded: float = _FLOAT.unpack(_FLOAT.pack(parse_double(text)))[0]
    except OverflowError:
        return float("inf")
    return rounded


def parse_integer(text: str) -> int:
    """Return the number as Java's Integer.parseInt reads it; raises NumberFormatError."""
    if not _JAVA_INTEGER.fullmatch(text):
        raise NumberFormatError(f'For input string: "{text}"')
    return int(text)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in a body.

    A key (or index) of a container, or with key None the container's closing bracket. further: so many
    characters behind it.
    """

    container: Any
    key: Any = None
    end: End = "value"
    further: int = 0


class LocatedError(ParsingError):
    """A parsing error that knows its place."""

    repeats_cause = False  # such an error goes on saying what its cause says once that knows its place

    def __init__(self, reason: str, anchor: Anchor, *, caused_by: LannerError | None = None) -> None:
        super().__init__(reason, caused_by=caused_by)
        self.anchor = anchor


class LocatedXContentError(XContentParseError):
    """An error whose reason starts with its place: ``[1:15] [explain_request] unknown field [x]``."""

    def __init__(self, reason: str, anchor: Anchor, *, caused_by: LannerError | None = None) -> None:
        super().__init__(reason, caused_by=caused_by)
        self.anchor = anchor


def anchored(error: E, anchor: Anchor) -> E:
    """Return an error whose reason holds {line} and {column}, with the place that they stand for."""
    error.anchor = anchor  # type: ignore[attr-defined]
    return error


def unknown_named_object(reason: str, name: str, anchor: Anchor) -> LocatedError:
    """Make the error for a name that is in no table; its cause repeats the place."""
    error = LocatedError(reason, anchor)
    error.caused_by = NamedObjectNotFound(f"unknown field [{name}]")
    return error


def locate(error: LannerError, body: Any, raw: bytes) -> LannerError:
    """Fill in line and column wherever an error or its causes carry an anchor in the decoded body."""
    anchor = getattr(error, "anchor", None)
    cause = error.caused_by
    if cause is not None:
        locate(cause, body, raw)
        if isinstance(error, LocatedError) and error.repeats_cause:
            error.reason = cause.reason
    place = None if anchor is None else find(anchor, body, raw)
    if place is not None:
        del error.anchor  # type: ignore[attr-defined]
        _place(error, *place)
    return error


def _place(error: LannerError, line: int, column: int) -> None:
    if isinstance(error, LocatedError):
        error.fields = {"line": line, "col": column, **error.fields}
        if isinstance(error.caused_by, NamedObjectNotFound):
            error.caused_by.reason = f"[{line}:{column}] {error.caused_by.reason}"
    elif "{line}" in error.reason:
        error.reason = error.reason.replace("{line}", str(line)).replace("{column}", str(column))
    else:
        error.reason = f"[{line}:{column}] {error.reason}"


def find(anchor: Anchor, body: Any, raw: bytes) -> tuple[int, int] | None:
    """Return line and column, from 1, of an anchor; None if its container is not part of the body."""
    for container, key, key_at, start, end in _walk(body, raw):
        if container is not anchor.container or key != anchor.key or type(key) is not type(anchor.key):
            continue
        at = {"key": key_at, "value": start, "after": end, "close": start}[anchor.end]
        return raw.count(b"\n", 0, at) + 1, at - (raw.rfind(b"\n", 0, at) + 1) + 1 + anchor.further
    return None


def _walk(body: Any, raw: bytes) -> Iterator[tuple[Any, Any, int, int, int]]:
    """Yield (container, key, start of key, start and end of value) in order of the text.

    The end of a container is the end of its opening bracket, as a streaming parser sees it; when a container
    ends, its closing bracket is yielded with the key None.
    """
    stack: list[tuple[Any, Iterator[Any]]] = []
    at = _skip(raw, 0)
    value = body
    yield None, None, at, at, at + 1
    if not isinstance(value, dict | list):
        return
    stack.append((value, iter(value.items()) if isinstance(value, dict) else iter(enumerate(value))))
    at += 1
    while stack:
        container, items = stack[-1]
        at = _skip(raw, at)
        item = next(items, None)
        if item is None:
            yield container, None, at, at, at + 1
            stack.pop()
            at += 1
            continue
        key, value = item
        key_at = at
        if isinstance(container, dict):
            at = _skip(raw, _scalar_end(raw, at))
        nested = isinstance(value, dict | list)
        end = at + 1 if nested else _scalar_end(raw, at)
        yield container, key, key_at, at, end
        if nested:
            stack.append((value, iter(value.items()) if isinstance(value, dict) else iter(enumerate(value))))
        at = end


def _skip(raw: bytes, at: int) -> int:
    match = _GAP.match(raw, at)
    return match.end() if match else at


def _scalar_end(raw: bytes, at: int) -> int:
    match = (_STRING if raw[at : at + 1] == b'"' else _SCALAR).match(raw, at)
    return match.end() if match else at + 1


def read_boolean(value: Any) -> bool:
    """Return a boolean given as such or as text; raises IllegalArgument."""
    if value is True or value == "true":
        return True
    if value is False or value == "false":
        return False
    raise IllegalArgument(
        f"Failed to parse value [{java_text(value)}] as only [true] or [false] are allowed."
    )


def as_double(number: float) -> float:
    """Return a JSON number as a double, infinite if it is beyond them."""
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def read_number(name: str, body: JsonObject, key: str) -> float:
    """Return a floating-point setting of a query; text is read too."""
    value = body[key]
    if isinstance(value, str):
        return parse_double(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise unknown_token(name, body, key)
    return as_double(value)


def read_integer(name: str, body: JsonObject, key: str) -> int:
    """Return an integer setting of a query; text is read too."""
    value = body[key]
    if isinstance(value, str):
        return int(parse_double(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise unknown_token(name, body, key)
    return int(value)


def read_text(name: str, body: JsonObject, key: str) -> str:
    """Return a text setting of a query; numbers and booleans are printed."""
    value = body[key]
    if value is None or isinstance(value, dict | list):
        raise unknown_token(name, body, key)
    return java_text(value)


def read_flag(name: str, body: JsonObject, key: str) -> bool:
    """Return a boolean setting of a query; text is read too."""
    read_text(name, body, key)
    return read_boolean(body[key])


def unknown_token(name: str, body: JsonObject, key: str) -> LocatedError:
    """Make the error for a value of the wrong kind."""
    return LocatedError(f"[{name}] unknown token [{token_name(body[key])}] after [{key}]", Anchor(body, key))


def unsupported_key(name: str, body: JsonObject, key: str) -> LocatedError:
    """Make the error for a key that a query does not have."""
    return LocatedError(f"[{name}] query does not support [{key}]", Anchor(body, key))


def object_parser_fault(name: str, body: JsonObject, key: str) -> LocatedError:
    """Make the error for an unknown key of a query that a strict object parser reads.

    Its reason repeats the cause, which starts with the place of the key.
    """
    reason = f"[{name}] unknown field [{key}]"
    return repeating_error(LocatedXContentError(reason, Anchor(body, key, "key")), Anchor(body, key))


def repeating_error(cause: LannerError, anchor: Anchor) -> LocatedError:
    """Return a parsing error that says what its cause says."""
    error = LocatedError(cause.reason, anchor, caused_by=cause)
    error.repeats_cause = True
    return error
