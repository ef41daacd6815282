"""Scrolls: a search whose answer is read page by page, all from one point in time."""

from dataclasses import replace
from typing import Any

from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    LannerError,
    SearchContextMissing,
    SearchError,
    SearchPhaseExecution,
)
from lanner.engine.search.contexts import SCROLL, Context, ContextService
from lanner.engine.search.coordinator import search_page
from lanner.engine.search.failures import phase_failure
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.reduce import ReducedHits
from lanner.engine.search.request import EXACT, UNTRACKED, SearchRequest

_WINDOW = ("index.max_result_window", 10_000)


def check_scroll(request: SearchRequest, *, cached: bool) -> None:
    """Refuse what makes no sense page by page. cached: whether the answer is to be kept."""
    complaints = []
    if request.from_ > 0:
        complaints.append("using [from] is not allowed in a scroll context")
    if request.size == 0:
        complaints.append("[size] cannot be [0] in a scroll context")
    if request.track_total_hits == UNTRACKED:
        complaints.insert(0, "disabling [track_total_hits] is not allowed in a scroll context")
    if request.rescore:
        complaints.append("using [rescore] is not allowed in a scroll context")
    if request.pit is not None:
        complaints.append("using [point in time] is not allowed in a scroll context")
    if cached:
        complaints.append("[request_cache] cannot be used in a scroll context")
    if complaints:
        numbered = "".join(f"{i}: {text};" for i, text in enumerate(complaints, 1))
        raise ActionRequestValidation(f"Validation Failed: {numbered}")


def start_scroll(
    contexts: ContextService,
    targets: list[ShardTarget],
    request: SearchRequest,
    keep_alive: float,
    *,
    now_millis: int,
    cached: bool = False,
) -> dict[str, Any]:
    """Return the first page, and keep the point in time for the next ones. keep_alive: milliseconds."""
    check_scroll(request, cached=cached)
    try:
        for target in targets:
            _check(target, request)
        context = contexts.open(SCROLL, targets, keep_alive)
    except LannerError as error:
        if not targets:
            raise
        raise phase_failure("all shards failed", [(target, error) for target in targets]) from None
    context.state = {
        "request": replace(request, track_total_hits=EXACT),
        "after": {},
        "total": None,
        "max_score": None,
    }
    try:
        with context.lock:
            return _page(context, now_millis)
    except LannerError:
        contexts.close(context.id)
        raise


def _check(target: ShardTarget, request: SearchRequest) -> None:
    given = target.settings.get(_WINDOW[0])
    most = _WINDOW[1] if given is None else int(given)
    if request.size > most:
        raise IllegalArgument(
            f"Batch size is too large, size must be less than or equal to: [{most}] but was "
            f"[{request.size}]. Scroll batch sizes cost as much memory as result windows so they are "
            f"controlled by the [{_WINDOW[0]}] index level setting."
        )
    if request.search_after is not None:
        raise SearchError("`search_after` cannot be used in a scroll context.")


def next_page(
    contexts: ContextService, key: str, keep_alive: float | None, *, now_millis: int
) -> dict[str, Any]:
    """Return the next page. keep_alive: milliseconds; None: as long as before."""
    try:
        context = contexts.get(SCROLL, key)
    except SearchContextMissing as error:
        raise missing(error) from None
    contexts.extend(context, keep_alive)
    with context.lock:
        return _page(context, now_millis)


def missing(error: SearchContextMissing, node_id: str | None = None) -> SearchPhaseExecution:
    """Return the error of a search whose point in time is gone.

    node_id: where its shards were, None for scrolls.
    """
    causes = error.each()
    failed: list[dict[str, Any]]
    if node_id is None:
        failed = [{"shard": -1, "index": None, "reason": cause.render()} for cause in causes]
    else:
        failed = [
            {"shard": shard, "index": index, "node": node_id, "reason": cause.render()}
            for cause, (index, shard) in zip(causes, error.shards, strict=False)
        ]
    whole = SearchPhaseExecution(
        "all shards failed",
        phase="query",
        grouped=True,
        failed_shards=failed,
        caused_by=causes[-1] if node_id is None else None,
    )
    whole.root_causes = causes  # type: ignore[attr-defined]
    return whole


def _page(context: Context, now_millis: int) -> dict[str, Any]:
    state = context.state
    request: SearchRequest = state["request"]
    after: dict[int, list[Any]] = state["after"]
    first = state["total"] is None
    targets = [replace(target, paged=True, after=after.get(i)) for i, target in enumerate(context.targets)]
    asked = request if first else replace(request, track_total_hits=UNTRACKED)
    answer, reduced = search_page(targets, asked, now_millis=now_millis)
    _advance(after, targets, reduced)
    hits = answer["hits"]
    if first:
        state["total"] = hits["total"]
        state["max_score"] = hits["max_score"]
    else:
        answer["hits"] = {"total": state["total"], "max_score": state["max_score"], "hits": hits["hits"]}
    return {"_scroll_id": context.id, **answer}


def _advance(after: dict[int, list[Any]], targets: list[ShardTarget], reduced: ReducedHits) -> None:
    """Remember the last hit of each shard that was shown."""
    numbers = {id(target): i for i, target in enumerate(targets)}
    for result, i in reversed(reduced.hits):
        number = numbers.pop(id(result.target), None)
        if number is not None:
            after[number] = result.cursors[i]
            if not numbers:
                return
