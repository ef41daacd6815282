"""``_explain``: how a query scores one document, or why it does not match."""

from typing import Any

from lanner.engine.common.errors import ActionRequestValidation, IllegalArgument
from lanner.engine.document.get import GetRequest, show_document
from lanner.engine.document.placement import Place, read_place
from lanner.server.api.search import URI_QUERY, switch
from lanner.server.options import SOURCE_OPTIONS, source_filter
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route
from lanner.server.targets import targets_of

MISSING = 404


def explain(request: Request) -> Any:
    """Explain the score of a document."""
    from lanner.engine.search.fetch.explain import explain_document

    params, node = request.params, request.node
    wanted = read_query(request)
    if wanted is None:
        raise ActionRequestValidation("Validation Failed: 1: query is missing;")
    name, id_ = request.names["index"], request.names["id"]
    place = read_place(node, name)
    shard = place.shard_number(id_, place.routing(id_, params.get("routing")))
    targets = targets_of(node, name, preference=params.get("preference"))
    target = next((one for one in targets if one.shard == shard), None)
    if target is None:
        raise IllegalArgument(
            f"the shard of document [{id_}] is not among those of preference [{params['preference']}]"
        )
    found = explain_document(target, wanted, id_, node.clock.millis())
    answer: dict[str, Any] = {"_index": target.index, "_id": id_, "matched": False}
    if found is None:
        return Response(answer, MISSING)
    explanation, document = found
    answer["matched"] = explanation.matched
    answer["explanation"] = explanation.render()
    got = render_document(request, place, document)
    if got is not None:
        answer["get"] = got
    return answer


def read_query(request: Request) -> Any:
    """Return the query of the body or of the URL, None if there is none."""
    params = request.params
    if "q" in params:
        from lanner.engine.dsl.query_string import uri_query  # few ask in this way

        return uri_query(
            params["q"],
            default_field=params.get("df"),
            analyzer=params.get("analyzer"),
            default_operator=params.get("default_operator"),
            lenient=switch(params, "lenient"),
            analyze_wildcard=switch(params, "analyze_wildcard"),
        )
    from lanner.engine.search.count import read_only_query

    return read_only_query(request.json() if request.content else None, request.content or None)


def render_document(request: Request, place: Place, document: Any) -> dict[str, Any] | None:
    """Return the document as it was asked for beside the explanation; None if it was not."""
    source, includes, excludes = source_filter(request.params)
    fields = request.params.names("stored_fields")
    asked = GetRequest(
        index=place.name,
        id=request.names["id"],
        source=source,
        source_includes=includes,
        source_excludes=excludes,
        stored_fields=fields,
    )
    wanted = asked.source_filter
    chosen = source is not None or includes or excludes
    if fields is None and not (chosen and wanted.enabled):
        return None
    got: dict[str, Any] = {"_seq_no": document.seq_no, "_primary_term": document.primary_term}
    if document.routing is not None:
        got["_routing"] = document.routing.decode()
    return show_document(got, place.service.mapping, document, asked)


_PARAMS = SOURCE_OPTIONS | URI_QUERY | {"preference", "q", "routing", "stored_fields"}
ROUTES = tuple(
    Route(
        method,
        "/{index}/_explain/{id}",
        explain,
        "get",
        params=_PARAMS,
        source=True,
        body=True,
        with_q=URI_QUERY,
        action="indices:data/read/explain",
    )
    for method in ("GET", "POST")
)
