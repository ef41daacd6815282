"""``_msearch``: many searches in one request, as pairs of lines: whom to ask, and what.

Lines that cannot be read refuse the whole request. What goes wrong while a search runs is that search's own
answer.
"""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    LannerError,
    ParseError,
    ParsingError,
)
from lanner.server.api.search import answer_search, budget_left, check_ignored, search_parameters
from lanner.server.errors import as_error, locate_all, render_error
from lanner.server.options import INDEX_OPTIONS, NOT_CLOSED, index_options
from lanner.server.params import EMPTY, Params
from lanner.server.placement import MAX_POSTINGS
from lanner.server.request import Request, decode_json
from lanner.server.routing import INLINE, Route
from lanner.server.targets import targets_of

if TYPE_CHECKING:
    from lanner.engine.search.query_phase import ShardTarget
    from lanner.engine.search.request import SearchRequest

#: the keys of a line that says whom to ask, and the parameters that they are
_KEYS = {
    "index": "index",
    "indices": "index",
    "search_type": "search_type",
    "searchType": "search_type",
    "request_cache": "request_cache",
    "requestCache": "request_cache",
    "preference": "preference",
    "routing": "routing",
    "allow_partial_search_results": "allow_partial_search_results",
    "allowPartialSearchResults": "allow_partial_search_results",
    "expand_wildcards": "expand_wildcards",
    "expandWildcards": "expand_wildcards",
    "ignore_unavailable": "ignore_unavailable",
    "ignoreUnavailable": "ignore_unavailable",
    "ignore_throttled": "ignore_throttled",
    "ignoreThrottled": "ignore_throttled",
    "allow_no_indices": "allow_no_indices",
    "allowNoIndices": "allow_no_indices",
    "ccs_minimize_roundtrips": "ccs_minimize_roundtrips",
    "cancel_after_time_interval": "cancel_after_time_interval",
}
_CANCEL = "cancel_after_time_interval"


class Item(NamedTuple):
    """One search of a request. targets: the shards that it asks, or why there are none."""

    targets: "list[ShardTarget] | LannerError"
    wanted: "SearchRequest"
    body: Any


def read_pairs(content: bytes) -> Iterator[tuple[bytes, bytes | None]]:
    """Yield the two lines of each search; the last may have one only, and then it is none.

    A body that does not end with a newline is a fault.
    """
    lines = content.split(b"\n")
    unfinished = lines.pop()
    at, n = 0, len(lines)
    while at < n:
        if at == 0 and not lines[0]:
            at = 1  # the first line may be empty
            continue
        yield lines[at], lines[at + 1] if at + 1 < n else None
        at += 2
    if unfinished:
        raise IllegalArgument("The msearch request must be terminated by a newline [\n]")


def read_header(line: bytes) -> Params:
    """Return what a first line says, as parameters."""
    if not line or line == b"{}":
        return EMPTY
    given = decode_json(line)
    if not isinstance(given, dict):
        return EMPTY
    found = {}
    for key, value in given.items():
        name = _KEYS.get(key)
        if name is None:
            raise IllegalArgument(f"key [{key}] is not supported in the metadata section")
        if value is None and name == "index":
            raise IllegalArgument("[index] of a search must not be null")
        if value is not None:
            found[name] = ",".join(map(_text, value)) if isinstance(value, list) else _text(value)
    header = Params(found)
    header.option("request_cache", False)
    if _CANCEL in header:
        try:
            header.millis(_CANCEL)
        except LannerError as error:  # the API names the reader instead of the key
            reason = error.reason.replace(f"[{_CANCEL}]", "[XContentMapValues.nodeTimeValue]")
            raise IllegalArgument(reason) from None
    return header


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def plan(request: Request) -> list[Item]:
    """Return the searches of a request."""
    if not request.content:
        raise ParseError("request body or source parameter is required")
    params = request.params
    if params:
        check_ignored(params)
        most = params.integer("max_concurrent_searches", 1)
        if most < 1:
            raise IllegalArgument("maxConcurrentSearchRequests must be positive")
        index_options(params, NOT_CLOSED)
    items = []
    for first, second in read_pairs(request.content):
        header = read_header(first)
        if second is not None:
            items.append(_item(request, header, second))
    if not items:
        raise ActionRequestValidation("Validation Failed: 1: no requests added;")
    return items


def _item(request: Request, header: Params, second: bytes) -> Item:
    body, wanted = _parse(request, header, second)
    expression = header.get("index") or request.names.get("index", "_all")
    params = request.params
    targets: list[ShardTarget] | LannerError
    try:
        if params or header:
            targets = targets_of(
                request.node,
                expression,
                index_options(header, index_options(params, NOT_CLOSED)),
                routing=header.get("routing", params.get("routing")),
                preference=header.get("preference"),
            )
        else:
            targets = request.application.targets.of(expression)
    except LannerError as error:
        targets = error
    return Item(targets, wanted, body)


def _parse(request: Request, header: Params, line: bytes) -> "tuple[Any, SearchRequest]":
    """Return a second line as objects and as a search."""
    known = request.application.parsed_searches
    plain = not request.params and not ("search_type" in header or "allow_partial_search_results" in header)
    found = known.get(line) if plain else None
    if found is not None:
        return found
    if not line or line.isspace():
        raise ParsingError("Expected [START_OBJECT] but found [null]", line=1, col=0)
    body = decode_json(line)
    try:
        if plain:
            return known.add(line, body)
        from lanner.engine.search.request import parse_search_request

        return body, parse_search_request(body, search_parameters(Params({**request.params, **header})))
    except LannerError as error:
        locate_all(error, body, line)
        raise


def place(request: Request) -> str | None:
    """Return where the searches run: on the event loop when all are over soon, else on the pool."""
    items = request.plan = plan(request)
    left = MAX_POSTINGS
    for targets, wanted, body in items:
        if not isinstance(targets, LannerError):
            left = budget_left(request.node, targets, wanted, body, left)
            if left < 0:
                return "search"
    return INLINE


def run(request: Request) -> dict[str, Any]:
    """Do all searches, one after the other."""
    started = time.perf_counter_ns()
    responses = [_run(request, targets, wanted) for targets, wanted, _ in request.plan]
    return {"took": (time.perf_counter_ns() - started) // 1_000_000, "responses": responses}


def _run(
    request: Request, targets: "list[ShardTarget] | LannerError", wanted: "SearchRequest"
) -> dict[str, Any]:
    try:
        if isinstance(targets, LannerError):
            raise targets
        answer = answer_search(request.node, targets, wanted)
    except Exception as fault:  # every search has an answer of its own
        return render_error(as_error(fault))
    answer["status"] = 200
    return answer


def refuse_templates(request: Request) -> dict[str, Any]:
    """Refuse searches made from templates."""
    if not request.content:
        raise ParseError("request body or source parameter is required")
    raise IllegalArgument("search templates are not supported by this version")


_PARAMS = INDEX_OPTIONS | {
    "cancel_after_time_interval",
    "ccs_minimize_roundtrips",
    "max_concurrent_searches",
    "max_concurrent_shard_requests",
    "pre_filter_shard_size",
    "rest_total_hits_as_int",
    "routing",
    "search_type",
    "typed_keys",
}
_ENDPOINTS = (("/_msearch", run, place), ("/_msearch/template", refuse_templates, "search"))
ROUTES = tuple(
    Route(method, f"{index}{path}", handler, where, params=_PARAMS, source=True, body=True)
    for index in ("", "/{index}")
    for method in ("GET", "POST")
    for path, handler, where in _ENDPOINTS
)
