"""Closing, opening and rolling over; every expected value is the real system's."""

from pathlib import Path
from typing import Any

import pytest

from lanner.engine.node import Node, NodeSettings
from lanner.server.app import create_app
from lanner.server.config import DEFAULTS
from tests.conftest import SETTINGS, Client


def test_a_closed_index_answers_neither_reads_nor_writes(client: Client) -> None:
    client.put("/i", {"settings": {"number_of_replicas": 0}})
    client.put("/i/_doc/1", {"a": 1})
    assert client.post("/i/_close").json() == {
        "acknowledged": True,
        "shards_acknowledged": True,
        "indices": {"i": {"closed": True}},
    }
    assert client.post("/i/_close").json()["indices"] == {}
    for method, path in (
        ("GET", "/i/_doc/1"),
        ("GET", "/i/_search"),
        ("GET", "/i/_count"),
        ("GET", "/i/_stats"),
    ):
        answer = client.request(method, path)
        assert (answer.status, answer.error()["type"]) == (400, "index_closed_exception")
    for path in ("/i/_doc/1", "/i/_create/1"):
        assert client.put(path, {}).error()["type"] == "index_closed_exception"
    assert client.post("/i/_refresh").status == 400
    assert client.post("/_refresh").json()["_shards"]["total"] == 0
    assert client.get("/_search").json()["hits"]["total"]["value"] == 0
    assert client.get("/_search?ignore_unavailable=true").status == 200
    assert client.get("/i/_search?ignore_unavailable=true").json()["_shards"]["total"] == 0
    settings = client.get("/i/_settings?flat_settings=true").json()["i"]["settings"]
    assert settings["index.verified_before_close"] == "true"
    assert client.get("/_cluster/health/i").json()["status"] == "green"
    assert client.put("/i/_settings", {"index.codec": "best_compression"}).json() == {"acknowledged": True}
    analysis = {"analysis": {"analyzer": {"x": {"type": "custom", "tokenizer": "keyword"}}}}
    assert client.put("/i/_settings", analysis).status == 200
    assert client.put("/i/_mapping", {"properties": {"z": {"type": "text", "analyzer": "x"}}}).status == 200
    assert client.post("/i/_open").json() == {"acknowledged": True, "shards_acknowledged": True}
    assert client.get("/i/_doc/1").json()["_source"] == {"a": 1}
    assert client.put("/i/_doc/2", {"z": "a b"}).json()["_primary_term"] == 3
    assert "index.verified_before_close" not in client.get("/i/_settings?flat_settings=true").text
    assert client.post("/_close").status == 200
    assert client.post("/_open").status == 200
    assert client.post("/nosuch/_open").status == 404


def test_a_closed_index_stays_closed(tmp_path: Path) -> None:
    flat = {**DEFAULTS, **SETTINGS, "path.data": str(tmp_path / "data")}
    for closed in (False, True):
        node = Node(NodeSettings.parse(flat))
        node.start()
        client = Client(create_app(node))
        try:
            if not closed:
                client.put("/i/_doc/1", {"a": 1})
                client.post("/i/_close")
            else:
                assert client.get("/i/_doc/1").status == 400
                client.post("/i/_open")
                assert client.get("/i/_doc/1").status == 200
        finally:
            client.close()
            node.close()


def test_wildcards_follow_states(client: Client) -> None:
    for name in ("a1", "a2"):
        client.put(f"/{name}", {"aliases": {"al": {}}})
    client.post("/a2/_close")

    def found(path: str) -> list[str]:
        return sorted(client.get(path).json())

    assert found("/a*/_mapping") == ["a1"]
    assert found("/al*/_mapping") == ["a1"]
    assert found("/a*/_mapping?expand_wildcards=closed") == ["a2"]
    assert found("/a*/_mapping?expand_wildcards=all") == ["a1", "a2"]
    assert found("/a*/_mapping?expand_wildcards=none") == []
    assert client.get("/al/_search").error()["type"] == "index_closed_exception"


def test_rollover_of_an_alias(client: Client) -> None:
    client.put("/roll-000001", {"aliases": {"rl": {}, "rw": {"is_write_index": True}}})
    conditions = {"conditions": {"max_docs": 1, "max_age": "7d", "max_size": "5gb"}}
    assert client.post("/rl/_rollover?dry_run=true", conditions).json() == {
        "acknowledged": False,
        "shards_acknowledged": False,
        "old_index": "roll-000001",
        "new_index": "roll-000002",
        "rolled_over": False,
        "dry_run": True,
        "conditions": {"[max_docs: 1]": False, "[max_size: 5gb]": False, "[max_age: 7d]": False},
    }
    client.put("/roll-000001/_doc/1?refresh=true", {"a": 1})
    body = {"conditions": {"max_docs": 1}, "settings": {"number_of_shards": 2}, "aliases": {"ra": {}}}
    answer = client.post("/rl/_rollover", body).json()
    assert (answer["rolled_over"], answer["conditions"]) == (True, {"[max_docs: 1]": True})
    assert client.get("/roll-000001/_alias").json()["roll-000001"]["aliases"] == {
        "rw": {"is_write_index": True}
    }
    assert client.get("/roll-000002/_alias").json()["roll-000002"]["aliases"] == {"ra": {}, "rl": {}}
    assert client.post("/rw/_rollover/named").json()["new_index"] == "named"
    assert client.get("/_alias/rw").json() == {
        "named": {"aliases": {"rw": {"is_write_index": True}}},
        "roll-000001": {"aliases": {"rw": {"is_write_index": False}}},
    }
    state = client.get("/_cluster/state/metadata/roll-000001").json()["metadata"]["indices"]["roll-000001"]
    assert state["rollover_info"]["rl"]["met_conditions"] == {"max_docs": 1}


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("/nosuch/_rollover", None, "rollover target [nosuch] does not exist"),
        (
            "/i/_rollover",
            None,
            "rollover target is a [concrete index] but one of [alias,data_stream] was expected",
        ),
        ("/al/_rollover", None, "index name [i] does not match pattern '^.*-\\d+$'"),
        (
            "/al/_rollover",
            {"conditions": {"bogus": 1}},
            "[1:26] [rollover] failed to parse field [conditions]",
        ),
        ("/al/_rollover", {"bogus": 1}, "[1:2] [rollover] unknown field [bogus]"),
    ],
)
def test_bad_rollovers(client: Client, path: str, body: Any, reason: str) -> None:
    client.put("/i", {"aliases": {"al": {}}})
    answer = client.post(path, body)
    assert (answer.status, answer.error()["reason"]) == (400, reason)
