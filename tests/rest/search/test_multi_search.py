"""``_msearch``: answers and faults as a real server gave them (recorded exchanges of area msearch)."""

import json
from typing import Any

import pytest

from tests.conftest import Client


def lines(*parts: Any) -> str:
    return "".join((part if isinstance(part, str) else json.dumps(part)) + "\n" for part in parts)


@pytest.fixture
def filled(client: Client) -> Client:
    client.post(
        "/_bulk?refresh=true", lines({"index": {"_index": "a", "_id": "1"}}, {"t": "wind sea", "n": 1})
    )
    client.post("/_bulk?refresh=true", lines({"index": {"_index": "b", "_id": "2"}}, {"t": "calm", "n": 2}))
    return client


def test_each_search_has_its_answer(filled: Client) -> None:
    answer = filled.post(
        "/a/_msearch", lines({}, {"query": {"match": {"t": "wind"}}}, {"index": "b"}, {}, {"index": "no"}, {})
    ).json()
    first, second, third = answer["responses"]
    assert [hit["_id"] for hit in first["hits"]["hits"]] == ["1"]
    assert [hit["_id"] for hit in second["hits"]["hits"]] == ["2"]
    assert first["status"] == second["status"] == 200
    assert third["status"] == 404
    assert third["error"]["type"] == "index_not_found_exception"


def test_faulty_lines_refuse_the_request(filled: Client) -> None:
    for body, reason in (
        ('{}\n{"size":0}', "The msearch request must be terminated by a newline [\n]"),
        ('{"bogus":1}\n{}\n', "key [bogus] is not supported in the metadata section"),
        ('{}\n{"nosuch":1}\n', "Unknown key for a VALUE_NUMBER in [nosuch]."),
        ("\n", "Validation Failed: 1: no requests added;"),
        ("{}\n\n", "Expected [START_OBJECT] but found [null]"),
    ):
        answer = filled.get("/_msearch", body)
        assert answer.status == 400
        assert answer.error()["reason"] == reason


def test_templates_are_refused(filled: Client) -> None:
    answer = filled.post("/_msearch/template", lines({}, {"source": "{}"}))
    assert answer.status == 400
    assert answer.error()["reason"] == "search templates are not supported by this version"


def test_equal_hits_come_by_shard_number_then_index(client: Client) -> None:
    for name, shards in (("two", 2), ("one", 1)):
        client.put(f"/{name}", {"settings": {"number_of_shards": shards, "number_of_replicas": 0}})
    client.put("/two/_doc/1?refresh=true", {})
    client.put("/two/_doc/3?routing=x&refresh=true", {})
    client.put("/one/_doc/1?refresh=true", {})
    hits = client.post("/_msearch", lines({}, {})).json()["responses"][0]["hits"]["hits"]
    assert [(hit["_index"], hit["_id"]) for hit in hits] == [("one", "1"), ("two", "1"), ("two", "3")]
