"""Data streams: make, show, measure, remove."""

from functools import partial
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster import data_streams
from lanner.engine.cluster.data_stream_stats import data_stream_stats
from lanner.server.options import MANAGER_TIMEOUTS, check_timeouts
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.routing import Route
from lanner.server.targets import targets_of

if TYPE_CHECKING:
    from lanner.engine.node import Node


def put(request: Request) -> dict[str, Any]:
    """Make a data stream."""
    check_timeouts(request.params)
    return data_streams.create_data_stream(request.node, request.names["name"])


def get(request: Request) -> dict[str, Any]:
    """Return what data streams are made of."""
    check_timeouts(request.params)
    return data_streams.get_data_streams(request.node, split_names(request.names.get("name", "")))


def delete(request: Request) -> dict[str, Any]:
    """Remove data streams."""
    check_timeouts(request.params)
    return data_streams.delete_data_streams(request.node, split_names(request.names["name"]))


def stats(request: Request) -> dict[str, Any]:
    """Return sizes and newest timestamps of data streams."""
    request.params.boolean("forbid_closed_indices")
    names = split_names(request.names.get("name", ""))
    return data_stream_stats(request.node, names, partial(_newest, request.node))


def _newest(node: "Node", index: str, field: str) -> int:
    """Return the greatest value of a date field of an index, 0 without any."""
    from lanner.engine.search.coordinator import search  # off the start path
    from lanner.engine.search.request import parse_search_request

    wanted = parse_search_request({"size": 1, "sort": [{field: "desc"}], "_source": False})
    answer = search(targets_of(node, index), wanted, now_millis=node.clock.millis())
    hits = answer["hits"]["hits"]
    value: int | None = hits[0]["sort"][0] if hits else None
    return 0 if value is None else value


_STATS = frozenset({"forbid_closed_indices"})
ROUTES = (
    Route("PUT", "/_data_stream/{name}", put, params=MANAGER_TIMEOUTS, body=True),
    Route("DELETE", "/_data_stream/{name}", delete, params=MANAGER_TIMEOUTS, body=True),
    *(
        Route("GET", path, get, params=MANAGER_TIMEOUTS | {"local"}, body=True)
        for path in ("/_data_stream", "/_data_stream/{name}")
    ),
    *(
        Route("GET", path, stats, "search", params=_STATS, body=True, human=True)
        for path in ("/_data_stream/_stats", "/_data_stream/{name}/_stats")
    ),
)
