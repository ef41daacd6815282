"""Settings of indices: get and put."""

from typing import Any

from lanner.engine.cluster import index_settings
from lanner.server.options import (
    CLUSTER_TIMEOUTS,
    INDEX_OPTIONS,
    OPEN_CLOSED_SOME,
    check_timeouts,
    index_options,
)
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.routing import Route


def get(request: Request) -> dict[str, Any]:
    """Return the settings of indices, or those of some names."""
    params = request.params
    check_timeouts(params)
    names = request.names.get("name") or params.get("name")
    return index_settings.get_settings(
        request.node,
        request.names.get("index", "_all"),
        index_options(params),
        names=split_names(names) if names and names != "_all" else None,
        flat_settings=params.boolean("flat_settings"),
        include_defaults=params.boolean("include_defaults"),
        human=params.boolean("human"),
    )


def put(request: Request) -> dict[str, Any]:
    """Change settings of indices; a body that is no object holds none."""
    params = request.params
    body = request.json()
    check_timeouts(params)
    return index_settings.put_settings(
        request.node,
        request.names.get("index", "_all"),
        body if isinstance(body, dict) else {},
        index_options(params, OPEN_CLOSED_SOME),
        preserve_existing=params.boolean("preserve_existing"),
    )


def block(request: Request) -> dict[str, Any]:
    """Add a block to indices."""
    check_timeouts(request.params)
    return index_settings.add_block(
        request.node, request.names["index"], request.names["block"], index_options(request.params)
    )


_GET = INDEX_OPTIONS | CLUSTER_TIMEOUTS | {"flat_settings", "include_defaults", "local", "name"}
_PUT = INDEX_OPTIONS | CLUSTER_TIMEOUTS | {"flat_settings", "preserve_existing"}
ROUTES = (
    Route("PUT", "/{index}/_block/{block}", block, params=INDEX_OPTIONS | CLUSTER_TIMEOUTS, body=True),
    *(
        Route("GET", path, get, params=_GET, body=True)
        for path in ("/_settings", "/_settings/{name}", "/{index}/_settings", "/{index}/_settings/{name}")
    ),
    *(Route("PUT", path, put, params=_PUT, body=True) for path in ("/_settings", "/{index}/_settings")),
)
