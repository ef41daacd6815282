"""What indices are: names resolved, recoveries, stores, upgrades, caches, dangling ones."""

from typing import Any

from lanner.engine.cluster import recoveries
from lanner.engine.cluster.indices import clear_caches
from lanner.engine.cluster.resolve_index import resolve_names
from lanner.engine.common.errors import IllegalArgument
from lanner.server.options import (
    CLUSTER_TIMEOUTS,
    INDEX_OPTIONS,
    NOT_CLOSED,
    OPEN_CLOSED,
    check_timeouts,
    index_options,
)
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.routing import Route

_COLOURS = ("green", "yellow", "red", "all")


def resolve(request: Request) -> dict[str, Any]:
    """Return what names stand for."""
    names = split_names(request.names["name"])
    return resolve_names(request.node.cluster.state, names, index_options(request.params))


def recovery(request: Request) -> dict[str, Any]:
    """Return how shards came to what they have; with active_only those still at it: none."""
    params = request.params
    detailed, active = params.boolean("detailed"), params.boolean("active_only")
    expression = request.names.get("index") or params.get("index") or "_all"
    found = recoveries.recoveries(
        request.node, expression, index_options(params, OPEN_CLOSED), detailed=detailed
    )
    return {} if active else found


def shard_stores(request: Request) -> dict[str, Any]:
    """Return where the copies of shards are, by default of those that are not all there."""
    params = request.params
    statuses = [word.lower() for word in split_names(params.get("status", "yellow,red"))]
    for word in statuses:
        if word not in _COLOURS:
            raise IllegalArgument(f"unknown cluster health status [{word}]")
    return recoveries.shard_stores(
        request.node, request.names.get("index", "_all"), index_options(params), statuses
    )


def upgrade_status(request: Request) -> dict[str, Any]:
    """Return how much there is to upgrade."""
    return recoveries.upgrade_status(
        request.node, request.names.get("index", "_all"), index_options(request.params)
    )


def upgrade(request: Request) -> dict[str, Any]:
    """Upgrade indices."""
    request.params.boolean("only_ancient_segments")
    request.params.boolean("wait_for_completion")
    return recoveries.upgrade(request.node, request.names.get("index", "_all"), index_options(request.params))


def clear_cache(request: Request) -> dict[str, Any]:
    """Clear the caches that are named, all if none is."""
    params = request.params
    wanted = {name: params.boolean(name) for name in ("query", "request", "fielddata", "file")}
    everything = not (any(wanted.values()) or params.get("fields"))
    answer = clear_caches(
        request.node,
        request.names.get("index") or params.get("index") or "_all",
        index_options(params, NOT_CLOSED),
        queries=everything or wanted["query"],
    )
    if everything or wanted["request"]:
        request.application.request_cache.clear()
    return answer


def dangling(request: Request) -> dict[str, Any]:
    """Return indices that the cluster state does not know; folders of such are never offered."""
    check_timeouts(request.params)
    return {
        "_nodes": {"total": 1, "successful": 1, "failed": 0},
        "cluster_name": request.node.cluster_name,
        "dangling_indices": [],
    }


def no_dangling(request: Request) -> dict[str, Any]:
    """Refuse to import or delete what is not listed."""
    check_timeouts(request.params)
    request.params.boolean("accept_data_loss")
    raise IllegalArgument(f"No dangling index found for UUID [{request.names['uuid']}]")


_RECOVERY = INDEX_OPTIONS | {"detailed", "active_only", "index"}
_CLEAR = INDEX_OPTIONS | {"query", "request", "fielddata", "fields", "file", "index"}
_UPGRADE = INDEX_OPTIONS | {"only_ancient_segments", "wait_for_completion"}
_DANGLING = CLUSTER_TIMEOUTS | {"accept_data_loss"}
ROUTES = (
    Route("GET", "/_resolve/index/{name}", resolve, params=INDEX_OPTIONS, body=True),
    *(
        Route(method, f"{index}/{name}", handler, params=params, body=True, human=True)
        for method, name, handler, params in (
            ("GET", "_recovery", recovery, _RECOVERY),
            ("GET", "_shard_stores", shard_stores, INDEX_OPTIONS | {"status"}),
            ("GET", "_upgrade", upgrade_status, INDEX_OPTIONS),
            ("POST", "_upgrade", upgrade, _UPGRADE),
            ("POST", "_cache/clear", clear_cache, _CLEAR),
        )
        for index in ("", "/{index}")
    ),
    Route("GET", "/_dangling", dangling, params=CLUSTER_TIMEOUTS, body=True),
    *(
        Route(method, "/_dangling/{uuid}", no_dangling, params=_DANGLING, body=True)
        for method in ("POST", "DELETE")
    ),
)
