"""``_validate/query``: whether a query can be read and run, and what it becomes."""

from typing import Any

from lanner.engine.common.errors import LannerError, ParsingError, from_json_fault
from lanner.ext.json.scan import JsonFault
from lanner.server.api.search import URI_QUERY, targets_for, uri_parameters
from lanner.server.options import INDEX_OPTIONS
from lanner.server.request import Request
from lanner.server.routing import Route

#: of exceptions that others are caused by
_PACKAGES = {
    "illegal_argument_exception": "java.lang",
    "number_format_exception": "java.lang",
    "json_e_o_f_exception": "com.fasterxml.jackson.core.io",
    "json_parse_exception": "com.fasterxml.jackson.core",
    "x_content_parse_exception": "org.opensearch.core.xcontent",
}


def validate(request: Request) -> dict[str, Any]:
    """Return whether a query can be read, and run on the indices."""
    from lanner.engine.search.count import parse_count_request
    from lanner.engine.search.fetch.explain import query_text

    params, node = request.params, request.node
    rewrite = params.boolean("rewrite")
    explain = params.boolean("explain") or rewrite
    every = params.boolean("all_shards")
    try:
        body = request.json() if request.content else None
        wanted = parse_count_request(body, uri_parameters(params), raw=request.content or None)
    except JsonFault as fault:
        error: LannerError = ParsingError("Failed to parse", caused_by=from_json_fault(fault))
        return {"valid": False, **({"error": java_error(error)} if explain else {})}
    except LannerError as error:
        return {"valid": False, **({"error": java_error(error)} if explain else {})}
    targets = targets_for(request)
    if not every:
        targets = list({target.index_uuid: target for target in reversed(targets)}.values())[::-1]
    explanations: list[dict[str, Any]] = []
    valid = True
    for target in targets:
        shown: dict[str, Any] = {"index": target.index}
        if every:
            shown["shard"] = target.shard
        try:
            text = query_text(target, wanted.query, node.clock.millis(), rewrite=rewrite)
        except LannerError as error:
            valid = False
            text = java_error(error).removeprefix("QueryShardException")
            reason = f"[{target.index}/{target.index_uuid}] QueryShardException{text}"
            explanations.append({**shown, "valid": False, "error": reason})
        else:
            explanations.append({**shown, "valid": True, "explanation": text})
    n = len(targets)
    answer: dict[str, Any] = {"_shards": {"total": n, "successful": n, "failed": 0}, "valid": valid}
    if explain:
        answer["explanations"] = explanations
    return answer


def java_error(error: LannerError) -> str:
    """Return an error as Java prints it, with what caused it."""
    text = _java_text(error)
    cause = error.caused_by
    if cause is None:
        return text
    while cause.caused_by is not None:
        cause = cause.caused_by
    package = _PACKAGES.get(cause.type)
    return text if package is None else f"{text}; {package}.{_java_name(cause)}: {cause.reason}"


def _java_text(error: LannerError) -> str:
    text = f"{_java_name(error)}[{error.reason}]"
    return text if error.caused_by is None else f"{text}; nested: {_java_text(error.caused_by)};"


def _java_name(error: LannerError) -> str:
    return "".join(word.capitalize() for word in error.type.split("_"))


_PARAMS = INDEX_OPTIONS | URI_QUERY | {"q", "explain", "rewrite", "all_shards"}
ROUTES = tuple(
    Route(
        method,
        f"{index}/_validate/query",
        validate,
        "search",
        params=_PARAMS,
        source=True,
        body=True,
        with_q=URI_QUERY,
    )
    for index in ("", "/{index}")
    for method in ("GET", "POST")
)
