"""Dates as the API reads and prints them.

Formats joined by ``||``, parsed to epoch milliseconds, rounded up or down.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from lanner.engine.common.date_patterns import DAYS, MONTHS, Element, elements_of
from lanner.engine.common.errors import DateTimeParseError, IllegalArgument, ZoneRulesError

DEFAULT_FORMAT = "strict_date_optional_time||epoch_millis"
DAY_MILLIS = 86_400_000
_ISO_FORMATS = ("strict_date_optional_time", "date_optional_time")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NANOS = 1_000_000_000
_DAY_NANOS = 86_400 * _NANOS
_EPOCH_NUMBER = re.compile(r"(-?)(\d{1,19})(?:\.(\d{1,9}))?\.?")
_EPOCH_UNITS = {"epoch_millis": 1_000_000, "epoch_second": _NANOS, "epoch_micros": 1000}
_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+\-])(\d{1,2}):?(\d\d)?(?::?(\d\d))?")


def days_from_civil(year: int, month: int, day: int) -> int:
    """Return the days since 1970-01-01 of a proleptic Gregorian date; years may be far away."""
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Return (year, month, day) of days since 1970-01-01."""
    days += 719_468
    era = days // 146_097
    day_of_era = days - era * 146_097
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year_of_era + era * 400 + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def month_length(year: int, month: int) -> int:
    """Return the number of days of a month."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


@lru_cache(maxsize=256)
def parse_zone(text: str) -> tzinfo:
    """Return the zone of an offset (``+02:00``, ``Z``) or a region name; raises ZoneRulesError."""
    if text in ("Z", "z", "UTC", "GMT", "UT", "Etc/UTC"):
        return UTC
    match = _OFFSET.fullmatch(text)
    if match:
        sign, hours, minutes, seconds = match.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0), seconds=int(seconds or 0))
        if offset > timedelta(hours=18):
            raise ZoneRulesError(f"Zone offset not in valid range: -18:00 to +18:00: {text}")
        return timezone(-offset if sign == "-" else offset)
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise ZoneRulesError(f"Unknown time-zone ID: {text}") from None


def offset_millis(zone: tzinfo, local_millis: int, *, local: bool) -> int:
    """Return the zone's offset at a moment given as local or as universal milliseconds."""
    if isinstance(zone, timezone):
        return int(zone.utcoffset(None).total_seconds() * 1000)
    clamped = min(max(local_millis, -62_135_500_000_000), 253_402_200_000_000)
    moment = _EPOCH + timedelta(milliseconds=clamped)
    if not local:
        offset = moment.astimezone(zone).utcoffset()
    else:
        offset = moment.replace(tzinfo=zone, fold=0).utcoffset()
    return int((offset or timedelta()).total_seconds() * 1000)


@dataclass(frozen=True, slots=True)
class Moment:
    """A parsed date.

    Local days since the epoch, nanoseconds of that day, and the zone if the text named one.
    """

    days: int
    nanos: int
    zone: tzinfo | None

    def millis(self, default_zone: tzinfo = UTC) -> int:
        """Return epoch milliseconds, in the text's own zone or else the one given."""
        local = self.days * DAY_MILLIS + self.nanos // 1_000_000
        zone = self.zone or default_zone
        return local if zone is UTC else local - offset_millis(zone, local, local=True)

    @property
    def rest(self) -> int:
        """Return the nanoseconds beyond the milliseconds."""
        return self.nanos % 1_000_000


class _EpochParser:
    """Numbers since the epoch: epoch_millis, epoch_second."""

    __slots__ = ("name", "unit")

    def __init__(self, name: str) -> None:
        self.name = name
        self.unit = _EPOCH_UNITS[name]

    def parse(self, text: str, *, round_up: bool) -> Moment | None:
        """Return the moment, or None if the text is no number."""
        match = _EPOCH_NUMBER.fullmatch(text)
        if match is None:
            return None
        sign, whole, fraction = match.groups()
        digits = len(str(self.unit)) - 1
        if fraction and len(fraction) > digits:
            return None
        nanos = int(whole) * self.unit + (int(fraction.ljust(digits, "0")) if fraction else 0)
        days, rest = divmod(-nanos if sign else nanos, _DAY_NANOS)
        return Moment(days, rest, None)

    def render(self, millis: int, zone: tzinfo, rest: int = 0) -> str:
        """Print a moment in this unit, with as many decimals as it has."""
        nanos = millis * 1_000_000 + rest
        whole, part = divmod(abs(nanos), self.unit)
        decimals = f"{part:0{len(str(self.unit)) - 1}d}".rstrip("0")
        return ("-" if nanos < 0 else "") + str(whole) + (f".{decimals}" if decimals else "")


class _PatternParser:
    """One pattern, compiled."""

    __slots__ = ("_match", "elements", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.elements = elements_of(name)
        self._match = re.compile("".join(element.expression for element in self.elements), re.ASCII).fullmatch

    def parse(self, text: str, *, round_up: bool) -> Moment | None:
        """Return the moment, or None if the text does not fit."""
        match = self._match(text)
        if match is None:
            return None
        try:
            return _resolve(match.groupdict(), self.elements, round_up=round_up)
        except (ValueError, ZoneRulesError):
            return None

    def failing_index(self, text: str) -> int:
        """Return where reading stops."""
        plain = [element for element in self.elements if element.meaning not in ("[", "]")]
        for n in range(len(plain), 0, -1):
            match = re.match("".join(element.expression for element in plain[:n]), text, re.ASCII)
            if match:
                return match.end()
        return 0

    def ends_at(self, index: int, text: str) -> bool:
        """Return whether the pattern as a whole reads the first part of a text."""
        return index < len(text) and self._match(text[:index]) is not None

    def render(self, millis: int, zone: tzinfo, rest: int = 0) -> str:
        """Print epoch milliseconds, and nanoseconds beyond them, in a zone."""
        offset = 0 if zone is UTC else offset_millis(zone, millis, local=False)
        days, in_day = divmod(millis + offset, DAY_MILLIS)
        year, month, day = civil_from_days(days)
        printed = _Printed(days, year, month, day, in_day, offset // 1000, rest)
        return "".join(
            element.style if element.meaning == "" else printed.text(element)
            for element in self.elements
            if element.meaning not in ("[", "]")
        )


@dataclass(frozen=True, slots=True)
class _Printed:
    """A local moment taken apart for printing."""

    days: int
    year: int
    month: int
    day: int
    in_day: int
    offset: int
    rest: int  # nanoseconds beyond the milliseconds of in_day

    def text(self, element: Element) -> str:
        meaning, width = element.meaning, element.width
        if meaning == "y":
            return self._year(self.year, width)
        if meaning == "z":
            return self._zone(element.style)
        if meaning == "f":
            digits = f"{self.in_day % 1000:03d}{self.rest:06d}"[:width]
            return digits.rstrip("0").ljust(3, "0") if element.style == "trimmed" else digits
        if meaning == "a":
            return "AM" if self.in_day < DAY_MILLIS // 2 else "PM"
        if element.style:
            names, index = (MONTHS, self.month - 1) if meaning == "M" else (DAYS, (self.days + 3) % 7)
            return names[index] if element.style == "full" else names[index][:3]
        if meaning == "v":
            return self._year(self._week()[0], width)
        return str(self._numbers(meaning)).zfill(width)

    def _numbers(self, meaning: str) -> int:
        hour = self.in_day // 3_600_000
        match meaning:
            case "M":
                return self.month
            case "d":
                return self.day
            case "D":
                return self.days - days_from_civil(self.year, 1, 1) + 1
            case "w":
                return self._week()[1]
            case "e":
                return (self.days + 3) % 7 + 1
            case "H":
                return hour
            case "h":
                return hour % 12 or 12
            case "K":
                return hour % 12
            case "k":
                return hour or 24
            case "m":
                return self.in_day // 60_000 % 60
            case "s":
                return self.in_day // 1000 % 60
            case "n":
                return self.in_day % 1000 * 1_000_000 + self.rest
            case _:
                return self.in_day

    def _week(self) -> tuple[int, int]:
        thursday = self.days - (self.days + 3) % 7 + 3
        year = civil_from_days(thursday)[0]
        return year, (thursday - days_from_civil(year, 1, 1)) // 7 + 1

    @staticmethod
    def _year(year: int, width: int) -> str:
        if width == 2:
            return f"{year % 100:02d}"
        sign = "-" if year < 0 else "+" if year > 9999 and width >= 4 else ""
        return sign + str(abs(year)).zfill(width)

    def _zone(self, style: str) -> str:
        if style == "id" and self.offset == 0:
            return "Z"
        if style == "GMT" and self.offset == 0:
            return "GMT"
        if style[0] == "X" and self.offset == 0:
            return "Z"
        sign = "-" if self.offset < 0 else "+"
        hours, rest = divmod(abs(self.offset), 3600)
        minutes = f"{rest // 60:02d}"
        if style[-1] == "1":
            return f"{sign}{hours:02d}" + (minutes if rest else "")
        colon = ":" if style in ("id", "GMT") or style[-1] in "35" else ""
        return ("GMT" if style == "GMT" else "") + f"{sign}{hours:02d}{colon}{minutes}"


def _resolve(groups: dict[str, str | None], elements: tuple[Element, ...], *, round_up: bool) -> Moment:
    """Put the parts of a match together; parts that are missing get their first or, rounding up, last value.

    Month and day are the first of their kind in both directions. Raises ValueError for dates that do not
    exist.
    """
    get = groups.get
    days = _resolve_date(groups, elements)
    text = get("z")
    zone = parse_zone(text) if text else None
    last = round_up
    if (milli := get("A")) is not None:
        if int(milli) >= DAY_MILLIS:
            raise ValueError("milli of day")
        return Moment(days, int(milli) * 1_000_000, zone)
    hour = 23 if last else 0
    if (value := get("H")) is not None:
        hour = int(value)
    elif (value := get("k")) is not None:
        hour = int(value) % 24 if 0 < int(value) <= 24 else 99
    elif (value := get("h")) is not None or get("K") is not None:
        short = int(value) % 12 if value is not None and 0 < int(value) <= 12 else int(get("K") or 99)
        half = get("a")
        if short > 11 or (half is None and not last):
            raise ValueError("hour of half day")
        hour = short + (12 if half == "PM" or half is None else 0)
    minute = int(value) if (value := get("m")) is not None else 59 if last else 0
    second = int(value) if (value := get("s")) is not None else 59 if last else 0
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError("time of day")
    nano = _NANOS - 1 if last else 0
    if (value := get("f")) is not None:
        nano = int(value.ljust(9, "0"))
    elif (value := get("n")) is not None:
        nano = int(value)
    return Moment(days, ((hour * 60 + minute) * 60 + second) * _NANOS + nano, zone)


def _resolve_date(groups: dict[str, str | None], elements: tuple[Element, ...]) -> int:
    get = groups.get
    if (value := get("v")) is not None:
        return _resolve_week(int(value), get("w"), get("e"))
    value = get("y")
    year = 1970 if value is None else int(value)
    if value is not None and len(value) == 2 and any(e.meaning == "y" and e.width == 2 for e in elements):
        year += 2000
    if (ordinal := get("D")) is not None:
        if not 1 <= int(ordinal) <= (366 if month_length(year, 2) == 29 else 365):
            raise ValueError("day of year")
        return days_from_civil(year, 1, 1) + int(ordinal) - 1
    month, day = 1, 1
    if (value := get("M")) is not None:
        month = int(value) if value[0].isdigit() else _index(MONTHS, value) + 1
    if (value := get("d")) is not None:
        day = int(value)
    if not 1 <= month <= 12 or not 1 <= day <= month_length(year, month):
        raise ValueError("day of month")
    days = days_from_civil(year, month, day)
    weekday = get("e")
    if weekday is not None and not weekday.isdigit() and _index(DAYS, weekday) != (days + 3) % 7:
        raise ValueError("day of week")
    return days


def _resolve_week(year: int, week: str | None, weekday: str | None) -> int:
    number = int(week) if week is not None else 1
    day = 1 if weekday is None else int(weekday) if weekday.isdigit() else _index(DAYS, weekday) + 1
    january_4 = days_from_civil(year, 1, 4)
    monday = january_4 - (january_4 + 3) % 7
    start = monday + (number - 1) * 7
    if not 1 <= day <= 7 or number < 1 or civil_from_days(start + 3)[0] != year:
        raise ValueError("week")
    return start + day - 1


def _index(names: list[str], text: str) -> int:
    return next(i for i, name in enumerate(names) if name.startswith(text))


def _common_millis(text: str) -> int | None:
    """Return the milliseconds of what most documents hold: 2024-05-17T08:30:00Z, maybe with a fraction.

    Everything else, also what does not exist, is None: the patterns decide on it.
    """
    if len(text) not in (20, 24) or text[-1] != "Z" or text[10] != "T" or text[4] != "-" or text[13] != ":":
        return None
    try:
        since = datetime.fromisoformat(text) - _EPOCH
    except ValueError:
        return None
    return since.days * DAY_MILLIS + since.seconds * 1000 + since.microseconds // 1000


@dataclass(frozen=True, slots=True)
class DateFormat:
    """One or more patterns, tried in order; the first one prints."""

    pattern: str
    parsers: tuple[_PatternParser | _EpochParser, ...] = field(compare=False, repr=False)
    takes_iso: bool = field(compare=False, repr=False)  # the first pattern takes ISO 8601 in its common form

    def moment(self, text: str, *, round_up: bool = False) -> Moment | None:
        """Return the parsed moment, or None if no pattern fits."""
        for parser in self.parsers:
            moment = parser.parse(text, round_up=round_up)
            if moment is not None:
                return moment
        return None

    def parse(self, text: str) -> int:
        """Return epoch milliseconds; raises IllegalArgument with the API's texts."""
        if self.takes_iso:
            millis = _common_millis(text)
            if millis is not None:
                return millis
        moment = self.moment(text)
        if moment is None:
            raise self.fault(text)
        return moment.millis()

    def fault(self, text: str) -> IllegalArgument:
        """Make the error for text that does not fit."""
        if not text:
            return IllegalArgument("cannot parse empty date")
        only = self.parsers[0]
        if len(self.parsers) > 1 or isinstance(only, _EpochParser):
            cause = "Failed to parse with all enclosed parsers"
        else:
            index = only.failing_index(text)
            where = (
                f", unparsed text found at index {index}"
                if only.ends_at(index, text)
                else f" at index {index}"
            )
            cause = f"Text '{text}' could not be parsed{where}"
        return IllegalArgument(
            f"failed to parse date field [{text}] with format [{self.pattern}]",
            caused_by=DateTimeParseError(cause),
        )

    def render(self, millis: int, zone: tzinfo = UTC, *, rest: int = 0) -> str:
        """Print epoch milliseconds, and nanoseconds beyond them where the format has digits for them."""
        return self.parsers[0].render(millis, zone, rest)


@lru_cache(maxsize=512)
def date_format(pattern: str) -> DateFormat:
    """Return the compiled form of a format; raises IllegalArgument ``Invalid format: [...]``."""
    names = pattern.split("||")
    parsers: list[_PatternParser | _EpochParser] = []
    for name in names:
        if not name:
            raise IllegalArgument("No date pattern provided")
        try:
            parsers.append(_EpochParser(name) if name in _EPOCH_UNITS else _PatternParser(name))
        except IllegalArgument as error:
            raise IllegalArgument(f"Invalid format: [{name}]: {error.reason}", caused_by=error) from None
    return DateFormat(pattern, tuple(parsers), names[0] in _ISO_FORMATS)
