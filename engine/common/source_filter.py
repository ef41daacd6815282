"""Parts of a ``_source``, chosen by patterns of paths."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.wildcards import matches
from lanner.ext.json.number import float64

_decode = msgspec.json.Decoder(float_hook=lambda text: float64(float(text))).decode
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """What of a source is wanted: none of it unless enabled. includes: none means everything."""

    enabled: bool = True
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        source: bool | list[str] | None,
        includes: list[str] | None = None,
        excludes: list[str] | None = None,
    ) -> "SourceFilter":
        """Return what ``_source``, ``_source_includes`` and ``_source_excludes`` say."""
        if source is False:
            return NOTHING
        named = source if isinstance(source, list) else includes or []
        return cls(includes=tuple(named), excludes=tuple(excludes or ()))

    @property
    def whole(self) -> bool:
        """Return whether no path is chosen."""
        return not self.includes and not self.excludes


ALL = SourceFilter()
NOTHING = SourceFilter(enabled=False)
_GONE = object()


def filter_source(source: bytes, wanted: SourceFilter) -> bytes:
    """Return the wanted part of a source; the whole of it byte for byte."""
    if wanted.whole:
        return source
    try:
        return _encode(filter_object(_decode(source), wanted))
    except RecursionError:
        raise IllegalArgument("The source is nested deeper than source filtering allows") from None


@lru_cache(maxsize=256)
def _prefixes(pattern: str) -> tuple[str, ...]:
    """Return the patterns of the objects above a pattern: what must be entered to get there."""
    parts = pattern.split(".")
    return tuple(".".join(parts[:i]) for i in range(1, len(parts)))


def filter_object(document: dict[str, Any], wanted: SourceFilter) -> dict[str, Any]:
    """Return a document with only the wanted fields.

    An object or list that is wanted itself stays though it loses all it had; not so inside of a list.
    """
    includes, excludes = wanted.includes, wanted.excludes
    kept: dict[str, Any] = {}
    parts: list[tuple[Any, Any, Any, bool]] = []  # kept, around it, under which key, whether it stays empty
    pending: list[tuple[Any, Any, str, bool]] = [(document, kept, "", not includes)]
    while pending:
        value, target, path, included = pending.pop()
        if isinstance(value, list):
            for item in value:
                if isinstance(item, dict | list):
                    below: Any = type(item)()
                    parts.append((below, target, len(target), False))
                    target.append(below)
                    pending.append((item, below, path, included))
                elif included:
                    target.append(item)
            continue
        for key, item in value.items():
            full = path + key
            if any(matches(pattern, full) for pattern in excludes):
                continue
            inside = included or any(matches(pattern, full) for pattern in includes)
            if not isinstance(item, dict | list) or (inside and not _may_hold(full, excludes)):
                if inside:
                    target[key] = item
            elif inside or _may_hold(full, includes):
                target[key] = below = type(item)()
                parts.append((below, target, key, inside))
                pending.append((item, below, f"{full}.", inside))
    for below, around, key, stays in reversed(parts):  # what is inside of something comes before it
        if isinstance(below, list):
            below[:] = [item for item in below if item is not _GONE]
        if not below and not stays:
            if isinstance(around, dict):
                del around[key]
            else:
                around[key] = _GONE
    return kept


def _may_hold(path: str, patterns: tuple[str, ...]) -> bool:
    """Return whether something below a path may fit one of some patterns."""
    for pattern in patterns:
        if pattern.startswith("*") or any(matches(prefix, path) for prefix in _prefixes(pattern)):
            return True
        star = pattern.find("*")
        if star >= 0 and f"{path}.".startswith(pattern[:star]):
            return True
    return False
