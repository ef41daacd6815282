"""A search over shards: ask each, reduce, fetch, answer. What fails on a shard is that shard's failure."""

import time
from collections.abc import Callable, Iterable
from typing import Any

from lanner.engine.common.errors import CorruptIndex, LannerError
from lanner.engine.dsl.base import RequestFaultError
from lanner.engine.search.failures import Failure, check_failures, render_shards
from lanner.engine.search.fetch_phase import fetch
from lanner.engine.search.query_phase import Ask, ShardResult, ShardTarget, query_shard
from lanner.engine.search.reduce import ReducedHits, reduce
from lanner.engine.search.request import SearchRequest
from lanner.ext.errors import CorruptIndexError
from lanner.ext.json.number import float32

MOST_SHARDS = 128  # that are asked without a look at whether they can match
MapFunction = Callable[[Callable[[ShardTarget], Any], Iterable[ShardTarget]], Iterable[Any]]


def search(
    shards: list[ShardTarget], request: SearchRequest, *, now_millis: int, run: MapFunction = map
) -> dict[str, Any]:
    """Return the answer. run: calls a function for every shard, like map.

    A thread pool's map runs them together.
    """
    return search_page(shards, request, now_millis=now_millis, run=run)[0]


def search_page(
    shards: list[ShardTarget], request: SearchRequest, *, now_millis: int, run: MapFunction = map
) -> tuple[dict[str, Any], ReducedHits]:
    """Return the answer and the hits that it shows."""
    clock = time.perf_counter_ns
    started = clock()
    searchers: list[Any] = []
    asked, empty = shards, 0
    if len(shards) > 1 and (request.sort or request.pre_filter_shard_size or len(shards) > MOST_SHARDS):
        from lanner.engine.search.can_match import skipped  # few searches have so much to ask

        left_out = {id(target) for target in skipped(shards, request, now_millis)}
        asked, empty = [target for target in shards if id(target) not in left_out], len(left_out)
    filtered = clock()
    try:
        results, failures = query_all(asked, request, now_millis, searchers, run)
        if failures:
            check_failures(asked, request, results, failures)
        queried = clock()
        reduced = reduce(results, request)
        hits = fetch(reduced.hits, request, now_millis)
        suggest = None
        if request.suggest is not None and results:
            from lanner.engine.search.suggest.phase import render_suggest

            suggest = render_suggest(request.suggest, results, request, now_millis)
        if request.collapse is not None and request.collapse.inner_hits:
            _show_groups(hits, shards, request, now_millis, run)
    finally:
        for searcher in searchers:
            searcher.close()
    ended = clock()
    took = (ended - started) // 1_000_000
    answer = _answer(shards, failures, reduced, hits, request, took, empty)
    if suggest:
        answer["suggest"] = suggest
    if request.profile:
        profiles = [result.profile for result in results if result.profile is not None]
        if profiles:
            answer["profile"] = {"shards": sorted(profiles, key=lambda one: one["id"])}
    if request.phase_took:
        answer = _with_phases(answer, request, started, filtered, queried, ended)
    return answer, reduced


def _show_groups(
    hits: list[dict[str, Any]],
    shards: list[ShardTarget],
    request: SearchRequest,
    now_millis: int,
    run: MapFunction,
) -> None:
    """Add the inner hits of groups: each is a search of its own."""
    from lanner.engine.search.collapse_phase import group_requests  # few ask for it

    for hit in hits:
        hit["inner_hits"] = {
            name: {"hits": search(shards, inner, now_millis=now_millis, run=run)["hits"]}
            for name, inner in group_requests(hit, request)
        }


def query_all(
    shards: list[ShardTarget], request: SearchRequest, now_millis: int, searchers: list[Any], run: MapFunction
) -> tuple[list[ShardResult], list[Failure]]:
    """Run the query phase on every shard; the searchers are added to those that the caller closes."""
    ask: Ask = query_shard
    if request.suggest is not None:
        from lanner.engine.search.suggest.phase import suggest_shard as ask  # few ask for it
    if request.profile:
        from lanner.engine.search.profile import profiling  # few ask for it

        ask = profiling(ask)
    opened = None
    if request.dfs:
        from lanner.engine.search.dfs import together  # few ask for it

        opened = together(shards, searchers)

    def query(target: ShardTarget) -> ShardResult | LannerError:
        try:
            if opened is None:
                searcher = target.acquire()
                searchers.append(searcher)
                return ask(target, searcher.reader, request, now_millis)
            reader = opened[id(target)]
            return reader if isinstance(reader, LannerError) else ask(target, reader, request, now_millis)
        except RequestFaultError as fault:
            raise fault.error from None
        except LannerError as error:
            return error
        except CorruptIndexError as error:
            return CorruptIndex(
                str(error), index=target.index, index_uuid=target.index_uuid, shard=str(target.shard)
            )

    results: list[ShardResult] = []
    failures: list[Failure] = []
    for target, outcome in zip(shards, run(query, shards), strict=True):
        if isinstance(outcome, LannerError):
            failures.append((target, outcome))
        else:
            results.append(outcome)
    return results, failures


def _answer(
    shards: list[ShardTarget],
    failures: list[Failure],
    reduced: ReducedHits,
    hits: list[dict[str, Any]],
    request: SearchRequest,
    took: int,
    empty: int,
) -> dict[str, Any]:
    answer: dict[str, Any] = {"took": took, "timed_out": reduced.timed_out}
    if reduced.terminated_early is not None:
        answer["terminated_early"] = reduced.terminated_early
    answer["_shards"] = render_shards(shards, failures, skipped=empty)
    rendered: dict[str, Any] = {}
    if request.total_hits_as_int:
        rendered["total"] = -1 if reduced.total is None else reduced.total
    elif reduced.total is not None:
        rendered["total"] = {"value": reduced.total, "relation": reduced.relation}
    rendered["max_score"] = None if reduced.max_score is None else float32(reduced.max_score)
    rendered["hits"] = hits
    answer["hits"] = rendered
    return answer


def _with_phases(
    answer: dict[str, Any], request: SearchRequest, started: int, filtered: int, queried: int, ended: int
) -> dict[str, Any]:
    """Return an answer with the milliseconds of its phases behind those of the whole."""
    asking = (queried - filtered) // 1_000_000
    phases = {
        "dfs_pre_query": 0,  # statistics are asked for while queries are bound
        "query": 0 if request.dfs else asking,
        "fetch": (ended - queried) // 1_000_000,
        "dfs_query": asking if request.dfs else 0,
        "expand": 0,
        "can_match": (filtered - started) // 1_000_000,
    }
    return {"took": answer.pop("took"), "phase_took": phases, **answer}
