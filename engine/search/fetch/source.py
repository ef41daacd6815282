"""``_source`` in answers: as it was sent, or only the parts that a request names."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from lanner.engine.common.body import Anchor, LocatedError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.wildcards import matches
from lanner.ext.json.number import float64

_decode = msgspec.json.Decoder(float_hook=lambda text: float64(float(text))).decode
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """What of the source is wanted. includes: none means everything."""

    enabled: bool = True
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Return whether the source goes out as it is."""
        return not self.includes and not self.excludes


ALL = SourceFilter()
NOTHING = SourceFilter(enabled=False)


def parse_source(container: dict[str, Any], key: str = "_source") -> SourceFilter:
    """Return the filter of a body's ``_source``: a boolean, names, or includes and excludes."""
    value = container[key]
    if isinstance(value, bool):
        return ALL if value else NOTHING
    if isinstance(value, str):
        return SourceFilter(includes=(value,))
    if isinstance(value, list):
        return SourceFilter(includes=_names(value, key))
    if value is None:
        raise LocatedError(f"Unknown key for a {token_name(value)} in [{key}].", Anchor(container, key))
    if not isinstance(value, dict):
        raise LocatedError(
            f"Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [{token_name(value)}]",
            Anchor(container, key),
        )
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    for name, given in value.items():
        if name not in ("includes", "include", "excludes", "exclude") or not isinstance(given, str | list):
            raise LocatedError(f"Unknown key for a {token_name(given)} in [{name}].", Anchor(value, name))
        names = _names(given, name) if isinstance(given, list) else (given,)
        if name.startswith("include"):
            includes = names
        else:
            excludes = names
    return SourceFilter(includes=includes, excludes=excludes)


def _names(values: list[Any], key: str) -> tuple[str, ...]:
    for i, value in enumerate(values):
        if value is None or isinstance(value, dict | list):
            raise LocatedError(f"Unknown key for a {token_name(value)} in [{key}].", Anchor(values, i))
    return tuple(map(java_text, values))


def parse_source_parameters(
    source: str | None, includes: str | None, excludes: str | None
) -> SourceFilter | None:
    """Return the filter of the URL's parameters, or None if there is none."""
    if source is None and includes is None and excludes is None:
        return None
    included: tuple[str, ...] = ()
    if source is not None:
        if source == "false":
            return NOTHING
        if source != "true":
            included = tuple(source.split(","))
    if includes:
        included = tuple(includes.split(","))
    return SourceFilter(includes=included, excludes=tuple(excludes.split(",")) if excludes else ())


def render_source(source: bytes, wanted: SourceFilter) -> msgspec.Raw:
    """Return the wanted part of a source; the whole of it byte for byte."""
    if wanted.whole:
        return msgspec.Raw(source)
    try:
        filtered = filter_object(_decode(source), wanted)
        return msgspec.Raw(_encode(filtered))
    except RecursionError:
        raise IllegalArgument("The source is nested deeper than source filtering allows") from None


@lru_cache(maxsize=256)
def _prefixes(pattern: str) -> tuple[str, ...]:
    """Return the patterns of the objects above a pattern: what must be entered to get there."""
    parts = pattern.split(".")
    return tuple(".".join(parts[:i]) for i in range(1, len(parts)))


def filter_object(document: dict[str, Any], wanted: SourceFilter) -> dict[str, Any]:
    """Return a document with only the wanted fields; objects that lose everything they had go too."""
    return _filter(document, "", wanted.includes, wanted.excludes, included=not wanted.includes)


def _filter(
    value: dict[str, Any], path: str, includes: tuple[str, ...], excludes: tuple[str, ...], *, included: bool
) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, item in value.items():
        full = path + key
        if any(matches(pattern, full) for pattern in excludes):
            continue
        inside = included or any(matches(pattern, full) for pattern in includes)
        if not inside and not _may_hold(full, includes):
            continue
        if isinstance(item, dict):
            below = _filter(item, f"{full}.", includes, excludes, included=inside)
            if below or (inside and not item) or (inside and not excludes):
                kept[key] = below
        elif isinstance(item, list):
            elements = _filter_list(item, f"{full}.", includes, excludes, included=inside)
            if elements or inside:
                kept[key] = elements
        elif inside:
            kept[key] = item
    return kept


def _filter_list(
    values: list[Any], path: str, includes: tuple[str, ...], excludes: tuple[str, ...], *, included: bool
) -> list[Any]:
    kept: list[Any] = []
    for item in values:
        if isinstance(item, dict):
            below = _filter(item, path, includes, excludes, included=included)
            if below:
                kept.append(below)
        elif isinstance(item, list):
            below_list = _filter_list(item, path, includes, excludes, included=included)
            if below_list or included:
                kept.append(below_list)
        elif included:
            kept.append(item)
    return kept


def _may_hold(path: str, includes: tuple[str, ...]) -> bool:
    """Return whether something below a path may be included."""
    for pattern in includes:
        if pattern.startswith("*") or any(matches(prefix, path) for prefix in _prefixes(pattern)):
            return True
        star = pattern.find("*")
        if star >= 0 and f"{path}.".startswith(pattern[:star]):
            return True
    return False
