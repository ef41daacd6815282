"""Patterns of terms as automata: text in any case, its beginnings, and wildcards."""

import re
from typing import Protocol

from lanner.engine.common.errors import TooComplexToDeterminize
from lanner.ext.automaton.automaton import (
    Automaton,
    TooComplexError,
    any_text,
    chars,
    concatenate,
    empty,
    intersection,
    text,
    union,
)
from lanner.ext.automaton.determinize import determinize, minimize

WORK_LIMIT = 10_000  # Lucene's Operations.DEFAULT_DETERMINIZE_WORK_LIMIT
_LAST = 0x10FFFF
_ANY_CHAR = [(0, _LAST)]
_SIGNS = re.compile(r"\\\\.|[?*]+", re.DOTALL)


class Normalizes(Protocol):
    """What spells a text as an analyzer or normalizer would."""

    def normalize(self, text: str) -> str:
        """Return the text as one term."""
        ...


def normalized_wildcard(pattern: str, analyzer: Normalizes) -> str:
    """Return a pattern whose parts between wildcards and escaped characters are normalized."""
    found = []
    at = 0
    for sign in _SIGNS.finditer(pattern):
        if sign.start() > at:
            found.append(analyzer.normalize(pattern[at : sign.start()]))
        found.append(sign.group())
        at = sign.end()
    if at < len(pattern):
        found.append(analyzer.normalize(pattern[at:]))
    return "".join(found)


def char_automaton(char: str, *, any_case: bool, ascii_only: bool = False) -> Automaton:
    """Return the automaton of one character, or of its small and its capital letter."""
    point = ord(char)
    ranges = [(point, point)]
    if any_case and not (ascii_only and point > 128):
        other = char.upper() if char.islower() else char.lower()
        if len(other) == 1 and other != char:
            ranges.append((ord(other), ord(other)))
    return chars(ranges)


def text_automaton(given: str, *, prefix: bool = False, any_case: bool = True) -> Automaton:
    """Return the automaton of a text, or of all that begins so."""
    parts = [char_automaton(char, any_case=any_case) for char in given]
    if prefix:
        parts.append(any_text())
    return minimize(concatenate(parts), WORK_LIMIT)


def wildcard_automaton(pattern: str, *, any_case: bool = False) -> Automaton:
    """Return the automaton of a pattern with ``*`` and ``?``; a backslash takes the next character as it is.

    Raises TooComplexToDeterminize.
    """
    parts: list[Automaton] = []
    anything = any_text()
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*":
            if not parts or parts[-1] is not anything:
                parts.append(anything)
        elif char == "?":
            parts.append(chars(_ANY_CHAR))
        else:
            if char == "\\" and at < len(pattern):
                char = pattern[at]
                at += 1
            parts.append(char_automaton(char, any_case=any_case))
    if not parts:
        return empty()  # as in Lucene, although the empty term would fit
    try:
        return determinize(concatenate(parts), WORK_LIMIT)
    except TooComplexError as error:
        raise TooComplexToDeterminize(str(error)) from None


def range_automaton(
    lower: bytes | None, upper: bytes | None, *, include_lower: bool, include_upper: bool
) -> Automaton:
    """Return the automaton of the texts between two others in the order of their code points."""
    low = (lower or b"").decode("utf-8", "replace")
    parts: list[Automaton] = []
    anything = any_text()
    # what is not less than low: it begins like low and goes on higher, or is low with anything after
    at_least = [
        concatenate([text(low[:i]), chars([(ord(char) + 1, _LAST)]), anything]) for i, char in enumerate(low)
    ]
    longer = anything if include_lower else concatenate([chars(_ANY_CHAR), anything])
    at_least.append(concatenate([text(low), longer]))
    parts.append(minimize(union(at_least), WORK_LIMIT))
    if upper is not None:
        high = upper.decode("utf-8", "replace")
        at_most = [text(high[:i]) for i in range(len(high) + include_upper)]
        at_most += [
            concatenate([text(high[:i]), chars([(0, ord(char) - 1)]), anything])
            for i, char in enumerate(high)
            if ord(char)
        ]
        parts.append(minimize(union(at_most), WORK_LIMIT))
    found = parts[0] if len(parts) == 1 else intersection(*parts)
    return minimize(found, WORK_LIMIT)
