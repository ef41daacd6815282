"""What the fields of indices can do: the ``_field_caps`` API."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lanner.engine.common.wildcards import matches_any
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.metadata import METADATA_TYPES
from lanner.engine.mapping.tree import ObjectNode

#: those that no query knows
_OTHERS = {"_data_stream_timestamp": "_data_stream_timestamp", "_doc_count": "long", "_feature": "_feature"}
#: of fields that every index has and that hold no values of documents
_METADATA = {
    "_id": (True, True),
    "_index": (True, True),
    "_seq_no": (True, True),
    "_version": (False, False),
    "_routing": (True, False),
    "_ignored": (True, False),
    "_field_names": (True, False),
    "_nested_path": (True, False),
    "_source": (False, False),
}


@dataclass(slots=True)
class _Kind:
    """One type that a field has in some of the indices."""

    indices: list[str] = field(default_factory=list)
    searchable: list[bool] = field(default_factory=list)
    aggregatable: list[bool] = field(default_factory=list)
    meta: dict[str, set[str]] = field(default_factory=dict)


def field_caps(
    mappings: Iterable[tuple[str, Mapping]], patterns: list[str], *, include_unmapped: bool
) -> dict[str, dict[str, Any]]:
    """Return per field and type what it can do, over indices given as (name, mapping)."""
    found: dict[str, dict[str, _Kind]] = {}
    names = []
    for index, mapping in mappings:
        names.append(index)
        _add(index, mapping, patterns, found)
    rendered = {}
    for name, kinds in sorted(found.items()):
        known = {index for kind in kinds.values() for index in kind.indices}
        unknown = [index for index in names if index not in known]
        if include_unmapped and unknown:
            kinds["unmapped"] = _Kind(unknown, [False] * len(unknown), [False] * len(unknown))
        rendered[name] = {
            type_name: _render(type_name, kind, shared=len(kinds) > 1) for type_name, kind in kinds.items()
        }
    return rendered


def _add(index: str, mapping: Mapping, patterns: list[str], found: dict[str, dict[str, _Kind]]) -> None:
    def note(name: str, type_name: str, able: tuple[bool, bool], meta: dict[str, str] | None = None) -> None:
        kind = found.setdefault(name, {}).setdefault(type_name, _Kind())
        kind.indices.append(index)
        kind.searchable.append(able[0])
        kind.aggregatable.append(able[1])
        for key, value in (meta or {}).items():
            kind.meta.setdefault(key, set()).add(value)

    for kind in METADATA_TYPES:
        name = kind.type_name
        if matches_any(patterns, name):
            note(name, name, _METADATA[name])
    for name, type_name in _OTHERS.items():
        if matches_any(patterns, name):
            note(name, type_name, (False, False))
    parents: set[str] = set()
    for name, one in mapping.fields.items():
        if not matches_any(patterns, name):
            continue
        loaded = one.has_doc_values or bool(one.get("fielddata"))
        note(name, one.type_name, (one.indexed, loaded), one.get("meta"))
        parts = name.split(".")
        parents.update(".".join(parts[:n]) for n in range(1, len(parts)))
    for path, node in mapping.nodes.items():
        if isinstance(node, ObjectNode) and (path in parents or path in patterns):
            note(path, "object" if node.nested is None else "nested", (False, False))


def _render(name: str, kind: _Kind, *, shared: bool) -> dict[str, Any]:
    """Return one type as it is shown. shared: whether the field has other types elsewhere."""
    searchable, aggregatable = all(kind.searchable), all(kind.aggregatable)
    shown: dict[str, Any] = {"type": name, "searchable": searchable, "aggregatable": aggregatable}
    if shared:
        shown["indices"] = kind.indices
    for key, values, every in (
        ("non_searchable_indices", kind.searchable, searchable),
        ("non_aggregatable_indices", kind.aggregatable, aggregatable),
    ):
        if not every and any(values):
            shown[key] = [index for index, value in zip(kind.indices, values, strict=True) if not value]
    if kind.meta:
        shown["meta"] = {key: sorted(values) for key, values in sorted(kind.meta.items())}
    return shown
