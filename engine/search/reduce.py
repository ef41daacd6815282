"""Shard results to one list of hits: totals added up, the best of the best chosen."""

from functools import cmp_to_key
from typing import Any, NamedTuple

from lanner.engine.search.query_phase import ShardResult
from lanner.engine.search.request import EXACT, UNTRACKED, SearchRequest
from lanner.ext.search.sort_keys import order_of


class ReducedHits(NamedTuple):
    """The hits of the answer in order, each as (shard result, its position in it), and the totals."""

    hits: list[tuple[ShardResult, int]]
    total: int | None
    relation: str
    max_score: float | None
    timed_out: bool
    terminated_early: bool | None


def reduce(results: list[ShardResult], request: SearchRequest) -> ReducedHits:
    """Return the hits from ``from`` on. Equal hits come in the order of shards, then of documents."""
    first, last = request.from_, request.from_ + request.size
    total, relation = _total(results, request.track_total_hits)
    if len(results) == 1:
        one = results[0]
        hits = [(one, i) for i in range(first, len(one.docs))] if request.size else []
        max_score = one.max_score if request.size else None
        terminated = one.terminated_early if request.terminate_after else None
        return ReducedHits(hits, total, relation, max_score, one.timed_out, terminated)
    max_score = None
    if request.size:
        scores = [result.max_score for result in results if result.max_score is not None]
        max_score = max(scores, default=None if results else 0.0)
    merged = _merge(results, request)
    if request.collapse is not None:
        merged = _best_of_groups(merged)
    return ReducedHits(
        merged[first:last],
        total,
        relation,
        max_score,
        any(result.timed_out for result in results),
        any(result.terminated_early for result in results) if request.terminate_after else None,
    )


def _merge(results: list[ShardResult], request: SearchRequest) -> list[tuple[ShardResult, int]]:
    candidates = [(result, i) for result in results for i in range(len(result.docs))]
    if not request.sort:
        candidates.sort(key=lambda hit: -hit[0].scores[hit[1]])
        return candidates
    keys = next((result.sorts for result in results if result.sorts), [])
    if _differ(results):
        from lanner.engine.search.sort_mixture import comparable_values  # few indices differ in that

        values = comparable_values(results)
    else:
        values = [result.values or [] for result in results]
    # (values, shard, place in it), as the compiled search compares (values, segment, document)
    ordered = [
        (values[shard][i], shard, i) for shard, result in enumerate(results) for i in range(len(result.docs))
    ]
    ordered.sort(key=cmp_to_key(order_of([one.key for one in keys])))
    return [(results[shard], i) for _, shard, i in ordered]


def _differ(results: list[ShardResult]) -> bool:
    """Return whether values of different shards do not compare: as types differ, or for other reasons."""
    if any(one.shared is not None for result in results for one in result.sorts):
        return True
    if len({id(result.target.mapping) for result in results}) < 2:
        return False
    return len({tuple(one.field and one.field.type_name for one in result.sorts) for result in results}) > 1


def _best_of_groups(hits: list[tuple[ShardResult, int]]) -> list[tuple[ShardResult, int]]:
    """Return the first hit of each group; a group may have been found on several shards."""
    seen: set[Any] = set()
    kept = []
    for result, i in hits:
        group = None if result.groups is None else result.groups[i]
        if group not in seen:
            seen.add(group)
            kept.append((result, i))
    return kept


def _total(results: list[ShardResult], track: int) -> tuple[int | None, str]:
    if track == UNTRACKED:
        return None, "eq"
    total = sum(max(result.total, 0) for result in results)
    relation = "gte" if any(result.relation == "gte" for result in results) else "eq"
    if track != EXACT and total > track:
        return track, "gte"
    return total, relation
