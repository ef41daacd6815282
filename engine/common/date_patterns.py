"""Date patterns of java.time compiled to regular expressions: custom ones and the named formats.

A pattern becomes a list of elements. An element reads text (a regular expression with one named group) and
prints a moment; its name says what the group means:

    y year   v year (week based)   M month   d day   D day of year   w week   e day of week   a half of the
    day H hour   h hour 1-12   K hour 0-11   k hour 1-24   m minute   s second   f fraction   n nano   A
    milli of day   z zone
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from lanner.engine.common.errors import IllegalArgument

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
JAVA_LETTERS = frozenset("GuyDMLdQqYwWEecFaBhKkHmsSAnNVvzOXxZp")

_REGION = r"[A-Za-z][A-Za-z0-9_+\-]*(?:/[A-Za-z0-9_+\-]+)*"
_ZONE_ID = rf"Z|[+\-]\d\d(?::\d\d(?::\d\d)?)?|[+\-]\d\d\d\d|{_REGION}"
_OFFSETS = {
    "X1": r"Z|[+\-]\d\d(?:\d\d)?",
    "X2": r"Z|[+\-]\d\d\d\d",
    "X3": r"Z|[+\-]\d\d:\d\d",
    "X4": r"Z|[+\-]\d\d\d\d(?:\d\d)?",
    "X5": r"Z|[+\-]\d\d:\d\d(?::\d\d)?",
    "x1": r"[+\-]\d\d(?:\d\d)?",
    "x2": r"[+\-]\d\d\d\d",
    "x3": r"[+\-]\d\d:\d\d",
    "x4": r"[+\-]\d\d\d\d(?:\d\d)?",
    "x5": r"[+\-]\d\d:\d\d(?::\d\d)?",
}


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a pattern: what it means, how wide it prints, the expression that reads it."""

    meaning: str  # a letter of the list above, or "" for literal text, "[" and "]" for optional parts
    expression: str
    width: int = 0
    style: str = ""  # literal text; or how to print: "short", "full", "trimmed", an offset style


def _number(meaning: str, letter_count: int, *, adjacent: bool, longest: int = 2) -> Element:
    if letter_count == 1:
        return Element(meaning, rf"(?P<{meaning}>\d{{1,{longest}}})", 1)
    return Element(meaning, rf"(?P<{meaning}>\d{{{letter_count}}})", letter_count)


def _year(meaning: str, count: int, *, adjacent: bool) -> Element:
    if count == 2:
        return Element(meaning, rf"(?P<{meaning}>\d\d)", 2)
    if adjacent and count > 2:
        return Element(meaning, rf"(?P<{meaning}>\d{{{count}}})", count)
    if count == 1:
        return Element(meaning, rf"(?P<{meaning}>-?\d{{1,19}})", 1)
    return Element(meaning, rf"(?P<{meaning}>-?\d{{{count}}}(?!\d)|[+\-]\d{{{count + 1},10}})", count)


def _names(meaning: str, names: list[str], count: int) -> Element:
    style = "full" if count == 4 else "short"
    shown = names if count == 4 else [name[:3] for name in names]
    return Element(meaning, rf"(?P<{meaning}>{'|'.join(shown)})", 0, style)


def _letter(letter: str, count: int, *, adjacent: bool) -> Element:
    """Give the element of a run of one pattern letter."""
    if letter in "uy":
        return _year("y", count, adjacent=adjacent)
    if letter in "Y":
        return _year("v", count, adjacent=adjacent)
    if letter in "ML":
        return _names("M", MONTHS, count) if count > 2 else _number("M", count, adjacent=adjacent)
    if letter == "E" or (letter in "ec" and count > 2):
        return _names("e", DAYS, count)
    if letter in "ec":
        return _number("e", count, adjacent=adjacent, longest=1)
    if letter == "a":
        return Element("a", r"(?P<a>[AP]M)")
    if letter == "S":
        return Element("f", rf"(?P<f>\d{{{count}}})", count)
    if letter == "D":
        return Element("D", r"(?P<D>\d{1,3})" if count == 1 else rf"(?P<D>\d{{{count},3}})", count)
    if letter in "n":
        return Element("n", r"(?P<n>\d{1,9})", count)
    if letter == "A":
        return Element("A", r"(?P<A>\d{1,8})", count)
    if letter in "dwHhKkms":
        return _number(letter, count, adjacent=adjacent)
    if letter in "Xx":
        style = f"{letter}{count}"
        return Element("z", rf"(?P<z>{_OFFSETS[style]})", 0, style)
    if letter == "Z":
        style = "x2" if count <= 3 else "GMT" if count == 4 else "X5"
        expression = _OFFSETS[style] if style != "GMT" else r"GMT(?:[+\-]\d\d:\d\d)?"
        return Element("z", rf"(?P<z>{expression})", 0, style)
    if letter in "Vz":
        return Element("z", rf"(?P<z>{_ZONE_ID})", 0, "id")
    if letter == "O":
        return Element("z", r"(?P<z>GMT(?:[+\-]\d{1,2}(?::\d\d)?)?)", 0, "GMT")
    if letter == "G":
        return Element("", r"(?:AD|BC|CE|BCE)", 0, "AD")
    raise IllegalArgument(f"Pattern letter [{letter}] is not supported by this version")


def _runs(pattern: str) -> list[tuple[str, str | int]]:
    """Split a pattern into (letter, count), ("literal", text) and ("[" or "]", "")."""
    runs: list[tuple[str, str | int]] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "'":
            end = at + 1
            text = ""
            while True:
                close = pattern.find("'", end)
                if close < 0:
                    raise IllegalArgument("Pattern ends with an incomplete string literal: " + pattern)
                text += pattern[end:close]
                if pattern[close + 1 : close + 2] == "'":
                    text += "'"
                    end = close + 2
                    continue
                break
            runs.append(("literal", text or "'"))
            at = close + 1
        elif char.isascii() and char.isalpha():
            end = at
            while end < len(pattern) and pattern[end] == char:
                end += 1
            if char not in JAVA_LETTERS:
                raise IllegalArgument(f"Unknown pattern letter: {char}")
            runs.append((char, end - at))
            at = end
        elif char in "[]":
            runs.append((char, ""))
            at += 1
        elif char in "{}#":
            raise IllegalArgument(f"Pattern includes reserved character: '{char}'")
        else:
            runs.append(("literal", char))
            at += 1
    return runs


def custom_elements(pattern: str) -> list[Element]:
    """Give the elements of a pattern of java.time letters."""
    runs = _runs(pattern)
    elements: list[Element] = []
    depth = 0
    for i, (kind, value) in enumerate(runs):
        if kind == "literal":
            elements.append(Element("", re.escape(str(value)), 0, str(value)))
        elif kind == "[":
            depth += 1
            elements.append(Element("[", "(?:"))
        elif kind == "]":
            depth -= 1
            if depth < 0:
                raise IllegalArgument("Pattern invalid as it contains ] without previous [")
            elements.append(Element("]", ")?"))
        else:
            follows = runs[i + 1][0] if i + 1 < len(runs) else "literal"
            adjacent = len(follows) == 1 and follows in "MdDHhmsSkKwe"
            elements.append(_letter(kind, int(value), adjacent=adjacent))
    elements += [Element("]", ")?")] * depth
    meanings = [element.meaning for element in elements if element.meaning.isalpha()]
    if len(set(meanings)) < len(meanings):
        raise IllegalArgument("Patterns that name a field twice are not supported by this version")
    return elements


# The named formats in a notation of one letter per field. "T" and punctuation are literal, "[" opens an
# optional part,
# ":z" is an offset with a colon or Z, "z" one without a colon, "Z" any zone. Digits are exact in a strict
# format.
_NAMED = {
    "date": "y-M-d",
    "date_hour": "y-M-dTH",
    "date_hour_minute": "y-M-dTH:m",
    "date_hour_minute_second": "y-M-dTH:m:s",
    "date_hour_minute_second_fraction": "y-M-dTH:m:s.f",
    "date_hour_minute_second_millis": "y-M-dTH:m:s.f",
    "date_optional_time": "y[-M[-d]][T[H[:m[:s[.f]]][Z]]]",
    "date_time": "y-M-dTH:m:s.f;",
    "date_time_no_millis": "y-M-dTH:m:s;",
    "hour": "H",
    "hour_minute": "H:m",
    "hour_minute_second": "H:m:s",
    "hour_minute_second_fraction": "H:m:s.f",
    "hour_minute_second_millis": "H:m:s.f",
    "ordinal_date": "y-D",
    "ordinal_date_time": "y-DTH:m:s.f;",
    "ordinal_date_time_no_millis": "y-DTH:m:s;",
    "time": "H:m:s.f;",
    "time_no_millis": "H:m:s;",
    "t_time": "TH:m:s.f;",
    "t_time_no_millis": "TH:m:s;",
    "week_date": "v-Ww-e",
    "week_date_time": "v-Ww-eTH:m:s.f;",
    "week_date_time_no_millis": "v-Ww-eTH:m:s;",
    "weekyear": "v",
    "weekyear_week": "v-Ww",
    "weekyear_week_day": "v-Ww-e",
    "year": "y",
    "year_month": "y-M",
    "year_month_day": "y-M-d",
    "basic_week_date": "vWwe",
    "basic_week_date_time": "vWweTHms.f;",
    "basic_week_date_time_no_millis": "vWweTHms;",
}
_BASIC = {
    "basic_date": "yMd",
    "basic_date_time": "yMdTHms.f;",
    "basic_date_time_no_millis": "yMdTHms;",
    "basic_ordinal_date": "yD",
    "basic_ordinal_date_time": "yDTHms.f;",
    "basic_ordinal_date_time_no_millis": "yDTHms;",
    "basic_time": "Hms.f;",
    "basic_time_no_millis": "Hms;",
    "basic_t_time": "THms.f;",
    "basic_t_time_no_millis": "THms;",
}
NAMED = {
    **{name: (notation, False) for name, notation in _NAMED.items()},
    **{f"strict_{name}": (notation, True) for name, notation in _NAMED.items()},
    **{name: (notation, True) for name, notation in _BASIC.items()},
    "week_year": ("v", False),
    "iso8601": ("y[-M[-d]][T[H[:m[:s[.f]]][Z]]]", False),
    "rfc3339_lenient": ("y[-M[-d[TH:m[:s[.f]];]]]", True),
    "strict_date_optional_time_nanos": ("y[-M[-d]][T[H[:m[:s[.f]]][Z]]]", True),
}
NANO_NAMES = frozenset({"strict_date_optional_time_nanos"})
_WIDTHS = {"M": 2, "d": 2, "D": 3, "w": 2, "e": 1, "H": 2, "m": 2, "s": 2}


def named_elements(name: str) -> list[Element]:
    """Give the elements of one of the named formats."""
    notation, strict = NAMED[name]
    basic = name.removeprefix("strict_").startswith("basic_")
    elements: list[Element] = []
    for char in notation:
        if char in "[]":
            elements.append(Element(char, "(?:" if char == "[" else ")?"))
        elif char in "yv":
            elements.append(_named_year(char, strict=strict, basic=basic))
        elif char == "f":
            width = 9 if name in NANO_NAMES else 3
            elements.append(Element("f", r"(?P<f>\d{1,9})", width, "trimmed" if width == 9 else ""))
        elif char == ";":
            style = "X3" if not basic else "X2"
            elements.append(Element("z", rf"(?P<z>Z|[+\-]\d\d(?::?\d\d)?|{_REGION})", 0, style))
        elif char == "Z":
            elements.append(Element("z", rf"(?P<z>{_ZONE_ID})", 0, "X3"))
        elif char == ".":
            elements.append(
                Element("", "[.,]" if "optional_time" in name or name == "iso8601" else r"\.", 0, ".")
            )
        elif char in _WIDTHS:
            width = _WIDTHS[char]
            digits = rf"\d{{{width}}}" if strict or basic else rf"\d{{1,{width}}}"
            elements.append(Element(char, f"(?P<{char}>{digits})", width))
        else:
            elements.append(Element("", re.escape(char), 0, char))
    return elements


def _named_year(meaning: str, *, strict: bool, basic: bool) -> Element:
    if basic:
        return Element(meaning, rf"(?P<{meaning}>-?\d{{4}})", 4)
    if strict:
        return Element(meaning, rf"(?P<{meaning}>-?\d{{4}}|[+\-]\d{{5,9}})", 4)
    return Element(meaning, rf"(?P<{meaning}>[+\-]?\d{{1,9}})", 4)


@lru_cache(maxsize=512)
def elements_of(pattern: str) -> tuple[Element, ...]:
    """Give the elements of a named format or a custom pattern.

    Raises IllegalArgument as java.time words it.
    """
    return tuple(named_elements(pattern) if pattern in NAMED else custom_elements(pattern))
