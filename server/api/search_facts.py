"""What a search would ask: fields and their abilities, and shards."""

from dataclasses import replace
from typing import Any

from lanner.engine.cluster.names import resolve
from lanner.engine.cluster.render import render_copy
from lanner.engine.common.body import Anchor, LocatedError, locate, token_name
from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
)
from lanner.engine.common.object_parser import NAMES
from lanner.server.api.nodes import address
from lanner.server.options import INDEX_OPTIONS, NOT_CLOSED, index_options
from lanner.server.request import Request
from lanner.server.routing import Route
from lanner.server.targets import targets_of


def field_caps(request: Request) -> dict[str, Any]:
    """Return what fields can do."""
    from lanner.engine.dsl import parse_query_at
    from lanner.engine.search.field_caps import field_caps as describe

    params, node = request.params, request.node
    patterns = params.names("fields") or []
    body = request.json_map() if request.content else {}
    wanted = None
    try:
        for key in body:
            if key == "fields" and not patterns:
                patterns = NAMES.read(body[key], key)  # type: ignore[misc]
            elif key != "index_filter":
                raise LocatedError(f"request does not support [{key}]", Anchor(body, key, "key"))
            elif not isinstance(body[key], dict):
                raise LocatedError(
                    f"Unknown key for a {token_name(body[key])} in [{key}].", Anchor(body, key)
                )
            else:
                wanted = parse_query_at(body, key)
    except LannerError as error:
        raise locate(error, body, request.content) from None
    if not patterns:
        raise IllegalArgument("specified fields can't be null or empty")
    state = node.cluster.state
    expression = request.names.get("index", "_all")
    names = resolve(state, expression, index_options(params, NOT_CLOSED))
    if wanted is not None:
        names = [name for name in names if _matches(request, name, wanted)]
    mappings = [(name, node.indices.index(state.indices[name].uuid).mapping) for name in names]
    return {
        "indices": names,
        "fields": describe(mappings, patterns, include_unmapped=params.boolean("include_unmapped")),
    }


def _matches(request: Request, name: str, query: Any) -> bool:
    """Return whether any document of an index matches."""
    from lanner.engine.search.count import count
    from lanner.engine.search.request import SearchRequest

    node = request.node
    asked = SearchRequest(query=query, size=0, track_total_hits=1, terminate_after=1)
    found = count(targets_of(node, name), asked, now_millis=node.clock.millis())
    return bool(found["count"])


def search_shards(request: Request) -> dict[str, Any]:
    """Return the shards that a search would ask, each with its copies."""
    params, node = request.params, request.node
    expression = request.names.get("index", "_all")
    # an index that is not there has no shards
    options = replace(index_options(params, NOT_CLOSED), ignore_unavailable=True)
    targets = targets_of(
        node,
        expression,
        options,
        routing=params.get("routing"),
        preference=params.get("preference"),
    )
    state = node.cluster.state
    shards = []
    indices: dict[str, dict[str, Any]] = {}
    for target in targets:
        index = state.indices[target.index]
        copies = [copy for copy in state.copies(index) if copy.shard == target.shard and copy.started]
        shards.append([render_copy(index, copy) for copy in copies])
        narrowing = [name for name in expression.split(",") if "filter" in index.aliases.get(name, {})]
        indices[target.index] = (
            {"aliases": narrowing, "filter": index.aliases[narrowing[0]]["filter"]}
            if len(narrowing) == 1 and target.filter is not None
            else {}
        )
    return {
        "nodes": {
            node.id: {
                "name": node.name,
                "ephemeral_id": node.ephemeral_id,
                "transport_address": address(request),
                "attributes": dict(node.attributes),
            }
        }
        if targets
        else {},
        "indices": indices,
        "shards": shards,
    }


_FIELD_CAPS = INDEX_OPTIONS | {"fields", "include_unmapped"}
_SHARDS = INDEX_OPTIONS | {"routing", "preference", "local"}
ROUTES = tuple(
    route
    for index in ("", "/{index}")
    for method in ("GET", "POST")
    for route in (
        Route(method, f"{index}/_field_caps", field_caps, "search", params=_FIELD_CAPS, body=True),
        Route(method, f"{index}/_search_shards", search_shards, params=_SHARDS),
    )
)
