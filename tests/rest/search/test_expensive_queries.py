"""``search.allow_expensive_queries: false``. What is refused, and the error, are the reference's."""

from typing import Any

import pytest

from tests.conftest import Client

ADVICE = " For optimised prefix queries on text fields please enable [index_prefixes]."
REASON = "[{}] queries cannot be executed when 'search.allow_expensive_queries' is set to false."
STRINGS = "range] queries on [text] or [keyword] fields cannot be executed"
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"prefix": {"t": "a"}}, REASON.format("prefix") + ADVICE),
    ({"prefix": {"k": "a"}}, REASON.format("prefix") + ADVICE),
    ({"match_bool_prefix": {"t": "a b"}}, REASON.format("prefix") + ADVICE),
    ({"bool": {"must_not": {"prefix": {"t": "a"}}}}, REASON.format("prefix") + ADVICE),
    (
        {"function_score": {"functions": [{"filter": {"prefix": {"t": "a"}}, "weight": 2}]}},
        REASON.format("prefix") + ADVICE,
    ),
    ({"wildcard": {"t": "a*"}}, REASON.format("wildcard")),
    ({"wildcard": {"t": "*"}}, REASON.format("wildcard")),
    ({"regexp": {"t": "a.*"}}, REASON.format("regexp")),
    ({"fuzzy": {"t": "abc"}}, REASON.format("fuzzy")),
    ({"query_string": {"query": "ab*", "default_field": "t"}}, REASON.format("prefix") + ADVICE),
    ({"query_string": {"query": "a?c", "default_field": "t"}}, REASON.format("wildcard")),
    ({"query_string": {"query": "abc~", "default_field": "k"}}, REASON.format("fuzzy")),
    ({"span_multi": {"match": {"wildcard": {"t": "a*"}}}}, REASON.format("wildcard")),
    ({"match": {"t": {"query": "abc", "fuzziness": 1}}}, REASON.format("fuzzy")),
    ({"range": {"t": {"gte": "a"}}}, STRINGS),
    ({"range": {"k": {"gte": "a"}}}, STRINGS),
    ({"nested": {"path": "o", "query": {"match_all": {}}}}, REASON.format("joining")),
    ({"has_child": {"type": "son", "query": {"match_all": {}}}}, REASON.format("joining")),
    ({"has_parent": {"parent_type": "mother", "query": {"match_all": {}}}}, REASON.format("joining")),
    ({"parent_id": {"type": "son", "id": "1"}}, REASON.format("joining")),
]
TAKEN: list[dict[str, Any]] = [
    {"query_string": {"query": "/a.*/", "default_field": "t"}},
    {"query_string": {"query": "t:ab* n:[1 TO 7]"}},
    {"span_multi": {"match": {"prefix": {"t": "ab"}}}},
    {"prefix": {"p": "ab"}},
    {"range": {"n": {"gte": 1}}},
    {"range": {"ip": {"gte": "1.1.1.1"}}},
    {"match_phrase_prefix": {"t": "a b"}},
    {"match_phrase_prefix": {"t": "a"}},
    {"intervals": {"t": {"prefix": {"prefix": "a"}}}},
    {"wildcard": {"w": "a*"}},
    {"term": {"t": {"value": "a", "case_insensitive": True}}},
    {"exists": {"field": "t"}},
    {"terms": {"k": ["a"]}},
]


@pytest.fixture
def strict(client: Client) -> Client:
    properties: dict[str, Any] = {
        "t": {"type": "text"},
        "p": {"type": "text", "index_prefixes": {}},
        "k": {"type": "keyword"},
        "n": {"type": "long"},
        "w": {"type": "wildcard"},
        "ip": {"type": "ip"},
        "o": {"type": "nested"},
        "j": {"type": "join", "relations": {"mother": "son"}},
    }
    client.put("/x", {"mappings": {"properties": properties}})
    client.put("/_cluster/settings", {"transient": {"search.allow_expensive_queries": False}})
    return client


def test_expensive_queries_are_refused(strict: Client) -> None:
    for query, reason in REFUSED:
        answer = strict.post("/x/_search", {"query": query})
        assert answer.status == 400, query
        assert reason in answer.error()["root_cause"][0]["reason"]
        assert answer.error()["root_cause"][0]["type"] == "exception"
        assert answer.error()["failed_shards"][0]["reason"]["type"] == "query_shard_exception"


def test_others_are_answered(strict: Client) -> None:
    for query in TAKEN:
        assert strict.post("/x/_search", {"query": query}).status == 200, query


def test_the_setting_can_be_taken_back(strict: Client) -> None:
    strict.put("/_cluster/settings", {"transient": {"search.allow_expensive_queries": None}})
    for query, _ in REFUSED:
        assert strict.post("/x/_search", {"query": query}).status == 200, query
