"""``_bulk``: many writes in one request."""

from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
    ParseError,
)
from lanner.engine.common.source_filter import SourceFilter
from lanner.engine.document.bulk import bulk
from lanner.engine.document.requests import BulkOperation, BulkRequest
from lanner.ext.json.action_lines import plain_actions
from lanner.server.api.multi_get import source_of
from lanner.server.bulk_lines import Action, number_of, read_actions, text_of
from lanner.server.errors import status_of
from lanner.server.options import SOURCE_OPTIONS, UNASSIGNED_SEQ_NO, WRITE_OPTIONS, common, fetched_source
from lanner.server.params import EMPTY, Params
from lanner.server.request import Request
from lanner.server.routing import Route

if TYPE_CHECKING:
    from lanner.engine.node import Node


def run(request: Request) -> dict[str, Any]:
    """Do all actions of the body; what fails harms no other."""
    if not request.content:
        raise ParseError("request body is required")
    return bulk_lines(request.node, request.content, request.names.get("index"), request.params)


def bulk_lines(
    node: "Node", body: bytes, index: str | None, params: Params = EMPTY, *, refresh: bool = False
) -> dict[str, Any]:
    """Do all actions of an NDJSON body. index: where those go that name none."""
    options = common(params)
    if refresh:
        options["refresh"] = "true"
    routing = options.pop("routing")
    require_alias = params.boolean("require_alias")
    fetch = fetched_source(params)
    found, rest = plain_actions(body)
    operations = [
        BulkOperation(
            kind,
            given or index or "",
            id_,
            document,
            routing,
            require_alias=require_alias,
            fetch_source=fetch,
        )
        for kind, given, id_, document in found
    ]
    operations += [
        operation(kind, action, document, index, routing, fetch, require_alias)
        for kind, action, document in read_actions(body[rest:], 2 * len(found))
    ]
    answer = bulk(node, BulkRequest(operations=operations, pipeline=params.get("pipeline"), **options))
    for item in answer["items"]:
        for result in item.values():
            error = result.get("error")
            if isinstance(error, LannerError):
                result["status"] = status_of(error)
                result["error"] = error.render()
    return answer


def operation(
    kind: str,
    action: Action,
    document: bytes,
    index: str | None,
    routing: str | None,
    fetch: SourceFilter | None,
    require_alias: bool,
) -> BulkOperation:
    """Return one action as the engine takes it."""
    if action.op_type is not None and kind == "index":
        if action.op_type not in ("index", "create"):
            raise IllegalArgument(f"opType must be 'create' or 'index', found: [{action.op_type}]")
        kind = action.op_type
    return BulkOperation(
        action=kind,
        index=text_of(action.index) or index or "",
        id=text_of(action.id),
        source=document,
        routing=text_of(action.routing) if action.routing is not None else routing,
        version=number_of(action.version),
        version_type=action.version_type or "internal",
        if_seq_no=UNASSIGNED_SEQ_NO if (seq_no := number_of(action.if_seq_no)) is None else seq_no,
        if_primary_term=number_of(action.if_primary_term) or 0,
        retry_on_conflict=number_of(action.retry_on_conflict) or 0,
        require_alias=require_alias if action.require_alias is None else action.require_alias,
        pipeline=action.pipeline,
        fetch_source=fetch if action.source is None else SourceFilter.of(**_source(action.source)),
    )


def _source(value: Any) -> dict[str, Any]:
    """Return what ``_source`` of an action line asks for."""
    wanted = source_of(value)
    return {
        "source": wanted["source"],
        "includes": wanted["source_includes"],
        "excludes": wanted["source_excludes"],
    }


_PARAMS = WRITE_OPTIONS | SOURCE_OPTIONS | {"pipeline", "require_alias", "batch_size", "type"}
ROUTES = tuple(
    Route(method, path, run, "write", params=_PARAMS, body=True, action="indices:data/write/bulk")
    for path in ("/_bulk", "/{index}/_bulk")
    for method in ("POST", "PUT")
)
