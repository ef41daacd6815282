"""Cluster: health, state, reroute, settings."""

from typing import Any

from lanner.engine.cluster import health as cluster_health
from lanner.engine.cluster import settings as cluster_settings
from lanner.engine.cluster.allocation_explain import ExplainRequest, parse_body
from lanner.engine.cluster.allocation_explain import explain as explain_allocation
from lanner.engine.cluster.render import METRICS, render
from lanner.engine.cluster.reroute import explain_commands, parse_commands
from lanner.engine.cluster.voting import exclude_nodes, include_nodes
from lanner.engine.common.errors import IllegalArgument
from lanner.server.options import (
    CLUSTER_TIMEOUTS,
    EVERYTHING,
    INDEX_OPTIONS,
    LENIENT,
    MANAGER_TIMEOUTS,
    active_shards,
    check_timeouts,
    index_options,
)
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.response import JSON, Response
from lanner.server.routing import Route

TIMED_OUT = 408
HEALTH_PARAMS = (
    INDEX_OPTIONS
    | CLUSTER_TIMEOUTS
    | {
        "awareness_attribute",
        "ensure_node_weighed_in",
        "level",
        "local",
        "wait_for_active_shards",
        "wait_for_events",
        "wait_for_no_initializing_shards",
        "wait_for_no_relocating_shards",
        "wait_for_nodes",
        "wait_for_relocating_shards",
        "wait_for_status",
    }
)


def health(request: Request) -> Response:
    """Return the health, after waiting for what was asked for."""
    params = request.params
    check_timeouts(params)
    waits = {
        name: params[name]
        for name in ("wait_for_status", "wait_for_nodes", "wait_for_events")
        if name in params
    }
    options = index_options(params, EVERYTHING)
    body = cluster_health.health(
        request.node,
        request.names.get("index"),
        cluster_health.HealthRequest(
            level=params.get("level", "cluster"),
            timeout=params.millis("timeout", 30_000),
            wait_for_active_shards=active_shards(params),
            wait_for_no_initializing_shards=params.boolean("wait_for_no_initializing_shards"),
            wait_for_no_relocating_shards=params.boolean("wait_for_no_relocating_shards"),
            expand_wildcards=options.expand_wildcards,
            **waits,
        ),
    )
    return Response(body, TIMED_OUT if body["timed_out"] else 200)


def state(request: Request) -> dict[str, Any]:
    """Return the cluster state, or the parts asked for."""
    params = request.params
    check_timeouts(params)
    metrics = split_names(request.names.get("metrics", "_all"))
    version = params.long("wait_for_metadata_version", 1)
    if version < 1:
        raise IllegalArgument(f"provided waitForMetadataVersion should be >= 1, but instead is [{version}]")
    params.millis("wait_for_timeout")
    return render(
        request.node,
        None if "_all" in metrics else frozenset(metrics),
        request.names.get("index"),
        index_options(params, LENIENT),
        flat_settings=params.boolean("flat_settings"),
    )


def reroute(request: Request) -> dict[str, Any]:
    """Open failed shards again if asked to, and say what stands in the way of commands."""
    params = request.params
    check_timeouts(params)
    dry_run, explain = params.boolean("dry_run"), params.boolean("explain")
    retry = params.boolean("retry_failed")
    commands = parse_commands(request.json() if request.content else {})
    explanations = explain_commands(request.node.cluster.state, commands, strict=not explain)
    if retry and not dry_run:
        request.node.cluster.retry_shards(everything=True)
    metrics = params.get("metric")
    wanted = METRICS - {"metadata"} if metrics is None else frozenset(split_names(metrics))
    shown = render(request.node, wanted)
    del shown["cluster_name"]
    return {"acknowledged": True, "state": shown, **({"explanations": explanations} if explain else {})}


def allocation(request: Request) -> dict[str, Any]:
    """Explain why a copy of a shard is where it is, or nowhere."""
    params = request.params
    return explain_allocation(
        request.node,
        ExplainRequest(
            **(parse_body(request.json()) if request.content else {}),
            include_yes_decisions=params.boolean("include_yes_decisions"),
            include_disk_info=params.boolean("include_disk_info"),
        ),
    )


def pending_tasks(request: Request) -> dict[str, Any]:
    """Return changes of the state that wait; each is made at once, by whoever asks for it."""
    check_timeouts(request.params)
    return {"tasks": []}


def remote_info(request: Request) -> dict[str, Any]:
    """Return connections to other clusters; there are none."""
    return {}


def exclude(request: Request) -> Response:
    """Keep nodes from voting."""
    params = request.params
    check_timeouts(params)
    given = [name for name in ("node_name", "node_names", "node_ids") if params.get(name)]
    if len(given) != 1:
        raise IllegalArgument(
            "Please set node identifiers correctly. One and only one of [node_name], [node_names] and "
            "[node_ids] has to be set"
        )
    exclude_nodes(request.node, split_names(params[given[0]]), by_id=given[0] == "node_ids")
    return Response(b"", content_type=JSON)


def include(request: Request) -> Response:
    """Let all nodes vote again."""
    check_timeouts(request.params)
    request.params.boolean("wait_for_removal", True)
    include_nodes(request.node)
    return Response(b"", content_type=JSON)


def decommission_status(request: Request) -> dict[str, Any]:
    """Return which values of an attribute are decommissioned; none is, as none can be."""
    return {}


def recommission(request: Request) -> dict[str, Any]:
    """Take back what was decommissioned, which is nothing."""
    return {"acknowledged": True}


def get_settings(request: Request) -> dict[str, Any]:
    """Return the settings of the cluster."""
    params = request.params
    check_timeouts(params)
    return cluster_settings.get_settings(
        request.node,
        flat_settings=params.boolean("flat_settings"),
        include_defaults=params.boolean("include_defaults"),
    )


def put_settings(request: Request) -> dict[str, Any]:
    """Change settings of the cluster."""
    params = request.params
    check_timeouts(params)
    return cluster_settings.put_settings(
        request.node, request.json_map(), flat_settings=params.boolean("flat_settings")
    )


_STATE = (
    INDEX_OPTIONS
    | CLUSTER_TIMEOUTS
    | {"local", "flat_settings", "wait_for_metadata_version", "wait_for_timeout"}
)
_SETTINGS = CLUSTER_TIMEOUTS | {"flat_settings", "include_defaults", "local"}
_REROUTE = CLUSTER_TIMEOUTS | {"dry_run", "explain", "retry_failed", "metric"}
_EXPLAIN = CLUSTER_TIMEOUTS | {"include_yes_decisions", "include_disk_info"}
_EXCLUDE = CLUSTER_TIMEOUTS | {"node_name", "node_names", "node_ids"}
_INCLUDE = MANAGER_TIMEOUTS | {"wait_for_removal"}
ROUTES = (
    Route("GET", "/_cluster/health", health, "generic", params=HEALTH_PARAMS, body=True),
    Route("GET", "/_cluster/health/{index}", health, "generic", params=HEALTH_PARAMS, body=True),
    Route("GET", "/_cluster/state", state, params=_STATE, body=True),
    Route("GET", "/_cluster/state/{metrics}", state, params=_STATE, body=True),
    Route("GET", "/_cluster/state/{metrics}/{index}", state, params=_STATE, body=True),
    Route("POST", "/_cluster/reroute", reroute, "generic", params=_REROUTE, body=True),
    Route("GET", "/_cluster/allocation/explain", allocation, params=_EXPLAIN, body=True),
    Route("POST", "/_cluster/allocation/explain", allocation, params=_EXPLAIN, body=True),
    Route("GET", "/_cluster/pending_tasks", pending_tasks, params=MANAGER_TIMEOUTS | {"local"}, body=True),
    Route("GET", "/_remote/info", remote_info, body=True),
    Route("POST", "/_cluster/voting_config_exclusions", exclude, params=_EXCLUDE, body=True),
    Route("DELETE", "/_cluster/voting_config_exclusions", include, params=_INCLUDE, body=True),
    Route("GET", "/_cluster/decommission/awareness/{attribute}/_status", decommission_status, body=True),
    Route("DELETE", "/_cluster/decommission/awareness", recommission, body=True),
    Route("GET", "/_cluster/settings", get_settings, params=_SETTINGS, body=True),
    Route(
        "PUT", "/_cluster/settings", put_settings, params=_SETTINGS - {"include_defaults", "local"}, body=True
    ),
)
