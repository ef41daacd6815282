"""What of ``_source`` an answer shows, as a request says it."""

from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, java_text, token_name
from lanner.engine.common.source_filter import ALL, NOTHING, SourceFilter


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
