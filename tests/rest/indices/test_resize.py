"""Shrink, split, clone; error texts are the real system's, documents are held against the source's."""

from typing import Any

import pytest

from tests.conftest import Client


def documents(client: Client, index: str, ids: range) -> dict[str, Any]:
    """What is known of each document, by id."""
    found = {}
    for each in ids:
        answer = client.get(f"/{index}/_doc/{each}?routing={each % 3}").json()
        found[str(each)] = {key: value for key, value in answer.items() if key != "_index"}
    return found


@pytest.fixture
def source(client: Client) -> Client:
    client.put(
        "/src",
        {
            "settings": {"number_of_shards": 2, "number_of_replicas": 0, "refresh_interval": "7s"},
            "mappings": {"_meta": {"a": 1}},
        },
    )
    for each in range(30):
        client.put(f"/src/_doc/{each}?routing={each % 3}", {"n": each})
    for each in range(0, 30, 4):
        client.put(f"/src/_doc/{each}?routing={each % 3}", {"n": -each})
    for each in range(0, 30, 7):
        client.delete(f"/src/_doc/{each}?routing={each % 3}")
    client.put("/src/_block/write")
    return client


@pytest.mark.parametrize(
    ("kind", "shards", "body"),
    [("shrink", 1, {}), ("split", 4, {"index.number_of_shards": 4}), ("clone", 2, {})],
)
def test_documents_keep_what_they_are(source: Client, kind: str, shards: int, body: dict[str, Any]) -> None:
    wanted = documents(source, "src", range(30))
    answer = source.post(f"/src/_{kind}/dst", {"settings": {**body, "index.blocks.write": None}})
    assert answer.json() == {"acknowledged": True, "shards_acknowledged": True, "index": "dst"}
    assert documents(source, "dst", range(30)) == wanted
    assert source.get("/dst/_count").json()["count"] == source.get("/src/_count").json()["count"] == 25
    shown = source.get("/dst?flat_settings=true").json()["dst"]
    assert shown["mappings"] == source.get("/src").json()["src"]["mappings"]
    assert shown["settings"]["index.number_of_shards"] == str(shards)
    assert shown["settings"]["index.resize.source.name"] == "src"
    assert shown["settings"]["index.refresh_interval"] == "7s"
    highest = max(each["_seq_no"] for each in wanted.values() if each["found"])
    assert source.put("/dst/_doc/new?routing=0", {"n": 1}).json()["_seq_no"] > highest
    assert source.get("/dst/_recovery").json()["dst"]["shards"][0]["type"] == "LOCAL_SHARDS"


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        (
            "/src/_shrink/t",
            {"settings": {"index.number_of_shards": 4}},
            400,
            "the number of target shards [4] must be less that the number of source shards [2]",
        ),
        (
            "/src/_clone/t",
            {"settings": {"index.number_of_shards": 4}},
            400,
            "the number of target shards (4) must be the same as the number of source shards (2)",
        ),
        (
            "/src/_split/t",
            {},
            400,
            "Validation Failed: 1: index.number_of_shards is required for split operations;",
        ),
        (
            "/src/_split/t",
            {"settings": {"index.number_of_shards": 3}},
            400,
            "the number of source shards [2] must be a factor of [3]",
        ),
        ("/src/_split/t", {"bogus": 1}, 400, "[1:2] [resize_request] unknown field [bogus]"),
        (
            "/src/_shrink/t",
            {"settings": {"index.number_of_shards": 1}, "max_shard_size": "1gb"},
            400,
            "Validation Failed: 1: Cannot set max_shard_size and index.number_of_shards at the same time!;",
        ),
        (
            "/open/_clone/t",
            None,
            500,
            'index open must block write operations to resize index. use "index.blocks.write=true"',
        ),
        (
            "/src/_clone/t?copy_settings=false",
            None,
            400,
            "parameter [copy_settings] can not be explicitly set to [false]",
        ),
        ("/nosuch/_clone/t", None, 404, "no such index [nosuch]"),
    ],
)
def test_bad_requests(source: Client, path: str, body: Any, status: int, reason: str) -> None:
    source.put("/open")
    answer = source.put(path, body)
    assert (answer.status, answer.error()["reason"]) == (status, reason)
    assert source.head("/t").status == 404


def test_an_interrupted_filling_leaves_nothing(source: Client, node: Any, monkeypatch: Any) -> None:
    from lanner.engine.cluster import resize

    def fail(*_: Any) -> None:
        raise OSError("no")

    monkeypatch.setattr(resize, "_copy", fail)
    request = resize.ResizeRequest("clone", "src", "t", {})
    with pytest.raises(OSError, match="no"):
        resize.resize(node, request)
    assert source.head("/t").status == 404
    assert len(node.files.list(node.indices.folder)) == 1
    assert node._store.range("deleted/") == []


def test_a_single_shard_can_be_split_into_any_number(client: Client) -> None:
    client.put("/one", {"settings": {"number_of_shards": 1, "number_of_replicas": 0}})
    for each in range(20):
        client.put(f"/one/_doc/{each}", {"n": each})
    client.put("/one/_block/write")
    body = {"settings": {"index.number_of_shards": 7, "index.blocks.write": None}}
    assert client.post("/one/_split/seven", body).status == 200
    client.post("/seven/_refresh")
    assert client.get("/seven/_count").json()["count"] == 20
    assert all(client.get(f"/seven/_doc/{each}").status == 200 for each in range(20))
    assert client.put("/seven/_doc/3", {}).json()["_version"] == 2


def test_closed_indices_are_not_resized(client: Client) -> None:
    client.put("/i")
    client.post("/i/_close")
    assert client.post("/i/_clone/j").error()["type"] == "index_closed_exception"
