"""The queries of the request language, by name. This table reads as the list of what can be asked."""

from collections.abc import Callable
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, anchored
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.boolean import parse_bool
from lanner.engine.dsl.boosting import parse_boosting
from lanner.engine.dsl.constant_score import parse_constant_score
from lanner.engine.dsl.dis_max import parse_dis_max
from lanner.engine.dsl.distance_feature import parse_distance_feature
from lanner.engine.dsl.exists import parse_exists
from lanner.engine.dsl.function_score import parse_function_score
from lanner.engine.dsl.fuzzy import parse_fuzzy
from lanner.engine.dsl.geo_bounding_box import parse_geo_bounding_box
from lanner.engine.dsl.geo_distance import parse_geo_distance
from lanner.engine.dsl.geo_polygon import parse_geo_polygon
from lanner.engine.dsl.ids import parse_ids
from lanner.engine.dsl.intervals import parse_intervals
from lanner.engine.dsl.match import parse_match, parse_match_bool_prefix
from lanner.engine.dsl.match_all import parse_match_all, parse_match_none
from lanner.engine.dsl.match_phrase import parse_match_phrase, parse_match_phrase_prefix
from lanner.engine.dsl.more_like_this import parse_more_like_this
from lanner.engine.dsl.multi_match import parse_multi_match
from lanner.engine.dsl.prefix import parse_prefix
from lanner.engine.dsl.query_string import parse_query_string
from lanner.engine.dsl.range import parse_range
from lanner.engine.dsl.regexp import parse_regexp
from lanner.engine.dsl.simple_query_string import parse_simple_query_string
from lanner.engine.dsl.spans import (
    parse_field_masking,
    parse_span_containing,
    parse_span_first,
    parse_span_multi,
    parse_span_near,
    parse_span_not,
    parse_span_or,
    parse_span_term,
    parse_span_within,
)
from lanner.engine.dsl.term import parse_term
from lanner.engine.dsl.terms import parse_terms
from lanner.engine.dsl.terms_set import parse_terms_set
from lanner.engine.dsl.unknown import unknown_query
from lanner.engine.dsl.wildcard import parse_wildcard
from lanner.engine.dsl.wrapper import parse_wrapper

QUERIES: dict[str, Callable[[dict[str, Any], ParseContext], DslQuery]] = {
    "match": parse_match,
    "match_phrase": parse_match_phrase,
    "match_phrase_prefix": parse_match_phrase_prefix,
    "match_bool_prefix": parse_match_bool_prefix,
    "multi_match": parse_multi_match,
    "query_string": parse_query_string,
    "simple_query_string": parse_simple_query_string,
    "match_all": parse_match_all,
    "match_none": parse_match_none,
    "term": parse_term,
    "terms": parse_terms,
    "range": parse_range,
    "exists": parse_exists,
    "ids": parse_ids,
    "prefix": parse_prefix,
    "fuzzy": parse_fuzzy,
    "regexp": parse_regexp,
    "wildcard": parse_wildcard,
    "bool": parse_bool,
    "constant_score": parse_constant_score,
    "dis_max": parse_dis_max,
    "more_like_this": parse_more_like_this,
    "intervals": parse_intervals,
    "field_masking_span": parse_field_masking,
    "span_within": parse_span_within,
    "span_containing": parse_span_containing,
    "span_multi": parse_span_multi,
    "span_first": parse_span_first,
    "span_not": parse_span_not,
    "span_or": parse_span_or,
    "span_near": parse_span_near,
    "span_term": parse_span_term,
    "wrapper": parse_wrapper,
    "terms_set": parse_terms_set,
    "distance_feature": parse_distance_feature,
    "boosting": parse_boosting,
    "function_score": parse_function_score,
    "geo_distance": parse_geo_distance,
    "geo_bounding_box": parse_geo_bounding_box,
    "geo_polygon": parse_geo_polygon,
}

#: what the API has beside these; a request that uses one is refused with a text that says so
UNSUPPORTED_QUERIES = frozenset(
    (
        "geo_shape",
        "has_child",
        "has_parent",
        "nested",
        "parent_id",
        "percolate",
        "rank_feature",
        "script",
        "script_score",
        "span_gap",
        "template",
    )
)


def parse_query(body: Any) -> DslQuery:
    """Return a query given as a JSON object {name: body}.

    Raises what the API answers for faults of a request.
    """
    return parse_query_at({"query": body}, "query")


def parse_query_at(container: Any, key: Any) -> DslQuery:
    """Return the query at a key of a body."""
    return parse_clause(container, key, ParseContext(parse_clause))


def parse_clause(container: Any, key: Any, context: ParseContext) -> DslQuery:
    """Return the query at a key of an object or an index of an array."""
    given = container[key]
    if type(given) is not dict:
        raise LocatedError("[_na] query malformed, must start with start_object", _after(container, key))
    if not given:
        reason = "query malformed, empty clause found at [{line}:{column}]"
        raise anchored(IllegalArgument(reason), Anchor(given, None, "close"))
    name = next(iter(given))
    body = given[name]
    if type(body) is not dict:
        raise LocatedError(f"[{name}] query malformed, no start_object after query name", Anchor(given, name))
    parse = QUERIES.get(name)
    if parse is None and name in UNSUPPORTED_QUERIES:
        raise LocatedError(f"[{name}] query is not supported by this version", Anchor(given, name))
    if parse is None:
        raise unknown_query(name, given, [*QUERIES, *UNSUPPORTED_QUERIES])
    context.enter()
    query = parse(body, context)
    context.depth -= 1
    if len(given) > 1:
        second = list(given)[1]
        raise LocatedError(
            f"[{name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]",
            Anchor(given, second, "key"),
        )
    return query


def _after(container: Any, key: Any) -> Anchor:
    """Return the place after a scalar in an array, where the reader of queries notices it."""
    if not isinstance(container, list):
        return Anchor(container, key)
    return Anchor(container, key + 1) if key + 1 < len(container) else Anchor(container, None, "close")


__all__ = [
    "QUERIES",
    "DslContext",
    "DslQuery",
    "ParseContext",
    "parse_clause",
    "parse_query",
    "parse_query_at",
]
