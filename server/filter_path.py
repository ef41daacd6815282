"""``filter_path``: only the named parts of an answer.

A filter is a path of names; ``*`` inside a name stands for any characters, ``**`` for any number of levels
(one at least), a backslash keeps a full stop in a name. A leading minus leaves out instead. Arrays are
looked through. What ends up without content is left out too, unless it was taken whole.
"""

from typing import Any

import msgspec

from lanner.engine.common.wildcards import matches
from lanner.server.params import split_names

Path = tuple[str, ...]
NOTHING = object()


def parse_filters(text: str) -> tuple[list[Path], list[Path]]:
    """Return the including and the excluding filters of a parameter."""
    include, exclude = [], []
    for name in split_names(text):
        if name[0] == "-":
            exclude.append(_segments(name[1:]))
        else:
            include.append(_segments(name))
    return include, exclude


def _segments(text: str) -> Path:
    """Split at full stops that no backslash protects."""
    if "\\." not in text:
        return tuple(text.split("."))
    return tuple(part.replace("\0", ".") for part in text.replace("\\.", "\0").split("."))


def apply_filters(value: Any, text: str) -> Any:
    """Return the parts of an answer that the filters leave; an empty object when that is nothing."""
    include, exclude = parse_filters(text)
    empty: Any = [] if isinstance(value, list) and not include and not exclude else {}
    if exclude:
        value = _select(value, exclude, keep=False)
    if include and value is not NOTHING:
        value = _select(value, include, keep=True)
    return empty if value is NOTHING else value


def _matches(segment: str, name: str) -> bool:
    return segment in ("*", "**") or matches(segment, name)


def _select(value: Any, filters: list[Path], *, keep: bool) -> Any:
    """Return the part of value that is kept, or NOTHING. keep: the filters say what stays, not what goes."""
    if isinstance(value, msgspec.Raw):
        value = msgspec.json.decode(value, type=dict[str, Any] | list[Any] | str | int | float | bool | None)
    if isinstance(value, dict):
        answer = {}
        for name, inner in value.items():
            below: list[Path] = []
            whole = False
            for path in filters:
                if _matches(path[0], name):
                    if len(path) == 1:
                        whole = True
                        break
                    if path[0] == "**":
                        below.append(path)
                    below.append(path[1:])
            if whole:
                kept = inner if keep else NOTHING
            elif below:
                kept = _select(inner, below, keep=keep)
            else:
                kept = NOTHING if keep else inner
            if kept is not NOTHING:
                answer[name] = kept
        return answer or NOTHING
    if isinstance(value, (list, tuple)):
        elements = [
            kept for element in value if (kept := _select(element, filters, keep=keep)) is not NOTHING
        ]
        return elements or NOTHING
    return NOTHING if keep else value
