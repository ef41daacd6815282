"""Lucene's regular expressions (org.apache.lucene.util.automaton.RegExp), read without recursion.

An expression is a union (``|``) of intersections (``&``) of sequences of repeated parts; what is optional
in the grammar is chosen by flags. Every part is made a small automaton at once, as Lucene does it, so that
the limit on the work is reached by the same expressions.
"""

from dataclasses import dataclass, field

from lanner.engine.common.errors import IllegalArgument, TooComplexToDeterminize
from lanner.engine.query.pattern import char_automaton
from lanner.ext.automaton.automaton import (
    Automaton,
    TooComplexError,
    any_text,
    chars,
    concatenate,
    empty,
    intersection,
    optional,
    repeat,
    repeat_range,
    text,
    union,
)
from lanner.ext.automaton.determinize import complement, determinize, minimize

INTERSECTION, COMPLEMENT, EMPTY, ANYSTRING, NAMED, INTERVAL = 1, 2, 4, 8, 16, 32
ALL = 0xFF
FLAGS = {
    "INTERSECTION": INTERSECTION,
    "COMPLEMENT": COMPLEMENT,
    "EMPTY": EMPTY,
    "ANYSTRING": ANYSTRING,
    "INTERVAL": INTERVAL,
    "NONE": 0,
    "ALL": ALL,
}
_LAST = 0x10FFFF
_CLASSES = {
    "d": [(48, 57)],
    "w": [(48, 57), (65, 90), (95, 95), (97, 122)],
    "s": [(9, 10), (13, 13), (32, 32)],
}
_MAX_INT = 2**31 - 1


def read_flags(given: str) -> int:
    """Return the flags of ``ANYSTRING|INTERVAL``; raises IllegalArgument."""
    if not given:
        return ALL
    flags = 0
    for name in given.split("|"):
        if not name:
            continue
        if name.upper() not in FLAGS:
            raise IllegalArgument(f"Unknown regexp flag [{name}]")
        if name.upper() == "ALL":
            return ALL
        flags |= FLAGS[name.upper()]
    return flags


def regexp_automaton(pattern: str, *, flags: int = ALL, any_case: bool = False, limit: int) -> Automaton:
    """Return the deterministic automaton of an expression.

    Raises IllegalArgument, TooComplexToDeterminize.
    """
    if not pattern:
        return text("")
    try:
        made = _Reader(pattern, flags, limit, any_case=any_case).read()
    except TooComplexError as error:
        cause = TooComplexToDeterminize(str(error))
        effort = str(error).rpartition("more than ")[2].partition(" ")[0]
        raise TooComplexToDeterminize(
            f"Determinizing {pattern} would require more than {effort} effort.", caused_by=cause
        ) from None
    try:
        return determinize(made, limit)
    except TooComplexError as error:
        raise TooComplexToDeterminize(str(error)) from None


@dataclass(slots=True)
class _Group:
    """An open parenthesis: finished alternatives, finished sides of ``&``, and the parts read since."""

    alternatives: list[Automaton] = field(default_factory=list)
    sides: list[Automaton] = field(default_factory=list)
    parts: list[Automaton] = field(default_factory=list)
    complements: int = 0  # how many ``~`` stand before it


class _Reader:
    def __init__(self, pattern: str, flags: int, limit: int, *, any_case: bool) -> None:
        self.pattern = pattern
        self.flags = flags
        self.limit = limit
        self.any_case = any_case
        self.at = 0
        self.groups = [_Group()]

    # -- characters

    def peek(self, chars: str) -> bool:
        return self.at < len(self.pattern) and self.pattern[self.at] in chars

    def match(self, char: str) -> bool:
        if self.peek(char):
            self.at += 1
            return True
        return False

    def next(self) -> str:
        if self.at >= len(self.pattern):
            raise IllegalArgument("unexpected end-of-string")
        self.at += 1
        return self.pattern[self.at - 1]

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)

    # -- groups

    def read(self) -> Automaton:
        """Return the automaton of the whole pattern."""
        part: Automaton | None = None
        while True:
            group = self.groups[-1]
            if part is None:
                complements = 0
                while self.has(COMPLEMENT) and self.match("~"):
                    complements += 1
                if self.match("("):
                    if not self.match(")"):
                        self.groups.append(_Group(complements=complements))
                        continue
                    part = text("")
                else:
                    part = self.leaf()
                part = self.negated(part, complements)
            group.parts.append(self.repeated(part))
            part = None
            while part is None and not (
                self.at < len(self.pattern) and not self.peek(")|") and not self.at_and()
            ):
                if self.match("|"):
                    self.end_side(group)
                    group.alternatives.append(self.intersected(group))
                    break
                if self.has(INTERSECTION) and self.match("&"):
                    self.end_side(group)
                    break
                closed = self.close(group)
                if len(self.groups) == 1:
                    if self.at < len(self.pattern):
                        raise IllegalArgument(f"end-of-string expected at position {self.at}")
                    return closed
                if not self.match(")"):
                    raise IllegalArgument(f"expected ')' at position {self.at}")
                self.groups.pop()
                part = self.negated(closed, group.complements)

    def at_and(self) -> bool:
        return self.has(INTERSECTION) and self.peek("&")

    def end_side(self, group: _Group) -> None:
        parts = group.parts
        group.sides.append(parts[0] if len(parts) == 1 else minimize(concatenate(parts), self.limit))
        group.parts = []

    def intersected(self, group: _Group) -> Automaton:
        made = group.sides.pop()
        while group.sides:
            made = minimize(intersection(group.sides.pop(), made), self.limit)
        return made

    def close(self, group: _Group) -> Automaton:
        self.end_side(group)
        group.alternatives.append(self.intersected(group))
        found = group.alternatives
        return found[0] if len(found) == 1 else minimize(union(found), self.limit)

    def negated(self, part: Automaton, times: int) -> Automaton:
        for _ in range(times % 2 if times > 2 else times):
            part = minimize(complement(part, self.limit), self.limit)
        return part

    # -- repetition

    def repeated(self, part: Automaton) -> Automaton:
        while self.peek("?*+{"):
            operator = self.next()
            if operator == "?":
                part = minimize(optional(part), self.limit)
            elif operator == "*":
                part = minimize(repeat(part), self.limit)
            elif operator == "+":
                part = self.at_least(part, 1)
            else:
                part = self.counted(part)
        return part

    def counted(self, part: Automaton) -> Automaton:
        least = self.number()
        if least is None:
            raise IllegalArgument(f"integer expected at position {self.at}")
        most: int | None = least
        if self.match(","):
            most = self.number()
        if not self.match("}"):
            raise IllegalArgument(f"expected '}}' at position {self.at}")
        if most is None:
            return self.at_least(part, least)
        self.check_size(part, most)
        return repeat_range(part, least, most)

    def at_least(self, part: Automaton, least: int) -> Automaton:
        self.check_size(part, least)
        return minimize(concatenate([part] * least + [repeat(part)]), self.limit)

    def check_size(self, part: Automaton, times: int) -> None:
        size = (part.n_states - 1) * times
        if size > self.limit or times > _MAX_INT or times > 100 * max(self.limit, 100):
            raise TooComplexError(
                f"Determinizing automaton with {part.n_states} states and {part.n_arcs} transitions would "
                f"require more than {size} effort."
            )

    def number(self) -> int | None:
        start = self.at
        while self.peek("0123456789"):
            self.at += 1
        digits = self.pattern[start : self.at]
        if len(digits) > 10 or (digits and int(digits) > _MAX_INT):
            raise IllegalArgument(f'For input string: "{digits}"')
        return int(digits) if digits else None

    # -- leaves

    def leaf(self) -> Automaton:
        if self.match("["):
            return self.char_class()
        if self.match("."):
            return chars([(0, _LAST)])
        if self.has(EMPTY) and self.match("#"):
            return empty()
        if self.has(ANYSTRING) and self.match("@"):
            return any_text()
        if self.match('"'):
            return self.quoted()
        if (self.has(NAMED) or self.has(INTERVAL)) and self.match("<"):
            return self.interval()
        ranges = self.escaped_class()
        if ranges is not None:
            return chars(ranges)
        return char_automaton(self.char(), any_case=self.any_case, ascii_only=True)

    def char(self) -> str:
        self.match("\\")
        return self.next()

    def char_class(self) -> Automaton:
        negated = self.match("^")
        ranges: list[tuple[int, int]] = []
        while not ranges or (self.at < len(self.pattern) and not self.peek("]")):
            found = self.escaped_class()
            if found is not None:
                ranges += found or [(1, 0)]
                continue
            first = self.char()
            if self.match("-"):
                last = self.char()
                if ord(first) > ord(last):
                    raise IllegalArgument(f"invalid range: from ({ord(first)}) cannot be > to ({ord(last)})")
                ranges.append((ord(first), ord(last)))
            else:
                ranges.append((ord(first), ord(first)))
                if self.any_case and first.isascii() and first.isalpha():
                    ranges.append((ord(first.swapcase()),) * 2)
        if not self.match("]"):
            raise IllegalArgument(f"expected ']' at position {self.at}")
        return chars(_others(ranges) if negated else ranges)

    def escaped_class(self) -> list[tuple[int, int]] | None:
        """Read a backslash and what it stands for; None if there is none."""
        if not self.match("\\"):
            return None
        if self.peek("dwsDWS"):
            name = self.next()
            ranges = _CLASSES[name.lower()]
            return _others(ranges) if name.isupper() else ranges
        if self.peek("\\"):
            self.at += 1
            return [(92, 92)]
        if self.peek("abcefghijklmnopqrtuvxyzABCEFGHIJKLMNOPQRTUVXYZ"):
            raise IllegalArgument(f"invalid character class \\{ord(self.next())}")
        point = ord(self.next())
        return [(point, point)]

    def quoted(self) -> Automaton:
        end = self.pattern.find('"', self.at)
        if end < 0:
            raise IllegalArgument(f"expected '\"' at position {len(self.pattern)}")
        given = self.pattern[self.at : end]
        self.at = end + 1
        if not self.any_case:
            return text(given)
        return concatenate([char_automaton(char, any_case=True, ascii_only=True) for char in given])

    def interval(self) -> Automaton:
        end = self.pattern.find(">", self.at)
        if end < 0:
            raise IllegalArgument(f"expected '>' at position {len(self.pattern)}")
        given = self.pattern[self.at : end]
        self.at = end + 1
        if "-" not in given:
            if not self.has(NAMED):
                raise IllegalArgument(f"interval syntax error at position {end}")
            raise IllegalArgument(f"'{given}' not found")
        if not self.has(INTERVAL):
            raise IllegalArgument(f"illegal identifier at position {end}")
        low, _, high = given.partition("-")
        if not (_is_int(low) and _is_int(high)):
            raise IllegalArgument(f"interval syntax error at position {end}")
        digits = len(low) if len(low) == len(high) else 0
        least, most = sorted((int(low), int(high)))
        return interval_automaton(least, most, digits)


def _is_int(given: str) -> bool:
    return given.isascii() and given.isdigit() and int(given) <= _MAX_INT if len(given) < 20 else False


def _others(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the code points that lie in none of the ranges."""
    found = []
    at = 0
    for low, high in sorted(ranges):
        if low > at:
            found.append((at, low - 1))
        at = max(at, high + 1)
    if at <= _LAST:
        found.append((at, _LAST))
    return found


def interval_automaton(low: int, high: int, digits: int) -> Automaton:
    """Return the numbers from low to high, of so many digits; with 0 digits after any number of zeros."""
    if digits:
        return minimize(union(_between(str(low).zfill(digits), str(high).zfill(digits))), 10_000)
    found: list[Automaton] = []
    for length in range(len(str(low)), len(str(high)) + 1):
        first = max(low, 10 ** (length - 1) if length > 1 else 0)
        last = min(high, 10**length - 1)
        found += _between(str(first), str(last))
    return minimize(concatenate([repeat(text("0")), union(found)]), 10_000)


def _between(low: str, high: str) -> list[Automaton]:
    """Return the texts of digits between two of the same length, as a few sequences of ranges of digits."""
    found = []
    common = 0
    while common < len(low) and low[common] == high[common]:
        common += 1
    if common == len(low):
        return [text(low)]

    def sequence(start: str, first: str, last: str) -> None:
        if first <= last:
            rest = [chars([(48, 57)]) for _ in range(len(low) - len(start) - 1)]
            found.append(concatenate([text(start), chars([(ord(first), ord(last))]), *rest]))

    sequence(low[:common], chr(ord(low[common]) + 1), chr(ord(high[common]) - 1))
    for i in range(common + 1, len(low)):
        sequence(low[:i], chr(ord(low[i]) + 1), "9")
        sequence(high[:i], "0", chr(ord(high[i]) - 1))
    found += [text(low), text(high)]
    return found
