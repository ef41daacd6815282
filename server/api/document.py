"""Single documents: index, create, get, source, exists, delete."""

import re
from functools import partial
from typing import Any
from urllib.parse import quote_plus

from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    MapperParsingError,
    NotXContent,
    ParseError,
    ResourceNotFound,
)
from lanner.engine.document.get import GetRequest, get_document
from lanner.engine.document.requests import DeleteRequest, IndexRequest
from lanner.engine.document.write import delete_document, index_document, prepare_write
from lanner.server.options import (
    SOURCE_OPTIONS,
    VERSION_OPTIONS,
    WRITE_OPTIONS,
    common,
    compare_and_set,
    pipeline_of,
    source_filter,
    version_type,
)
from lanner.server.params import Params
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import INLINE, Route

_SAFE = re.compile(r"[A-Za-z0-9*._-]*")
CREATED, FOUND, MISSING = 201, 200, 404
NO_CONTENT = "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes"
GET_PARAMS = SOURCE_OPTIONS | {
    "preference", "realtime", "refresh", "routing", "stored_fields", "version", "version_type",
}  # fmt: skip


def versions(params: Params) -> dict[str, Any]:
    """Return the keyword arguments of version control."""
    return {
        "version": params.long("version"),
        "version_type": version_type(params),
        **compare_and_set(params),
    }


def place_write(request: Request, op_type: str | None = None) -> str | None:
    """Let what needs to wait for nobody be written with all that came with it; else a pool does it."""
    write = prepare_write(request.node, index_request(request, op_type))
    if write is None:
        return "write"
    request.plan = write
    request.awaits = partial(request.application.writes.add, write)
    return INLINE


def place_create(request: Request) -> str | None:
    """Do the same for a document that must be new."""
    return place_write(request, "create")


def index_request(request: Request, op_type: str | None) -> IndexRequest:
    """Return what a request asks to be written."""
    params = request.params
    names = request.names
    wanted = op_type or params.get("op_type", "index" if "id" in names else "create").lower()
    if wanted not in ("index", "create"):
        raise IllegalArgument(f"opType must be 'create' or 'index', found: [{wanted}]")
    if not request.content:
        raise ParseError("request body is required")
    if request.unmarked:
        raise MapperParsingError("failed to parse", caused_by=NotXContent(NO_CONTENT))
    if params:
        options = common(params) | versions(params)
        options["pipeline"] = pipeline_of(params)
        options["require_alias"] = params.boolean("require_alias")
    else:
        options = {}
    return IndexRequest(
        index=names["index"], id=names.get("id"), source=request.content, op_type=wanted, **options
    )


def write(request: Request, op_type: str | None = None) -> Response:
    """Index or create a document."""
    if request.plan is None:
        result = index_document(request.node, index_request(request, op_type))
    else:
        result = request.plan.answer()
    if result["result"] != "created":
        return Response(result)
    place = location(result, request.params.get("routing"))
    return Response(result, CREATED, (("Location", place),))


def create(request: Request) -> Response:
    """Create a document."""
    return write(request, "create")


def location(result: dict[str, Any], routing: str | None) -> str:
    """Return the path of a new document."""
    index, id_ = result["_index"], result["_id"]
    if not _SAFE.fullmatch(index + id_):  # most stand there as they are
        index, id_ = _quoted(index), _quoted(id_)
    path = f"/{index}/_doc/{id_}"
    return f"{path}?routing={_quoted(routing)}" if routing else path


def _quoted(text: str) -> str:
    """Return a text as it stands in a path."""
    return quote_plus(text, "*-._")


def read(request: Request) -> dict[str, Any]:
    """Look a document up."""
    params = request.params
    names = request.names
    if not params:
        return get_document(request.node, GetRequest(index=names["index"], id=names["id"]))
    wanted, includes, excludes = source_filter(params)
    return get_document(
        request.node,
        GetRequest(
            index=names["index"],
            id=names["id"],
            routing=params.get("routing"),
            preference=params.get("preference"),
            realtime=params.boolean("realtime", True),
            refresh=params.boolean("refresh"),
            version=params.long("version"),
            version_type=version_type(params),
            source=wanted,
            source_includes=includes,
            source_excludes=excludes,
            stored_fields=params.names("stored_fields"),
        ),
    )


def place_read(request: Request) -> str | None:
    """Return where documents are read: the event loop neither refreshes nor waits for a bulk that writes."""
    busy = "refresh" in request.params or request.node.pools["write"].is_busy
    return "get" if busy else INLINE


def get(request: Request) -> Any:
    """Return a document."""
    answer = read(request)
    return answer if answer["found"] else Response(answer, MISSING)


def get_source(request: Request) -> Response:
    """Return what was indexed, and nothing else."""
    if request.params.get("_source") == "false":
        raise ActionRequestValidation("Validation Failed: 1: fetching source can not be disabled;")
    answer = read(request)
    names = request.names
    if not answer["found"]:
        raise ResourceNotFound(f"Document not found [{names['index']}]/[{names['id']}]")
    if "_source" not in answer:
        raise ResourceNotFound(f"Source not found [{names['index']}]/[{names['id']}]")
    source = answer["_source"]
    return Response(bytes(source) if not isinstance(source, dict) else source)


def delete(request: Request) -> Response:
    """Delete a document."""
    params = request.params
    options = common(params) | versions(params) if params else {}
    result = delete_document(
        request.node, DeleteRequest(index=request.names["index"], id=request.names["id"], **options)
    )
    return Response(result, FOUND if result["result"] == "deleted" else MISSING)


_WRITE = WRITE_OPTIONS | VERSION_OPTIONS | {"pipeline", "require_alias", "op_type"}
_CREATE = _WRITE - {"op_type"}
_DELETE = WRITE_OPTIONS | VERSION_OPTIONS
ROUTES = (
    Route("PUT", "/{index}/_doc/{id}", write, place_write, params=_WRITE, body=True),
    Route("POST", "/{index}/_doc/{id}", write, place_write, params=_WRITE, body=True),
    Route("POST", "/{index}/_doc", write, place_write, params=_WRITE, body=True),
    Route("PUT", "/{index}/_create/{id}", create, place_create, params=_CREATE, body=True),
    Route("POST", "/{index}/_create/{id}", create, place_create, params=_CREATE, body=True),
    Route("GET", "/{index}/_doc/{id}", get, place_read, params=GET_PARAMS, body=True),
    Route("HEAD", "/{index}/_doc/{id}", get, place_read, params=GET_PARAMS, body=True),
    Route("GET", "/{index}/_source/{id}", get_source, place_read, params=GET_PARAMS, body=True),
    Route("HEAD", "/{index}/_source/{id}", get_source, place_read, params=GET_PARAMS, body=True),
    Route("DELETE", "/{index}/_doc/{id}", delete, "write", params=_DELETE, body=True),
)
