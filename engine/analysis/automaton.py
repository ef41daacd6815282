"""Regular expressions of Lucene (RegExp with all its operators) as automata that are made on the way.

The states are expressions: reading a character turns one into another (J. A. Brzozowski, "Derivatives of
regular expressions", 1964). Characters that no class of the expression tells apart are read alike. Nothing
backtracks, and places that were found to lead nowhere are remembered, so that a text is read in linear time.
"""

import functools
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, TypeAlias

from lanner.engine.common.errors import IllegalArgument

# ("chars", ranges) ("cat", parts) ("or", parts) ("and", parts) ("not", part) ("times", part, least, most or
# -1)
Node: TypeAlias = tuple[Any, ...]

MOST_STATES = 10_000
LONGEST = 1_000  # characters of an expression
DEEPEST = 50  # groups within groups

NOTHING: Node = ("or", ())  # matches no text
EMPTY: Node = ("cat", ())  # matches the empty text
_LAST = 0x10FFFF
_ANY: Node = ("chars", ((0, _LAST),))
_CLASSES = {
    "d": ((48, 57),),
    "s": ((9, 10), (13, 13), (32, 32)),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
}


def _complement(ranges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    found = []
    following = 0
    for low, high in sorted(ranges):
        if low > following:
            found.append((following, low - 1))
        following = max(following, high + 1)
    if following <= _LAST:
        found.append((following, _LAST))
    return tuple(found)


def _cat(parts: list[Node]) -> Node:
    flat: list[Node] = []
    for part in parts:
        if part == NOTHING:
            return NOTHING
        flat += part[1] if part[0] == "cat" else [part]
    return flat[0] if len(flat) == 1 else ("cat", tuple(flat))


def _or(parts: list[Node]) -> Node:
    flat: dict[Node, None] = {}
    for part in parts:
        for one in part[1] if part[0] == "or" else (part,):
            flat[one] = None
    if len(flat) == 1:
        return next(iter(flat))
    return ("or", tuple(sorted(flat, key=repr)))


def _and(parts: list[Node]) -> Node:
    flat: dict[Node, None] = {}
    for part in parts:
        if part == NOTHING:
            return NOTHING
        for one in part[1] if part[0] == "and" else (part,):
            flat[one] = None
    if len(flat) == 1:
        return next(iter(flat))
    return ("and", tuple(sorted(flat, key=repr)))


def _not(part: Node) -> Node:
    return part[1] if part[0] == "not" else ("not", part)


def _times(part: Node, least: int, most: int) -> Node:
    if most == 0 or part == EMPTY:
        return EMPTY
    return part if least == most == 1 else ("times", part, least, most)


class _Parser:
    """Reads an expression; the operators are those of Lucene's RegExp, all of them switched on."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0

    def parse(self) -> Node:
        if len(self.pattern) > LONGEST:
            raise IllegalArgument(f"regular expressions may have at most {LONGEST} characters")
        if not self.pattern:
            return EMPTY
        node = self.union()
        if self.at < len(self.pattern):
            raise IllegalArgument(f"end-of-string expected at position {self.at}")
        return node

    def take(self, char: str) -> bool:
        if self.pattern.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def peek(self, chars: str) -> bool:
        return self.at < len(self.pattern) and self.pattern[self.at] in chars

    def union(self) -> Node:
        parts = [self.intersection()]
        while self.take("|"):
            parts.append(self.intersection())
        return _or(parts)

    def intersection(self) -> Node:
        parts = [self.concatenation()]
        while self.take("&"):
            parts.append(self.concatenation())
        return _and(parts)

    def concatenation(self) -> Node:
        parts = [self.repetition()]
        while self.at < len(self.pattern) and not self.peek(")|&"):
            parts.append(self.repetition())
        return _cat(parts)

    def repetition(self) -> Node:
        node = self.complement()
        while self.peek("?*+{"):
            if self.take("?"):
                node = _times(node, 0, 1)
            elif self.take("*"):
                node = _times(node, 0, -1)
            elif self.take("+"):
                node = _times(node, 1, -1)
            else:
                node = _times(node, *self.bounds())
        return node

    def bounds(self) -> tuple[int, int]:
        self.at += 1
        least = self.number()
        most = least
        if self.take(","):
            most = self.number() if self.peek("0123456789") else -1
        if not self.take("}"):
            raise IllegalArgument(f"expected '}}' at position {self.at}")
        if most >= 0 and least > most:
            raise IllegalArgument(f"invalid repetition range(out of order): {least}..{most}")
        return least, most

    def number(self) -> int:
        start = self.at
        while self.peek("0123456789"):
            self.at += 1
        if start == self.at:
            raise IllegalArgument(f"integer expected at position {self.at}")
        if self.at - start > 6:
            raise IllegalArgument(f"integer too large at position {start}")
        return int(self.pattern[start : self.at])

    def complement(self) -> Node:
        inverted = False
        while self.take("~"):
            inverted = not inverted
        node = self.char_class()
        return _not(node) if inverted else node

    def char_class(self) -> Node:
        if not self.take("["):
            return self.simple()
        inverted = self.take("^")
        ranges = [*self.member()]
        while self.at < len(self.pattern) and not self.peek("]"):
            ranges += self.member()
        if not self.take("]"):
            raise IllegalArgument(f"expected ']' at position {self.at}")
        found = tuple(sorted(set(ranges)))
        return ("chars", _complement(found) if inverted else found)

    def member(self) -> tuple[tuple[int, int], ...]:
        named = self.predefined()
        if named is not None:
            return named
        low = self.char()
        if not self.take("-"):
            return ((low, low),)
        high = self.char()
        if low > high:
            raise IllegalArgument(f"invalid range: from ({low}) cannot be > to ({high})")
        return ((low, high),)

    def predefined(self) -> tuple[tuple[int, int], ...] | None:
        """Return the class of a backslash and a letter."""
        if self.pattern.startswith("\\", self.at) and self.at + 1 < len(self.pattern):
            letter = self.pattern[self.at + 1]
            found = _CLASSES.get(letter.lower())
            if found is not None:
                self.at += 2
                return found if letter.islower() else _complement(found)
        return None

    def char(self) -> int:
        self.take("\\")
        if self.at >= len(self.pattern):
            raise IllegalArgument("unexpected end-of-string")
        self.at += 1
        return ord(self.pattern[self.at - 1])

    def simple(self) -> Node:
        named = self.predefined()
        if named is not None:
            return ("chars", named)
        if self.take("."):
            return _ANY
        if self.take("#"):
            return NOTHING
        if self.take("@"):
            return _times(_ANY, 0, -1)
        if self.take('"'):
            end = self.pattern.find('"', self.at)
            if end < 0:
                raise IllegalArgument(f"expected '\"' at position {len(self.pattern)}")
            text = self.pattern[self.at : end]
            self.at = end + 1
            return _cat([("chars", ((ord(char), ord(char)),)) for char in text])
        if self.take("("):
            if self.take(")"):
                return EMPTY
            self.depth += 1
            if self.depth > DEEPEST:
                raise IllegalArgument(f"regular expressions may have at most {DEEPEST} nested groups")
            node = self.union()
            self.depth -= 1
            if not self.take(")"):
                raise IllegalArgument(f"expected ')' at position {self.at}")
            return node
        if self.peek("<"):
            return self.interval()
        point = self.char()
        return ("chars", ((point, point),))

    def interval(self) -> Node:
        end = self.pattern.find(">", self.at)
        if end < 0:
            raise IllegalArgument(f"expected '>' at position {len(self.pattern)}")
        content = self.pattern[self.at + 1 : end]
        low, dash, high = content.partition("-")
        if not dash:
            raise IllegalArgument(f"'{content}' not found")
        if not (low.isdigit() and high.isdigit() and len(low) < 10 and len(high) < 10):
            raise IllegalArgument(f"interval syntax error at position {self.at}")
        self.at = end + 1
        digits = len(low) if len(low) == len(high) else 0
        return numbers(min(int(low), int(high)), max(int(low), int(high)), digits)


def numbers(low: int, high: int, digits: int) -> Node:
    """Return the decimal numbers of a range; digits: how many, 0 for any number with leading zeros."""
    parts: list[Node] = []
    width = digits or len(str(high))
    for size in [digits] if digits else range(1, width + 1):
        first, last = max(low, 0 if digits or size == 1 else 10 ** (size - 1)), min(high, 10**size - 1)
        if first <= last:
            parts.append(_fixed(str(first).zfill(size), str(last).zfill(size)))
    node = _or(parts)
    return node if digits else _cat([_times(("chars", ((48, 48),)), 0, -1), node])


def _fixed(first: str, last: str) -> Node:
    """Return the numbers between two of the same length."""
    if len(first) == 0:
        return EMPTY
    if first[0] == last[0]:
        return _cat([_digit(first[0], first[0]), _fixed(first[1:], last[1:])])
    rest = len(first) - 1
    parts = [
        _cat([_digit(first[0], first[0]), _fixed(first[1:], "9" * rest)]),
        _cat([_digit(last[0], last[0]), _fixed("0" * rest, last[1:])]),
    ]
    if ord(last[0]) - ord(first[0]) > 1:
        between = _digit(chr(ord(first[0]) + 1), chr(ord(last[0]) - 1))
        parts.append(_cat([between, _times(_digit("0", "9"), rest, rest)]))
    return _or(parts)


def _digit(low: str, high: str) -> Node:
    return ("chars", ((ord(low), ord(high)),))


@functools.cache
def _nullable(node: Node) -> bool:
    """Return whether the empty text matches."""
    kind = node[0]
    if kind == "chars":
        return False
    if kind == "not":
        return not _nullable(node[1])
    if kind == "times":
        return node[2] == 0 or _nullable(node[1])
    parts: tuple[Node, ...] = node[1]
    return any(map(_nullable, parts)) if kind == "or" else all(map(_nullable, parts))


def _derive(node: Node, point: int) -> Node:
    """Return what must follow after a character."""
    kind = node[0]
    if kind == "chars":
        return EMPTY if any(low <= point <= high for low, high in node[1]) else NOTHING
    if kind == "not":
        return _not(_derive(node[1], point))
    if kind == "times":
        part, least, most = node[1:]
        fewer = most - 1 if most > 0 else -1
        rest = _times(part, max(least - 1, 0), fewer)
        return _cat([_derive(part, point), rest])
    parts: tuple[Node, ...] = node[1]
    if kind == "or":
        return _or([_derive(part, point) for part in parts])
    if kind == "and":
        return _and([_derive(part, point) for part in parts])
    found: list[Node] = []
    for number, part in enumerate(parts):
        found.append(_cat([_derive(part, point), ("cat", parts[number + 1 :])]))
        if not _nullable(part):
            break
    return _or(found)


def _edges(node: Node) -> Iterator[int]:
    """Yield the code points at which the classes of an expression begin and end."""
    pending = [node]
    while pending:
        kind, content, *_ = pending.pop()
        if kind == "chars":
            for low, high in content:
                yield low
                yield high + 1
        elif kind in ("not", "times"):
            pending.append(content)
        else:
            pending += content


class Automaton:
    """An expression ready to run. Its states are made as texts need them; any number of threads may do so."""

    def __init__(self, pattern: str) -> None:
        """Raises IllegalArgument."""
        self.start = _Parser(pattern).parse()
        self.edges = sorted(set(_edges(self.start)) | {0})
        self.states: dict[Node, dict[int, Node]] = {self.start: {}}

    def step(self, state: Node, char: str) -> Node:
        """Return the state after a character; raises IllegalArgument where there are too many."""
        number = bisect_right(self.edges, ord(char)) - 1
        steps = self.states[state]
        following = steps.get(number)
        if following is None:
            following = _derive(state, self.edges[number])
            if following not in self.states:
                if len(self.states) >= MOST_STATES:
                    raise IllegalArgument(
                        f"Determinizing automaton would require more than {MOST_STATES} effort."
                    )
                self.states[following] = {}
            steps[number] = following
        return following

    def matches(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the longest matches that are not empty, from left to right."""
        dead: set[tuple[Node, int]] = set()  # from here on no match ends
        at = 0
        while at < len(text):
            end = at
            state = self.start
            tried: list[tuple[Node, int]] = []
            place = at
            while place < len(text):
                state = self.step(state, text[place])
                place += 1
                if state == NOTHING or (state, place) in dead:
                    break
                tried.append((state, place))
                if _nullable(state):
                    end = place
                    tried.clear()
            dead.update(tried)
            if end > at:
                yield at, end
                at = end
            else:
                at += 1
