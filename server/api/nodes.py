"""Nodes: who they are and what they are doing."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanner.engine.common import versions
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.units import parse_time
from lanner.engine.common.wildcards import matches
from lanner.server import host
from lanner.server.identity import BUILD_HASH, BUILD_TYPE, ROLES
from lanner.server.params import parse_boolean, split_names, unrecognized
from lanner.server.pools import MEASURED, SCALING, pools_of
from lanner.server.request import Request
from lanner.server.routing import Route

if TYPE_CHECKING:
    from lanner.engine.node import Node

Block = Callable[[Request], Any]
ROLE_FILTERS = {
    "cluster_manager": True,
    "master": True,
    "data": True,
    "ingest": True,
    "coordinating_only": False,
}
INDEX_METRICS = (
    "docs",
    "store",
    "indexing",
    "get",
    "search",
    "merge",
    "flush",
    "refresh",
    "query_cache",
    "fielddata",
    "completion",
    "segments",
    "translog",
    "request_cache",
    "recovery",
    "warmer",
)
STATS_PARAMS = frozenset(
    {
        "completion_fields",
        "fielddata_fields",
        "fields",
        "groups",
        "level",
        "types",
        "timeout",
        "include_segment_file_sizes",
    }
)


def nested(flat: dict[str, str]) -> dict[str, Any]:
    """Return flat settings as objects inside objects."""
    tree: dict[str, Any] = {}
    for key in sorted(flat):
        *parents, last = key.split(".")
        level = tree
        for parent in parents:
            below = level.setdefault(parent, {})
            if not isinstance(below, dict):
                break
            level = below
        else:
            level[last] = flat[key]
            continue
        tree[key] = flat[key]
    return tree


def selected(node: "Node", expression: str) -> bool:
    """Say whether this node is among those that an expression names; each item adds or removes."""
    chosen = False
    for item in split_names(expression):
        name, colon, value = item.partition(":")
        if item in ("_all", "*", "_local", "_cluster_manager", "_master"):
            chosen = True
        elif colon and name in ROLE_FILTERS:
            if parse_boolean(value) == ROLE_FILTERS[name]:
                chosen = True
            elif ROLE_FILTERS[name] or parse_boolean(value):
                chosen = False
        elif colon:
            chosen = chosen or any(
                matches(name, key) and matches(value, text) for key, text in node.attributes.items()
            )
        elif node.id == item or matches(item, node.name) or matches(item, "127.0.0.1"):
            chosen = True
    return chosen


def answer(request: Request, body: dict[str, Any] | None) -> dict[str, Any]:
    """Return the frame of all answers about nodes."""
    count = 0 if body is None else 1
    return {
        "_nodes": {"total": count, "successful": count, "failed": 0},
        "cluster_name": request.node.cluster_name,
        "nodes": {} if body is None else {request.node.id: body},
    }


def address(request: Request) -> str:
    """Return the address of the node for other nodes; nothing listens there, as there is one node."""
    return request.node.cluster.state.node.transport_address


# ---- information


def http_facts(request: Request) -> dict[str, Any]:
    """Return where the HTTP API is."""
    return {
        "bound_address": [request.application.publish_address],
        "publish_address": request.application.publish_address,
        "max_content_length_in_bytes": request.application.max_content_length,
    }


def pool_facts(request: Request) -> dict[str, Any]:
    """Return the sizes of the thread pools."""
    facts: dict[str, Any] = {}
    for pool in pools_of(request.node):
        size = {"core": min(1, pool.size), "max": pool.size} if pool.kind == SCALING else {"size": pool.size}
        facts[pool.name] = {"type": pool.kind, **size, "queue_size": pool.queue_size}
    return facts


def settings_facts(request: Request) -> dict[str, Any]:
    """Return the node's settings."""
    flat = dict(request.node.settings_map)
    return dict(sorted(flat.items())) if request.params.boolean("flat_settings") else nested(flat)


INFO: dict[str, Block] = {
    "settings": settings_facts,
    "os": lambda request: host.os_facts(),
    "process": lambda request: {
        "refresh_interval_in_millis": 1000,
        "id": os.getpid(),
        "mlockall": False,
    },
    "jvm": lambda request: host.jvm_facts(),
    "thread_pool": pool_facts,
    "transport": lambda request: {
        "bound_address": [address(request)],
        "publish_address": address(request),
        "profiles": {},
    },
    "http": http_facts,
    "plugins": lambda request: [],
    "modules": lambda request: [],
    "ingest": lambda request: {"processors": []},
    "aggregations": lambda request: {},
    "search_pipelines": lambda request: {"request_processors": [], "response_processors": []},
}


def info(request: Request) -> dict[str, Any]:
    """Return what nodes are."""
    expression, metrics = request.names.get("node", "_all"), request.names.get("metrics")
    if metrics is None and "node" in request.names:
        names = split_names(expression)
        if names and all(name in INFO or name == "indices" for name in names):
            expression, metrics = "_all", request.names["node"]
    if "timeout" in request.params:
        parse_time(request.params["timeout"], "NodesInfoRequest.timeout")
    node = request.node
    if not selected(node, expression):
        return answer(request, None)
    wanted = set(split_names(metrics)) if metrics else {"_all"}
    body: dict[str, Any] = {
        "name": node.name,
        "transport_address": address(request),
        "host": "127.0.0.1",
        "ip": "127.0.0.1",
        "version": versions.NUMBER,
        "build_type": BUILD_TYPE,
        "build_hash": BUILD_HASH,
    }
    everything = "_all" in wanted
    if everything or "indices" in wanted:
        body["total_indexing_buffer"] = host.memory_limit() // 10
    body["roles"] = list(ROLES)
    body["attributes"] = dict(request.node.attributes)
    for name, block in INFO.items():
        if everything or name in wanted:
            body[name] = block(request)
    return answer(request, body)


# ---- statistics


def indices_stats(request: Request) -> dict[str, Any]:
    """Return the statistics of all shards of the node."""
    from lanner.server.totals import node_totals, with_fields

    wanted = split_names(request.names.get("index_metric", "_all"))
    level = request.params.get("level", "node")
    groups = request.params.names("groups") or ()
    shown = node_totals(request.node, None if "_all" in wanted else frozenset(wanted), level, groups)
    return with_fields(shown, request.params)


def pool_stats(request: Request) -> dict[str, Any]:
    """Return what the thread pools did."""
    shown: dict[str, Any] = {}
    for pool in pools_of(request.node):
        stats = pool.stats
        shown[pool.name] = {
            "threads": stats.threads,
            "queue": stats.queue,
            "active": stats.active,
            "rejected": stats.rejected,
            "largest": stats.largest,
            "completed": stats.completed,
        }
        if pool.kind == MEASURED:
            shown[pool.name]["total_wait_time_in_nanos"] = stats.waited_nanos
    return shown


def breaker_stats(request: Request) -> dict[str, Any]:
    """Return the memory that requests may take; nothing is accounted yet, so the estimates are zero."""
    from lanner.engine.common.units import render_size

    limit = host.memory_limit()
    used = host.resident_bytes()
    parts = {
        "request": (0.6, 1.0, 0),
        "fielddata": (0.4, 1.03, 0),
        "in_flight_requests": (1.0, 2.0, 0),
        "parent": (0.95, 1.0, used),
    }
    return {
        name: {
            "limit_size_in_bytes": int(limit * share),
            "limit_size": render_size(int(limit * share)),
            "estimated_size_in_bytes": size,
            "estimated_size": render_size(size),
            "overhead": overhead,
            "tripped": 0,
        }
        for name, (share, overhead, size) in parts.items()
    }


def _times(*names: str) -> dict[str, Any]:
    return {name: {"count": 0, "time_in_millis": 0, "current": 0, "failed": 0} for name in names}


def _pressure(request: Request) -> dict[str, Any]:
    names = ("combined_coordinating_and_primary", "coordinating", "primary", "replica", "all")
    zeros = {f"{name}_in_bytes": 0 for name in names}
    rejections = {f"{name}_rejections": 0 for name in ("coordinating", "primary", "replica")}
    limit = host.memory_limit() // 10
    return {"memory": {"current": zeros, "total": {**zeros, **rejections}, "limit_in_bytes": limit}}


def _backpressure(request: Request) -> dict[str, Any]:
    heap = {"cancellation_count": 0, "current_max_bytes": 0, "current_avg_bytes": 0, "rolling_avg_bytes": 0}
    spent = {"cancellation_count": 0, "current_max_millis": 0, "current_avg_millis": 0}
    task = {
        "resource_tracker_stats": {
            "heap_usage_tracker": heap,
            "elapsed_time_tracker": spent,
            "cpu_usage_tracker": spent,
        },
        "cancellation_stats": {"cancellation_count": 0, "cancellation_limit_reached_count": 0},
    }
    return {"search_task": task, "search_shard_task": task, "mode": "monitor_only"}


_SCRIPT = {"compilations": 0, "cache_evictions": 0, "compilation_limit_triggered": 0}
# Blocks of things that do not exist here show their zeros, because tools read them.
STATS: dict[str, tuple[str, Block]] = {
    "indices": ("indices", indices_stats),
    "os": ("os", lambda request: host.os_stats()),
    "process": ("process", lambda request: host.process_stats()),
    "jvm": ("jvm", lambda request: host.jvm_stats()),
    "thread_pool": ("thread_pool", pool_stats),
    "fs": ("fs", lambda request: host.fs_stats(Path(request.node.data_path))),
    "transport": (
        "transport",
        lambda request: dict.fromkeys(
            (
                "server_open",
                "total_outbound_connections",
                "rx_count",
                "rx_size_in_bytes",
                "tx_count",
                "tx_size_in_bytes",
            ),
            0,
        ),
    ),
    "http": ("http", lambda request: {"current_open": request.application.in_flight, "total_opened": 0}),
    "breaker": ("breakers", breaker_stats),
    "script": ("script", lambda request: dict(_SCRIPT)),
    "discovery": (
        "discovery",
        lambda request: {
            "cluster_state_queue": {"total": 0, "pending": 0, "committed": 0},
            "published_cluster_states": {"full_states": 0, "incompatible_diffs": 0, "compatible_diffs": 0},
            "cluster_state_stats": {
                "overall": {"update_count": 0, "total_time_in_millis": 0, "failed_count": 0}
            },
        },
    ),
    "ingest": ("ingest", lambda request: {**_times("total"), "pipelines": {}}),
    "adaptive_selection": ("adaptive_selection", lambda request: {}),
    "script_cache": ("script_cache", lambda request: {"sum": dict(_SCRIPT)}),
    "indexing_pressure": ("indexing_pressure", _pressure),
    "shard_indexing_pressure": (
        "shard_indexing_pressure",
        lambda request: {
            "stats": {},
            "total_rejections_breakup_shadow_mode": {
                "node_limits": 0,
                "no_successful_request_limits": 0,
                "throughput_degradation_limits": 0,
            },
            "enabled": False,
            "enforced": False,
        },
    ),
    "search_backpressure": ("search_backpressure", _backpressure),
    "cluster_manager_throttling": (
        "cluster_manager_throttling",
        lambda request: {
            "stats": {"total_throttled_tasks": 0, "throttled_tasks_per_task_type": {}},
        },
    ),
    "weighted_routing": ("weighted_routing", lambda request: {"stats": {"fail_open_count": 0}}),
    "task_cancellation": (
        "task_cancellation",
        lambda request: {
            "search_shard_task": {"current_count_post_cancel": 0, "total_count_post_cancel": 0},
        },
    ),
    "search_pipeline": (
        "search_pipeline",
        lambda request: {**_times("total_request", "total_response"), "pipelines": {}},
    ),
    "resource_usage_stats": ("resource_usage_stats", lambda request: {}),
    "segment_replication_backpressure": (
        "segment_replication_backpressure",
        lambda request: {
            "total_rejected_requests": 0,
        },
    ),
    "repositories": ("repositories", lambda request: []),
    "admission_control": (
        "admission_control",
        lambda request: {
            "global_io_usage": {"transport": {"rejection_count": {}}},
            "global_cpu_usage": {"transport": {"rejection_count": {}}},
        },
    ),
    "caches": (
        "caches",
        lambda request: {
            "request_cache": {
                "size_in_bytes": 0,
                "evictions": 0,
                "hit_count": 0,
                "miss_count": 0,
                "item_count": 0,
                "store_name": "noop_store",
            },
        },
    ),
    "remote_store": ("remote_store", lambda request: {"last_successful_fetch_of_pinned_timestamps": -1}),
}
NO_BLOCK = frozenset({"file_cache"})  # known by name, never shown


def check_metrics(request: Request, metrics: list[str]) -> None:
    """Refuse metrics that are not known, and metrics of indices where they do not belong."""
    known = STATS.keys() | NO_BLOCK
    wrong = [name for name in metrics if name not in known and name != "_all"]
    if wrong:
        raise unrecognized(request.path, wrong, known | {"_all"}, "metric")
    if "_all" in metrics and len(metrics) > 1:
        raise IllegalArgument(
            f"request [{request.path}] contains _all and individual metrics [{','.join(metrics)}]"
        )
    index_metrics = request.names.get("index_metric")
    if index_metrics is None:
        return
    if "_all" in metrics:
        if index_metrics != "_all":
            raise IllegalArgument(
                f"request [{request.path}] contains index metrics [{index_metrics}] but all stats requested"
            )
        return
    if "indices" not in metrics:
        raise IllegalArgument(
            f"request [{request.path}] contains index metrics [{index_metrics}] "
            "but indices stats not requested"
        )
    wrong = [name for name in split_names(index_metrics) if name not in INDEX_METRICS and name != "_all"]
    if wrong:
        raise unrecognized(request.path, wrong, INDEX_METRICS, "index metric")


def stats(request: Request) -> dict[str, Any]:
    """Return what nodes are doing."""
    metrics = split_names(request.names.get("metrics", "_all"))
    check_metrics(request, metrics)
    params = request.params
    if "timeout" in params:
        parse_time(params["timeout"], "NodesStatsRequest.timeout")
    node = request.node
    if not selected(node, request.names.get("node", "_all")):
        return answer(request, None)
    everything = "_all" in metrics
    shows_indices = everything or "indices" in metrics
    level = params.get("level", "node")
    if shows_indices and level not in ("node", "indices", "shards"):
        return bad_level(request)
    body: dict[str, Any] = {
        "timestamp": host.now_millis(),
        "name": node.name,
        "transport_address": address(request),
        "host": "127.0.0.1",
        "ip": address(request),
        "roles": list(ROLES),
        "attributes": dict(request.node.attributes),
    }
    for name, (key, block) in STATS.items():
        if everything or name in metrics:
            body[key] = block(request)
    return answer(request, body)


def bad_level(request: Request) -> dict[str, Any]:
    """Return the answer to a level that does not exist: the one node failed."""
    whole = answer(request, None)
    reason = "Level provided is not supported by NodeIndicesStats"
    whole["_nodes"] = {
        "total": 1,
        "successful": 0,
        "failed": 1,
        "failures": [
            {
                "type": "failed_node_exception",
                "reason": f"Failed node [{request.node.id}]",
                "node_id": request.node.id,
                "caused_by": {"type": "illegal_argument_exception", "reason": reason},
            }
        ],
    }
    return whole


_INFO_PARAMS = frozenset({"timeout", "flat_settings"})
ROUTES = (
    *(
        Route("GET", path, info, params=_INFO_PARAMS, body=True, human=True)
        for path in ("/_nodes", "/_nodes/{node}", "/_nodes/{node}/{metrics}", "/_nodes/{node}/info/{metrics}")
    ),
    *(
        Route("GET", f"/_nodes{node}/stats{metrics}", stats, params=STATS_PARAMS, body=True, human=True)
        for node in ("", "/{node}")
        for metrics in ("", "/{metrics}", "/{metrics}/{index_metric}")
    ),
)
