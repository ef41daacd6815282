"""Indices: create, get, exists, delete, refresh, flush, force merge."""

from functools import partial
from typing import Any

from lanner.engine.cluster import indices
from lanner.engine.cluster.creation import create_index
from lanner.engine.common.errors import ActionRequestValidation
from lanner.server.detached import detach
from lanner.server.options import (
    CLUSTER_TIMEOUTS,
    INDEX_OPTIONS,
    NOT_CLOSED,
    OPEN_CLOSED,
    active_shards,
    check_timeouts,
    index_options,
)
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route

GET_PARAMS = INDEX_OPTIONS | CLUSTER_TIMEOUTS | {"local", "flat_settings", "include_defaults"}


def create(request: Request) -> dict[str, Any]:
    """Create an index."""
    check_timeouts(request.params)
    return create_index(
        request.node,
        request.names["index"],
        request.optional_map(),
        wait_for_active_shards=active_shards(request.params),
    )


def get(request: Request) -> dict[str, Any]:
    """Return aliases, mappings and settings of indices."""
    params = request.params
    check_timeouts(params)
    return indices.get_indices(
        request.node,
        request.names["index"],
        index_options(params),
        flat_settings=params.boolean("flat_settings"),
        include_defaults=params.boolean("include_defaults"),
        human=params.boolean("human"),
    )


def delete(request: Request) -> dict[str, Any]:
    """Delete indices."""
    check_timeouts(request.params)
    if "index" not in request.names:
        raise ActionRequestValidation("Validation Failed: 1: index / indices is missing;")
    return indices.delete_indices(
        request.node, request.names["index"], index_options(request.params, OPEN_CLOSED)
    )


def refresh(request: Request) -> dict[str, Any]:
    """Make what was written visible to searches."""
    return indices.refresh(
        request.node, request.names.get("index", "_all"), index_options(request.params, NOT_CLOSED)
    )


def flush(request: Request) -> dict[str, Any]:
    """Write what is in memory to disk and trim the translog."""
    params = request.params
    force, waits = params.boolean("force"), params.boolean("wait_if_ongoing", True)
    if force and not waits:
        raise ActionRequestValidation("Validation Failed: 1: wait_if_ongoing must be true for a force flush;")
    return indices.flush(
        request.node,
        request.names.get("index", "_all"),
        index_options(params, NOT_CLOSED),
        force=force,
    )


def force_merge(request: Request) -> dict[str, Any]:
    """Merge segments until at most so many are left."""
    params = request.params
    expression = request.names.get("index", "_all")
    merge = partial(
        indices.force_merge,
        request.node,
        expression,
        index_options(params, NOT_CLOSED),
        max_num_segments=params.integer("max_num_segments", -1),
        only_expunge_deletes=params.boolean("only_expunge_deletes"),
        flush=params.boolean("flush", True),
        primary_only=params.boolean("primary_only"),
    )
    if params.boolean("wait_for_completion", True):
        return merge()
    given = merge.keywords
    description = (
        f"Force-merge indices [{', '.join(split_names(expression))}], "
        f"maxSegments[{given['max_num_segments']}], "
        f"onlyExpungeDeletes[{_word(given['only_expunge_deletes'])}], flush[{_word(given['flush'])}], "
        f"primaryOnly[{_word(given['primary_only'])}]"
    )
    return detach(request, "force_merge", "indices:admin/forcemerge", description, merge)


def _word(value: bool) -> str:
    return "true" if value else "false"


def exists(request: Request) -> Response:
    """Say whether indices exist."""
    return Response(get(request))


_MERGE = INDEX_OPTIONS | {
    "max_num_segments",
    "only_expunge_deletes",
    "flush",
    "wait_for_completion",
    "primary_only",
}
_FLUSH = INDEX_OPTIONS | {"force", "wait_if_ongoing"}
ROUTES = (
    Route("PUT", "/{index}", create, params=CLUSTER_TIMEOUTS | {"wait_for_active_shards"}, body=True),
    Route("GET", "/{index}", get, params=GET_PARAMS, body=True),
    Route("HEAD", "/{index}", exists, params=GET_PARAMS, body=True),
    Route("DELETE", "/{index}", delete, params=INDEX_OPTIONS | CLUSTER_TIMEOUTS, body=True),
    Route("DELETE", "/", delete, params=INDEX_OPTIONS | CLUSTER_TIMEOUTS, body=True),
    *(
        Route(method, f"{index}/{name}", handler, pool, params=params, body=True)
        for name, handler, pool, params, methods in (
            ("_refresh", refresh, "refresh", INDEX_OPTIONS, ("GET", "POST")),
            ("_flush", flush, "flush", _FLUSH, ("GET", "POST")),
            ("_forcemerge", force_merge, "force_merge", _MERGE, ("POST",)),
        )
        for method in methods
        for index in ("", "/{index}")
    ),
)
