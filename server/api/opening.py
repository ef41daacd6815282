"""Closing indices, opening them again, rolling over to new ones."""

from functools import partial
from typing import Any

from lanner.engine.cluster import opening
from lanner.engine.cluster.names import IndexOptions
from lanner.engine.cluster.rollover import RolloverRequest, parse_body, rollover
from lanner.server.detached import detach
from lanner.server.options import (
    CLUSTER_TIMEOUTS,
    INDEX_OPTIONS,
    active_shards,
    check_timeouts,
    index_options,
)
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.routing import Route

CLOSING = IndexOptions(data_streams=False)
OPENING = IndexOptions(expand_wildcards=("closed",))


def close(request: Request) -> dict[str, Any]:
    """Close indices."""
    check_timeouts(request.params)
    return opening.close_indices(
        request.node,
        request.names.get("index", "_all"),
        index_options(request.params, CLOSING),
        active_shards(request.params),
    )


def open_(request: Request) -> dict[str, Any]:
    """Open closed indices."""
    params = request.params
    check_timeouts(params)
    params.millis("task_execution_timeout")
    expression = request.names.get("index", "_all")
    work = partial(
        opening.open_indices,
        request.node,
        expression,
        index_options(params, OPENING),
        active_shards(params),
    )
    if params.boolean("wait_for_completion", True):
        return work()
    description = f"open indices [{', '.join(split_names(expression))}]"
    return detach(request, "generic", "indices:admin/open", description, work)


def roll_over(request: Request) -> dict[str, Any]:
    """Put a new index behind an alias, or into a data stream, if it is time."""
    params = request.params
    check_timeouts(params)
    conditions, body = parse_body(request.json()) if request.content else ({}, {})
    return rollover(
        request.node,
        RolloverRequest(
            request.names["index"],
            request.names.get("new_index"),
            conditions,
            body,
            dry_run=params.boolean("dry_run"),
            wait_for_active_shards=active_shards(params),
        ),
    )


_WAIT = INDEX_OPTIONS | CLUSTER_TIMEOUTS | {"wait_for_active_shards"}
_OPEN = _WAIT | {"wait_for_completion", "task_execution_timeout"}
_ROLL = CLUSTER_TIMEOUTS | {"wait_for_active_shards", "dry_run"}
ROUTES = (
    *(Route("POST", path, close, params=_WAIT, body=True) for path in ("/_close", "/{index}/_close")),
    *(Route("POST", path, open_, params=_OPEN, body=True) for path in ("/_open", "/{index}/_open")),
    *(
        Route("POST", path, roll_over, params=_ROLL, body=True)
        for path in ("/{index}/_rollover", "/{index}/_rollover/{new_index}")
    ),
)
