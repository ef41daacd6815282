"""Values at a dotted path of a document's source."""

from typing import Any


def values_at(source: dict[str, Any], path: str) -> list[Any]:
    """Return the values at a path, those of lists one by one; a key may itself hold dots."""
    parts = path.split(".")
    found: list[Any] = []
    waiting: list[tuple[Any, int]] = [(source, 0)]
    while waiting:
        value, at = waiting.pop()
        if isinstance(value, list):
            waiting += [(one, at) for one in reversed(value)]
        elif at == len(parts):
            found.append(value)
        elif isinstance(value, dict):
            for end in range(len(parts), at, -1):
                key = ".".join(parts[at:end])
                if key in value:
                    waiting.append((value[key], end))
    return found
