"""Scrolls and points in time: the next page, what is open, and closing it."""

from typing import Any

from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    LannerError,
    from_json_fault,
)
from lanner.engine.common.units import parse_time
from lanner.engine.search.contexts import PIT, SCROLL, Context, read_key
from lanner.ext.json.scan import JsonFault
from lanner.server.api.search import targets_for
from lanner.server.options import INDEX_OPTIONS
from lanner.server.params import split_names
from lanner.server.request import Request, json_kind
from lanner.server.response import Response
from lanner.server.routing import Route


def _body(request: Request) -> dict[str, Any]:
    """Return the body of a scroll request, an object."""
    if not request.content:
        return {}
    try:
        given = request.json()
    except JsonFault as fault:
        raise IllegalArgument("Failed to parse request body", caused_by=from_json_fault(fault)) from None
    if not isinstance(given, dict):
        raise IllegalArgument("Malformed content, must start with an object")
    return given


def next_page(request: Request) -> dict[str, Any]:
    """Return the next page of a scroll."""
    from lanner.engine.search.scroll import next_page as read_page

    params = request.params
    key = request.names.get("scroll_id") or params.get("scroll_id")
    keep_alive = params.millis("scroll")
    for name, value in _body(request).items():
        if name == "scroll_id" and isinstance(value, str):
            key = value
        elif name == "scroll" and isinstance(value, str):
            keep_alive = parse_time(value, "scroll")
        else:
            raise IllegalArgument(
                f"Unknown parameter [{name}] in request body or parameter is of the wrong "
                f"type[{json_kind(value)}] "
            )
    if not key:
        raise ActionRequestValidation("Validation Failed: 1: scrollId is missing;")
    node = request.node
    answer = read_page(node.contexts, key, keep_alive, now_millis=node.clock.millis())
    total = answer["hits"].get("total")
    if params.boolean("rest_total_hits_as_int") and isinstance(total, dict):
        answer["hits"]["total"] = total["value"]
    if keep_alive is None:
        del answer["_scroll_id"]
    return answer


def clear(request: Request) -> Response:
    """Close scrolls."""
    names = request.names.get("scroll_id") or request.params.get("scroll_id")
    keys = split_names(names) if names else []
    for name, value in _body(request).items():
        given = value if isinstance(value, list) else [value]
        if name != "scroll_id" or not all(isinstance(one, str) for one in given):
            raise IllegalArgument(
                f"Unknown parameter [{name}] in request body or parameter is of the wrong "
                f"type[{json_kind(value)}] "
            )
        keys = given
    if not keys:
        raise ActionRequestValidation("Validation Failed: 1: no scroll ids specified;")
    contexts = request.node.contexts
    if keys == ["_all"]:
        for context in contexts.all(SCROLL):
            contexts.close(context.id)
        return Response({"succeeded": True, "num_freed": 1})  # nodes, of which there is one
    for key in keys:
        read_key(SCROLL, key)
    freed = sum(contexts.close(key) for key in keys)
    return Response({"succeeded": True, "num_freed": freed}, 200 if freed else 404)


def open_pit(request: Request) -> dict[str, Any]:
    """Hold a point in time."""
    params = request.params
    if "keep_alive" not in params:
        raise ActionRequestValidation("Validation Failed: 1: keep alive not specified;")
    keep_alive = params.millis("keep_alive", 0)
    params.boolean("allow_partial_pit_creation")
    targets = targets_for(request)
    context = request.node.contexts.open(PIT, targets, keep_alive)
    n = len(targets)
    return {
        "pit_id": context.id,
        "_shards": {"total": n, "successful": n, "skipped": 0, "failed": 0},
        "creation_time": context.created_millis,
    }


def _shown(context: Context) -> dict[str, Any]:
    return {
        "pit_id": context.id,
        "creation_time": context.created_millis,
        "keep_alive": int(context.keep_alive),
    }


def list_pits(request: Request) -> dict[str, Any]:
    """Return all points in time."""
    return {"pits": [_shown(context) for context in request.node.contexts.all(PIT)]}


def close_pits(request: Request) -> dict[str, Any]:
    """Close points in time."""
    given = request.json() if request.content else {}
    keys: list[str] = []
    for name, value in given.items() if isinstance(given, dict) else ():
        if name != "pit_id":
            raise IllegalArgument(f"Unknown parameter [{name}] in request body")
        keys = value if isinstance(value, list) else [value]
    if not all(isinstance(key, str) for key in keys):
        raise IllegalArgument("pit_id array element should only contain pit_id")
    if not keys:
        raise ActionRequestValidation("Validation Failed: 1: no pit ids specified;")
    return _close(request, keys)


def close_all_pits(request: Request) -> dict[str, Any]:
    """Close all points in time."""
    return _close(request, [context.id for context in request.node.contexts.all(PIT)])


def _close(request: Request, keys: list[str]) -> dict[str, Any]:
    for key in keys:
        try:
            read_key(PIT, key)
        except LannerError as error:
            if len(key) < 2:
                error.caused_by = IllegalArgument(
                    "Input byte[] should at least have 2 bytes for base64 bytes"
                )
            raise
    closed = [(key, bool(request.node.contexts.close(key))) for key in keys]
    return {"pits": [{"successful": done, "pit_id": key} for key, done in closed]}


_SCROLL = frozenset({"scroll", "scroll_id", "rest_total_hits_as_int"})
_PIT = INDEX_OPTIONS | {"keep_alive", "allow_partial_pit_creation", "preference", "routing"}
ROUTES = (
    *(
        Route(method, f"/_search/scroll{path}", next_page, "search", params=_SCROLL, source=True, body=True)
        for method in ("GET", "POST")
        for path in ("", "/{scroll_id}")
    ),
    *(
        Route("DELETE", f"/_search/scroll{path}", clear, "search", params=_SCROLL, body=True)
        for path in ("", "/{scroll_id}")
    ),
    Route("POST", "/{index}/_search/point_in_time", open_pit, "search", params=_PIT),
    Route("GET", "/_search/point_in_time/_all", list_pits),
    Route("DELETE", "/_search/point_in_time/_all", close_all_pits, "search"),
    Route("DELETE", "/_search/point_in_time", close_pits, "search", body=True),
)
