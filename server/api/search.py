"""``_search`` and ``_count``: which documents match, the best of them, or how many there are.

The engine's search is imported by the first search: a node is up sooner without it.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IndexNotFound,
    ParsingError,
    SearchContextMissing,
)
from lanner.ext.json.scan import JsonFault
from lanner.server.options import INDEX_OPTIONS, NOT_CLOSED, SOURCE_OPTIONS, index_options
from lanner.server.params import Params
from lanner.server.placement import MAX_HITS, MAX_POSTINGS, is_short
from lanner.server.request import Request
from lanner.server.routing import INLINE, Route
from lanner.server.targets import targets_of

if TYPE_CHECKING:
    from lanner.engine.node import Node
    from lanner.engine.search.query_phase import ShardTarget
    from lanner.engine.search.request import SearchParameters, SearchRequest
    from lanner.engine.search.request_parts import Pit

URI_QUERY = frozenset({"analyze_wildcard", "analyzer", "default_operator", "df", "lenient"})
# Parameters that change nothing here: there is one node, no scroll and no cache of requests.
SORT_FACTOR = 2  # what a sort makes of the cost of a query
IGNORED_INTEGERS = ("batched_reduce_size", "max_concurrent_shard_requests", "pre_filter_shard_size")


def plan(request: Request) -> "tuple[list[ShardTarget], SearchRequest]":
    """Return what a search asks and whom."""
    params = request.params
    if request.content and not params:
        known, content = request.application.parsed_searches, request.content
        request.decoded, wanted = known.get(content) or known.add(content, read_body(request))
        return refine(request, wanted)  # the body is read before names are looked at
    from lanner.engine.search.request import NO_PARAMETERS, parse_search_request

    body = read_body(request) if request.content else None
    wanted = parse_search_request(body, search_parameters(params) if params else NO_PARAMETERS)
    if params:
        check_ignored(params)
    return refine(request, wanted)


def read_body(request: Request) -> Any:
    """Return the body of a search; what follows it is named as the reader of searches names it."""
    try:
        return request.json()
    except JsonFault as fault:
        if fault.extra is None:
            raise
        error = ParsingError(f"Unexpected token [{fault.extra}] found after the main object.")
        error.fields = {"line": fault.line, "col": fault.column}
        raise error from None


def refine(request: Request, wanted: "SearchRequest") -> "tuple[list[ShardTarget], SearchRequest]":
    """Return the shards that a search asks, with what its body says about them."""
    if wanted.pit is not None:
        targets = pit_targets(request, wanted.pit)
    else:
        targets = targets_for(request)
        if wanted.slice is not None and "scroll" not in request.params and targets:
            from lanner.engine.common.errors import SearchError
            from lanner.engine.search.failures import phase_failure

            fault = SearchError("`slice` cannot be used outside of a scroll context or PIT context")
            raise phase_failure("all shards failed", [(target, fault) for target in targets])
    if wanted.slice is not None:
        from lanner.engine.search.failures import phase_failure
        from lanner.engine.search.slicing import sliced

        try:
            targets = sliced(targets, wanted.slice)
        except IllegalArgument as error:
            raise phase_failure("all shards failed", [(target, error) for target in targets]) from None
    if wanted.indices_boost:
        lenient = request.params.boolean("ignore_unavailable")
        targets = boosted_targets(request.node, targets, wanted.indices_boost, lenient=lenient)
    return targets, wanted


def pit_targets(request: Request, pit: "Pit") -> "list[ShardTarget]":
    """Return the shards of a point in time, which lives on as the request says."""
    from lanner.engine.search.contexts import PIT
    from lanner.engine.search.scroll import missing

    if "scroll" in request.params:
        return []  # refused later
    if "index" in request.names:
        raise ActionRequestValidation("Validation Failed: 1: [indices] cannot be used with point in time;")
    contexts = request.node.contexts
    try:
        context = contexts.get(PIT, pit.id)
    except SearchContextMissing as error:
        raise missing(error, request.node.id) from None
    if pit.keep_alive is not None:
        contexts.extend(context, pit.keep_alive)
    return context.targets


def boosted_targets(
    node: "Node", targets: "list[ShardTarget]", boosts: tuple[tuple[str, float], ...], *, lenient: bool
) -> "list[ShardTarget]":
    """Return the shards with the boosts of their indices: the first name that stands for an index counts.

    lenient: whether names may stand for nothing.
    """
    from dataclasses import replace

    from lanner.engine.cluster.names import resolve

    factors: dict[str, float] = {}
    for name, factor in boosts:
        try:
            named = resolve(node.cluster.state, name)
        except IndexNotFound:
            if not lenient:
                raise
            continue
        for index in named:
            factors.setdefault(index, factor)
    return [replace(target, boost=factors.get(target.index, 1.0)) for target in targets]


def targets_for(request: Request) -> "list[ShardTarget]":
    """Return the shards that a request asks."""
    params, expression = request.params, request.names.get("index", "_all")
    if not params:
        return request.application.targets.of(expression)
    return targets_of(
        request.node,
        expression,
        index_options(params, NOT_CLOSED),
        routing=params.get("routing"),
        preference=params.get("preference"),
    )


def place(request: Request) -> str | None:
    """Return where a search runs: on the event loop when it is over soon, else on the pool."""
    if request.application.request_cache.get(request) is not None:
        return INLINE
    request.plan = plan(request)
    return place_plan(request)


def place_plan(request: Request) -> str | None:
    """Return where what was planned runs."""
    targets, wanted = request.plan
    if "scroll" in request.params:
        return "search"
    left = budget_left(request.node, targets, wanted, request.decoded, MAX_POSTINGS)
    return "search" if left < 0 else INLINE


def budget_left(
    node: "Node",
    targets: "list[ShardTarget]",
    wanted: "SearchRequest",
    body: Any,
    left: int,
) -> int:
    """Return what a search leaves of a budget of postings; below zero: too long for the event loop."""
    if wanted.from_ + wanted.size > MAX_HITS or wanted.suggest is not None:
        return -1
    query = body.get("query") if isinstance(body, dict) else None
    if wanted.sort:  # every match is looked at
        left = left // SORT_FACTOR if query is not None else 0
    for target in targets:
        service = node.indices.index(target.index_uuid)
        left = is_short(service.shard(target.shard), target.mapping, query, left)
        if left < 0:
            break
    return left


def run(request: Request) -> dict[str, Any]:
    """Search."""
    cache = request.application.request_cache
    if request.plan is None:
        known = cache.get(request)
        if known is not None:
            return {**known, "took": 0}
        request.plan = plan(request)
    targets, wanted = request.plan
    if "scroll" in request.params:
        return start(request, targets, wanted)

    def ask() -> dict[str, Any]:
        return answer_search(request.node, targets, wanted, request.params.names("stats") or ())

    if wanted.pit is not None:
        return {"pit_id": wanted.pit.id, **ask()}
    return cache.answer(request, targets, ask) if wanted.size == 0 else ask()


def start(request: Request, targets: "list[ShardTarget]", wanted: "SearchRequest") -> dict[str, Any]:
    """Return the first page of a scroll."""
    from lanner.engine.search.scroll import start_scroll

    node = request.node
    return start_scroll(
        node.contexts,
        targets,
        wanted,
        request.params.millis("scroll", 0),
        now_millis=node.clock.millis(),
        cached=request.params.boolean("request_cache"),
    )


def answer_search(
    node: "Node", targets: "list[ShardTarget]", wanted: "SearchRequest", groups: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the answer of one search, and count it, also under groups named outside its body."""
    from lanner.engine.search.coordinator import search

    started = time.perf_counter_ns()
    answer = search(targets, wanted, now_millis=node.clock.millis())
    if wanted.suggest is not None and wanted.query is None:
        note_suggest(node, targets, started)
    else:
        note_search(node, targets, started, (*wanted.groups, *groups))
    if not targets:
        answer["hits"]["max_score"] = 0.0  # nobody was asked
    return answer


def note_search(node: "Node", targets: "list[ShardTarget]", started: int, groups: Sequence[str] = ()) -> None:
    """Count a search in the statistics of its shards, and under the groups that it names."""
    for target in targets:
        shard = node.indices.index(target.index_uuid).shards.get(target.shard)
        if shard is not None:
            shard.counters.query.add_since(started)
            shard.counters.fetch.total += 1
            for group in groups:
                shard.counters.note_group(group, started)


def note_suggest(node: "Node", targets: "list[ShardTarget]", started: int) -> None:
    """Count a search for nothing but suggestions in the statistics of its shards."""
    for target in targets:
        shard = node.indices.index(target.index_uuid).shards.get(target.shard)
        if shard is not None:
            shard.counters.suggest.add_since(started)


def search_parameters(params: Params) -> "SearchParameters":
    """Return the parameters of a search as the engine takes them."""
    from lanner.engine.search.request import SearchParameters

    return SearchParameters(
        **_query_parameters(params),
        from_=params.integer("from"),
        size=params.integer("size"),
        sort=params.get("sort"),
        source=params.get("_source"),
        source_includes=params.get("_source_includes"),
        source_excludes=params.get("_source_excludes"),
        stored_fields=params.get("stored_fields"),
        docvalue_fields=params.get("docvalue_fields"),
        track_total_hits=params.get("track_total_hits"),
        track_scores=switch(params, "track_scores"),
        terminate_after=params.integer("terminate_after"),
        timeout=params.get("timeout"),
        version=switch(params, "version"),
        seq_no_primary_term=switch(params, "seq_no_primary_term"),
        explain=switch(params, "explain"),
        allow_partial_search_results=switch(params, "allow_partial_search_results"),
        rest_total_hits_as_int=params.boolean("rest_total_hits_as_int"),
        search_type=params.get("search_type"),
        phase_took=switch(params, "phase_took"),
        pre_filter_shard_size=params.integer("pre_filter_shard_size"),
        suggest_field=params.get("suggest_field"),
        suggest_text=params.get("suggest_text"),
        suggest_mode=params.get("suggest_mode"),
        suggest_size=params.integer("suggest_size"),
        typed_keys=params.boolean("typed_keys"),
        named_queries_score=params.boolean("include_named_queries_score"),
    )


def _query_parameters(params: Params) -> dict[str, Any]:
    """Return what a URL may say of a query."""
    return {
        "q": params.get("q"),
        "df": params.get("df"),
        "analyzer": params.get("analyzer"),
        "default_operator": params.get("default_operator"),
        "lenient": switch(params, "lenient"),
        "analyze_wildcard": switch(params, "analyze_wildcard"),
    }


def switch(params: Params, name: str) -> bool | None:
    """Return a switch, None when it is not given."""
    return params.boolean(name) if name in params else None


def check_ignored(params: Params) -> None:
    """Refuse bad values of parameters that change nothing."""
    for name in IGNORED_INTEGERS:
        value = params.integer(name)
        if value is not None and value < 1:
            words = name.split("_")
            camel = words[0] + "".join(word.capitalize() for word in words[1:])
            raise IllegalArgument(f"{camel} must be >= 1")
    params.boolean("ccs_minimize_roundtrips")
    params.boolean("request_cache")
    if "scroll" in params:
        params.millis("scroll")
    params.millis("cancel_after_time_interval")
    if "search_pipeline" in params and params["search_pipeline"] != "_none":
        raise IllegalArgument(f"Pipeline {params['search_pipeline']} is not defined")


def warm() -> None:
    """Import what the first search needs."""
    import lanner.engine.search.coordinator
    import lanner.engine.search.count  # noqa: F401


def plan_count(request: Request) -> "tuple[list[ShardTarget], SearchRequest]":
    """Return what a count asks and whom."""
    from lanner.engine.search.count import parse_count_request

    params = request.params
    body = request.json() if request.content else None
    wanted = parse_count_request(body, uri_parameters(params), min_score=params.number("min_score"))
    return targets_for(request), wanted


def uri_parameters(params: Params) -> "SearchParameters":
    """Return the query of a URL as the engine takes it."""
    from lanner.engine.search.request import NO_PARAMETERS, SearchParameters

    if not params:
        return NO_PARAMETERS
    return SearchParameters(
        **_query_parameters(params),
        terminate_after=params.integer("terminate_after"),
    )


def place_count(request: Request) -> str | None:
    """Return where a count runs."""
    if request.application.request_cache.get(request) is not None:
        return INLINE
    request.plan = plan_count(request)
    return place_plan(request)


def run_count(request: Request) -> dict[str, Any]:
    """Count the documents that match."""
    from lanner.engine.search.count import count

    cache = request.application.request_cache
    if request.plan is None:
        known = cache.get(request)
        if known is not None:
            return known
        request.plan = plan_count(request)
    targets, wanted = request.plan
    return cache.answer(
        request, targets, lambda: count(targets, wanted, now_millis=request.node.clock.millis())
    )


SEARCH_PARAMS = (
    INDEX_OPTIONS
    | SOURCE_OPTIONS
    | URI_QUERY
    | {
        "allow_partial_search_results",
        "batched_reduce_size",
        "cancel_after_time_interval",
        "ccs_minimize_roundtrips",
        "docvalue_fields",
        "explain",
        "from",
        "include_named_queries_score",
        "max_concurrent_shard_requests",
        "phase_took",
        "pre_filter_shard_size",
        "preference",
        "q",
        "request_cache",
        "rest_total_hits_as_int",
        "routing",
        "scroll",
        "search_pipeline",
        "search_type",
        "seq_no_primary_term",
        "size",
        "sort",
        "stats",
        "stored_fields",
        "suggest_field",
        "suggest_mode",
        "suggest_size",
        "suggest_text",
        "terminate_after",
        "timeout",
        "track_scores",
        "track_total_hits",
        "typed_keys",
        "verbose_pipeline",
        "version",
    }
)
COUNT_PARAMS = INDEX_OPTIONS | URI_QUERY | {"min_score", "preference", "q", "routing", "terminate_after"}
ROUTES = tuple(
    route
    for index in ("", "/{index}")
    for method in ("GET", "POST")
    for route in (
        Route(
            method,
            f"{index}/_search",
            run,
            place,
            params=SEARCH_PARAMS,
            source=True,
            body=True,
            with_q=URI_QUERY,
            action="indices:data/read/search",
        ),
        Route(
            method,
            f"{index}/_count",
            run_count,
            place_count,
            params=COUNT_PARAMS,
            source=True,
            body=True,
            with_q=URI_QUERY,
            action="indices:data/read/search",
        ),
    )
)
