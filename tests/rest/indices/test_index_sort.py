"""``index.sort.*``: orders and error texts are the real system's."""

from typing import Any

import pytest

from tests.conftest import Client

PROPERTIES = {
    "rank": {"type": "integer"},
    "k": {"type": "keyword"},
    "t": {"type": "text"},
    "loaded": {"type": "text", "fielddata": True},
    "bare": {"type": "keyword", "doc_values": False},
    "place": {"type": "geo_point"},
    "u": {"type": "unsigned_long"},
    "bytes": {"type": "binary", "doc_values": True},
    "span": {"type": "integer_range"},
    "o": {"properties": {"x": {"type": "integer"}}},
    "ip": {"type": "ip"},
}
NESTED = {"type": "nested", "properties": {"x": {"type": "integer"}}}
NO_NESTED = "cannot have nested fields when index sort is activated"


def create(client: Client, sort: dict[str, Any], properties: dict[str, Any] = PROPERTIES) -> Any:
    settings = {f"index.sort.{name}": value for name, value in sort.items()}
    return client.put("/s", {"settings": settings, "mappings": {"properties": properties}})


def order(client: Client) -> list[str]:
    answer = client.post("/s/_search", {"sort": "_doc", "size": 50}).json()
    return [hit["_id"] for hit in answer["hits"]["hits"]]


@pytest.mark.parametrize(
    ("sort", "reason"),
    [
        ({"field": "zzz"}, "unknown index sort field:[zzz]"),
        ({"field": "t"}, "docvalues not found for index sort field:[t]"),
        ({"field": "bare"}, "docvalues not found for index sort field:[bare]"),
        ({"field": "loaded"}, "invalid index sort field:[loaded]"),
        ({"field": "u"}, "invalid index sort field:[u]"),
        ({"field": "span"}, "invalid index sort field:[span]"),
        ({"field": "bytes"}, "can't sort on binary field"),
        (
            {"field": "place"},
            "can't sort on geo_point field without using specific sorting feature, like geo_distance",
        ),
        (
            {"field": ["rank", "k"], "order": ["desc"]},
            "index.sort.field:[rank, k] index.sort.order:[desc], size mismatch",
        ),
        ({"order": "desc"}, "index.sort.field:[] index.sort.order:[desc], size mismatch"),
        ({"field": "rank", "order": "up"}, "Illegal sort order:up"),
        ({"field": "rank", "mode": "avg"}, "Illegal index sort mode:[AVG], must be one of [MAX, MIN]"),
        ({"field": "rank", "missing": "5"}, "Illegal missing value:[5], must be one of [_last, _first]"),
    ],
)
def test_what_cannot_be_sorted_by(client: Client, sort: dict[str, Any], reason: str) -> None:
    answer = create(client, sort)
    assert answer.status == 400
    assert answer.json()["error"]["type"] == "illegal_argument_exception"
    assert answer.json()["error"]["reason"] == reason


def test_no_nested_fields(client: Client) -> None:
    answer = create(client, {"field": "rank"}, {**PROPERTIES, "n": NESTED})
    assert (answer.status, answer.json()["error"]["reason"]) == (400, NO_NESTED)
    assert create(client, {"field": "rank"}).status == 200
    answer = client.put("/s/_mapping", {"properties": {"n": NESTED}})
    assert (answer.status, answer.json()["error"]["reason"]) == (400, NO_NESTED)


@pytest.mark.parametrize("field", ["o.x", "ip", "k"])
def test_what_can(client: Client, field: str) -> None:
    assert create(client, {"field": field, "order": "DESC", "mode": "MAX"}).status == 200


def test_documents_lie_in_that_order(client: Client) -> None:
    sort = {
        "field": ["rank", "k"],
        "order": ["desc", "asc"],
        "mode": ["max", "min"],
        "missing": ["_first", "_last"],
    }
    assert create(client, sort).status == 200
    documents: list[dict[str, Any]] = [
        {"rank": 3, "k": "x"},
        {"k": "y"},
        {"rank": [1, 9], "k": "z"},
        {"rank": 3, "k": ["b", "q"]},
        {"rank": 3},
        {},
        {"rank": 3, "k": "a"},
    ]
    for id_, source in enumerate(documents):
        client.put(f"/s/_doc/{id_}", source)
    client.post("/s/_refresh")
    assert order(client) == ["1", "5", "2", "6", "3", "0", "4"]
    client.put("/s/_doc/7", {"rank": 5})
    client.put("/s/_doc/8", {"rank": 3, "k": "aa"})
    client.put("/s/_doc/1?refresh=true", {"rank": 4})
    assert order(client) == ["5", "2", "6", "3", "0", "4", "7", "1", "8"]
    client.post("/s/_forcemerge?max_num_segments=1")
    client.post("/s/_refresh")
    assert order(client) == ["5", "2", "7", "1", "6", "8", "3", "0", "4"]
    assert client.get("/s/_doc/8").json()["_source"] == {"rank": 3, "k": "aa"}
    assert client.post("/s/_count", {"query": {"term": {"k": "q"}}}).json()["count"] == 1
