"""Scrolls, points in time and slices."""

from typing import Any

import pytest

from tests.conftest import Client


@pytest.fixture
def filled(client: Client) -> Client:
    client.put("/a", {"settings": {"number_of_shards": 2, "number_of_replicas": 0}})
    lines: list[Any] = []
    for n in range(25):
        lines += [{"index": {"_id": str(n)}}, {"n": n, "t": "wind " * (n % 3 + 1)}]
    client.post("/a/_bulk?refresh=true", lines)
    return client


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["_id"] for hit in answer["hits"]["hits"]]


@pytest.mark.parametrize(
    "body",
    [
        {"sort": [{"n": "desc"}]},
        {"sort": ["_doc"]},
        {"query": {"match": {"t": "wind"}}},
        {},
        {"sort": ["t.keyword"]},
    ],
)
def test_pages_are_the_whole_answer_in_order(filled: Client, body: dict[str, Any]) -> None:
    whole = ids(filled.post("/a/_search", {**body, "size": 100}).json())
    answer = filled.post("/a/_search?scroll=1m", {**body, "size": 4}).json()
    total, best = answer["hits"]["total"], answer["hits"]["max_score"]
    found = ids(answer)
    filled.put("/a/_doc/new?refresh=true", {"n": 99, "t": "wind"})
    filled.delete("/a/_doc/3?refresh=true")
    while True:
        page = filled.post("/_search/scroll", {"scroll_id": answer["_scroll_id"], "scroll": "1m"}).json()
        assert (page["hits"]["total"], page["hits"]["max_score"]) == (total, best)
        if not ids(page):
            break
        found += ids(page)
    assert found == whole
    assert filled.delete("/_search/scroll", {"scroll_id": answer["_scroll_id"]}).json() == {
        "succeeded": True,
        "num_freed": 2,
    }
    gone = filled.get(f"/_search/scroll/{answer['_scroll_id']}")
    assert gone.status == 404
    assert gone.error()["root_cause"][0]["type"] == "search_context_missing_exception"


def test_scrolls_expire(filled: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    key = filled.post("/a/_search?scroll=1m", {"size": 1}).json()["_scroll_id"]
    clock = filled.app.node.clock
    later = clock.monotonic() + 61
    monkeypatch.setattr(filled.app.node.contexts, "_clock", type("", (), {"monotonic": lambda self: later})())
    assert filled.post("/_search/scroll", {"scroll_id": key}).status == 404


def test_deleting_an_index_closes_what_holds_it(filled: Client) -> None:
    filled.post("/a/_search?scroll=1m", {"size": 1})
    filled.post("/a/_search/point_in_time?keep_alive=1m")
    filled.delete("/a")
    assert filled.get("/_search/point_in_time/_all").json() == {"pits": []}
    assert filled.app.node.contexts.all("scroll") == []


def test_no_more_contexts_than_allowed(filled: Client) -> None:
    filled.put("/_cluster/settings", {"transient": {"search.max_open_scroll_context": 3}})
    assert filled.post("/a/_search?scroll=1m", {"size": 1}).status == 200
    refused = filled.post("/a/_search?scroll=1m", {"size": 1})
    assert refused.status == 429
    assert "Trying to create too many scroll contexts" in refused.error()["root_cause"][0]["reason"]
    filled.delete("/_search/scroll/_all")
    assert filled.post("/a/_search?scroll=1m", {"size": 1}).status == 200


@pytest.mark.parametrize(
    ("query", "body", "reason"),
    [
        ("scroll=1m&from=1", {}, "Validation Failed: 1: using [from] is not allowed in a scroll context;"),
        ("scroll=1m&size=0", {}, "Validation Failed: 1: [size] cannot be [0] in a scroll context;"),
        (
            "scroll=x",
            {},
            "failed to parse setting [scroll] with value [x] as a time value: unit is missing or "
            "unrecognized",
        ),
        ("scroll=25h", {}, "all shards failed"),
    ],
)
def test_faults(filled: Client, query: str, body: dict[str, Any], reason: str) -> None:
    answer = filled.post(f"/a/_search?{query}", body)
    assert answer.status == 400
    assert answer.error()["reason"] == reason


def test_bad_ids(filled: Client) -> None:
    assert (
        filled.post("/_search/scroll", {"scroll_id": "bogus"}).error()["reason"] == "Cannot parse scroll id"
    )
    assert filled.post("/_search", {"pit": {"id": "bogus"}}).error()["reason"] == "invalid id: [bogus]"
    assert filled.delete("/_search/point_in_time", {}).status == 400


def test_point_in_time(filled: Client) -> None:
    key = filled.post("/a/_search/point_in_time?keep_alive=1m").json()["pit_id"]
    filled.put("/a/_doc/new?refresh=true", {"n": 99})
    body = {"pit": {"id": key, "keep_alive": "2m"}, "size": 10, "sort": [{"n": "asc"}]}
    first = filled.post("/_search", body).json()
    assert first["pit_id"] == key
    assert ids(first) == [str(n) for n in range(10)]
    second = filled.post("/_search", {**body, "search_after": [9], "size": 100}).json()
    assert ids(second) == [str(n) for n in range(10, 25)]
    listed = filled.get("/_search/point_in_time/_all").json()["pits"]
    assert [(pit["pit_id"], pit["keep_alive"]) for pit in listed] == [(key, 120_000)]
    closed = filled.delete("/_search/point_in_time", {"pit_id": [key]}).json()
    assert closed == {"pits": [{"successful": True, "pit_id": key}]}
    assert filled.post("/_search", body).status == 404
    assert filled.delete("/_search/point_in_time/_all").json() == {"pits": []}


@pytest.mark.parametrize("parts", [2, 3, 5])
def test_slices_divide_a_search(filled: Client, parts: int) -> None:
    found: list[str] = []
    for part in range(parts):
        body = {"slice": {"id": part, "max": parts}, "size": 100}
        found += ids(filled.post("/a/_search?scroll=1m", body).json())
    assert sorted(found) == sorted(map(str, range(25)))


def test_slices_need_a_scroll(filled: Client) -> None:
    answer = filled.post("/a/_search", {"slice": {"id": 0, "max": 2}})
    assert answer.status == 400
    assert "cannot be used outside of a scroll context" in answer.error()["root_cause"][0]["reason"]
