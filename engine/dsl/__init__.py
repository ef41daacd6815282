"""The queries of the request language, by name. This table reads as the list of what can be asked."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, anchored
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, InnerHitsReader, ParseContext
from lanner.engine.dsl.unknown import unknown_query

Parser = Callable[[dict[str, Any], ParseContext], DslQuery]

#: by name, the module here and its function; imported when the first query of that name comes
QUERIES: dict[str, str] = {
    "match": "match.parse_match",
    "match_phrase": "match_phrase.parse_match_phrase",
    "match_phrase_prefix": "match_phrase.parse_match_phrase_prefix",
    "match_bool_prefix": "match.parse_match_bool_prefix",
    "multi_match": "multi_match.parse_multi_match",
    "query_string": "query_string.parse_query_string",
    "simple_query_string": "simple_query_string.parse_simple_query_string",
    "match_all": "match_all.parse_match_all",
    "match_none": "match_all.parse_match_none",
    "term": "term.parse_term",
    "terms": "terms.parse_terms",
    "range": "range.parse_range",
    "exists": "exists.parse_exists",
    "ids": "ids.parse_ids",
    "prefix": "prefix.parse_prefix",
    "fuzzy": "fuzzy.parse_fuzzy",
    "regexp": "regexp.parse_regexp",
    "wildcard": "wildcard.parse_wildcard",
    "bool": "boolean.parse_bool",
    "constant_score": "constant_score.parse_constant_score",
    "dis_max": "dis_max.parse_dis_max",
    "more_like_this": "more_like_this.parse_more_like_this",
    "intervals": "intervals.parse_intervals",
    "field_masking_span": "spans.parse_field_masking",
    "span_within": "spans.parse_span_within",
    "span_containing": "spans.parse_span_containing",
    "span_multi": "spans.parse_span_multi",
    "span_first": "spans.parse_span_first",
    "span_not": "spans.parse_span_not",
    "span_or": "spans.parse_span_or",
    "span_near": "spans.parse_span_near",
    "span_term": "spans.parse_span_term",
    "template": "template.parse_template",
    "wrapper": "wrapper.parse_wrapper",
    "nested": "nested.parse_nested",
    "has_child": "join.parse_has_child",
    "has_parent": "join.parse_has_parent",
    "parent_id": "join.parse_parent_id",
    "terms_set": "terms_set.parse_terms_set",
    "distance_feature": "distance_feature.parse_distance_feature",
    "rank_feature": "rank_feature.parse_rank_feature",
    "common": "common_terms.parse_common",
    "boosting": "boosting.parse_boosting",
    "function_score": "function_score.parse_function_score",
    "geo_distance": "geo_distance.parse_geo_distance",
    "geo_bounding_box": "geo_bounding_box.parse_geo_bounding_box",
    "geo_polygon": "geo_polygon.parse_geo_polygon",
    "geo_shape": "geo_shape.parse_geo_shape",
    "percolate": "percolate.parse_percolate",
}

#: what the API has beside these; a request that uses one is refused with a text that says so
UNSUPPORTED_QUERIES = frozenset(
    (
        "script",
        "script_score",
        "span_gap",
    )
)


def parse_query(body: Any) -> DslQuery:
    """Return a query given as a JSON object {name: body}.

    Raises what the API answers for faults of a request.
    """
    return parse_query_at({"query": body}, "query")


def parse_query_at(container: Any, key: Any, inner_hits: InnerHitsReader | None = None) -> DslQuery:
    """Return the query at a key of a body. inner_hits: reads how to show those, for whoever shows them."""
    return parse_clause(container, key, ParseContext(parse_clause, inner_hits))


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
    if name in UNSUPPORTED_QUERIES:
        raise LocatedError(f"[{name}] query is not supported by this version", Anchor(given, name))
    if name not in QUERIES:
        raise unknown_query(name, given, [*QUERIES, *UNSUPPORTED_QUERIES])
    context.enter()
    query = _parser(name)(body, context)
    context.depth -= 1
    if len(given) > 1:
        second = list(given)[1]
        raise LocatedError(
            f"[{name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]",
            Anchor(given, second, "key"),
        )
    return query


@cache
def _parser(name: str) -> Parser:
    """Return what reads the queries of a name of the table."""
    module, _, function = QUERIES[name].partition(".")
    parser: Parser = getattr(import_module(f"{__name__}.{module}"), function)
    return parser


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
