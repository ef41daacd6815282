"""The phase before the query phase: shards that no document can match in are not asked.

Source: CanMatchPreFilterSearchPhase of OpenSearch 2.x. Only dates tell beforehand what values there are.
"""

from contextlib import closing

from lanner.engine.common.errors import LannerError
from lanner.engine.dsl.base import DslQuery
from lanner.engine.dsl.match_all import MatchAllDsl
from lanner.engine.dsl.range import RangeDsl
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.query.base import BoostQuery, Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.match_all import NO_MATCH
from lanner.engine.query.range import NumberRangeQuery
from lanner.engine.search.coordinator import MOST_SHARDS
from lanner.engine.search.fetch.matched_queries import all_queries
from lanner.engine.search.query_phase import ShardTarget, check_after, context_of, resolve_query
from lanner.engine.search.request import SearchRequest
from lanner.engine.search.sort import bind_sort
from lanner.ext.query.range import NumberRangeWeight
from lanner.ext.search.count import count
from lanner.ext.search.reader import IndexReader

_LONG_MIN, _LONG_MAX = -(2**63), 2**63 - 1


def runs(request: SearchRequest, shards: int) -> bool:
    """Return whether a search over so many shards has this phase."""
    if request.dfs:
        return False
    by_field = bool(request.sort) and request.sort[0].field not in ("_score", "_doc", "_geo_distance")
    narrows = (
        request.query is not None and not isinstance(request.query, MatchAllDsl) and request.suggest is None
    )
    most = request.pre_filter_shard_size
    if most is None:
        most = 1 if by_field else MOST_SHARDS
    return (by_field or narrows) and most < shards


def failing_phase(shards: list[ShardTarget], request: SearchRequest) -> str:
    """Return the phase that a search failed in on all shards: this one looks at the sort already."""
    if not runs(request, len(shards)) or not request.sort:
        return "query"
    return "can_match" if all(_sort_fails(target, request) for target in shards) else "query"


def _sort_fails(target: ShardTarget, request: SearchRequest) -> bool:
    try:
        sorts = bind_sort(request.sort, target.mapping, target.index)
        if request.search_after is not None:
            check_after(request)
            for one, value in zip(sorts, request.search_after, strict=True):
                one.read(value)
    except LannerError:
        return True
    return False


def skipped(shards: list[ShardTarget], request: SearchRequest, now_millis: int) -> list[ShardTarget]:
    """Return the shards that need not be asked; one always is, for an answer to be made of."""
    if not runs(request, len(shards)) or not any(
        isinstance(one, RangeDsl) for one in all_queries(request.query)
    ):
        return []
    found = [target for target in shards if _is_empty(target, request.query, now_millis)]
    return found if len(found) < len(shards) else found[1:]


def _is_empty(target: ShardTarget, query: DslQuery | None, now_millis: int) -> bool:
    try:
        asked = resolve_query(query, context_of(target, now_millis), target.index_uuid)
        with closing(target.acquire()) as searcher:
            return cannot_match(asked, searcher.reader, target.mapping)
    except LannerError:
        return False  # the query phase says what is wrong


def cannot_match(query: Query, reader: IndexReader, mapping: Mapping) -> bool:
    """Return whether it is known beforehand that no document matches."""
    match query:
        case BoostQuery() | ConstantScoreQuery():
            return cannot_match(query.query, reader, mapping)
        case BooleanQuery():
            if any(cannot_match(one, reader, mapping) for one in query.must + query.filter):
                return True
            optional = not query.must and not query.filter and query.should
            return bool(optional) and all(cannot_match(one, reader, mapping) for one in query.should)
        case NumberRangeQuery():
            is_date = isinstance(mapping.field_type(query.field), DateFieldType)
            return is_date and not (
                _has_values(reader, query.field, query.low, _LONG_MAX)
                and _has_values(reader, query.field, _LONG_MIN, query.high)
            )
    return query is NO_MATCH


def _has_values(reader: IndexReader, field: str, low: int, high: int) -> bool:
    return count(reader, NumberRangeWeight(reader, field, low, high)) > 0
