"""Expected values are the reference's."""

from typing import Any

import pytest

from lanner.engine.runtime.thread_pool import ThreadPool
from tests.conftest import Client


@pytest.fixture
def client(client: Client) -> Client:
    body = {"settings": {"number_of_replicas": 0}, "mappings": {"properties": {"n": {"type": "integer"}}}}
    client.put("/a", body)
    return client


def test_index_get_and_delete(client: Client) -> None:
    answer = client.put("/a/_doc/1", b'{"n":1}')
    assert (answer.status, answer.headers["location"]) == (201, "/a/_doc/1")
    assert answer.text == (
        '{"_index":"a","_id":"1","_version":1,"result":"created",'
        '"_shards":{"total":1,"successful":1,"failed":0},"_seq_no":0,"_primary_term":1}'
    )
    answer = client.post("/a/_doc/1", b'{ "n" : 2.0 }')
    assert (answer.status, answer.json()["result"], "location" in answer.headers) == (200, "updated", False)
    assert client.get("/a/_doc/1").text == (
        '{"_index":"a","_id":"1","_version":2,"_seq_no":1,"_primary_term":1,"found":true,'
        '"_source":{ "n" : 2.0 }}'
    )
    assert client.get("/a/_source/1").text == '{ "n" : 2.0 }'
    assert client.get("/a/_source/1?pretty").text == '{\n  "n" : 2.0\n}\n'
    assert client.head("/a/_doc/1").status == 200
    assert client.head("/a/_source/1").status == 200
    answer = client.delete("/a/_doc/1")
    assert (answer.status, answer.json()["result"], answer.json()["_version"]) == (200, "deleted", 3)
    assert client.head("/a/_doc/1").status == 404
    assert client.head("/a/_source/1").status == 404


def test_missing_documents(client: Client) -> None:
    answer = client.get("/a/_doc/x")
    assert (answer.status, answer.json()) == (404, {"_index": "a", "_id": "x", "found": False})
    answer = client.get("/a/_source/x")
    assert (answer.status, answer.error()["reason"]) == (404, "Document not found [a]/[x]")
    answer = client.delete("/a/_doc/x")
    assert (answer.status, answer.json()["result"]) == (404, "not_found")
    answer = client.get("/nosuch/_doc/1")
    assert (answer.status, answer.error()["resource.type"]) == (404, "index_expression")


def test_generated_ids(client: Client) -> None:
    answer = client.post("/a/_doc", {"n": 1})
    assert (answer.status, len(answer.json()["_id"])) == (201, 20)
    assert answer.headers["location"] == f"/a/_doc/{answer.json()['_id']}"


@pytest.mark.parametrize(
    ("path", "id_", "location"),
    [
        ("1%2F2", "1/2", "/a/_doc/1%2F2"),
        ("a+b", "a+b", "/a/_doc/a%2Bb"),
        ("sp%20ace%C3%A4?routing=a%20b", "sp aceä", "/a/_doc/sp+ace%C3%A4?routing=a+b"),
    ],
)
def test_ids_of_all_kinds(client: Client, path: str, id_: str, location: str) -> None:
    answer = client.put(f"/a/_doc/{path}", {"n": 1})
    assert (answer.json()["_id"], answer.headers["location"]) == (id_, location)
    assert client.get(f"/a/_doc/{path}").json()["found"]


def test_create(client: Client) -> None:
    assert client.put("/a/_create/1", {"n": 1}).status == 201
    assert client.post("/a/_create/2", {"n": 1}).status == 201
    answer = client.put("/a/_create/1", {"n": 1})
    assert answer.status == 409
    assert answer.error()["reason"] == "[1]: version conflict, document already exists (current version [1])"
    assert client.put("/a/_doc/1?op_type=create", {"n": 1}).status == 409


def test_indices_are_made_when_needed(client: Client) -> None:
    answer = client.put("/new/_doc/1?refresh", {"t": "x"})
    assert answer.json()["forced_refresh"] is True
    assert answer.json()["_shards"] == {"total": 2, "successful": 1, "failed": 0}
    mapping = client.get("/new/_mapping").json()["new"]["mappings"]["properties"]["t"]
    assert mapping == {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}}


def test_compare_and_set(client: Client) -> None:
    client.put("/a/_doc/1", {"n": 1})
    assert client.put("/a/_doc/1?if_seq_no=0&if_primary_term=1", {"n": 2}).status == 200
    answer = client.put("/a/_doc/1?if_seq_no=0&if_primary_term=1", {"n": 3})
    assert answer.status == 409
    assert answer.error()["reason"] == (
        "[1]: version conflict, required seqNo [0], primary term [1]. "
        "current document has seqNo [1] and primary term [1]"
    )
    assert client.put("/a/_doc/2?version=7&version_type=external", {"n": 1}).json()["_version"] == 7
    assert client.put("/a/_doc/2?version=7&version_type=external", {"n": 1}).status == 409
    assert client.get("/a/_doc/2?version=9").status == 409
    assert client.delete("/a/_doc/2?if_seq_no=0&if_primary_term=1").status == 409


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("refresh=x", "Unknown value for refresh: [x]."),
        ("op_type=x", "opType must be 'create' or 'index', found: [x]"),
        ("wait_for_active_shards=x", "cannot parse ActiveShardCount[x]"),
        ("wait_for_active_shards=-1", "shard count cannot be a negative value"),
        ("if_seq_no=3", "Validation Failed: 1: ifSeqNo is set, but primary term is [0];"),
        ("if_seq_no=-1&if_primary_term=1", "sequence numbers must be non negative. got [-1]."),
        ("version_type=x", "No version type match [x]"),
        ("version=x", "Failed to parse long parameter [version] with value [x]"),
        ("pipeline=nosuch", "pipeline with id [nosuch] does not exist"),
        ("nosuch=1", "request [/a/_doc/1] contains unrecognized parameter: [nosuch]"),
        (
            "version=3",
            "Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. "
            "Please use `if_seq_no` and `if_primary_term` instead;",
        ),
    ],
)
def test_bad_parameters(client: Client, query: str, reason: str) -> None:
    answer = client.put(f"/a/_doc/1?{query}", {"n": 1})
    assert (answer.status, answer.error()["reason"]) == (400, reason)
    assert client.head("/a/_doc/1").status == 404


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"n":', "json_e_o_f_exception"),
        (b'{"n":1,"n":2}', "json_parse_exception"),
        (b'{"n":"x"}', "number_format_exception"),
        (b'{"n":1}{}', "illegal_argument_exception"),
    ],
)
def test_bad_documents(client: Client, body: bytes, kind: str) -> None:
    answer = client.put("/a/_doc/1", body)
    assert (answer.status, answer.error()["type"]) == (400, "mapper_parsing_exception")
    assert answer.error()["caused_by"]["type"] == kind


def test_empty_and_unreadable_bodies(client: Client) -> None:
    assert client.put("/a/_doc/1").error()["reason"] == "request body is required"
    headers = {"content-type": "application/yaml"}
    assert client.request("PUT", "/a/_doc/1", b"---\nn: 5\n", headers).status == 201
    assert client.get("/a/_source/1").text == '{"n":5}'
    answer = client.request("PUT", "/a/_doc/1", b"n: 5\n", headers)
    assert answer.status == 400
    assert "not_x_content_exception" in answer.text


def test_source_filters(client: Client) -> None:
    client.put("/a/_doc/1", {"n": 1, "o": {"x": 2, "y": 3}})
    assert "_source" not in client.get("/a/_doc/1?_source=false").json()
    assert client.get("/a/_doc/1?_source=o.x").json()["_source"] == {"o": {"x": 2}}
    assert client.get("/a/_source/1?_source_excludes=o").json() == {"n": 1}
    answer = client.get("/a/_source/1?_source=false")
    assert answer.error()["reason"] == "Validation Failed: 1: fetching source can not be disabled;"
    assert client.get("/a/_doc/1?realtime=x").status == 400


def test_update(client: Client) -> None:
    client.put("/a/_doc/1", {"n": 1})
    answer = client.post("/a/_update/1?_source=true", {"doc": {"z": 1}})
    assert answer.json()["result"] == "updated"
    assert answer.json()["get"] == {
        "_seq_no": 1,
        "_primary_term": 1,
        "found": True,
        "_source": {"n": 1, "z": 1},
    }
    answer = client.post("/a/_update/1", {"doc": {"z": 1}})
    assert (answer.json()["result"], answer.json()["_shards"]["total"]) == ("noop", 0)
    answer = client.post("/a/_update/2", {"doc": {"n": 5}, "doc_as_upsert": True})
    assert (answer.status, answer.headers["location"]) == (201, "/a/_doc/2")


def test_bad_updates(client: Client) -> None:
    client.put("/a/_doc/1", {"n": 1})
    answer = client.post("/a/_update/x", {"doc": {"n": 1}})
    assert (answer.status, answer.error()["reason"]) == (404, "[x]: document missing")
    assert client.post("/a/_update/1").error()["reason"] == "Validation Failed: 1: script or doc is missing;"
    answer = client.post("/a/_update/1", {"nope": 1})
    assert answer.error()["reason"] == "[1:2] [UpdateRequest] unknown field [nope]"
    assert client.post("/a/_update/1?version=1", {"doc": {}}).status == 400
    assert client.post("/a/_update/1?retry_on_conflict=x", {"doc": {}}).status == 400


def test_short_work_runs_on_the_event_loop(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[str] = []
    submit = ThreadPool.submit

    def noting(pool: ThreadPool, *task: Any) -> Any:
        if pool.name in ("get", "write"):
            pools.append(pool.name)
        return submit(pool, *task)

    monkeypatch.setattr(ThreadPool, "submit", noting)
    client.put(
        "/b",
        {"settings": {"translog.durability": "async"}, "mappings": {"properties": {"n": {"type": "long"}}}},
    )
    answer = client.put("/b/_doc/x%2Fy", {"n": 1})
    assert (answer.status, answer.headers["location"]) == (201, "/b/_doc/x%2Fy")
    assert client.put("/b/_create/x%2Fy", {"n": 1}).status == 409
    assert client.put("/b/_doc/x%2Fy", {"n": "x"}).status == 400
    assert client.get("/b/_doc/x%2Fy").json()["_source"] == {"n": 1}
    assert client.post("/b/_mget", {"ids": ["x/y"]}).json()["docs"][0]["found"]
    assert pools == []
    client.put("/b/_doc/1?refresh=true", {"n": 1})  # waits
    client.put("/a/_doc/1", {"n": 1})  # waits for the disk
    client.put("/b/_doc/1", {"new": 1})  # changes the mapping
    client.get("/b/_doc/1?refresh=true")
    client.post("/b/_mget?refresh=true", {"ids": ["1"]})
    client.post("/b/_mget", {"ids": ["1"] * 100})
    assert pools == ["write"] * 3 + ["get"] * 3
