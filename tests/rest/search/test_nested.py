"""Nested objects over HTTP; the answers are those of the reference."""

from typing import Any

import pytest

from tests.conftest import Client

MAPPING = {
    "properties": {
        "t": {"type": "text"},
        "c": {
            "type": "nested",
            "include_in_parent": True,
            "properties": {
                "who": {"type": "keyword"},
                "txt": {"type": "text"},
                "n": {"type": "long"},
                "d": {"type": "nested", "include_in_root": True, "properties": {"x": {"type": "keyword"}}},
            },
        },
    }
}
FIRST = {
    "t": "hello",
    "c": [
        {"who": "a", "n": 1, "txt": "quick fox fox", "d": [{"x": "p"}, {"x": "q"}]},
        {"who": "b", "n": 5, "txt": "fox lazy", "d": {"x": "p"}},
    ],
}
ALL: dict[str, Any] = {"match_all": {}}
SECOND = {"t": "hello there", "c": {"who": "b", "n": 3, "txt": "fox"}}


@pytest.fixture
def filled(client: Client) -> Client:
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    assert client.put("/i", {"settings": settings, "mappings": MAPPING}).status == 200
    assert client.put("/i/_doc/1?refresh=true&routing=1", FIRST).status == 201
    assert client.put("/i/_doc/2?refresh=true", SECOND).status == 201
    return client


def hits(client: Client, **body: Any) -> dict[str, float]:
    answer = client.post("/i/_search", body).json()["hits"]
    assert answer["total"]["value"] == len(answer["hits"])
    return {hit["_id"]: hit["_score"] for hit in answer["hits"]}


def nested(query: Any, path: str = "c", **given: Any) -> dict[str, Any]:
    return {"nested": {"path": path, "query": query, **given}}


def test_mapping_and_counts(filled: Client) -> None:
    shown = filled.get("/i/_mapping").json()["i"]["mappings"]["properties"]["c"]
    assert list(shown)[:2] == ["type", "include_in_parent"]
    assert shown["properties"]["d"] == {
        "type": "nested",
        "include_in_root": True,
        "properties": {"x": {"type": "keyword"}},
    }
    assert filled.get("/i/_count").json()["count"] == 2
    assert filled.get("/_cat/count/i?h=count").body.split() == [b"2"]
    assert filled.get("/_cat/indices/i?h=docs.count").body.split() == [b"8"]
    assert filled.get("/i/_stats/docs").json()["_all"]["primaries"]["docs"]["count"] == 8
    assert filled.get("/i/_doc/1?routing=1").json()["_source"] == FIRST


@pytest.mark.parametrize(
    ("mode", "scores"),
    [
        ("avg", {"2": 0.1142836, "1": 0.10257955}),
        ("sum", {"1": 0.2051591, "2": 0.1142836}),
        ("min", {"2": 0.1142836, "1": 0.09337806}),
        ("max", {"2": 0.1142836, "1": 0.11178103}),
        ("none", {"1": 0.0, "2": 0.0}),
    ],
)
def test_score_modes(filled: Client, mode: str, scores: dict[str, float]) -> None:
    found = hits(filled, query=nested({"match": {"c.txt": "fox"}}, score_mode=mode))
    assert list(found) == list(scores)
    assert found == pytest.approx(scores, rel=1e-6)


def test_what_matches(filled: Client) -> None:
    both = {"bool": {"must": [{"term": {"c.who": "b"}}, {"range": {"c.n": {"lt": 4}}}]}}
    assert set(hits(filled, query=nested(both))) == {"2"}
    assert set(hits(filled, query=both)) == {"1", "2"}  # of what is included in the parent
    inner = nested({"term": {"c.d.x": "q"}}, "c.d")
    assert set(hits(filled, query=inner)) == {"1"}
    assert set(hits(filled, query=nested({"bool": {"must": [{"term": {"c.who": "a"}}, inner]}}))) == {"1"}
    assert hits(filled, query=nested({"bool": {"must": [{"term": {"c.who": "b"}}, inner]}})) == {}
    assert set(hits(filled, query={"term": {"c.d.x": "p"}})) == {"1"}
    assert set(hits(filled, query={"bool": {"must_not": nested({"term": {"c.who": "a"}})}})) == {"2"}
    assert set(hits(filled, query=nested({"bool": {"must_not": {"term": {"c.who": "b"}}}}))) == {"1"}


def test_updates_and_deletes_take_the_rows_along(filled: Client) -> None:
    filled.post("/i/_update/2?refresh=true", {"doc": {"c": [{"who": "z"}, {"who": "z"}]}})
    assert hits(filled, query=nested({"term": {"c.who": "b"}})).keys() == {"1"}
    assert filled.get("/_cat/indices/i?h=docs.count").body.split() == [b"9"]
    filled.delete("/i/_doc/1?refresh=true&routing=1")
    assert hits(filled, query=nested({"exists": {"field": "c.who"}})).keys() == {"2"}
    filled.post("/i/_forcemerge?max_num_segments=1")
    filled.post("/i/_refresh")
    assert hits(filled, query=nested({"exists": {"field": "c.who"}})).keys() == {"2"}
    assert filled.get("/_cat/indices/i?h=docs.count").body.split() == [b"3"]


def test_dynamic_fields_and_limits(filled: Client) -> None:
    given = {"c": [None, {"newf": "x", "deep": {"o": 1}}, [{"who": "z"}]]}
    assert filled.put("/i/_doc/3?refresh=true", given).status == 201
    shown = filled.get("/i/_mapping").json()["i"]["mappings"]["properties"]["c"]["properties"]
    assert shown["deep"] == {"properties": {"o": {"type": "long"}}}
    assert set(hits(filled, query=nested({"term": {"c.newf.keyword": "x"}}))) == {"3"}
    filled.put("/i/_settings", {"index.mapping.nested_objects.limit": 1})
    refused = filled.put("/i/_doc/4", {"c": [{}, {}]})
    assert refused.status == 400
    assert refused.error()["reason"] == (
        "The number of nested documents has exceeded the allowed limit of [1]. This limit can be set by "
        "changing the [index.mapping.nested_objects.limit] index level setting."
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            {"c.who": "z"},
            "Cannot add a value for field [c.who] since one of the intermediate objects is mapped as a "
            "nested object: [c]",
        ),
        ({"c": "z"}, "object mapping for [c] tried to parse field [c] as object, but found a concrete value"),
    ],
)
def test_refused_documents(filled: Client, body: Any, reason: str) -> None:
    answer = filled.put("/i/_doc/9", body)
    assert answer.status == 400
    assert answer.error()["reason"] == reason


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"path": "no", "query": ALL}, "[nested] failed to find nested object under path [no]"),
        (
            {"path": "o", "query": ALL},
            "[nested] nested object under path [o] is not of nested type",
        ),
    ],
)
def test_refused_paths(filled: Client, query: Any, reason: str) -> None:
    filled.put("/i/_mapping", {"properties": {"o": {"properties": {"x": {"type": "long"}}}}})
    answer = filled.post("/i/_search", {"query": {"nested": query}})
    assert answer.status == 400
    assert answer.error()["root_cause"][0]["reason"] == f"failed to create query: {reason}"
    assert answer.error()["failed_shards"][0]["reason"]["caused_by"] == {
        "type": "illegal_state_exception",
        "reason": reason,
    }
    assert hits(filled, query={"nested": {**query, "ignore_unmapped": True, "path": "no"}}) == {}
