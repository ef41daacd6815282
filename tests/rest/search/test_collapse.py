"""Hits collapsed to one per group; the answers are those of the reference."""

from typing import Any

import pytest

from tests.conftest import Client

ROWS = [("a", 3), ("b", 1), ("a", 5), (None, 7), ("c", 2), ("b", 9), (None, 1)]


@pytest.fixture(params=[1, 3])
def filled(client: Client, request: pytest.FixtureRequest) -> Client:
    mapping = {"properties": {"t": {"type": "text"}, "g": {"type": "keyword"}, "n": {"type": "long"}}}
    settings = {"number_of_shards": request.param}
    assert client.put("/i", {"settings": settings, "mappings": mapping}).status == 200
    for i, (group, n) in enumerate(ROWS):
        document: dict[str, Any] = {"n": n, "i": i, "many": [1, 2], "t": "hello"}
        if group is not None:
            document["g"] = group
        assert client.put(f"/i/_doc/{i}?refresh=true", document).status == 201
    return client


def search(client: Client, **body: Any) -> Any:
    answer = client.post("/i/_search", {"_source": False, "sort": ["n", "i"], **body})
    assert answer.status == 200, answer.body
    return answer.json()["hits"]


def test_one_hit_per_group(filled: Client) -> None:
    hits = search(filled, collapse={"field": "g"})
    assert hits["total"] == {"value": 7, "relation": "eq"}
    assert hits["max_score"] is None
    assert [(hit["_id"], hit.get("fields")) for hit in hits["hits"]] == [
        ("1", {"g": ["b"]}),
        ("6", None),
        ("4", {"g": ["c"]}),
        ("0", {"g": ["a"]}),
    ]
    page = search(filled, collapse={"field": "g"}, size=2, **{"from": 1})
    assert [hit["_id"] for hit in page["hits"]] == ["6", "4"]


def test_inner_hits_of_groups(filled: Client) -> None:
    inner = [
        {"name": "last", "size": 1, "sort": [{"n": "desc"}], "_source": False},
        {"name": "all", "sort": ["i"], "_source": ["n"], "version": True, "docvalue_fields": ["g"]},
    ]
    hits = search(filled, collapse={"field": "g", "inner_hits": inner}, query={"match": {"t": "hello"}})
    first, second = hits["hits"][:2]
    assert first["inner_hits"]["last"]["hits"]["total"]["value"] == 2
    assert [hit["_id"] for hit in first["inner_hits"]["last"]["hits"]["hits"]] == ["5"]
    every = first["inner_hits"]["all"]["hits"]["hits"]
    assert [(hit["_id"], hit["_source"], hit["_version"]) for hit in every] == [
        ("1", {"n": 1}, 1),
        ("5", {"n": 9}, 1),
    ]
    assert every[0]["fields"] == {"g": ["b"]}
    assert [hit["_id"] for hit in second["inner_hits"]["all"]["hits"]["hits"]] == ["3", "6"]


def test_second_level(filled: Client) -> None:
    inner = {"name": "x", "sort": ["i"], "collapse": {"field": "n"}, "_source": False}
    hits = search(filled, collapse={"field": "g", "inner_hits": inner})
    shown = hits["hits"][0]["inner_hits"]["x"]["hits"]["hits"]
    assert [hit["fields"] for hit in shown] == [{"n": [1]}, {"n": [9]}]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            {"collapse": {"field": "t"}},
            "unknown type for collapse field `t`, only keywords and numbers are accepted",
        ),
        ({"collapse": {"field": "no"}}, "no mapping found for `no` in order to collapse on"),
        (
            {"collapse": {"field": "g"}, "rescore": {"query": {"rescore_query": {"match_all": {}}}}},
            "cannot use `collapse` in conjunction with `rescore`",
        ),
        ({"collapse": {"field": "g", "inner_hits": {}}}, "Field name cannot be null"),
    ],
)
def test_refused(filled: Client, body: Any, reason: str) -> None:
    answer = filled.post("/i/_search", body)
    assert answer.status == 400
    assert answer.error()["root_cause"][0]["reason"] == reason


def test_refused_values(filled: Client) -> None:
    answer = filled.post("/i/_search", {"collapse": {"field": "many"}})
    assert answer.status == 400
    assert answer.error()["root_cause"][0]["reason"].endswith("the collapse field must be single valued")
    scroll = filled.post("/i/_search?scroll=1m", {"collapse": {"field": "g"}})
    assert scroll.error()["root_cause"][0]["reason"] == "cannot use `collapse` in a scroll context"
