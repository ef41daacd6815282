"""What failed on shards: as part of an answer, or as the error of the whole search."""

from copy import copy
from typing import Any

from lanner.engine.common.errors import (
    IllegalArgument,
    IllegalStateError,
    LannerError,
    QueryShardError,
    SearchPhaseExecution,
    UnsupportedOperation,
    XContentParseError,
)
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.request import SearchRequest

#: errors of Java itself, which the answer repeats as the cause of the whole failure
_JAVA_ERRORS = (IllegalArgument, IllegalStateError, UnsupportedOperation, XContentParseError)

Failure = tuple[ShardTarget, LannerError]


def check_failures(
    shards: list[ShardTarget], request: SearchRequest, results: list[Any], failures: list[Failure]
) -> None:
    """Raise the error of the whole search if no shard answered, or if all had to."""
    if results:
        if request.allow_partial_search_results:
            return
        raise phase_failure("Partial shards failure", failures)
    phase = "query"
    if len(shards) > 1:
        from lanner.engine.search.can_match import failing_phase

        phase = failing_phase(shards, request)
    raise phase_failure("all shards failed", failures, phase=phase)


def phase_failure(reason: str, failures: list[Failure], *, phase: str = "query") -> SearchPhaseExecution:
    """Make the error of a search from the failures of its shards; equal ones of one index are shown once."""
    grouped = group_failures(failures)
    first = grouped[0][1]
    cause: LannerError | None = None
    if isinstance(first, _JAVA_ERRORS):
        cause = copy(first)
        cause.caused_by = first
    elif isinstance(first, QueryShardError) and first.caused_by is not None:
        cause = None if isinstance(first.caused_by, _JAVA_ERRORS) else first.caused_by
    error = SearchPhaseExecution(
        reason,
        phase=phase,
        grouped=True,
        failed_shards=[render_failure(target, failure) for target, failure in grouped],
        caused_by=cause,
    )
    error.root_causes = [failure for _, failure in grouped]  # type: ignore[attr-defined]
    return error


def group_failures(failures: list[Failure]) -> list[Failure]:
    """Return one failure of each kind per index."""
    seen: dict[tuple[str, str, str], Failure] = {}
    for target, error in failures:
        seen.setdefault((target.index, error.type, error.reason), (target, error))
    return list(seen.values())


def render_failure(target: ShardTarget, error: LannerError) -> dict[str, Any]:
    """Return a failure as answers show it."""
    return {"shard": target.shard, "index": target.index, "node": target.node_id, "reason": error.render()}


def render_shards(shards: list[ShardTarget], failures: list[Failure], *, skipped: int = 0) -> dict[str, Any]:
    """Return the ``_shards`` of an answer. skipped: how many were not asked, as nothing in them can match."""
    total, failed = len(shards), len(failures)
    rendered: dict[str, Any] = {
        "total": total,
        "successful": total - failed,
        "skipped": skipped,
        "failed": failed,
    }
    if failures:
        rendered["failures"] = [render_failure(target, error) for target, error in group_failures(failures)]
    return rendered
