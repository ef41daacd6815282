"""What indices are made of and came from: recoveries, stores, upgrades."""

from collections.abc import Collection, Sequence
from typing import Any

from lanner.engine.cluster.blocks import check_all, check_metadata, check_metadata_reading
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.health import status_of
from lanner.engine.cluster.indices import shards_of
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.state import ClusterState
from lanner.engine.common.errors import LannerError
from lanner.engine.common.versions import LUCENE, NUMBER
from lanner.engine.index.recovery import EXISTING_STORE, Recovered


def recoveries(
    node: NodeContext, expression: str | None, options: IndexOptions, *, detailed: bool = False
) -> dict[str, Any]:
    """How the shards of indices came to what they have."""
    state = node.cluster.state
    answer: dict[str, Any] = {}
    for name in _readable(state, expression, options):
        found = node.indices.index(state.indices[name].uuid).recoveries
        shards = [_render(node, number, each, detailed=detailed) for number, each in found.items()]
        if shards:
            answer[name] = {"shards": shards}
    return answer


def _readable(state: ClusterState, expression: str | None, options: IndexOptions) -> list[str]:
    """The names of indices, which may all be shown."""
    names = resolve(state, expression, options)
    check_all(check_metadata_reading, (state.indices[name] for name in names))
    return list(names)


def _render(node: NodeContext, shard: int, recovered: Recovered, *, detailed: bool) -> dict[str, Any]:
    """One recovery; everything was on this node already."""
    facts = node.cluster.state.node
    host = facts.transport_address.rpartition(":")[0]
    total = sum(size for _, size in recovered.files)
    count = len(recovered.files)
    percent = "100.0%" if recovered.files else "0.0%"
    files: dict[str, Any] = {"total": count, "reused": count, "recovered": 0, "percent": percent}
    if detailed:
        files["details"] = [
            {"name": name, "length_in_bytes": size, "reused": True, "recovered_in_bytes": 0}
            for name, size in recovered.files
        ]
    took = recovered.stopped - recovered.started
    return {
        "id": shard,
        "type": recovered.kind,
        "stage": "DONE",
        "primary": True,
        "start_time_in_millis": recovered.started,
        "stop_time_in_millis": recovered.stopped,
        "total_time_in_millis": took,
        "source": {"bootstrap_new_history_uuid": False} if recovered.kind == EXISTING_STORE else {},
        "target": {
            "id": facts.id,
            "host": host,
            "transport_address": facts.transport_address,
            "ip": host,
            "name": facts.name,
        },
        "index": {
            "size": {
                "total_in_bytes": total,
                "reused_in_bytes": total,
                "recovered_in_bytes": 0,
                "percent": percent,
            },
            "files": files,
            "total_time_in_millis": took,
            "source_throttle_time_in_millis": 0,
            "target_throttle_time_in_millis": 0,
        },
        "translog": {
            "recovered": recovered.operations,
            "total": recovered.operations,
            "percent": "100.0%",
            "total_on_start": recovered.operations,
            "total_time_in_millis": 0,
        },
        "verify_index": {"check_index_time_in_millis": 0, "total_time_in_millis": 0},
    }


def shard_stores(
    node: NodeContext, expression: str | None, options: IndexOptions, statuses: Collection[str]
) -> dict[str, Any]:
    """Where the copies of shards are whose colour is one of some."""
    state = node.cluster.state
    facts = state.node
    shown: dict[str, Any] = {}
    for name in _readable(state, expression, options):
        index = state.indices[name]
        shards: dict[str, Any] = {}
        for number in range(index.number_of_shards):
            copies = tuple(copy for copy in state.copies(index) if copy.shard == number)
            if "all" not in statuses and status_of(copies) not in statuses:
                continue
            store = {
                facts.id: {
                    "name": facts.name,
                    "ephemeral_id": facts.ephemeral_id,
                    "transport_address": facts.transport_address,
                    "attributes": dict(facts.attributes),
                },
                "allocation_id": index.allocation_ids[number],
                "allocation": "primary",
            }
            error = node.indices.index(index.uuid).failures.get(number)
            if isinstance(error, LannerError):
                store["store_exception"] = error.render()
            shards[str(number)] = {"stores": [store]}
        if shards:
            shown[name] = {"shards": shards}
    return {"indices": shown}


def upgrade_status(node: NodeContext, expression: str | None, options: IndexOptions) -> dict[str, Any]:
    """How many bytes are in an older format: none, as there is only one."""
    state = node.cluster.state
    shown = {}
    for name in _readable(state, expression, options):
        shards = [shard for _, shard in shards_of(node, state.indices[name])]
        shown[name] = _sizes(
            sum(shard.stats().store_bytes for shard in shards if not isinstance(shard, LannerError))
        )
    return {**_sizes(sum(each["size_in_bytes"] for each in shown.values())), "indices": shown}


def _sizes(size: int) -> dict[str, Any]:
    return {"size_in_bytes": size, "size_to_upgrade_in_bytes": 0, "size_to_upgrade_ancient_in_bytes": 0}


def upgrade(node: NodeContext, expression: str | None, options: IndexOptions) -> dict[str, Any]:
    """Bring indices to the newest format, in which they are."""
    state = node.cluster.state
    names: Sequence[str] = resolve(state, expression, options)
    check_all(check_metadata, (state.indices[name] for name in names))
    copies = [copy for name in names for copy in state.copies(state.indices[name])]
    return {
        # each shard counts twice there: as merged, and as noted in the metadata
        "_shards": {
            "total": len(copies),
            "successful": 2 * sum(copy.started for copy in copies),
            "failed": 0,
        },
        "upgraded_indices": {
            name: {"upgrade_version": NUMBER, "oldest_lucene_segment_version": LUCENE} for name in names
        },
    }
