"""The mappings of single fields."""

from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.common.wildcards import matches_any
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.tree import FieldNode

# what every index has, as the API lists it
_METADATA = (
    "_data_stream_timestamp",
    "_doc_count",
    "_feature",
    "_field_names",
    "_id",
    "_ignored",
    "_index",
    "_nested_path",
    "_routing",
    "_seq_no",
    "_source",
    "_version",
)


def field_mappings(
    node: NodeContext,
    expression: str | None,
    fields: list[str],
    options: IndexOptions,
    *,
    include_defaults: bool = False,
) -> dict[str, Any]:
    """The mappings of the fields that names and patterns mean, by index and full name."""
    state = node.cluster.state
    answer = {}
    for name in resolve(state, expression, options):
        index = state.indices[name]
        if not index.mapping or "index.blocks.metadata" in index.settings.blocks:
            continue
        mapping = node.indices.index(index.uuid).mapping
        answer[name] = {"mappings": _select(mapping, fields, defaults=include_defaults)}
    return answer


def _select(mapping: Mapping, fields: list[str], *, defaults: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for path, node in mapping.nodes.items():
        if isinstance(node, FieldNode) and matches_any(fields, path):
            shown[path] = {"full_name": path, "mapping": {node.name: _render(node, defaults=defaults)}}
    for built in mapping.parsed_fields.values():
        for name, rendered in built.render_parts():
            if matches_any(fields, name):
                shown[name] = {"full_name": name, "mapping": {name: rendered}}
    for name in _METADATA:
        if matches_any(fields, name):
            parameters = mapping.root.render_metadata(name, defaults=defaults)
            shown[name] = {"full_name": name, "mapping": {name: parameters} if parameters else {}}
    return shown


def _render(node: FieldNode, *, defaults: bool) -> dict[str, Any]:
    """A field's definition; with defaults also the parameters that were not given."""
    if not defaults:
        return node.render()
    all_given = {parameter.name: parameter.default for parameter in node.type.parameters}
    shown = {**all_given, **node.render()}
    if node.fields:
        shown["fields"] = {name: _render(sub, defaults=True) for name, sub in sorted(node.fields.items())}
    return {"type": shown.pop("type"), **shown}
