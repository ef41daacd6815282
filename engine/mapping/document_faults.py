"""What is wrong with a document: the errors of parsing as the API words them; the decoders that they need."""

import json
import re
from typing import Any

import msgspec

from lanner.engine.common.body import Anchor, SpelledFloat, find, java_text, scalar_text
from lanner.engine.common.errors import LannerError, MapperParsingError, NotXContent, ParsingError
from lanner.engine.mapping.field_type import ValueFaultError

_decode = msgspec.json.Decoder().decode
_decode_spelled = msgspec.json.Decoder(float_hook=SpelledFloat).decode
_HALVES = re.compile(rb"\\[^u]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)")


def decode(source: bytes) -> Any:
    """Return the decoded document.

    What JSON allows but the fast reader does not goes the long way: halves of surrogate pairs, which become
    question marks, and numbers beyond a double, which become infinite.
    """
    try:
        return _decode(source)
    except msgspec.DecodeError:
        return json.loads(_HALVES.sub(_whole, source))


def decode_spelled(source: bytes) -> Any:
    """Return the decoded document, its floating-point numbers with their spelling."""
    try:
        return _decode_spelled(source)
    except msgspec.DecodeError:
        return json.loads(_HALVES.sub(_whole, source), parse_float=SpelledFloat)


def _whole(match: re.Match[bytes]) -> bytes:
    return b"?" if match.group("half") is not None else match.group()


def object_fault(path: str, field: str | None) -> MapperParsingError:
    """Make the error for a value where an object belongs."""
    return MapperParsingError(
        f"object mapping for [{path}] tried to parse field [{field or 'null'}] as object, but found "
        "a concrete value"
    )


class DocumentFaultError(Exception):
    """A fault of the document as a whole; the answer wraps it in ``failed to parse``."""

    def __init__(self, cause: LannerError) -> None:
        super().__init__(cause.reason)
        self.cause = cause


class ReservedNameError(Exception):
    """A field of the document that has the name of a metadata field."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name)
        self.name = name
        self.value = value

    def explain(self, id: str) -> MapperParsingError:  # noqa: A002
        """Return the error of the API."""
        return MapperParsingError(
            f"failed to parse field [{self.name}] of type [{self.name}] in document with id '{id}'. "
            f"Preview of field's value: '{preview_of(self.value)}'",
            caused_by=MapperParsingError(
                f"Field [{self.name}] is a metadata field and cannot be added inside a document. "
                "Use the index API request parameters."
            ),
        )


def not_an_object() -> NotXContent:
    """Make the error for a document that is no JSON object."""
    return NotXContent(
        "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes"
    )


def value_fault(error: ValueFaultError, source: bytes, id: str) -> MapperParsingError:  # noqa: A002
    """Return the error for a value that its field refused: which field, which document, which place."""
    cause = error.cause
    if "{line}" in cause.reason:
        line, column, spelling = _place(error, source)
        for name, text in (("{line}", str(line)), ("{column}", str(column)), ("{spelling}", spelling)):
            cause.reason = cause.reason.replace(name, text)
    if isinstance(cause, ParsingError):
        line, column, _ = _place(error, source)
        cause.fields = {"line": line, "col": column, **cause.fields}
    if error.whole:
        return MapperParsingError("failed to parse", caused_by=cause)
    preview = preview_of(error.value)
    shown = (
        "Could not parse field value preview,"
        if preview is None
        else f"Preview of field's value: '{preview}'"
    )
    return MapperParsingError(
        f"failed to parse field [{error.field.name}] of type [{error.field.type_name}] "
        f"in document with id '{id}'. {shown}",
        caused_by=cause,
    )


def preview_of(value: Any) -> str | None:
    """Return a value as the error shows it, or None if it cannot be shown."""
    try:
        return java_text(value)
    except RecursionError:
        return None


def _place(error: ValueFaultError, source: bytes) -> tuple[int, int, str]:
    """Find the value by the name of its field: the first one of that name that looks the same.

    Returns line, column and the text of the value.
    """
    document = decode_spelled(source)
    names = [*error.field.name.split("."), *error.inside]
    # a multi-field stands where its parent stands
    for n in range(len(names), 0, -1):
        anchor = _search(document, names[:n], error)
        if anchor is not None:
            line, column = find(anchor, document, source) or (1, 1)
            value = anchor.container[anchor.key]
            return line, column, "" if isinstance(value, dict) else scalar_text(value)
    return 1, 1, java_text(error.value)


def _search(document: Any, names: list[str], error: ValueFaultError) -> Anchor | None:
    pending: list[tuple[Any, Any, list[str]]] = [(None, None, names)]
    while pending:
        container, key, rest = pending.pop(0)
        value = document if container is None else container[key]
        if isinstance(value, list):
            pending[:0] = [(value, i, rest) for i in range(len(value))]
        elif not rest:
            if (
                type(value) is type(error.value)
                and value == error.value
                or (isinstance(value, float) and isinstance(error.value, float) and value == error.value)
            ):
                return Anchor(container, key, error.end)
        elif isinstance(value, dict):
            for n in range(1, len(rest) + 1):
                name = ".".join(rest[:n])
                if name in value:
                    pending.append((value, name, rest[n:]))
    return None
