"""``_validate/query``: whether a query can be read and run, and what it becomes."""

from typing import Any

from lanner.engine.common.errors import (
    LannerError,
    ParsingError,
    QueryShardError,
    QuerySyntaxError,
    from_json_fault,
)
from lanner.ext.json.scan import JsonFault
from lanner.server.api.search import URI_QUERY, targets_for, uri_parameters
from lanner.server.options import INDEX_OPTIONS
from lanner.server.request import Request
from lanner.server.routing import Route

#: of exceptions that are none of OpenSearch
_PACKAGES = {
    "date_time_parse_exception": "java.time.format",
    "illegal_argument_exception": "java.lang",
    "illegal_state_exception": "java.lang",
    "number_format_exception": "java.lang",
    "json_e_o_f_exception": "com.fasterxml.jackson.core.io",
    "json_parse_exception": "com.fasterxml.jackson.core",
    "named_object_not_found_exception": "org.opensearch.core.xcontent",
    "x_content_parse_exception": "org.opensearch.core.xcontent",
}
#: whose types leave out what their classes begin with
_PREFIXED = frozenset(("exception", "parse_exception", "timeout_exception", "security_exception"))


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
            if not isinstance(error, QueryShardError):
                error = QueryShardError(f"failed to create query: {error.reason}", caused_by=error)
            reason = f"[{target.index}/{target.index_uuid}] {java_error(error)}"
            explanations.append({**shown, "valid": False, "error": reason})
        else:
            explanations.append({**shown, "valid": True, "explanation": text})
    n = len(targets)
    answer: dict[str, Any] = {"_shards": {"total": n, "successful": n, "failed": 0}, "valid": valid}
    if explain:
        answer["explanations"] = explanations
    return answer


def java_error(error: LannerError) -> str:
    """Return an error as OpenSearch prints it: with all that caused it, then the same of its cause."""
    cause = error.caused_by
    if cause is None:
        return _chain(error)
    package = _package(cause)
    rest = java_error(cause) if package is None else f"{package}.{_java_name(cause)}: {cause.reason}"
    return f"{_chain(error)}; {rest}"


def _chain(error: LannerError) -> str:
    texts = []
    one: LannerError | None = error
    while one is not None:
        texts.append(f"{_java_name(one)}[{one.reason}]")
        one = one.caused_by
    return texts[0] if len(texts) == 1 else f"{'; nested: '.join(texts)};"


def _package(error: LannerError) -> str | None:
    """Return the package of an exception that is none of OpenSearch."""
    if isinstance(error, QuerySyntaxError):
        return "org.apache.lucene.queryparser.classic"
    return _PACKAGES.get(error.type)


def _java_name(error: LannerError) -> str:
    name = "".join(word.capitalize() for word in error.type.split("_"))
    return f"OpenSearch{name}" if error.type in _PREFIXED and _package(error) is None else name


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
