"""Date math: ``now-1d/d``, ``2020-01-01||+1M/M``. Parsing of range bounds, with rounding and time zones."""

from collections.abc import Callable
from datetime import UTC, tzinfo

from lanner.engine.common.dates import (
    DAY_MILLIS,
    DateFormat,
    civil_from_days,
    days_from_civil,
    month_length,
    offset_millis,
)
from lanner.engine.common.errors import ParseError

_FIXED = {"w": 7 * DAY_MILLIS, "d": DAY_MILLIS, "h": 3_600_000, "H": 3_600_000, "m": 60_000, "s": 1000}
_UNITS = frozenset("yMwdhHms")


def parse_date(
    text: str, form: DateFormat, *, now: Callable[[], int], round_up: bool = False, zone: tzinfo | None = None
) -> int:
    """Return epoch milliseconds of a date, or of an anchor (``now`` or ``date||``) with math applied.

    round_up: the last millisecond that the text may mean. zone: for texts that name none, and for rounding.
    Raises ParseError.
    """
    return parse_moment(text, form, now=now, round_up=round_up, zone=zone)[0]


def parse_moment(
    text: str, form: DateFormat, *, now: Callable[[], int], round_up: bool, zone: tzinfo | None
) -> tuple[int, int]:
    """As parse_date; return milliseconds, and the nanoseconds beyond them if nothing was calculated."""
    rest = 0
    if text.startswith("now"):
        millis, math = now(), text[3:]
    else:
        anchor, separator, math = text.partition("||")
        moment = form.moment(anchor, round_up=round_up and not separator) if anchor else None
        if moment is None:
            reason = form.fault(anchor).reason if anchor else "cannot parse empty date"
            if not anchor:
                raise ParseError(reason)
            raise ParseError(f"{reason}: [{reason}]", caused_by=form.fault(anchor))
        millis, rest = moment.millis(zone or UTC), moment.rest
    if not math:
        return millis, rest
    return apply_math(math, millis, round_up=round_up, zone=zone or UTC), 0


def apply_math(math: str, millis: int, *, round_up: bool, zone: tzinfo) -> int:
    """Return the moment after every operation of a math expression."""
    at = 0
    offset = offset_millis(zone, millis, local=False)
    local = millis + offset
    while at < len(math):
        operator = math[at]
        at += 1
        if operator not in "+-/":
            raise ParseError(f"operator not supported for date math [{math}]")
        if at >= len(math):
            raise ParseError(f"truncated date math [{math}]")
        end = at
        while end < len(math) and math[end].isascii() and math[end].isdigit():
            end += 1
        if end >= len(math):
            raise ParseError(f"truncated date math [{math}]")
        count = int(math[at:end]) if end > at else 1
        if operator == "/" and count != 1:
            raise ParseError(f"rounding `/` can only be used on single unit types [{math}]")
        unit = math[end]
        at = end + 1
        if unit not in _UNITS:
            raise ParseError(f"unit [{unit}] not supported for date math [{math}]")
        if operator == "/":
            local = _round(local, unit, up=round_up)
        elif unit in "hHms":
            # clock units pass on the universal time line
            universal = local - offset_millis(zone, local, local=True)
            universal += count * _FIXED[unit] * (-1 if operator == "-" else 1)
            local = universal + offset_millis(zone, universal, local=False)
        else:
            local = _add(local, -count if operator == "-" else count, unit)
    return local - offset_millis(zone, local, local=True)


def _add(local: int, count: int, unit: str) -> int:
    if unit in _FIXED:
        return local + count * _FIXED[unit]
    days, rest = divmod(local, DAY_MILLIS)
    year, month, day = civil_from_days(days)
    months = year * 12 + month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    return days_from_civil(year, month + 1, min(day, month_length(year, month + 1))) * DAY_MILLIS + rest


def _round(local: int, unit: str, *, up: bool) -> int:
    """Return the first or, rounding up, last millisecond of the unit around a moment."""
    days = local // DAY_MILLIS
    if unit in "yM":
        year, month, _ = civil_from_days(days)
        start = days_from_civil(year, month if unit == "M" else 1, 1) * DAY_MILLIS
    elif unit == "w":
        start = (days - (days + 3) % 7) * DAY_MILLIS
    else:
        start = local - local % _FIXED[unit]
    return _add(start, 1, unit) - 1 if up else start
