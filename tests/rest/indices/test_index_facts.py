"""What indices are and come from; every expected value is the real system's."""

import pytest

from tests.conftest import Client


def test_resolve(client: Client) -> None:
    client.put("/i1", {"aliases": {"al": {}}})
    client.put("/i2", {"settings": {"index.hidden": True}})
    assert client.get("/_resolve/index/i1,al").json() == {
        "indices": [{"name": "i1", "aliases": ["al"], "attributes": ["open"]}],
        "aliases": [{"name": "al", "indices": ["i1"]}],
        "data_streams": [],
    }
    assert len(client.get("/_resolve/index/i*").json()["indices"]) == 1
    shown = client.get("/_resolve/index/i*?expand_wildcards=all").json()["indices"]
    assert shown[1] == {"name": "i2", "attributes": ["hidden", "open"]}
    empty: dict[str, list[str]] = {"indices": [], "aliases": [], "data_streams": []}
    assert client.get("/_resolve/index/nosuch").json() == empty
    assert client.get("/_resolve/index/i*?expand_wildcards=none").json() == empty


def test_fields(client: Client) -> None:
    field = {"type": "text", "fields": {"raw": {"type": "keyword", "ignore_above": 10}}}
    client.put("/i", {"mappings": {"properties": {"t": field, "o": {"properties": {"x": {"type": "long"}}}}}})
    assert client.get("/i/_mapping/field/t.raw,o.x").json() == {
        "i": {
            "mappings": {
                "t.raw": {"full_name": "t.raw", "mapping": {"raw": {"type": "keyword", "ignore_above": 10}}},
                "o.x": {"full_name": "o.x", "mapping": {"x": {"type": "long"}}},
            }
        }
    }
    assert client.get("/_mapping/field/nosuch").json() == {"i": {"mappings": {}}}
    shown = client.get("/i/_mapping/field/o.x?include_defaults=true").json()["i"]["mappings"]["o.x"][
        "mapping"
    ]
    assert shown["x"]["store"] is False


def test_recovery(client: Client) -> None:
    client.put("/i")
    shown = client.get("/i/_recovery").json()["i"]["shards"][0]
    assert (shown["type"], shown["stage"], shown["index"]["files"]["total"]) == ("EMPTY_STORE", "DONE", 0)
    client.put("/i/_doc/1", {"a": 1})
    client.post("/i/_close")
    client.post("/i/_open")
    shown = client.get("/_recovery?detailed=true").json()["i"]["shards"][0]
    assert (shown["type"], shown["index"]["files"]["percent"]) == ("EXISTING_STORE", "100.0%")
    assert len(shown["index"]["files"]["details"]) == shown["index"]["files"]["total"] > 0
    assert client.get("/_recovery?active_only=true").json() == {}


def test_stores(client: Client) -> None:
    client.put("/i")
    client.put("/full", {"settings": {"number_of_replicas": 0}})
    stores = client.get("/_shard_stores").json()["indices"]
    assert list(stores) == ["i"]
    assert stores["i"]["shards"]["0"]["stores"][0]["allocation"] == "primary"
    assert list(client.get("/_shard_stores?status=all").json()["indices"]) == ["full", "i"]
    assert client.get("/i/_shard_stores?status=bogus").error()["reason"] == (
        "unknown cluster health status [bogus]"
    )


def test_upgrade(client: Client) -> None:
    client.put("/i")
    assert client.get("/_upgrade").json()["indices"]["i"]["size_to_upgrade_in_bytes"] == 0
    assert client.post("/i/_upgrade").json() == {
        "_shards": {"total": 2, "successful": 2, "failed": 0},
        "upgraded_indices": {"i": {"upgrade_version": "2.19.1", "oldest_lucene_segment_version": "9.12.1"}},
    }


def test_caches(client: Client) -> None:
    client.put("/i", {"settings": {"number_of_shards": 2}})
    client.put("/i/_doc/1?refresh=true", {"a": 1})
    body = {"size": 0, "query": {"term": {"a": 1}}}
    client.post("/i/_search", body)
    assert client.post("/i/_cache/clear").json() == {"_shards": {"total": 4, "successful": 2, "failed": 0}}
    assert client.post("/_cache/clear?query=true").status == 200
    assert client.post("/_cache/clear?query=x").status == 400
    assert client.get("/i/_cache/clear").status == 405
    assert client.post("/i/_search", body).json()["hits"]["total"]["value"] == 1


def test_dangling(client: Client) -> None:
    assert client.get("/_dangling").json()["dangling_indices"] == []
    for method in ("POST", "DELETE"):
        answer = client.request(method, "/_dangling/abc?accept_data_loss=true")
        assert answer.error()["reason"] == "No dangling index found for UUID [abc]"


def test_names_with_dates(client: Client) -> None:
    name = client.put("/%3Clog-%7Bnow%2Fd%7D-000001%3E").json()["index"]
    assert list(client.get("/%3Clog-%7Bnow%2Fd%7D*%3E/_alias").json()) == [name]
    assert client.put("/%3Clog-%7Bnow%2Fd").status == 400
    assert client.get("/%3Clog-%7Bnoow%7D%3E").status == 400


def test_statistics_by_field(client: Client) -> None:
    client.put("/i")
    shown = client.get("/i/_stats/fielddata,completion?fielddata_fields=k").json()["_all"]["total"]
    assert shown == {
        "fielddata": {"memory_size_in_bytes": 0, "evictions": 0, "fields": {}},
        "completion": {"size_in_bytes": 0},
    }
    shown = client.get("/i/_stats?fields=k&metric=docs,completion").json()["_all"]["total"]
    assert list(shown) == ["docs", "completion"]
    assert shown["completion"]["fields"] == {}


def test_a_forced_flush_waits(client: Client) -> None:
    client.put("/i")
    error = client.post("/i/_flush?force=true&wait_if_ongoing=false").error()
    assert error["type"] == "action_request_validation_exception"


def test_patterns_of_columns_mean_aliases_too(client: Client) -> None:
    client.put("/i")
    row = client.get("/_cat/indices?h=idx*,uuid&format=json").json()[0]
    assert list(row) == ["index", "uuid"]


@pytest.mark.parametrize(
    ("path", "status", "reason", "meant"),
    [
        ("/_all,i/_count", 400, "Invalid index name [_all], must not start with '_'.", None),
        ("/n/_count?ignore_unavailable=true", 404, "no such index [n]", "n"),
        ("/n,m/_count?ignore_unavailable=true", 404, "no such index [null]", ["n", "m"]),
        ("/i*,-i*/_count?", 404, "no such index [null]", ["i*", "-i*"]),
        ("/_count?expand_wildcards=none", 404, "no such index [_all] and no indices exist", "_all"),
        ("/_count?expand_wildcards=closed", 404, "no such index [null] and no indices exist", "_all"),
        ("/*/_count?expand_wildcards=closed", 404, "no such index [null]", "*"),
        ("/*/_count?expand_wildcards=none", 404, "no such index [*]", "*"),
        ("/i*/_count?expand_wildcards=none", 404, "no such index [i*]", "i*"),
    ],
)
def test_expressions_that_stand_for_nothing(
    client: Client, path: str, status: int, reason: str, meant: object
) -> None:
    client.put("/i")
    answer = client.get(f"{path}{'&' if '?' in path else '?'}allow_no_indices=false")
    assert (answer.status, answer.error()["reason"]) == (status, reason)
    assert answer.error().get("resource.id") == meant
