"""Objects with a fixed set of keys, read from decoded JSON with the complaints of the original's parsers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    End,
    LocatedXContentError,
    java_text,
    read_boolean,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument, LannerError, NumberFormatError, XContentParseError

Reader = Callable[[Any, str], Any]  # value, key


class MissingKeyError(IllegalArgument):
    """An object without a key that it needs; who reads the object around it notices at its end."""

    def __init__(self, container: Any, key: str) -> None:
        super().__init__(f"Required [{key}]")
        self.container = container


class BuildError(XContentParseError):
    """Values of an object that do not go together; noticed at its end."""

    def __init__(self, reason: str, container: Any, *, caused_by: LannerError) -> None:
        super().__init__(reason, caused_by=caused_by)
        self.container = container


@dataclass(frozen=True, slots=True)
class Field:
    """A key: the kinds of JSON that its value may be of, and what reads it (as it is, if nothing)."""

    kinds: tuple[type, ...]
    read: Reader | None = None
    required: bool = False


def parse_object(
    name: str, body: Any, fields: Mapping[str, Field], place: Anchor | None = None
) -> dict[str, Any]:
    """Read an object: values by key, those that were given. name: what the complaints call it.

    place: where in the request the object stands, the whole of it by default.
    """
    if not isinstance(body, dict):
        raise LocatedXContentError(
            f"[{name}] Expected START_OBJECT but was: {token_name(body)}", place or Anchor(None)
        )
    found = {}
    for key, value in body.items():
        field = fields.get(key)
        if field is None:
            raise LocatedXContentError(f"[{name}] unknown field [{key}]", Anchor(body, key, "key"))
        if not isinstance(value, field.kinds) or (isinstance(value, bool) and bool not in field.kinds):
            raise LocatedXContentError(
                f"[{name}] {key} doesn't support values of type: {token_name(value)}", Anchor(body, key)
            )
        try:
            found[key] = value if field.read is None else field.read(value, key)
        except LannerError as cause:
            inner = getattr(cause, "anchor", None)
            if isinstance(cause, MissingKeyError | BuildError):
                at = Anchor(cause.container, None, "close")
            elif inner is None:
                at = Anchor(body, key)
            else:
                at = Anchor(inner.container, inner.key, end_of(cause))
            raise LocatedXContentError(
                f"[{name}] failed to parse field [{key}]", at, caused_by=cause
            ) from None
    for key, field in fields.items():
        if field.required and key not in found:
            raise MissingKeyError(body, key)
    return found


def end_of(cause: LannerError) -> End:
    """Return where the reader stood when it told of a fault: behind a key that it does not know."""
    unknown = isinstance(cause, LocatedXContentError) and cause.caused_by is None
    return "value" if unknown else cause.anchor.end  # type: ignore[attr-defined]


def whole(value: Any, key: str) -> int:
    """Read a whole number of 64 bits, also from text."""
    try:
        return int(value)
    except ValueError:
        raise IllegalArgument(f'For input string: "{value}"') from None


def short(value: Any, key: str) -> int:
    """Read a whole number of 32 bits, also from text; bad ones get another kind of error."""
    try:
        return int(value)
    except ValueError:
        raise NumberFormatError(f'For input string: "{value}"') from None


def names(value: Any, key: str) -> list[str]:
    """Read a list of texts, or a single one."""
    return [java_text(each) for each in (value if isinstance(value, list) else [value])]


def flag(value: Any, key: str) -> bool:
    """Read a truth value, also from text."""
    return read_boolean(value)


OBJECT = Field((dict,))
WHOLE = Field((int, float, str), whole)
SHORT = Field((int, float, str), short)
NAMES = Field((list, str, int, float, bool), names)
FLAG = Field((bool, str), flag)
TEXT = Field((str,))
