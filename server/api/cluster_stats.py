"""Statistics of the whole cluster: its indices together, and its nodes together, of which there is one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lanner.engine.cluster.cluster_stats import METRICS as INDEX_METRICS
from lanner.engine.cluster.cluster_stats import cluster_status, indices_stats
from lanner.engine.common import versions
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.units import parse_time
from lanner.server import host
from lanner.server.api.nodes import selected
from lanner.server.identity import BUILD_TYPE
from lanner.server.params import split_names, unrecognized
from lanner.server.request import Request
from lanner.server.routing import Route

ROLES = (
    "cluster_manager",
    "coordinating_only",
    "data",
    "ingest",
    "master",
    "remote_cluster_client",
    "search",
)


def _os(request: Request) -> dict[str, Any]:
    facts, memory = host.os_facts(), host.os_stats()["mem"]
    return {
        "available_processors": facts["available_processors"],
        "allocated_processors": facts["allocated_processors"],
        "names": [{"name": facts["name"], "count": 1}],
        "pretty_names": [{"pretty_name": facts["pretty_name"], "count": 1}],
        "mem": memory,
    }


def _process(request: Request) -> dict[str, Any]:
    process = host.process_stats()
    files = process["open_file_descriptors"]
    return {
        "cpu": {"percent": process["cpu"]["percent"]},
        "open_file_descriptors": {"min": files, "max": files, "avg": files},
    }


def _jvm(request: Request) -> dict[str, Any]:
    facts, stats = host.jvm_facts(), host.jvm_stats()
    names = ("version", "vm_name", "vm_version", "vm_vendor", "bundled_jdk", "using_bundled_jdk")
    return {
        "max_uptime_in_millis": stats["uptime_in_millis"],
        "versions": [{**{name: facts[name] for name in names}, "count": 1}],
        "mem": {name: stats["mem"][name] for name in ("heap_used_in_bytes", "heap_max_in_bytes")},
        "threads": stats["threads"]["count"],
    }


def _fs(request: Request) -> dict[str, Any]:
    total = host.fs_stats(Path(request.node.data_path))["total"]
    names = ("total_in_bytes", "free_in_bytes", "available_in_bytes", "cache_reserved_in_bytes")
    return {name: total.get(name, 0) for name in names}


NODE_BLOCKS: dict[str, Callable[[Request], Any]] = {
    "os": _os,
    "process": _process,
    "jvm": _jvm,
    "fs": _fs,
    "plugins": lambda request: [],
    "network_types": lambda request: {"transport_types": {}, "http_types": {"lanner": 1}},
    "discovery_types": lambda request: {"single-node": 1},
    "packaging_types": lambda request: [{"type": BUILD_TYPE, "count": 1}],
    "ingest": lambda request: {"number_of_pipelines": 0, "processor_stats": {}},
}
_METRICS = frozenset({"_all", "indices", *NODE_BLOCKS})


def run(request: Request) -> dict[str, Any]:
    """Return the statistics, or the parts asked for."""
    if "timeout" in request.params:
        parse_time(request.params["timeout"], "timeout")
    metrics = split_names(request.names.get("metrics", "_all"))
    wanted_of_indices = split_names(request.names.get("index_metrics", "_all"))
    for names, known, kind in (
        (metrics, _METRICS, "metric"),
        (wanted_of_indices, {*INDEX_METRICS, "_all"}, "index metric"),
    ):
        wrong = [name for name in names if name not in known]
        if wrong:
            raise unrecognized(request.path, wrong, known, kind)
    everything = "_all" in metrics
    if everything and len(metrics) > 1:
        raise IllegalArgument(
            f"request [{request.path}] contains _all and individual metrics [{','.join(metrics)}]"
        )
    node = request.node
    state = node.cluster.state
    here = selected(node, request.names.get("node", "_all"))
    count = int(here)
    answer: dict[str, Any] = {
        "_nodes": {"total": count, "successful": count, "failed": 0},
        "cluster_name": state.cluster_name,
        "cluster_uuid": state.cluster_uuid,
        "timestamp": host.now_millis(),
    }
    if not here:
        return {**answer, "nodes": {"count": {"total": 0, **dict.fromkeys(ROLES, 0)}}}
    answer["status"] = cluster_status(state)
    if everything or "indices" in metrics:
        shown = INDEX_METRICS if "_all" in wanted_of_indices else wanted_of_indices
        answer["indices"] = indices_stats(node, shown)
    roles = {*node.roles, "master"} if "cluster_manager" in node.roles else set(node.roles)
    nodes: dict[str, Any] = {
        "count": {"total": 1, **{role: int(role in roles) for role in ROLES}},
        "versions": [versions.NUMBER],
    }
    nodes["count"]["coordinating_only"] = int(not roles)
    for name, block in NODE_BLOCKS.items():
        if everything or name in metrics:
            nodes[name] = block(request)
    if everything or nodes.keys() - {"count", "versions"}:
        answer["nodes"] = nodes
    return answer


ROUTES = tuple(
    Route("GET", f"/_cluster/stats{path}", run, params=frozenset({"timeout"}), body=True, human=True)
    for path in (
        "",
        "/nodes/{node}",
        "/{metrics}/nodes/{node}",
        "/{metrics}/{index_metrics}/nodes/{node}",
    )
)
