"""Mappings: get and put."""

from typing import Any

from lanner.engine.cluster import indices
from lanner.engine.cluster.field_mappings import field_mappings
from lanner.engine.common.errors import ActionRequestValidation
from lanner.server.options import (
    CLUSTER_TIMEOUTS,
    INDEX_OPTIONS,
    OPEN_CLOSED_SOME,
    check_timeouts,
    index_options,
)
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route


def get(request: Request) -> dict[str, Any]:
    """Return the mappings of indices."""
    check_timeouts(request.params)
    return indices.get_mapping(
        request.node, request.names.get("index", "_all"), index_options(request.params)
    )


def get_fields(request: Request) -> Response:
    """Return the mappings of fields of indices; 404 when no index has a mapping."""
    params = request.params
    check_timeouts(params)
    params.boolean("local")
    found = field_mappings(
        request.node,
        request.names.get("index", "_all"),
        split_names(request.names["fields"]),
        index_options(params),
        include_defaults=params.boolean("include_defaults"),
    )
    return Response(found, 200 if found else 404)


def put(request: Request) -> dict[str, Any]:
    """Merge a mapping into those of indices."""
    check_timeouts(request.params)
    request.params.boolean("write_index_only")
    if "index" not in request.names:
        raise ActionRequestValidation("Validation Failed: 1: mapping source is missing;")
    return indices.put_mapping(
        request.node,
        request.names["index"],
        request.converted_map(),
        index_options(request.params, OPEN_CLOSED_SOME),
    )


_FIELDS = INDEX_OPTIONS | {"local", "include_defaults"}
_PARAMS = INDEX_OPTIONS | CLUSTER_TIMEOUTS
ROUTES = (
    *(
        Route("GET", path, get, params=_PARAMS | {"local"}, body=True)
        for path in ("/_mapping", "/_mappings", "/{index}/_mapping", "/{index}/_mappings")
    ),
    *(
        Route("GET", path, get_fields, params=_FIELDS, body=True)
        for path in ("/_mapping/field/{fields}", "/{index}/_mapping/field/{fields}")
    ),
    *(
        Route(method, path, put, params=_PARAMS | {"write_index_only"}, body=True)
        for path in ("/{index}/_mapping", "/{index}/_mappings")
        for method in ("PUT", "POST")
    ),
)
