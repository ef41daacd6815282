"""Names with ``*``: what patterns of fields, indices and sources match."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache


def is_pattern(text: str) -> bool:
    """Return whether the text holds a star."""
    return "*" in text


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> Callable[[str], object]:
    return re.compile(".*".join(map(re.escape, re.split(r"\*+", pattern))), re.DOTALL).fullmatch


def matches(pattern: str, name: str) -> bool:
    """Return whether a name fits a pattern whose only special sign is the star."""
    if "*" not in pattern:
        return pattern == name
    return pattern == "*" or _compiled(pattern)(name) is not None


def matches_any(patterns: Iterable[str], name: str) -> bool:
    """Return whether a name fits one of several patterns."""
    return any(matches(pattern, name) for pattern in patterns)
