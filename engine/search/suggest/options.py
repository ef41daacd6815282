"""What the readers of suggesters share: options as values of an object, each read on its own."""

from collections.abc import Callable, Mapping
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_float,
    java_text,
    parse_double,
    parse_integer,
    read_boolean,
)
from lanner.engine.common.errors import IllegalArgument, ParseError

Options = Mapping[str, tuple[str, Callable[[Any], Any]]]


def is_scalar(value: Any) -> bool:
    """Return whether a value is text, a number or a boolean."""
    return value is not None and not isinstance(value, dict | list)


def text(value: Any) -> str:
    """Return any scalar as text."""
    return java_text(value)


def whole(value: Any) -> int:
    """Return a 32-bit integer; fractions are cut off, text is read."""
    number = parse_integer(value) if isinstance(value, str) else _number(value)
    if not -(2**31) <= number < 2**31:
        raise IllegalArgument(f"Numeric value ({java_text(value)}) out of range of int")
    return int(number)


def single(value: Any) -> float:
    """Return a number of 32 bits; text is read."""
    return java_float(value if isinstance(value, str) else repr(_number(value)))


def double(value: Any) -> float:
    """Return a number of 64 bits; text is read."""
    return parse_double(value) if isinstance(value, str) else float(_number(value))


def flag(value: Any) -> bool:
    """Return a truth value, also from text."""
    return read_boolean(value)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise IllegalArgument(f"Failed to parse [{java_text(value)}] as a number")
    number: float = value
    return number


def at_least(
    read: Callable[[Any], Any], least: float, message: str, *, most: float | None = None
) -> Callable[[Any], Any]:
    """Return a reader that refuses numbers outside of bounds."""

    def bounded(value: Any) -> Any:
        number = read(value)
        if not number >= least or (most is not None and number > most):
            raise IllegalArgument(message)
        return number

    return bounded


def count_or_share(name: str) -> Callable[[Any], float]:
    """Return a reader of a share below one, or else of a whole number."""

    def read(value: Any) -> float:
        number = single(value)
        if not number >= 0:
            raise IllegalArgument(f"{name} must be positive")
        if number > 1 and number != int(number):
            raise IllegalArgument(f"if {name} is greater than 1, it must not be a fraction")
        return number

    return read


def read_options(
    kind: str,
    body: dict[str, Any],
    options: Options,
    others: Mapping[str, Callable[[Any], Any]] | None = None,
) -> dict[str, Any]:
    """Return the options of a suggester by attribute; raises what the API answers.

    others: readers of what is no scalar, by key.
    """
    values: dict[str, Any] = {}
    for key, value in body.items():
        if others is not None and key in others and not is_scalar(value):
            values[key] = others[key](value)
            continue
        if not is_scalar(value):
            raise LocatedError(f"suggester[{kind}] parsing failed on [{key}]", Anchor(body, key))
        if key not in options:
            raise LocatedError(f"suggester[{kind}] doesn't support field [{key}]", Anchor(body, key))
        name, read = options[key]
        values[name] = read(value)
    if "field" not in values:
        raise ParseError("the required field option [field] is missing")
    if not values["field"]:
        raise IllegalArgument("suggestion field name is empty")
    return values


#: what every suggester may say
COMMON: Options = {
    "field": ("field", text),
    "analyzer": ("analyzer", text),
    "size": ("size", at_least(whole, 1, "size must be positive")),
    "shard_size": ("shard_size", whole),
}
