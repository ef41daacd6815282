"""How many documents match: the ``_count`` API."""

from typing import Any

from lanner.engine.common.body import Anchor, End, LocatedError, locate, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError, ParsingError
from lanner.engine.dsl import DslQuery, parse_query_at
from lanner.engine.search.coordinator import query_all
from lanner.engine.search.failures import check_failures, render_shards
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.request import EXACT, NO_PARAMETERS, SearchParameters, SearchRequest


def parse_count_request(
    body: dict[str, Any] | None,
    parameters: SearchParameters = NO_PARAMETERS,
    *,
    min_score: float | None = None,
    raw: bytes | None = None,
) -> SearchRequest:
    """Return the typed request of a count; the body may hold a query and nothing else."""
    query = read_only_query(body, raw)
    if parameters.q is not None:
        from lanner.engine.dsl.query_string import uri_query  # few ask in this way

        query = uri_query(
            parameters.q,
            default_field=parameters.df,
            analyzer=parameters.analyzer,
            default_operator=parameters.default_operator,
            lenient=parameters.lenient,
            analyze_wildcard=parameters.analyze_wildcard,
        )
    terminate_after = parameters.terminate_after or 0
    if terminate_after < 0:
        raise IllegalArgument("terminateAfter must be > 0")
    return SearchRequest(
        query=query, size=0, track_total_hits=EXACT, min_score=min_score, terminate_after=terminate_after
    )


def read_only_query(body: Any, raw: bytes | None) -> DslQuery | None:
    """Return the query of a body that may hold nothing else; None without a body. raw: as for a search."""
    if body is None:
        return None
    query: DslQuery | None = None
    try:
        if not isinstance(body, dict):
            reason = f"Expected [START_OBJECT] but found [{token_name(body)}]"
            raise LocatedError(reason, Anchor(None))
        for key in body:
            if key != "query":
                raise LocatedError(f"request does not support [{key}]", Anchor(body, key, "key"))
            query = parse_query_at(body, key)
    except LannerError as error:
        fault: LannerError = error
        anchor = getattr(error, "anchor", None)
        if anchor is not None and not isinstance(error, ParsingError):
            end: End = "value" if anchor.end == "key" else anchor.end  # where the reader stood
            place = Anchor(anchor.container, anchor.key, end)
            fault = LocatedError("Failed to parse", place, caused_by=error)
        raise (fault if raw is None else locate(fault, body, raw)) from None
    return query


def count(shards: list[ShardTarget], request: SearchRequest, *, now_millis: int) -> dict[str, Any]:
    """Return the answer of a count."""
    searchers: list[Any] = []
    try:
        results, failures = query_all(shards, request, now_millis, searchers, map)
        if failures:
            check_failures(shards, request, results, failures)
    finally:
        for searcher in searchers:
            searcher.close()
    answer: dict[str, Any] = {"count": sum(max(result.total, 0) for result in results)}
    if request.terminate_after:
        answer["terminated_early"] = any(result.terminated_early for result in results)
    answer["_shards"] = render_shards(shards, failures)
    return answer
