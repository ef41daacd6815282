"""``_delete_by_query``, ``_update_by_query``, ``_reindex``. Answers are shaped as the reference's."""

from dataclasses import replace
from typing import Any

import pytest

from lanner.engine.document import by_query
from lanner.engine.document.bulk import bulk
from tests.conftest import Client

ZEROES = {
    "version_conflicts": 0,
    "noops": 0,
    "retries": {"bulk": 0, "search": 0},
    "throttled_millis": 0,
    "requests_per_second": -1.0,
    "throttled_until_millis": 0,
    "failures": [],
}


@pytest.fixture
def filled(client: Client) -> Client:
    client.put("/a", {"settings": {"number_of_shards": 2, "number_of_replicas": 0}})
    lines: list[Any] = []
    for n in range(10):
        lines += [{"index": {"_id": str(n), "routing": f"r{n}"}}, {"n": n}]
    client.post("/a/_bulk?refresh=true", lines)
    return client


def without_took(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "took"}


def test_delete(filled: Client) -> None:
    answer = filled.post("/a/_delete_by_query?refresh", {"query": {"range": {"n": {"gte": 4}}}})
    assert without_took(answer.json()) == {
        "timed_out": False,
        "total": 6,
        "deleted": 6,
        "batches": 1,
        **ZEROES,
    }
    assert filled.get("/a/_count").json()["count"] == 4


def test_update_writes_the_same_again(filled: Client) -> None:
    answer = filled.post("/a/_update_by_query?refresh=true&scroll_size=4&max_docs=6").json()
    assert (answer["total"], answer["updated"], answer["deleted"], answer["batches"]) == (6, 6, 0, 2)
    versions = [
        hit["_version"] for hit in filled.post("/a/_search", {"version": True}).json()["hits"]["hits"]
    ]
    assert sorted(versions) == [1] * 4 + [2] * 6


def test_slices_do_not_see_what_others_wrote(filled: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "lanner.engine.document.by_query.bulk",
        lambda node, request: bulk(node, replace(request, refresh="true")),
    )
    answer = filled.post("/a/_update_by_query?slices=5&scroll_size=1").json()
    assert (answer["total"], answer["updated"], answer["version_conflicts"]) == (10, 10, 0)


@pytest.mark.parametrize("slices", ["auto", "5"])
def test_slices(filled: Client, slices: str) -> None:
    answer = filled.post(f"/a/_delete_by_query?slices={slices}", {"query": {"match_all": {}}}).json()
    assert answer["deleted"] == 10
    assert sum(part["deleted"] for part in answer["slices"]) == 10
    assert [part["slice_id"] for part in answer["slices"]] == list(range(len(answer["slices"])))


def test_reindex(filled: Client) -> None:
    body = {"source": {"index": "a", "query": {"range": {"n": {"lt": 3}}}}, "dest": {"index": "b"}}
    answer = filled.post("/_reindex?refresh=true", body).json()
    assert (answer["total"], answer["created"], answer["updated"]) == (3, 3, 0)
    hits = filled.post("/b/_search", {"sort": ["n"]}).json()["hits"]["hits"]
    assert [(hit["_id"], hit["_routing"], hit["_source"]) for hit in hits] == [
        (str(n), f"r{n}", {"n": n}) for n in range(3)
    ]
    again = filled.post("/_reindex", {**body, "dest": {"index": "b", "op_type": "create"}})
    assert again.status == 409
    assert again.json()["version_conflicts"] == 3
    assert again.json()["failures"][0]["cause"]["type"] == "version_conflict_engine_exception"
    proceeded = filled.post(
        "/_reindex", {**body, "conflicts": "proceed", "dest": {"index": "b", "op_type": "create"}}
    )
    assert (proceeded.status, proceeded.json()["failures"]) == (200, [])


def test_tasks(filled: Client) -> None:
    body = {"source": {"index": "a"}, "dest": {"index": "b"}}
    task = filled.post("/_reindex?wait_for_completion=false", body).json()["task"]
    found = filled.get(f"/_tasks/{task}?wait_for_completion=true").json()
    assert found["completed"]
    assert found["response"]["created"] == 10
    assert found["task"]["description"] == "reindex from [a] to [b]"
    gone = filled.post(f"/_reindex/{task}/_rethrottle?requests_per_second=-1").json()
    assert gone["node_failures"][0]["caused_by"]["reason"] == f"task [{task}] is missing"


def test_throttled_between_pages(filled: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(by_query.Job.__init__, "__defaults__", (waited.append,))
    answer = filled.post(
        "/a/_delete_by_query?scroll_size=5&requests_per_second=10", {"query": {"match_all": {}}}
    ).json()
    assert sum(waited) == pytest.approx(0.5)
    assert (answer["throttled_millis"], answer["requests_per_second"]) == (500, 10.0)


@pytest.mark.parametrize(
    ("query", "body", "reason"),
    [
        ("", {}, "Validation Failed: 1: query is missing;"),
        ("conflicts=cat", {"query": {}}, 'conflicts may only be "proceed" or "abort" but was [cat]'),
        (
            "requests_per_second=0",
            {"query": {"match_all": {}}},
            "[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.",
        ),
        (
            "slices=0",
            {"query": {"match_all": {}}},
            '[slices] must be a positive integer or the string "auto", but was [0]',
        ),
        (
            "max_docs=-4",
            {"query": {"match_all": {}}},
            "[max_docs] parameter cannot be negative, found [-4]",
        ),
    ],
)
def test_faults(filled: Client, query: str, body: dict[str, Any], reason: str) -> None:
    answer = filled.post(f"/a/_delete_by_query?{query}", body)
    assert answer.status == 400
    assert answer.error()["reason"] == reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            {},
            "Validation Failed: 1: use _all if you really want to copy from all existing indexes;"
            "2: index must be specified;",
        ),
        (
            {"source": {"index": "a"}, "dest": {"index": "a"}},
            "Validation Failed: 1: reindex cannot write into an index its reading from [a];",
        ),
    ],
)
def test_reindex_faults(filled: Client, body: dict[str, Any], reason: str) -> None:
    answer = filled.post("/_reindex", body)
    assert answer.status == 400
    assert answer.error()["reason"] == reason
