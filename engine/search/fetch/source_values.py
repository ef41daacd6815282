"""Values of a field as the source of a document holds them: what highlighting and ``fields`` show."""

from typing import Any

from lanner.engine.mapping.document_faults import decode
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.tree import FieldNode

decode_source = decode  # documents may hold what the fast reader alone does not take


def source_paths(mapping: Mapping, name: str) -> list[str]:
    """Return where in a source the values of a field stand.

    Those of a multi-field stand in its parent, those that are copied in other fields.
    """
    node = mapping.nodes.get(name)
    parent = name
    while "." in parent:
        parent = parent.rpartition(".")[0]
        above = mapping.nodes.get(parent)
        if isinstance(above, FieldNode) and isinstance(node, FieldNode):
            return source_paths(mapping, parent)
    copied = [
        other.path
        for other in mapping.nodes.values()
        if isinstance(other, FieldNode) and name in other.copy_to
    ]
    return [*copied, name] if copied else [name]


def values_at(value: Any, path: list[str], *, points: bool = False) -> list[Any]:
    """Return the values at a path of a document, through lists and names with dots; nulls are none.

    points: a list that begins with a number is one value.
    """
    if isinstance(value, list):
        if points and not path and value and isinstance(value[0], int | float):
            return [value]
        return [found for item in value for found in values_at(item, path, points=points)]
    if not path:
        return [] if value is None else [value]
    if not isinstance(value, dict):
        return []
    found: list[Any] = []
    for n in range(1, len(path) + 1):
        name = ".".join(path[:n])
        if name in value:
            found += values_at(value[name], path[n:], points=points)
    return found
