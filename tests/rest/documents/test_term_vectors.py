"""``_termvectors`` and ``_mtermvectors``.

term_vectors.ndjson holds an index with its documents, then what the reference (OpenSearch 2.19.1) answered.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client

FIRST, *CASES = map(json.loads, Path(__file__).with_name("term_vectors.ndjson").read_text().splitlines())
VARIES = ("took", "index_uuid")


def steady(value: Any) -> Any:
    """An answer without what differs from run to run."""
    if isinstance(value, dict):
        return {key: steady(item) for key, item in value.items() if key not in VARIES}
    if isinstance(value, list):
        return [steady(item) for item in value]
    return round(value, 5) if isinstance(value, float) else value


@pytest.fixture
def filled(client: Client) -> Client:
    assert client.put("/t", FIRST["index"]).status == 200
    lines: list[Any] = []
    for i, document in enumerate(FIRST["documents"]):
        lines += [{"index": {"_index": "t", "_id": str(i)}}, document]
    assert not client.post("/_bulk?refresh=true", lines).json()["errors"]
    return client


def test_answers_are_those_of_the_reference(filled: Client) -> None:
    wrong = {}
    for case in CASES:
        answer = filled.request(case["method"], case["path"], case["body"])
        given = (answer.status, steady(answer.json()))
        wanted = (case["status"], steady(case["answer"]))
        if given != wanted:
            wrong[f"{case['path']} {case['body']}"] = (wanted, given)
    assert wrong == {}


def test_a_document_that_is_not_refreshed(filled: Client) -> None:
    filled.put("/t/_doc/new", {"p": "not yet"})
    answer = filled.get("/t/_termvectors/new?fields=p").json()
    assert list(answer["term_vectors"]["p"]["terms"]) == ["not", "yet"]
    assert filled.get("/t/_termvectors/new?fields=p&realtime=false").json()["found"] is False


def test_offsets_count_utf16_units(filled: Client) -> None:
    filled.put("/t/_doc/u?refresh=true", {"p": ["\U0001f600 one", "two"]})
    terms = filled.get("/t/_termvectors/u?fields=p").json()["term_vectors"]["p"]["terms"]
    assert [terms[word]["tokens"][0]["start_offset"] for word in ("one", "two")] == [3, 7]


def test_another_version_is_a_conflict(filled: Client) -> None:
    answer = filled.get("/t/_termvectors/0?version=7")
    assert (answer.status, answer.error()["type"]) == (409, "version_conflict_engine_exception")
    item = filled.post("/t/_mtermvectors", {"docs": [{"_id": "0", "version": 7}]}).json()["docs"][0]
    assert item["error"]["type"] == "version_conflict_engine_exception"


def test_a_given_document_must_fit_the_mapping(filled: Client) -> None:
    answer = filled.post("/t/_termvectors", {"doc": {"n": "abc"}})
    assert (answer.status, answer.error()["type"]) == (400, "mapper_parsing_exception")


def test_routing_chooses_the_shard(client: Client) -> None:
    client.put("/two", {"settings": {"number_of_shards": 2}})
    client.put("/two/_doc/1?routing=r&refresh=true", {"k": "routed"})
    assert client.get("/two/_termvectors/1?fields=k&routing=r").json()["found"] is True
    assert client.post("/two/_termvectors", {"doc": {"k": "x"}, "routing": "r"}).json()["found"] is True
