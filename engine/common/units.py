"""Sizes and durations as settings and parameters write them: ``30s``, ``512mb``, ``50%``."""

import re

from lanner.engine.common.errors import IllegalArgument, NumberFormatError, ParseError

MILLIS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
BYTES = {"b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40, "pb": 1 << 50}
SHORT_BYTES = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}

_TIME = re.compile(r"(-?\d+(?:\.\d+)?)(nanos|micros|ms|s|m|h|d)", re.IGNORECASE)
_UNIT = re.compile(r"(?:nanos|micros|ms|s|m|h|d)$", re.IGNORECASE)
_SIZE = re.compile(r"(-?\d+(?:\.\d+)?)\s*(b|kb|mb|gb|tb|pb|k|m|g|t|p)", re.IGNORECASE)


def parse_time(text: str, name: str) -> float:
    """Milliseconds of a time value.

    ``-1`` and ``0`` need no unit. `name` is the setting, for the error text.
    """
    stripped = text.strip()
    if stripped == "-1":
        return -1
    if stripped in ("0", "-0", "+0"):
        return 0
    match = _TIME.fullmatch(stripped)
    if match is None:
        ending = _UNIT.search(stripped)
        if ending is not None:
            cause = NumberFormatError(f'For input string: "{stripped[: ending.start()].strip()}"')
            raise IllegalArgument(f"failed to parse [{text}]", caused_by=cause)
        raise IllegalArgument(
            f"failed to parse setting [{name}] with value [{text}] as a time value: "
            "unit is missing or unrecognized"
        )
    number, unit = match[1], match[2].lower() if match[2] != "M" else "M"
    if unit == "M":
        raise IllegalArgument(
            f"failed to parse setting [{name}] with value [{text}] as a time value: "
            "unit is missing or unrecognized"
        )
    if "." in number:
        raise IllegalArgument(f"failed to parse [{text}], fractional time values are not supported")
    value = int(number)
    if value < -1 or (value < 0 and unit):
        raise IllegalArgument(
            f"failed to parse setting [{name}] with value [{text}] as a time value: "
            "negative durations are not supported"
        )
    if unit == "nanos":
        return value / 1e6
    if unit == "micros":
        return value / 1e3
    return value * MILLIS[unit]


def parse_size(text: str, name: str) -> int:
    """Bytes of a size value; ``-1`` and ``0`` need no unit."""
    stripped = text.strip()
    if stripped in ("-1", "0"):
        return int(stripped)
    match = _SIZE.fullmatch(stripped)
    if match is None:
        raise ParseError(
            f"failed to parse setting [{name}] with value [{text}] as a size in bytes: "
            "unit is missing or unrecognized"
        )
    unit = match[2].lower()
    return int(float(match[1]) * (BYTES.get(unit) or SHORT_BYTES[unit]))


def parse_memory(text: str, name: str, total: int) -> int:
    """Bytes of a size or of a percentage of `total`."""
    if not text.endswith("%"):
        return parse_size(text, name)
    try:
        percent = float(text[:-1])
    except ValueError:
        raise ParseError(f"failed to parse [{text}] as a double") from None
    if not 0 <= percent <= 100:
        raise ParseError(f"percentage should be in [0-100], got [{text[:-1]}]")
    return int(total * percent / 100)


def render_size(size: int) -> str:
    """A size as the API prints it: one decimal, the largest unit that gives at least one."""
    for unit in ("pb", "tb", "gb", "mb", "kb"):
        if size >= BYTES[unit]:
            return f"{_one_decimal(size / BYTES[unit])}{unit}"
    return f"{size}b"


def render_time(millis: float) -> str:
    """A duration as the API prints it: ``1.5s``, ``200ms``."""
    if millis < 0:
        return "-1"
    for unit in ("d", "h", "m", "s"):
        if millis >= MILLIS[unit]:
            return f"{_one_decimal(millis / MILLIS[unit])}{unit}"
    if millis == int(millis):
        return f"{int(millis)}ms" if millis else "0s"
    return f"{_one_decimal(millis)}ms"


def whole_time(millis: int) -> str:
    """A duration of milliseconds as the API reads it: in the largest unit that gives a whole number."""
    unit = next((unit for unit in ("d", "h", "m", "s") if millis and millis % MILLIS[unit] == 0), "ms")
    return f"{millis // MILLIS[unit]}{unit}"


def _one_decimal(value: float) -> str:
    """At most one decimal, cut rather than rounded, without a trailing zero."""
    tenths = int(value * 10)
    return str(tenths // 10) if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"
