"""Data streams; every expected value is the real system's."""

from typing import Any

import pytest

from tests.conftest import Client

TEMPLATE = {
    "index_patterns": ["logs-*"],
    "data_stream": {},
    "template": {"settings": {"number_of_replicas": 0}},
}
FIRST, SECOND = ".ds-logs-a-000001", ".ds-logs-a-000002"


@pytest.fixture
def stream(client: Client) -> Client:
    client.put("/_index_template/ds", TEMPLATE)
    assert client.put("/_data_stream/logs-a").json() == {"acknowledged": True}
    return client


def test_life(stream: Client) -> None:
    shown = stream.get(f"/{FIRST}").json()[FIRST]
    assert shown["mappings"] == {
        "_data_stream_timestamp": {"enabled": True},
        "properties": {"@timestamp": {"type": "date"}},
    }
    assert shown["data_stream"] == "logs-a"
    assert shown["settings"]["index"]["hidden"] == "true"
    listed = stream.get("/_data_stream").json()["data_streams"]
    assert stream.get("/_data_stream/logs-*").json()["data_streams"] == listed
    assert (listed[0]["name"], listed[0]["generation"], listed[0]["status"]) == ("logs-a", 1, "GREEN")
    assert listed[0]["template"] == "ds"
    assert stream.put("/_data_stream/logs-a").error()["type"] == "resource_already_exists_exception"
    assert stream.put("/_data_stream/other").error()["reason"] == (
        "no matching index template found for data stream [other]"
    )
    assert stream.delete("/_index_template/ds").status == 400
    assert stream.delete(f"/{FIRST}").error()["reason"] == (
        f"index [{FIRST}] is the write index for data stream [logs-a] and cannot be deleted"
    )
    assert stream.delete("/logs-a").status == 404
    assert stream.delete("/_data_stream/logs-a").json() == {"acknowledged": True}
    assert stream.head(f"/{FIRST}").status == 404


def test_documents(stream: Client) -> None:
    document = {"@timestamp": "2020-01-01"}
    only_create = "only write ops with an op_type of create are allowed in data streams"
    assert stream.put("/logs-a/_doc/1", document).error()["reason"] == only_create
    assert stream.post("/logs-a/_update/1", {"doc": {}}).error()["reason"] == only_create
    assert stream.delete("/logs-a/_doc/1").error()["reason"] == only_create
    assert stream.put("/logs-a/_create/1?refresh=true", document).json()["_index"] == FIRST
    assert "specifies a custom routing" in stream.put("/logs-a/_create/2?routing=a", document).text
    assert "op_type=create targeting backing indices" in stream.put(f"/{FIRST}/_create/2", document).text
    assert "op_type=index and no if_primary_term" in stream.put(f"/{FIRST}/_doc/2", document).text
    assert stream.put(f"/{FIRST}/_doc/1?if_seq_no=0&if_primary_term=1", document).status == 200
    for bad in ({"m": 1}, {"@timestamp": [1, 2]}, {"@timestamp": None}):
        error = stream.post("/logs-a/_doc", bad).error()
        assert (error["type"], error["reason"]) == ("mapper_parsing_exception", "failed to parse")
        assert error["caused_by"]["reason"] == (
            "documents must contain a single-valued timestamp field '@timestamp' of date type"
        )
    stream.post("/logs-a/_refresh")
    assert stream.get("/logs-a/_count").json()["count"] == 1
    assert stream.get("/logs-*/_count").json()["count"] == 1
    stats = stream.get("/_data_stream/_stats").json()
    assert stream.get("/_data_stream/logs-a/_stats").json() == stats
    assert stats["data_streams"][0]["maximum_timestamp"] == 1577836800000


def test_writes_make_streams(stream: Client) -> None:
    lines = [
        {"create": {"_index": "logs-b"}},
        {"@timestamp": 5},
        {"index": {"_index": "logs-b"}},
        {"@timestamp": 6},
    ]
    items = stream.post("/_bulk", lines).json()["items"]
    assert items[0]["create"]["_index"] == ".ds-logs-b-000001"
    assert items[1]["index"]["status"] == 400
    assert stream.put("/logs-c").error()["reason"] == (
        "cannot create index with name [logs-c], because it matches with template [ds] that creates data "
        "streams only, use create data stream api instead"
    )


def test_rollover(stream: Client) -> None:
    answer = stream.post("/logs-a/_rollover", {"conditions": {"max_docs": 1}}).json()
    assert (answer["rolled_over"], answer["conditions"]) == (False, {"[max_docs: 1]": False})
    answer = stream.post("/logs-a/_rollover").json()
    assert (answer["old_index"], answer["new_index"], answer["rolled_over"]) == (FIRST, SECOND, True)
    assert stream.post("/logs-a/_doc", {"@timestamp": 1}).json()["_index"] == SECOND
    assert stream.post("/logs-a/_rollover/new").status == 400
    assert stream.post("/logs-a/_rollover", {"aliases": {"a": {}}}).status == 400
    assert stream.post(f"/{SECOND}/_close").status == 400
    assert stream.post(f"/{FIRST}/_close").status == 200
    assert stream.delete(f"/{FIRST}").json() == {"acknowledged": True}
    assert [
        each["index_name"] for each in stream.get("/_data_stream").json()["data_streams"][0]["indices"]
    ] == [SECOND]


def test_reads_of_one_document_do_not_take_streams(stream: Client) -> None:
    answer: Any = stream.get("/logs-a/_doc/1")
    assert (answer.status, answer.error()["excluded_ds"]) == (404, "true")


def test_aliases_are_refused(stream: Client) -> None:
    assert stream.put("/logs-a/_alias/al").status == 404
    assert stream.get("/logs-a/_alias").status == 404
    assert stream.put(f"/{FIRST}/_alias/al").error()["reason"] == (
        f"The provided expressions [{FIRST}] match a backing index belonging to data stream [logs-a]. Data "
        "streams and their backing indices don't support aliases."
    )
    actions = {"actions": [{"remove_index": {"index": FIRST}}]}
    assert stream.post("/_aliases", actions).status == 400


def test_how_a_document_may_come_without_an_id(stream: Client) -> None:
    assert stream.post("/logs-a/_doc", {"@timestamp": 1}).status == 201
    reason = "only write ops with an op_type of create are allowed in data streams"
    assert stream.post("/logs-a/_doc?op_type=index", {"@timestamp": 1}).error()["reason"] == reason
    error = stream.post("/logs-a/_doc?if_seq_no=1&if_primary_term=1", {"@timestamp": 1}).error()
    assert error["reason"] == (
        "Validation Failed: 1: create operations do not support compare and set. use index instead;"
    )


def test_names_do_not_begin_with_a_dot(stream: Client) -> None:
    reason = "data_stream [.ds-x] must not start with '.'"
    assert stream.put("/_data_stream/.ds-x").error()["reason"] == reason


def test_texts_of_sizes(stream: Client) -> None:
    shown = stream.get("/_data_stream/_stats?human=true").json()
    assert {"total_store_size", "total_store_size_bytes"} < set(shown)
    assert {"store_size", "store_size_bytes"} < set(shown["data_streams"][0])
