"""Every kind of query with bodies of all sorts: an error of the request, or a query that answers."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.engine.common.errors import LannerError
from lanner.engine.dsl import QUERIES, parse_query
from lanner.engine.search.coordinator import search
from lanner.engine.search.request import parse_search_request
from lanner.server.errors import status_of
from tests.engine.search.shards import make_shard

MAPPING = {
    "properties": {
        "t": {"type": "text", "index_prefixes": {}, "index_phrases": True},
        "s": {"type": "search_as_you_type"},
        "k": {"type": "keyword"},
        "n": {"type": "integer"},
        "d": {"type": "date"},
        "g": {"type": "geo_point"},
        "c": {"type": "completion"},
        "b": {"type": "boolean"},
        "j": {"type": "join", "relations": {"mother": ["daughter", "son"]}},
        "q": {"type": "percolator"},
    }
}
DOCUMENTS = [
    ("1", {"t": "quick brown fox", "s": "quick brown", "k": "a", "n": 1, "d": "2020-01-01", "b": True}),
    ("2", {"t": "the quick dog", "s": "dog", "k": "b", "n": 2, "g": {"lat": 1, "lon": 2}, "c": "fox"}),
    ("3", {"j": "mother", "t": "fox"}),
    ("4", {"j": {"name": "son", "parent": "3"}, "t": "dog"}, "3"),
    ("5", {"q": {"match": {"t": "quick"}}}),
    ("6", {"q": {"bool": {"must_not": [{"range": {"n": {"gte": 1}}}]}}}),
]
SHARD = make_shard(MAPPING, DOCUMENTS, index="any")
KEYS = st.sampled_from(
    [
        "t",
        "s",
        "k",
        "n",
        "d",
        "g",
        "c",
        "b",
        "q",
        "document",
        "documents",
        "t._index_prefix",
        "s._2gram",
        "j",
        "j#mother",
        "nope",
        "parent_type",
        "ignore_unmapped",
        "score",
        "score_mode",
        "min_children",
        "max_children",
        "id",
        "inner_hits",
        "query",
        "value",
        "values",
        "field",
        "fields",
        "boost",
        "_name",
        "operator",
        "slop",
        "analyzer",
        "fuzziness",
        "prefix_length",
        "max_expansions",
        "rewrite",
        "type",
        "minimum_should_match",
        "must",
        "should",
        "filter",
        "must_not",
        "queries",
        "clauses",
        "match",
        "little",
        "big",
        "include",
        "exclude",
        "pre",
        "post",
        "dist",
        "end",
        "gte",
        "lte",
        "gt",
        "lt",
        "format",
        "time_zone",
        "like",
        "unlike",
        "terms",
        "positive",
        "negative",
        "negative_boost",
        "functions",
        "weight",
        "origin",
        "pivot",
        "distance",
        "top_left",
        "bottom_right",
        "points",
        "ids",
        "all_of",
        "any_of",
        "intervals",
        "prefix",
        "pattern",
        "max_gaps",
        "ordered",
        "path",
        "id",
        "index",
        "case_insensitive",
        "cutoff_frequency",
        "zero_terms_query",
        "tie_breaker",
        "default_field",
        "lenient",
    ]
)
SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        -1,
        2.5,
        1e300,
        2**40,
        "",
        "quick",
        "qu*",
        "AUTO",
        "2020-01-01",
        "1,2",
        "a" * 300,
        "*",
    ]
)
INNER = st.recursive(
    SCALARS
    | st.sampled_from(
        [{"match_all": {}}, {"term": {"k": "a"}}, {"span_term": {"t": "quick"}}, {"match": {"t": "x"}}]
    ),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(KEYS, part, max_size=3),
    max_leaves=6,
)


def check(error: LannerError) -> None:
    """Fail unless an error blames the request."""
    assert status_of(error) < 500, error


def copied(query: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(query))


@settings(max_examples=1500)
@given(st.sampled_from(sorted(QUERIES)), st.dictionaries(KEYS, INNER, max_size=4))
def test_any_body(kind: str, body: dict[str, Any]) -> None:
    query = {kind: body}
    try:
        parsed = parse_query(copied(query))
    except LannerError as error:
        check(error)
        return
    assert parsed == parse_query(copied(query))  # queries are values
    try:
        SHARD.mapping.parse_document(msgspec.json.encode({"q": query}), id="x", routing=None)
    except LannerError as error:
        check(error)
    try:
        search([SHARD], parse_search_request({"query": copied(query)}), now_millis=0)
    except LannerError as error:
        check(error)


SUGGEST_KEYS = st.sampled_from(
    [
        "text",
        "prefix",
        "regex",
        "term",
        "phrase",
        "completion",
        "field",
        "size",
        "shard_size",
        "analyzer",
        "suggest_mode",
        "accuracy",
        "sort",
        "string_distance",
        "max_edits",
        "max_inspections",
        "max_term_freq",
        "prefix_length",
        "min_word_length",
        "min_doc_freq",
        "gram_size",
        "confidence",
        "max_errors",
        "separator",
        "direct_generator",
        "smoothing",
        "laplace",
        "stupid_backoff",
        "linear",
        "alpha",
        "highlight",
        "pre_tag",
        "post_tag",
        "collate",
        "query",
        "prune",
        "fuzzy",
        "fuzziness",
        "min_length",
        "contexts",
        "skip_duplicates",
        "token_limit",
        "force_unigrams",
        "transpositions",
        "unicode_aware",
        "flags",
    ]
)
SUGGEST_VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        2,
        -1,
        0.5,
        1e300,
        "",
        "quik",
        "the quik dgo",
        "t",
        "s",
        "c",
        "k",
        "n",
        "always",
        "ngram",
        "[",
    ]
)
SUGGEST_INNER = st.recursive(
    SUGGEST_VALUES,
    lambda part: st.lists(part, max_size=2) | st.dictionaries(SUGGEST_KEYS, part, max_size=4),
    max_leaves=8,
)
SUGGESTER = st.fixed_dictionaries({"field": st.sampled_from(["t", "s", "c", "k", "n", "nope"])}).flatmap(
    lambda base: st.dictionaries(SUGGEST_KEYS, SUGGEST_INNER, max_size=4).map(lambda more: {**more, **base})
)


@settings(max_examples=600)
@given(
    st.sampled_from(["term", "phrase", "completion"]),
    SUGGESTER,
    st.dictionaries(st.sampled_from(["text", "prefix", "regex"]), SUGGEST_VALUES, min_size=1),
)
def test_any_suggestion(kind: str, body: dict[str, Any], texts: dict[str, Any]) -> None:
    suggest = {"a": {**texts, kind: body}}
    try:
        search([SHARD], parse_search_request({"suggest": copied(suggest)}), now_millis=0)
    except LannerError as error:
        check(error)
