"""Inner hits of nested queries and sorting by nested objects; the answers are those of the reference."""

from typing import Any

import pytest

from tests.conftest import Client

MAPPING = {
    "properties": {
        "n": {"type": "long"},
        "c": {
            "type": "nested",
            "properties": {
                "who": {"type": "keyword"},
                "txt": {"type": "text"},
                "n": {"type": "long"},
                "d": {"type": "nested", "properties": {"x": {"type": "keyword"}, "n": {"type": "long"}}},
            },
        },
    }
}
DOCUMENTS: list[dict[str, Any]] = [
    {
        "n": 1,
        "c": [
            {"who": "a", "txt": "quick fox fox", "n": 4, "d": [{"x": "p", "n": 7}, {"x": "q", "n": 1}]},
            {"who": "b", "txt": "fox lazy", "n": 2, "d": {"x": "p", "n": 3}},
        ],
    },
    {"n": 2, "c": {"who": "b", "txt": "fox", "n": 3}},
    {"n": 3},
]


@pytest.fixture
def filled(client: Client) -> Client:
    assert client.put("/i", {"settings": {"number_of_shards": 1}, "mappings": MAPPING}).status == 200
    for i, document in enumerate(DOCUMENTS, 1):
        assert client.put(f"/i/_doc/{i}?refresh=true&routing=r", document).status == 201
    return client


def search(client: Client, query: Any, **body: Any) -> list[dict[str, Any]]:
    answer = client.post("/i/_search", {"query": query, **body})
    assert answer.status == 200, answer.body
    found: list[dict[str, Any]] = answer.json()["hits"]["hits"]
    return found


def nested(inner_hits: Any, query: Any = None, path: str = "c") -> dict[str, Any]:
    return {"nested": {"path": path, "query": query or {"match_all": {}}, "inner_hits": inner_hits}}


def test_defaults(filled: Client) -> None:
    first, second = search(filled, nested({"version": True}))
    assert first["inner_hits"]["c"]["hits"] == {
        "total": {"value": 2, "relation": "eq"},
        "max_score": 1.0,
        "hits": [
            {
                "_index": "i",
                "_id": "1",
                "_routing": "r",
                "_nested": {"field": "c", "offset": offset},
                "_version": 1,
                "_score": 1.0,
                "_source": DOCUMENTS[0]["c"][offset],
            }
            for offset in (0, 1)
        ],
    }
    (only,) = second["inner_hits"]["c"]["hits"]["hits"]
    assert only["_source"] == DOCUMENTS[1]["c"]


def test_inside_inner_hits(filled: Client) -> None:
    inner = nested({"size": 1, "_source": False}, {"term": {"c.d.x": "p"}}, "c.d")
    (hit,) = search(filled, nested({"sort": [{"c.n": "asc"}], "_source": ["c.who"]}, inner))
    hits = hit["inner_hits"]["c"]["hits"]
    assert hits["max_score"] is None
    assert [one["sort"] for one in hits["hits"]] == [[2], [4]]
    assert [one["_source"] for one in hits["hits"]] == [{"who": "b"}, {"who": "a"}]
    for one, offset in zip(hits["hits"], (1, 0), strict=True):
        assert one["inner_hits"]["c.d"]["hits"]["total"]["value"] == 1
        (deep,) = one["inner_hits"]["c.d"]["hits"]["hits"]
        assert deep["_nested"] == {
            "field": "c",
            "offset": offset,
            "_nested": {"field": "d", "offset": 0},
        }
        assert "_source" not in deep


def test_parts_of_inner_hits(filled: Client) -> None:
    given = {
        "name": "mine",
        "size": 1,
        "fields": ["c.who", "c.d.x"],
        "docvalue_fields": ["c.n"],
        "highlight": {"fields": {"c.txt": {}}},
        "_source": False,
    }
    first = search(filled, nested(given, {"match": {"c.txt": {"query": "fox", "_name": "it"}}}))[-1]
    (hit,) = first["inner_hits"]["mine"]["hits"]["hits"]
    assert hit["fields"] == {"c.who": ["a"], "c.d.x": ["p", "q"], "c.n": [4]}
    assert hit["highlight"] == {"c.txt": ["quick <em>fox</em> <em>fox</em>"]}
    assert hit["matched_queries"] == ["it"]
    assert first["inner_hits"]["mine"]["hits"]["total"]["value"] == 2


def test_none_for_what_must_not_match(filled: Client) -> None:
    (hit,) = search(filled, {"bool": {"must_not": nested({})}})
    assert hit["_id"] == "3"
    assert "inner_hits" not in hit


@pytest.mark.parametrize(
    ("inner_hits", "reason"),
    [
        ({"zz": 1}, "[1:{}] [inner_hits] unknown field [zz]"),
        ({"from": -1}, "[1:{}] [inner_hits] failed to parse field [from]"),
        (
            {"size": 101},
            "Inner result window is too large, the inner hit definition's [null]'s from + size must be less "
            "than or equal to: [100] but was [101]. This limit can be set by changing the "
            "[index.max_inner_result_window] index level setting.",
        ),
        ({"seq_no_primary_term": True}, "nested documents are not assigned sequence numbers"),
    ],
)
def test_refused(filled: Client, inner_hits: Any, reason: str) -> None:
    answer = filled.post("/i/_search", {"query": nested(inner_hits)})
    assert 400 <= answer.status < 500
    head, _, tail = reason.partition("{}")
    found = answer.error()["root_cause"][0]["reason"]
    assert found.startswith(head)
    assert found.endswith(tail)


def test_two_of_one_name(filled: Client) -> None:
    answer = filled.post("/i/_search", {"query": {"bool": {"should": [nested({}), nested({})]}}})
    assert answer.status == 400
    assert answer.error()["root_cause"][0]["reason"] == "[inner_hits] already contains an entry for key [c]"


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ({"c.n": {"nested": {"path": "c"}}}, [("1", 2), ("2", 3), ("3", 2**63 - 1)]),
        ({"c.n": {"nested": {"path": "c"}, "order": "desc"}}, [("1", 4), ("2", 3), ("3", -(2**63))]),
        (
            {"c.n": {"nested": {"path": "c"}, "mode": "sum", "missing": "_first"}},
            [("3", -(2**63)), ("2", 3), ("1", 6)],
        ),
        ({"c.n": {"nested": {"path": "c", "max_children": 1}}}, [("2", 3), ("1", 4), ("3", 2**63 - 1)]),
        (
            {"c.n": {"nested": {"path": "c", "filter": {"term": {"c.who": "a"}}}, "missing": 0}},
            [("2", 0), ("3", 0), ("1", 4)],
        ),
        (
            {
                "c.d.n": {
                    "order": "desc",
                    "missing": 0,
                    "nested": {
                        "path": "c",
                        "filter": {"term": {"c.who": "b"}},
                        "nested": {"path": "c.d", "filter": {"term": {"c.d.x": "p"}}},
                    },
                }
            },
            [("1", 3), ("2", 0), ("3", 0)],
        ),
        ({"c.who": {"nested": {"path": "c"}, "mode": "max"}}, [("1", "b"), ("2", "b"), ("3", None)]),
        ({"c.n": "asc"}, [("1", 2**63 - 1), ("2", 2**63 - 1), ("3", 2**63 - 1)]),
    ],
)
def test_sort(filled: Client, sort: Any, expected: list[tuple[str, Any]]) -> None:
    found = search(filled, {"match_all": {}}, sort=[sort])
    assert [(hit["_id"], hit["sort"][0]) for hit in found] == expected


@pytest.mark.parametrize(
    ("sort", "reason"),
    [
        ({"nested": {"path": "no"}}, "[nested] failed to find nested object under path [no]"),
        ({"nested": {"path": "c"}, "mode": "median"}, "Unsupported sort mode: MEDIAN"),
    ],
)
def test_refused_sorts(filled: Client, sort: Any, reason: str) -> None:
    answer = filled.post("/i/_search", {"sort": [{"c.n": sort}]})
    assert answer.status == 400
    assert answer.error()["root_cause"][0]["reason"] == reason
