"""The cluster state as ``GET /_cluster/state`` shows it."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from lanner.engine.cluster import blocks, index_settings
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.legacy_templates import render_legacy_template
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.state import (
    COMPONENT_TEMPLATE,
    DATA_STREAM,
    EXCLUSION,
    INDEX_TEMPLATE,
    LEGACY_TEMPLATE,
    ClusterState,
    IndexMetadata,
    ShardCopy,
)
from lanner.engine.cluster.templates import render_template
from lanner.engine.common.settings import nest

METRICS = frozenset(
    {
        "version",
        "master_node",
        "cluster_manager_node",
        "blocks",
        "nodes",
        "metadata",
        "routing_table",
        "routing_nodes",
    }
)
LENIENT = IndexOptions(ignore_unavailable=True, expand_wildcards=("open", "closed", "hidden"))


def render(
    node: NodeContext,
    metrics: Collection[str] | None = None,
    expression: str | None = None,
    options: IndexOptions = LENIENT,
    *,
    flat_settings: bool = False,
) -> dict[str, Any]:
    """The state, or the parts of it that `metrics` names, for some or all indices."""
    state = node.cluster.state
    everything = metrics is None or "_all" in metrics
    wanted = METRICS if everything else frozenset(metrics or ())
    names = state.indices if expression is None else resolve(state, expression, options)
    indices = [state.indices[name] for name in names]
    answer: dict[str, Any] = {"cluster_name": state.cluster_name, "cluster_uuid": state.cluster_uuid}
    if "version" in wanted:
        answer["version"] = state.version
        answer["state_uuid"] = state.state_uuid
    if "master_node" in wanted:
        answer["master_node"] = state.node.id
    if "cluster_manager_node" in wanted:
        answer["cluster_manager_node"] = state.node.id
    if "blocks" in wanted:
        answer["blocks"] = _render_blocks(state, indices)
    if "nodes" in wanted:
        answer["nodes"] = {
            state.node.id: {
                "name": state.node.name,
                "ephemeral_id": state.node.ephemeral_id,
                "transport_address": state.node.transport_address,
                "attributes": dict(state.node.attributes),
            }
        }
    if "metadata" in wanted:
        answer["metadata"] = _render_metadata(state, indices, flat=flat_settings)
    if "routing_table" in wanted:
        answer["routing_table"] = {"indices": {index.name: _render_table(state, index) for index in indices}}
    if "routing_nodes" in wanted:
        copies = [(index, copy) for index in indices for copy in state.copies(index)]
        answer["routing_nodes"] = {
            "unassigned": [render_copy(index, copy) for index, copy in copies if not copy.started],
            "nodes": {state.node.id: [render_copy(index, copy) for index, copy in copies if copy.started]},
        }
    return answer


def render_copy(index: IndexMetadata, copy: ShardCopy) -> dict[str, Any]:
    """One copy of a shard."""
    shown: dict[str, Any] = {
        "state": copy.state,
        "primary": copy.primary,
        "node": copy.node,
        "relocating_node": None,
        "shard": copy.shard,
        "index": index.name,
    }
    if copy.started:
        shown["allocation_id"] = {"id": copy.allocation_id}
        return shown
    kind = "EXISTING_STORE" if copy.primary else "PEER"
    shown["recovery_source"] = {"type": kind}
    information: dict[str, Any] = {
        "reason": copy.reason,
        "at": index_settings.iso(copy.since_millis),
        "delayed": False,
        "allocation_status": "no_attempt",
    }
    if copy.details is not None:
        information["details"] = copy.details
    shown["unassigned_info"] = information
    return shown


def _render_table(state: ClusterState, index: IndexMetadata) -> dict[str, Any]:
    shards: dict[str, list[dict[str, Any]]] = {str(n): [] for n in range(index.number_of_shards)}
    for copy in state.copies(index):
        shards[str(copy.shard)].append(render_copy(index, copy))
    return {"shards": shards}


def _render_blocks(state: ClusterState, indices: list[IndexMetadata]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for name, text in blocks.OF_CLUSTER:
        if name in state.blocks:
            _, number, description = text.split("/", 2)
            levels = ["create_index"] if number == "10" else ["write", "metadata_write"]
            whole[number] = {"description": description, "retryable": False, "levels": levels}
    shown: dict[str, Any] = {}
    for index in indices:
        found: dict[str, Any] = {}
        if index.closed:
            found["4"] = {"description": "index closed", "retryable": False, "levels": ["read", "write"]}
        for text in blocks.active(index):
            _, number, description = text.split("/", 2)
            levels = {
                "5": ["write", "metadata_write"],
                "7": ["read"],
                "8": ["write"],
                "9": ["metadata_read", "metadata_write"],
                "12": ["metadata_write", "write"],
            }[number]
            found[number] = {"description": description, "retryable": False, "levels": levels}
        if found:
            shown[index.name] = found
    return {**({"global": whole} if whole else {}), **({"indices": shown} if shown else {})}


def _render_metadata(state: ClusterState, indices: list[IndexMetadata], *, flat: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "cluster_uuid": state.cluster_uuid,
        "cluster_uuid_committed": False,
        "cluster_coordination": {
            "term": 1,
            "last_committed_config": [state.node.id],
            "last_accepted_config": [state.node.id],
            "voting_config_exclusions": [dict(body) for body in state.all_named(EXCLUSION).values()],
        },
    }
    if state.persistent:
        shown["settings"] = dict(sorted(state.persistent.items())) if flat else nest(state.persistent)
    legacy = state.all_named(LEGACY_TEMPLATE)
    shown["templates"] = {name: _render_legacy(template, flat=flat) for name, template in legacy.items()}
    shown["indices"] = {index.name: _render_index(state, index, flat=flat) for index in indices}
    for kind, render_named in _NAMED.items():
        bodies = state.all_named(kind)
        if bodies:
            shown[kind] = {kind: {name: render_named(state, name, body) for name, body in bodies.items()}}
    shown["index-graveyard"] = {"tombstones": []}
    return shown


def _render_legacy(template: Mapping[str, Any], *, flat: bool) -> dict[str, Any]:
    shown = render_legacy_template(template, flat=flat)
    return {**shown, "mappings": {"_doc": shown["mappings"]} if shown["mappings"] else {}}


def _render_stream(state: ClusterState, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "timestamp_field": {"name": body["timestamp_field"]},
        "indices": [
            {"index_name": index, "index_uuid": state.indices[index].uuid} for index in body["indices"]
        ],
        "generation": body["generation"],
    }


# kinds of named objects that the state shows below their own names
_NAMED: dict[str, Callable[[ClusterState, str, Mapping[str, Any]], dict[str, Any]]] = {
    COMPONENT_TEMPLATE: lambda state, name, body: render_template(body),
    DATA_STREAM: _render_stream,
    INDEX_TEMPLATE: lambda state, name, body: render_template(body),
}


def _render_index(state: ClusterState, index: IndexMetadata, *, flat: bool) -> dict[str, Any]:
    return {
        "version": index.version,
        "mapping_version": index.mapping_version,
        "settings_version": index.settings_version,
        "aliases_version": index.aliases_version,
        "routing_num_shards": index.routing_shards,
        "state": index.state,
        "settings": index_settings.render(index.settings, flat=flat),
        "mappings": {"_doc": dict(index.mapping)} if index.mapping else {},
        "aliases": list(index.aliases),
        "primary_terms": {str(shard): term for shard, term in enumerate(index.primary_terms)},
        "in_sync_allocations": {
            str(shard): [allocation] for shard, allocation in enumerate(index.allocation_ids)
        },
        "rollover_info": dict(index.rollover_info),
        "system": False,
    }
