"""``_update``: change a part of a document."""

from typing import Any

from lanner.engine.document.update import UpdateRequest, update_document
from lanner.server.api.document import location
from lanner.server.options import (
    SOURCE_OPTIONS,
    VERSION_OPTIONS,
    WRITE_OPTIONS,
    common,
    compare_and_set,
    fetched_source,
)
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route

CREATED = 201


def run(request: Request) -> Any:
    """Update a document."""
    params = request.params
    result = update_document(
        request.node,
        UpdateRequest(
            index=request.names["index"],
            id=request.names["id"],
            body=request.json_map() if request.content else {},
            source=request.content,
            version=params.long("version"),
            **compare_and_set(params),
            retry_on_conflict=params.integer("retry_on_conflict", 0),
            require_alias=params.boolean("require_alias"),
            fetch_source=fetched_source(params),
            **common(params),
        ),
    )
    if result["result"] != "created":
        return result
    return Response(result, CREATED, (("Location", location(result, params.get("routing"))),))


_PARAMS = (
    WRITE_OPTIONS
    | SOURCE_OPTIONS
    | VERSION_OPTIONS
    | {"doc_as_upsert", "lang", "require_alias", "retry_on_conflict"}
)
ROUTES = (Route("POST", "/{index}/_update/{id}", run, "write", params=_PARAMS, body=True),)
