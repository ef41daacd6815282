"""Statistics and segments of indices."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from lanner.engine.cluster.blocks import check_all, check_metadata_reading
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.indices import shards_of
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.state import ClusterState, IndexMetadata
from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.common.units import render_time
from lanner.engine.common.versions import LUCENE
from lanner.engine.common.wildcards import matches_any
from lanner.engine.index.flush import commit_user_data
from lanner.engine.index.shard import Shard
from lanner.engine.index.stats import ShardCounters, ShardStats, Timed

BLOCKS = (
    "docs",
    "store",
    "indexing",
    "get",
    "search",
    "merges",
    "refresh",
    "flush",
    "warmer",
    "query_cache",
    "fielddata",
    "completion",
    "segments",
    "translog",
    "request_cache",
    "recovery",
)
_METRIC_NAMES = {
    **{block: block for block in BLOCKS},
    "merge": "merges",
}
LEVELS = ("cluster", "indices", "shards")


def index_stats(
    node: NodeContext,
    expression: str | None = None,
    metrics: Collection[str] | None = None,
    options: IndexOptions = IndexOptions(),  # noqa: B008 (immutable)
    *,
    level: str = "indices",
    groups: Sequence[str] = (),
    blocked: bool = True,
) -> dict[str, Any]:
    """The whole answer of ``GET /_stats``.

    groups: those of searches that are shown. blocked: whether blocks of indices refuse it.
    """
    if level not in LEVELS:
        raise IllegalArgument(
            f"level parameter must be one of [cluster] or [indices] or [shards] but was [{level}]"
        )
    state = node.cluster.state
    wanted = _wanted(metrics)
    total = successful = 0
    everything: list[ShardStats] = []
    shown: dict[str, Any] = {}
    names = resolve(state, expression, options)
    if blocked:
        check_all(check_metadata_reading, (state.indices[name] for name in names))
    for name in names:
        index = state.indices[name]
        total += index.number_of_shards * (1 + index.number_of_replicas)
        active = [(number, shard.stats(), shard) for number, shard in _active(node, index)]
        stats = [each for _, each, _ in active]
        stats += node.indices.index(index.uuid).closed_stats.values()
        successful += len(stats)
        everything.extend(stats)
        blocks = render_blocks(stats, wanted, groups)
        shown[name] = {"uuid": index.uuid, "primaries": blocks, "total": blocks}
        if level == "shards":
            shown[name]["shards"] = {
                str(number): [_render_shard(state, number, each, shard, wanted)]
                for number, each, shard in active
            }
    blocks = render_blocks(everything, wanted, groups) if everything else {}
    answer: dict[str, Any] = {
        "_shards": {"total": total, "successful": successful, "failed": 0},
        "_all": {"primaries": blocks, "total": blocks},
    }
    if level != "cluster":
        answer["indices"] = shown
    return answer


def segments(
    node: NodeContext,
    expression: str | None = None,
    options: IndexOptions = IndexOptions(),  # noqa: B008 (immutable)
) -> dict[str, Any]:
    """The whole answer of ``GET /_segments``."""
    state = node.cluster.state
    total = successful = 0
    shown: dict[str, Any] = {}
    names = resolve(state, expression, options)
    check_all(check_metadata_reading, (state.indices[name] for name in names))
    for name in names:
        index = state.indices[name]
        total += index.number_of_shards * (1 + index.number_of_replicas)
        shards: dict[str, Any] = {}
        for number, shard in _active(node, index):
            successful += 1
            stats = shard.stats()
            shards[str(number)] = [
                {
                    "routing": {"state": "STARTED", "primary": True, "node": node.id},
                    "num_committed_segments": sum(segment.committed for segment in stats.segments),
                    "num_search_segments": sum(segment.searchable for segment in stats.segments),
                    "segments": {
                        segment.name: {
                            "generation": int(segment.name[1:], 36),
                            "num_docs": segment.num_docs,
                            "deleted_docs": segment.deleted_docs,
                            "size_in_bytes": segment.size_in_bytes,
                            "memory_in_bytes": 0,
                            "committed": segment.committed,
                            "search": segment.searchable,
                            "version": LUCENE,
                            "compound": True,
                            "attributes": {},
                        }
                        for segment in stats.segments
                    },
                }
            ]
        shown[name] = {"shards": shards}
    return {"_shards": {"total": total, "successful": successful, "failed": 0}, "indices": shown}


def node_blocks(
    node: NodeContext, metrics: Collection[str] | None = None, groups: Sequence[str] = ()
) -> dict[str, Any]:
    """The blocks of all shards of the node together: ``indices`` of the node statistics."""
    state = node.cluster.state
    stats = [shard.stats() for index in state.indices.values() for _, shard in _active(node, index)]
    return render_blocks(stats, _wanted(metrics), groups)


def render_blocks(
    stats: Iterable[ShardStats], wanted: Collection[str], groups: Sequence[str] = ()
) -> dict[str, Any]:
    """The metric blocks of some shards together."""
    shards = list(stats)
    counters = ShardCounters()
    for each in shards:
        counters.add(each.counters)
    blocks = _blocks(shards, counters, groups)
    return {name: blocks[name] for name in BLOCKS if name in wanted}


def _blocks(shards: list[ShardStats], counters: ShardCounters, groups: Sequence[str]) -> dict[str, Any]:
    docs = sum(each.num_docs for each in shards)
    deleted = sum(each.deleted_docs for each in shards)
    merge, found, missing = counters.merge, counters.get_found, counters.get_missing
    operations = sum(each.translog_operations for each in shards)
    log_bytes = sum(each.translog_bytes for each in shards)
    return {
        "docs": {"count": docs, "deleted": deleted},
        "store": {"size_in_bytes": sum(each.store_bytes for each in shards), "reserved_in_bytes": 0},
        "indexing": {
            "index_total": counters.index.total,
            "index_time_in_millis": counters.index.millis,
            "index_current": counters.index.current,
            "index_failed": counters.index.failed,
            "delete_total": counters.delete.total,
            "delete_time_in_millis": counters.delete.millis,
            "delete_current": counters.delete.current,
            "noop_update_total": counters.noop_updates,
            "is_throttled": False,
            "throttle_time_in_millis": 0,
            "doc_status": {},
        },
        "get": {
            "total": found.total + missing.total,
            "getTime": render_time(found.millis + missing.millis),
            "time_in_millis": found.millis + missing.millis,
            "exists_total": found.total,
            "exists_time_in_millis": found.millis,
            "missing_total": missing.total,
            "missing_time_in_millis": missing.millis,
            "current": 0,
        },
        "search": {"open_contexts": 0, **_search(counters), **_groups(counters, groups)},
        "merges": {
            "current": merge.current,
            "current_docs": counters.merge_current_docs,
            "current_size_in_bytes": counters.merge_current_bytes,
            "total": merge.total,
            "total_time_in_millis": merge.millis,
            "total_docs": counters.merge_docs,
            "total_size_in_bytes": counters.merge_bytes,
            "total_stopped_time_in_millis": 0,
            "total_throttled_time_in_millis": counters.merge_throttled_nanos // 1_000_000,
            "total_auto_throttle_in_bytes": 20_971_520 * len(shards),
            "unreferenced_file_cleanups_performed": 0,
        },
        "refresh": {
            "total": counters.refresh.total,
            "total_time_in_millis": counters.refresh.millis,
            "external_total": counters.external_refresh.total,
            "external_total_time_in_millis": counters.external_refresh.millis,
            "listeners": sum(each.pending_listeners for each in shards),
        },
        "flush": {
            "total": counters.flush.total,
            "periodic": counters.periodic_flush,
            "total_time_in_millis": counters.flush.millis,
        },
        "warmer": {"current": 0, "total": counters.refresh.total, "total_time_in_millis": 0},
        "query_cache": {
            "memory_size_in_bytes": 0,
            "total_count": 0,
            "hit_count": 0,
            "miss_count": 0,
            "cache_size": 0,
            "cache_count": 0,
            "evictions": 0,
        },
        "fielddata": {"memory_size_in_bytes": 0, "evictions": 0},
        "completion": {"size_in_bytes": 0},
        "segments": _segments(shards),
        "translog": {
            "operations": operations,
            "size_in_bytes": log_bytes,
            "uncommitted_operations": operations,
            "uncommitted_size_in_bytes": log_bytes,
            "earliest_last_modified_age": max((each.idle_millis for each in shards), default=0),
            "remote_store": {
                "upload": {
                    "total_uploads": {"started": 0, "failed": 0, "succeeded": 0},
                    "total_upload_size": {"started_bytes": 0, "failed_bytes": 0, "succeeded_bytes": 0},
                }
            },
        },
        "request_cache": {"memory_size_in_bytes": 0, "evictions": 0, "hit_count": 0, "miss_count": 0},
        "recovery": {"current_as_source": 0, "current_as_target": 0, "throttle_time_in_millis": 0},
    }


def _groups(counters: ShardCounters, patterns: Sequence[str]) -> dict[str, Any]:
    """The groups that were asked for, if there are any."""
    wanted = ["*" if pattern == "_all" else pattern for pattern in patterns]
    found = {
        name: _search(group) for name, group in sorted(counters.groups.items()) if matches_any(wanted, name)
    }
    return {"groups": found} if found else {}


def _search(counters: ShardCounters) -> dict[str, Any]:
    shown: dict[str, Any] = dict(_timed("query", counters.query))
    shown.update(
        {
            "concurrent_query_total": 0,
            "concurrent_query_time_in_millis": 0,
            "concurrent_query_current": 0,
            "concurrent_avg_slice_count": 0.0,
        }
    )
    shown.update(_timed("fetch", counters.fetch))
    for name in ("scroll", "point_in_time"):
        shown.update(_timed(name, Timed()))
    shown.update(_timed("suggest", counters.suggest))
    shown["search_idle_reactivate_count_total"] = 0
    return shown


def _timed(name: str, timed: Timed) -> dict[str, int]:
    return {
        f"{name}_total": timed.total,
        f"{name}_time_in_millis": timed.millis,
        f"{name}_current": timed.current,
    }


def _segments(shards: list[ShardStats]) -> dict[str, Any]:
    return {
        "count": sum(len(each.segments) for each in shards),
        "memory_in_bytes": 0,
        "terms_memory_in_bytes": 0,
        "stored_fields_memory_in_bytes": 0,
        "term_vectors_memory_in_bytes": 0,
        "norms_memory_in_bytes": 0,
        "points_memory_in_bytes": 0,
        "doc_values_memory_in_bytes": 0,
        "index_writer_memory_in_bytes": sum(each.buffer_bytes for each in shards),
        "version_map_memory_in_bytes": sum(each.version_map_bytes for each in shards),
        "fixed_bit_set_memory_in_bytes": 0,
        "max_unsafe_auto_id_timestamp": -1,
        "remote_store": {
            "upload": {
                "total_upload_size": {"started_bytes": 0, "succeeded_bytes": 0, "failed_bytes": 0},
                "refresh_size_lag": {"total_bytes": 0, "max_bytes": 0},
                "max_refresh_time_lag_in_millis": 0,
                "total_time_spent_in_millis": 0,
                "pressure": {"total_rejections": 0},
            },
            "download": {
                "total_download_size": {"started_bytes": 0, "succeeded_bytes": 0, "failed_bytes": 0},
                "total_time_spent_in_millis": 0,
            },
        },
        "segment_replication": {"max_bytes_behind": 0, "total_bytes_behind": 0, "max_replication_lag": 0},
        "file_sizes": {},
    }


def _render_shard(
    state: ClusterState, number: int, stats: ShardStats, shard: Shard, wanted: Collection[str]
) -> dict[str, Any]:
    commit = stats.commit
    return {
        "routing": {"state": "STARTED", "primary": True, "node": state.node.id, "relocating_node": None},
        **render_blocks([stats], wanted),
        "commit": {
            "id": commit.id,
            "generation": commit.generation,
            "user_data": commit_user_data(commit),
            "num_docs": commit.num_docs,
        },
        "seq_no": {
            "max_seq_no": stats.max_seq_no,
            "local_checkpoint": stats.local_checkpoint,
            "global_checkpoint": stats.global_checkpoint,
        },
        "retention_leases": {"primary_term": shard.primary_term, "version": 1, "leases": []},
        "shard_path": {
            "state_path": shard.store.path,
            "data_path": shard.store.path,
            "is_custom_data_path": False,
        },
    }


def _active(node: NodeContext, index: IndexMetadata) -> list[tuple[int, Shard]]:
    return [(number, shard) for number, shard in shards_of(node, index) if not isinstance(shard, LannerError)]


def _wanted(metrics: Collection[str] | None) -> frozenset[str]:
    if metrics is None or "_all" in metrics:
        return frozenset(BLOCKS)
    return frozenset(_METRIC_NAMES.get(name, name) for name in metrics)
