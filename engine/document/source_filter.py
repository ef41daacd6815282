"""Parts of ``_source``, chosen by patterns of paths."""

from typing import Any

import msgspec

from lanner.engine.common.wildcards import matches
from lanner.engine.document.requests import SourceFilter


def filter_source(source: bytes, wanted: SourceFilter) -> msgspec.Raw:
    """The source as sent, or the parts of it that the filter leaves."""
    if wanted.is_everything:
        return msgspec.Raw(source)
    value = msgspec.json.decode(source)
    kept = _filter(value, "", wanted.includes, wanted.excludes, inside=not wanted.includes)
    return msgspec.Raw(msgspec.json.encode({} if kept is _NOTHING else kept))


_NOTHING = object()


def _filter(
    value: Any, path: str, includes: tuple[str, ...], excludes: tuple[str, ...], *, inside: bool
) -> Any:
    """What is left of a value; `inside`: an include has matched already."""
    if isinstance(value, dict):
        kept: dict[str, Any] = {}
        for key, below in value.items():
            name = f"{path}.{key}" if path else key
            if any(matches(pattern, name) for pattern in excludes):
                continue
            now_inside = inside or any(matches(pattern, name) for pattern in includes)
            if not now_inside and not any(_leads_to(pattern, name) for pattern in includes):
                continue
            left = _filter(below, name, includes, excludes, inside=now_inside)
            if left is not _NOTHING:
                kept[key] = left
        return kept if kept or inside or not path else _NOTHING
    if isinstance(value, list):
        items = [_filter(each, path, includes, excludes, inside=inside) for each in value]
        kept_items = [each for each in items if each is not _NOTHING]
        return kept_items if kept_items or inside else _NOTHING
    return value if inside else _NOTHING


def _leads_to(pattern: str, path: str) -> bool:
    """Whether a pattern may match something below a path."""
    if "*" in pattern:
        head = pattern.split("*", 1)[0]
        return head.startswith(path + ".") or path.startswith(head) or not head
    return pattern.startswith(path + ".")
