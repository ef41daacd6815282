"""Expected values are the reference's."""

from types import SimpleNamespace
from typing import Any

import pytest

from lanner.server import placement
from tests.conftest import Client


@pytest.fixture
def client(client: Client) -> Client:
    properties = {"t": {"type": "text"}, "n": {"type": "integer"}, "k": {"type": "keyword"}}
    client.put("/a", {"settings": {"number_of_replicas": 0}, "mappings": {"properties": properties}})
    client.post(
        "/a/_bulk?refresh=true",
        [
            {"index": {"_id": "1"}},
            {"t": "quick brown fox", "n": 1, "k": "x"},
            {"index": {"_id": "2"}},
            {"t": "lazy dog", "n": 2, "k": "y"},
            {"index": {"_id": "3"}},
            {"t": "quick dog", "n": 3, "k": "x"},
        ],
    )
    return client


def ids(answer: object) -> list[str]:
    return [hit["_id"] for hit in answer.json()["hits"]["hits"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/_search", "/a/_search", "/a*/_search", "/_all/_search"])
def test_body(client: Client, method: str, path: str) -> None:
    answer = client.request(method, path, {"query": {"match": {"t": "fox"}}})
    score = answer.json()["hits"]["max_score"]
    assert score == pytest.approx(0.8781843, rel=1e-6)
    shown = answer.text.split(",", 1)[1].replace(f"{score}", "SCORE")
    assert shown == (
        '"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},'
        '"hits":{"total":{"value":1,"relation":"eq"},"max_score":SCORE,"hits":[{"_index":"a","_id":"1",'
        '"_score":SCORE,"_source":{"t": "quick brown fox", "n": 1, "k": "x"}}]}}'
    )


def test_uri(client: Client) -> None:
    assert ids(client.get("/a/_search?q=t:dog&sort=n:desc")) == ["3", "2"]
    assert ids(client.get("/a/_search?q=dog&df=t&sort=n")) == ["2", "3"]
    assert client.get("/a/_search?size=0&rest_total_hits_as_int=true").json()["hits"]["total"] == 3
    assert client.get("/a/_search?_source=n&q=t:fox").json()["hits"]["hits"][0]["_source"] == {"n": 1}


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("size=x", "Failed to parse int parameter [size] with value [x]"),
        ("df=x", "request [/a/_search] contains unrecognized parameter: [df]"),
        ("sise=1", "request [/a/_search] contains unrecognized parameter: [sise] -> did you mean [size]?"),
        ("search_type=x", "No search type for [x]"),
        ("pre_filter_shard_size=0", "preFilterShardSize must be >= 1"),
        ("max_concurrent_shard_requests=0", "maxConcurrentShardRequests must be >= 1"),
        ("preference=_bogus:x", "no Preference for [_bogus]"),
        ("request_cache=x", "Failed to parse value [x] as only [true] or [false] are allowed."),
    ],
)
def test_bad_parameters(client: Client, query: str, reason: str) -> None:
    answer = client.get(f"/a/_search?{query}")
    assert (answer.status, answer.error()["reason"]) == (400, reason)


def test_bad_bodies(client: Client) -> None:
    error = client.post("/a/_search", {"query": {"nosuch": {}}}).error()
    assert (error["type"], error["reason"], error["line"], error["col"]) == (
        "parsing_exception",
        "unknown query [nosuch]",
        1,
        22,
    )
    error = client.post("/a/_search", {"nosuch": 1}).error()
    assert error["reason"] == "Unknown key for a VALUE_NUMBER in [nosuch]."
    assert client.post("/nosuch/_search").status == 404
    answer = client.post("/a/_search", {"query": {"match": {"n": "x"}}})
    assert answer.status == 400
    error = answer.error()
    assert (error["type"], error["reason"], error["phase"], error["grouped"]) == (
        "search_phase_execution_exception",
        "all shards failed",
        "query",
        True,
    )
    assert error["root_cause"][0]["type"] == "query_shard_exception"


def test_shards_by_preference_and_routing(client: Client) -> None:
    client.put("/b", {"settings": {"number_of_shards": 3, "number_of_replicas": 0}})
    assert client.get("/b/_search").json()["_shards"]["total"] == 3
    assert client.get("/b/_search?preference=_shards:0,2").json()["_shards"]["total"] == 2
    assert client.get("/b/_search?routing=x").json()["_shards"]["total"] == 1


def test_long_searches_run_on_the_pool(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"query": {"match": {"t": "dog"}}, "sort": ["n"]}
    before = client.app.node.pools.stats()["search"].completed
    assert ids(client.post("/a/_search", body)) == ["2", "3"]
    assert client.app.node.pools.stats()["search"].completed == before
    monkeypatch.setattr("lanner.server.api.search.MAX_POSTINGS", -1)
    assert ids(client.post("/a/_search", body)) == ["2", "3"]
    assert client.app.node.pools.stats()["search"].largest > 0


@pytest.mark.parametrize(
    ("query", "cost"),
    [
        ({"match": {"t": "dog"}}, 100),
        ({"match": {"t": {"query": "quick dog"}}}, 200),
        ({"match_phrase": {"t": "quick dog"}}, 8),
        ({"term": {"k": "x"}}, 100),
        ({"term": {"k": {"value": "none"}}}, 100),
        ({"bool": {"must": {"term": {"k": "x"}}, "filter": [{"term": {"k": "y"}}]}}, 200),
        ({"constant_score": {"filter": {"term": {"k": "x"}}}}, 100),
        ({"range": {"n": {"gt": 1}}}, 200),
        ({"match_phrase": {"gone": "x"}}, 0),
        ({"wildcard": {"k": "*"}}, 3200),
        (5, 3200),
    ],
)
def test_cost(client: Client, query: object, cost: int) -> None:
    index = client.app.node.cluster.state.indices["a"]
    service = client.app.node.indices.index(index.uuid)
    reader: Any = SimpleNamespace(max_doc=3200, doc_freq=lambda field, term: {b"quick": 7, b"dog": 2}[term])
    assert placement.query_cost(query, service.mapping, reader) == cost


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/_count", "/a/_count"])
def test_count(client: Client, method: str, path: str) -> None:
    body = {"query": {"match": {"t": "dog"}}}
    assert client.request(method, path, body).json() == {
        "count": 2,
        "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
    }
    assert client.request(method, f"{path}?q=t:fox").json()["count"] == 1


def test_bad_counts(client: Client) -> None:
    error = client.post("/a/_count", b'{"query":{"match_all":{}},"size":1}').error()
    assert (error["reason"], error["line"]) == ("request does not support [size]", 1)
    answer = client.get("/a/_count?min_score=x")
    assert answer.error()["reason"] == "Failed to parse float parameter [min_score] with value [x]"
    assert client.get("/a/_count?df=x").status == 400
    assert client.get("/nosuch/_count").status == 404
