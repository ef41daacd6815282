"""``profile``: how long the parts of a search took on a shard.

The whole query is timed as it runs. The compiled search does not tell its parts apart, so each query inside
is bound and run once more by itself: ``create_weight`` is the time to bind it, ``next_doc`` the time to find
all of its documents, and their number. What the reference counts beside these is not a step here: it stays 0.
"""

import time
from typing import Any

from lanner.engine.query.base import BoostQuery, Query, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.join import JoinQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.search.fetch.explain import MappedTexts, explained_query
from lanner.engine.search.query_phase import Ask, ShardResult, ShardTarget, context_of
from lanner.engine.search.request import EXACT, SearchRequest
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader

STEPS = (
    "set_min_competitive_score",
    "match",
    "shallow_advance",
    "next_doc",
    "score",
    "compute_max_score",
    "advance",
    "build_scorer",
    "create_weight",
)


def profiling(ask: Ask) -> Ask:
    """Return the same query phase, whose results have a profile."""

    def profiled(
        target: ShardTarget, reader: IndexReader, request: SearchRequest, now_millis: int
    ) -> ShardResult:
        started = time.perf_counter_ns()
        result = ask(target, reader, request, now_millis)
        elapsed = time.perf_counter_ns() - started
        if request.query is None and request.suggest is not None:
            return result
        return result._replace(profile=profile_shard(result, request, now_millis, elapsed))

    return profiled


def profile_shard(
    result: ShardResult, request: SearchRequest, now_millis: int, elapsed: int
) -> dict[str, Any]:
    """Return the profile of a shard. elapsed: nanoseconds that the query phase took there."""
    target, reader = result.target, result.reader
    started = time.perf_counter_ns()
    queries = [_rewritten(target, reader, request.query, now_millis, scoring=_is_scored(request))]
    rewriting = time.perf_counter_ns() - started
    queries += [_rewritten(target, reader, one.query, now_millis) for one in request.rescore]
    fields = MappedTexts(target.mapping)
    context = WeightContext(reader, target.mapping.similarity, checks=[])
    return {
        "id": f"[{target.node_id}][{target.index}][{target.shard}]",
        "inbound_network_time_in_millis": 0,
        "outbound_network_time_in_millis": 0,
        "searches": [
            {
                "query": [_profile(query, context, fields) for query in queries],
                "rewrite_time": rewriting,
                "collector": [_collector(request, elapsed)],
            }
        ],
        "aggregations": [],
    }


def _is_scored(request: SearchRequest) -> bool:
    if request.min_score is not None:
        return True
    by_score = not request.sort or request.track_scores or any(one.field == "_score" for one in request.sort)
    return by_score and request.size > 0


def _rewritten(
    target: ShardTarget, reader: IndexReader, query: Any, now_millis: int, *, scoring: bool = True
) -> Query:
    asked = explained_query(target, query, context_of(target, now_millis))
    if not scoring:
        asked = ConstantScoreQuery(asked)
    return asked.rewritten(WeightContext(reader, target.mapping.similarity))


def _profile(query: Query, context: WeightContext, fields: MappedTexts) -> dict[str, Any]:
    """Return how long a query and those inside it take by themselves."""
    started = time.perf_counter_ns()
    weight = query.weight(context)
    bound = time.perf_counter_ns()
    found = sum(len(docs) for docs in matching(context.reader, weight))
    ended = time.perf_counter_ns()
    breakdown: dict[str, int] = {}
    for step in STEPS:
        breakdown[step] = breakdown[f"{step}_count"] = 0
    breakdown["create_weight"], breakdown["create_weight_count"] = bound - started, 1
    if not isinstance(query, MatchNoneQuery):
        breakdown["next_doc"], breakdown["next_doc_count"] = ended - bound, found
    shown: dict[str, Any] = {
        "type": query.kind,
        "description": query.text(fields),
        "time_in_nanos": sum(breakdown[step] for step in STEPS),
        "breakdown": breakdown,
    }
    children = [_profile(one, inside, fields) for one, inside in _inside(query, context)]
    if children:
        shown["children"] = children
    return shown


def _inside(query: Query, context: WeightContext) -> list[tuple[Query, WeightContext]]:
    """Return the queries inside one that the reference times by themselves."""
    match query:
        case BooleanQuery():
            scored = {id(one) for one in query.must + query.should}
            return [(one, context if id(one) in scored else context.matching()) for one in query.inner()]
        case ConstantScoreQuery():
            return [(query.query, context.matching())]
        case BoostQuery():
            return _inside(query.query, context)
        case JoinQuery():
            return _inside(query.wanted, context.matching())
        case DisMaxQuery():
            return [(one, context) for one in query.queries]
    return []


def _collector(request: SearchRequest, elapsed: int) -> dict[str, Any]:
    """Return what collected the hits; all of the query phase is its time."""
    by_field = request.sort and any(one.field != "_score" for one in request.sort)
    name, reason = "SimpleFieldCollector" if by_field else "SimpleTopScoreDocCollector", "search_top_hits"
    if request.size == 0:
        counts_all = request.track_total_hits == EXACT
        name = "TotalHitCountCollector" if counts_all else "EarlyTerminatingCollector"
        reason = "search_count"
    shown: dict[str, Any] = {"name": name, "reason": reason, "time_in_nanos": elapsed}
    if request.min_score is not None:
        shown = {
            "name": "MinimumScoreCollector",
            "reason": "search_min_score",
            "time_in_nanos": elapsed,
            "children": [shown],
        }
    if request.terminate_after:
        shown = {
            "name": "MultiCollector",
            "reason": "search_terminate_after_count",
            "time_in_nanos": elapsed,
            "children": [shown],
        }
    return shown
