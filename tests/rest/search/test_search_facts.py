"""``_field_caps``, ``_search_shards``, ``_validate/query``: answers are the reference's."""

from typing import Any

import pytest

from tests.conftest import Client


@pytest.fixture
def filled(client: Client) -> Client:
    properties: dict[str, Any] = {
        "a": {"type": "keyword", "meta": {"unit": "x"}},
        "o": {"properties": {"x": {"type": "long", "doc_values": False}}},
        "d": {"type": "text"},
    }
    client.put(
        "/one", {"mappings": {"properties": properties}, "aliases": {"al": {"filter": {"term": {"a": "x"}}}}}
    )
    other = {"a": {"type": "long"}, "b": {"type": "keyword", "index": False}}
    client.put("/two", {"mappings": {"properties": other}, "settings": {"number_of_shards": 2}})
    return client


def test_field_caps(filled: Client) -> None:
    answer = filled.get("/one,two/_field_caps?fields=a,b,o.*,d&include_unmapped=true").json()

    def unmapped(index: str) -> dict[str, Any]:
        return {"type": "unmapped", "searchable": False, "aggregatable": False, "indices": [index]}

    assert answer == {
        "indices": ["one", "two"],
        "fields": {
            "a": {
                "keyword": {
                    "type": "keyword",
                    "searchable": True,
                    "aggregatable": True,
                    "indices": ["one"],
                    "meta": {"unit": ["x"]},
                },
                "long": {"type": "long", "searchable": True, "aggregatable": True, "indices": ["two"]},
            },
            "b": {
                "keyword": {"type": "keyword", "searchable": False, "aggregatable": True, "indices": ["two"]},
                "unmapped": unmapped("one"),
            },
            "d": {
                "text": {"type": "text", "searchable": True, "aggregatable": False, "indices": ["one"]},
                "unmapped": unmapped("two"),
            },
            "o.x": {
                "long": {"type": "long", "searchable": True, "aggregatable": False, "indices": ["one"]},
                "unmapped": unmapped("two"),
            },
            "o": {
                "object": {"type": "object", "searchable": False, "aggregatable": False, "indices": ["one"]},
                "unmapped": unmapped("two"),
            },
        },
    }


def test_index_filter(filled: Client) -> None:
    filled.put("/one/_doc/1?refresh=true", {"a": "x"})
    body = {"index_filter": {"term": {"a": "x"}}}
    assert filled.post("/one/_field_caps?fields=a", body).json()["indices"] == ["one"]
    body = {"index_filter": {"term": {"a": "y"}}}
    assert filled.post("/one/_field_caps?fields=a", body).json() == {"indices": [], "fields": {}}
    assert filled.get("/one/_field_caps").error()["reason"] == "specified fields can't be null or empty"


def test_search_shards(filled: Client) -> None:
    answer = filled.get("/two/_search_shards").json()
    assert [[copy["shard"] for copy in group] for group in answer["shards"]] == [[0], [1]]
    assert answer["indices"] == {"two": {}}
    assert len(filled.get("/two/_search_shards?routing=1").json()["shards"]) == 1
    assert filled.get("/nosuch/_search_shards").json() == {"nodes": {}, "indices": {}, "shards": []}


def test_validate(filled: Client) -> None:
    shards = {"total": 1, "successful": 1, "failed": 0}
    good = filled.post("/one/_validate/query", {"query": {"match": {"d": "x"}}}).json()
    assert good == {"_shards": shards, "valid": True}
    bad = filled.post("/two/_validate/query?explain=true", {"query": {"match": {"a": "abc"}}}).json()
    assert not bad["valid"]
    assert 'nested: NumberFormatException[For input string: "abc"];' in bad["explanations"][0]["error"]
    assert filled.post("/one/_validate/query?explain=true", {"bogus": 1}).json() == {
        "valid": False,
        "error": "ParsingException[request does not support [bogus]]",
    }


def test_what_is_not_built_is_refused(filled: Client) -> None:
    answer = filled.post("/one/_search/template", {"source": "{}"})
    assert answer.status == 400
    assert answer.error()["reason"].endswith("are not supported by this version")


def test_commas_at_the_end_of_names_are_passed_over(filled: Client) -> None:
    assert filled.get("/one,/_count").json() == filled.get("/one/_count").json()
    assert filled.get("/,one/_count").status == 404
    assert filled.get("/,/_count").status == 404
