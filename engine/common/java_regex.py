"""Regular expressions of java.util.regex, run by the package regex.

Every search has a time limit, because expressions that backtrack may take exponential time, and lets other
threads run.
"""

import re
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import IllegalArgument, PatternSyntaxError
from lanner.engine.common.java_syntax import Translator, read_flags

if TYPE_CHECKING:
    import regex

TIME_LIMIT = 2.0  # seconds for all searches in one text


def new_deadline() -> float:
    """Return when the searches in one text that begins now must be done."""
    return time.monotonic() + TIME_LIMIT


class JavaPattern:
    """A compiled expression. Methods raise IllegalArgument for texts on which it backtracks too long."""

    __slots__ = ("_compiled", "groups", "pattern")

    def __init__(self, pattern: str, compiled: "regex.Pattern[str]") -> None:
        self.pattern = pattern
        self._compiled = compiled
        self.groups: int = compiled.groups

    def find_all(self, text: str, deadline: float | None = None) -> "Iterator[regex.Match[str]]":
        """Yield the matches one after the other, as Matcher.find does; deadline: see new_deadline."""
        # not finditer: after an empty match it tries the same place again for one that is not empty
        deadline = new_deadline() if deadline is None else deadline
        at = 0
        while at <= len(text):
            match = self._run(self._compiled.search, text, at, deadline)
            if match is None:
                return
            yield match
            at = match.end() + (match.end() == match.start())

    def matches(self, text: str, deadline: float | None = None) -> bool:
        """Return whether the whole text matches."""
        deadline = new_deadline() if deadline is None else deadline
        return self._run(self._compiled.fullmatch, text, 0, deadline) is not None

    def _run(
        self, search: "Callable[..., regex.Match[str] | None]", text: str, at: int, deadline: float
    ) -> "regex.Match[str] | None":
        seconds = max(deadline - time.monotonic(), 0.001)
        try:
            return search(text, at, concurrent=True, timeout=seconds)
        except TimeoutError:
            raise IllegalArgument(
                f"the regular expression [{self.pattern}] takes too long on this text"
            ) from None

    def named(self, name: str) -> bool:
        """Return whether there is a group of that name."""
        return name in self._compiled.groupindex


@lru_cache(maxsize=256)
def compile_java(pattern: str, flags: str | None = None) -> JavaPattern:
    """Return the compiled expression; raises PatternSyntaxError, and IllegalArgument for unknown flags."""
    import regex  # slow to load, and most indexes have no expressions

    translator = Translator(pattern, read_flags(flags))
    translated = translator.translate()
    try:
        compiled: Any = regex.compile(translated, regex.V1)
    except regex.error as error:
        reason = str(getattr(error, "msg", error))
        raise PatternSyntaxError(f"{reason[:1].upper()}{reason[1:]} near index 0\n{pattern}") from None
    except RecursionError:
        raise IllegalArgument("the regular expression is nested too deeply") from None
    return JavaPattern(pattern, compiled)


class Replacement:
    """A replacement as Matcher.appendReplacement reads it: $1, ${name} and backslashes."""

    __slots__ = ("_parts",)

    def __init__(self, text: str, pattern: JavaPattern) -> None:
        """Raises IllegalArgument for what Java refuses, there only when something matches."""
        self._parts: list[str | int] = []
        at = 0
        while at < len(text):
            char = text[at]
            at += 1
            if char == "\\":
                if at == len(text):
                    raise IllegalArgument("character to be escaped is missing")
                self._parts.append(text[at])
                at += 1
            elif char == "$":
                at = self._group(text, at, pattern)
            else:
                self._parts.append(char)

    def _group(self, text: str, at: int, pattern: JavaPattern) -> int:
        """Read a reference; return the place after it."""
        if at == len(text):
            raise IllegalArgument("Illegal group reference: group index is missing")
        if text[at] == "{":
            match = re.compile(r"\{([a-zA-Z][a-zA-Z0-9]*)\}").match(text, at)
            if match is None:
                raise IllegalArgument("named capturing group is missing trailing '}'")
            if not pattern.named(match[1]):
                raise IllegalArgument(f"No group with name {{{match[1]}}}")
            self._parts.append(pattern._compiled.groupindex[match[1]])
            return match.end()
        if text[at] not in "0123456789":
            raise IllegalArgument("Illegal group reference")
        number = int(text[at])
        at += 1
        while at < len(text) and text[at] in "0123456789" and number * 10 + int(text[at]) <= pattern.groups:
            number = number * 10 + int(text[at])
            at += 1
        if number > pattern.groups:
            raise IllegalArgument(f"No group {number}")
        self._parts.append(number)
        return at

    def expand(self, match: "regex.Match[str]") -> str:
        """Return what stands in the place of a match."""
        return "".join(part if isinstance(part, str) else match[part] or "" for part in self._parts)
