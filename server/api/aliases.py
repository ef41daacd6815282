"""Aliases: actions on several, one alias at a time, and what there is."""

from typing import Any

from lanner.engine.cluster.alias_actions import (
    ADD,
    FLAGS,
    REMOVE,
    ROUTING_KEYS,
    AliasAction,
    add_routing,
    find_aliases,
    parse_actions,
    update_aliases,
)
from lanner.engine.common.body import java_text, read_boolean
from lanner.engine.common.errors import IllegalArgument
from lanner.server.options import CLUSTER_TIMEOUTS, EVERYTHING, INDEX_OPTIONS, check_timeouts, index_options
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route


def update(request: Request) -> dict[str, Any]:
    """Do what a list of actions says, all or nothing."""
    check_timeouts(request.params)
    return update_aliases(request.node, parse_actions(request.json()))


def put(request: Request) -> dict[str, Any]:
    """Add one alias; the body is stronger than the path."""
    check_timeouts(request.params)
    indices = split_names(request.names.get("index", ""))
    name = request.names.get("name", "")
    alias: dict[str, Any] = {}
    body = request.json() if request.content else {}
    for key, given in body.items() if isinstance(body, dict) else ():  # anything else says nothing
        if key == "filter" and isinstance(given, dict):
            if given:
                alias["filter"] = given
            continue
        if isinstance(given, dict):
            raise IllegalArgument(f"unknown field [{key}]")
        for value in given if isinstance(given, list) else [given]:
            if value is None:
                continue
            if key == "index":
                indices = split_names(java_text(value))
            elif key == "alias":
                name = java_text(value)
            elif key in ROUTING_KEYS:
                add_routing(alias, key, java_text(value))
            elif key in FLAGS:
                alias[key] = read_boolean(value)
            else:
                raise IllegalArgument(f"unknown field [{key}]")
    if not indices:
        raise IllegalArgument("[indices] can't be empty")
    if not name:
        raise IllegalArgument("[alias] can't be empty string")
    return update_aliases(request.node, [AliasAction(ADD, tuple(indices), (name,), alias)])


def delete(request: Request) -> dict[str, Any]:
    """Remove aliases."""
    check_timeouts(request.params)
    action = AliasAction(
        REMOVE, tuple(split_names(request.names["index"])), tuple(split_names(request.names["name"]))
    )
    return update_aliases(request.node, [action])


def get(request: Request) -> Response:
    """Return aliases by index; names that are missing are told, and found ones shown all the same."""
    request.params.boolean("local")
    check_timeouts(request.params)
    names = split_names(request.names.get("name", ""))
    found, missing = find_aliases(
        request.node, request.names.get("index"), names, index_options(request.params, EVERYTHING)
    )
    shown: dict[str, Any] = {index: {"aliases": aliases} for index, aliases in found.items()}
    if not missing:
        return Response(shown)
    word = "alias" if len(missing) == 1 else "aliases"
    return Response({"error": f"{word} [{','.join(missing)}] missing", "status": 404, **shown}, 404)


_GET = INDEX_OPTIONS | CLUSTER_TIMEOUTS | {"local"}
ROUTES = (
    Route("POST", "/_aliases", update, params=CLUSTER_TIMEOUTS, body=True),
    *(
        Route("GET", path, get, params=_GET, body=True)
        for path in ("/_alias", "/_aliases", "/_alias/{name}", "/{index}/_alias", "/{index}/_alias/{name}")
    ),
    *(
        Route("HEAD", path, get, params=_GET, body=True)
        for path in ("/_alias/{name}", "/{index}/_alias", "/{index}/_alias/{name}")
    ),
    *(
        Route("PUT", path, put, params=CLUSTER_TIMEOUTS, body=True)
        for path in ("/_alias", "/{index}/_alias", "/{index}/_aliases")
    ),
    *(
        Route(method, f"{index}/{name}/{{name}}", put, params=CLUSTER_TIMEOUTS, body=True)
        for index in ("", "/{index}")
        for name in ("_alias", "_aliases")
        for method in ("PUT", "POST")
    ),
    *(
        Route("DELETE", path, delete, params=CLUSTER_TIMEOUTS, body=True)
        for path in ("/{index}/_alias/{name}", "/{index}/_aliases/{name}")
    ),
)
