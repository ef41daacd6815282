from typing import Any

import pytest

from tests.conftest import Client


def test_get(client: Client) -> None:
    client.put("/a", {"settings": {"number_of_replicas": 0}})
    assert client.get("/a/_settings").json()["a"]["settings"]["index"]["number_of_replicas"] == "0"
    only = {"a": {"settings": {"index": {"number_of_shards": "1"}}}}
    assert client.get("/a/_settings/index.number_of_shards").json() == only
    assert client.get("/_settings/index.number_of_shards").json() == only
    flat = client.get("/_settings?flat_settings=true").json()["a"]["settings"]
    assert flat["index.provided_name"] == "a"
    assert "defaults" in client.get("/a/_settings?include_defaults=true").json()["a"]


def test_put(client: Client) -> None:
    client.put("/a")
    assert client.put("/a/_settings", {"index": {"number_of_replicas": 0}}).json() == {"acknowledged": True}
    assert client.put("/_settings", {"refresh_interval": "5s"}).json() == {"acknowledged": True}
    settings = client.get("/a/_settings").json()["a"]["settings"]["index"]
    assert (settings["number_of_replicas"], settings["refresh_interval"]) == ("0", "5s")
    client.put("/a/_settings?preserve_existing=true", {"refresh_interval": "9s"})
    assert client.get("/a/_settings").json()["a"]["settings"]["index"]["refresh_interval"] == "5s"


def test_names_as_a_parameter(client: Client) -> None:
    client.put("/a")
    answer = client.get("/a/_settings?name=index.number_of_sh*&flat_settings=true")
    assert answer.json() == {"a": {"settings": {"index.number_of_shards": "1"}}}


@pytest.mark.parametrize("body", ["[]", "[1]", "5", '"x"', "null", "{}"])
def test_a_body_without_settings(client: Client, body: str) -> None:
    client.put("/a")
    error = client.put("/a/_settings", body).error()
    assert error["type"] == "action_request_validation_exception"
    assert error["reason"] == "Validation Failed: 1: no settings to update;"


def test_bad_settings(client: Client) -> None:
    client.put("/a")
    assert client.put("/a/_settings", {}).error()["reason"] == "Validation Failed: 1: no settings to update;"
    answer = client.put("/a/_settings", {"index.number_of_shards": 2})
    assert answer.status == 400
    assert answer.error()["reason"].startswith("Can't update non dynamic settings [[index.number_of_shards]]")
    assert client.put("/a/_settings", {"index.nosuch": 1}).status == 400
    assert client.put("/a/_settings").error()["reason"] == "request body is required"
    assert client.get("/nosuch/_settings").status == 404


@pytest.mark.parametrize(
    ("block", "method", "path", "body", "refused"),
    [
        ("read_only", "PUT", "/b/_doc/1", {}, "5/index read-only (api)"),
        ("read_only", "PUT", "/b/_block/write", None, "5/index read-only (api)"),
        ("read_only", "PUT", "/b/_block/metadata", None, None),
        ("read_only", "PUT", "/b/_settings", {"index.blocks.write": True}, "5/index read-only (api)"),
        ("read_only", "PUT", "/b/_settings", {"index.refresh_interval": "1s"}, "5/index read-only (api)"),
        ("read_only", "PUT", "/b/_settings", {"index.blocks.read_only": None}, None),
        ("read_only", "PUT", "/b/_alias/q", None, "5/index read-only (api)"),
        ("read_only", "DELETE", "/b", None, "5/index read-only (api)"),
        ("read_only", "GET", "/b", None, None),
        ("metadata", "GET", "/b", None, "9/index metadata (api)"),
        ("metadata", "GET", "/b/_alias", None, "9/index metadata (api)"),
        ("metadata", "GET", "/b/_mapping", None, "9/index metadata (api)"),
        ("metadata", "GET", "/b/_settings", None, "9/index metadata (api)"),
        ("metadata", "DELETE", "/b", None, "9/index metadata (api)"),
        ("metadata", "POST", "/b/_flush", None, None),
        ("metadata", "PUT", "/b/_doc/1", {}, None),
        ("write", "PUT", "/b/_doc/1", {}, "8/index write (api)"),
        ("read", "GET", "/b/_search", None, "7/index read (api)"),
    ],
)
def test_what_blocks_refuse(
    client: Client, block: str, method: str, path: str, body: object, refused: str | None
) -> None:
    client.put("/b", {"mappings": {"properties": {}}})
    client.put(f"/b/_block/{block}")
    answer = client.request(method, path, body)
    assert answer.status == (403 if refused else 201 if "_doc" in path else 200)
    if refused:
        reason = f"index [b] blocked by: [FORBIDDEN/{refused}];"
        assert answer.error()["root_cause"] == [{"type": "cluster_block_exception", "reason": reason}]


def test_flood_stage(client: Client) -> None:
    client.put("/b", {})
    client.put("/b/_settings", {"index.blocks.read_only_allow_delete": True})
    for path, body in (("/b/_doc/1", {}), ("/b/_settings", {"index.refresh_interval": "1s"})):
        assert client.put(path, body).status == 429
    assert client.delete("/b").status == 200


def test_blocks(client: Client) -> None:
    client.put("/b", {})
    for block in ("write", "read", "metadata", "read_only"):
        assert client.put(f"/b/_block/{block}").json() == {
            "acknowledged": True,
            "shards_acknowledged": True,
            "indices": [{"name": "b", "blocked": True}],
        }
        shown = client.get("/b/_settings?flat_settings=true")
        if shown.status == 200:
            assert shown.json()["b"]["settings"][f"index.blocks.{block}"] == "true"
    assert client.put("/b/_doc/1", {}).status == 403
    assert client.get("/b/_doc/1").status == 403
    none = {"acknowledged": True, "shards_acknowledged": False, "indices": []}
    assert client.put("/no*/_block/write").json() == none
    assert client.put("/no/_block/write").status == 404
    for name, reason in (
        ("bogus", "No block found with name bogus"),
        (
            "read_only_allow_delete",
            "Validation Failed: 1: read_only_allow_delete block is for internal use only;",
        ),
    ):
        answer = client.put(f"/b/_block/{name}")
        assert (answer.status, answer.error()["reason"]) == (400, reason)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("index.routing.allocation.enable", "bogus", "Illegal allocation.enable value [BOGUS]"),
        (
            "index.translog.durability",
            "bogus",
            "No enum constant org.opensearch.index.translog.Translog.Durability.BOGUS",
        ),
        (
            "index.max_result_window",
            0,
            "Failed to parse value [0] for setting [index.max_result_window] must be >= 1",
        ),
    ],
)
def test_values_out_of_range(client: Client, name: str, value: Any, reason: str) -> None:
    client.put("/i")
    error = client.put("/i/_settings", {name: value}).error()
    assert (error["type"], error["reason"]) == ("illegal_argument_exception", reason)
    # settings come before the name
    assert client.put("/I", {"settings": {name: value}}).error()["reason"] == reason


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/i/_stats"),
        ("GET", "/i/_segments"),
        ("GET", "/i/_recovery"),
        ("GET", "/i/_shard_stores"),
        ("GET", "/i/_upgrade"),
        ("POST", "/i/_upgrade"),
        ("POST", "/i/_cache/clear"),
        ("POST", "/i/_forcemerge"),
        ("POST", "/i/_clone/j"),
        ("POST", "/al/_rollover"),
        ("PUT", "/i"),
        ("GET", "/_cat/indices"),
        ("GET", "/_cat/shards/i"),
        ("GET", "/_cat/segments/i"),
        ("GET", "/_cat/recovery/i"),
    ],
)
def test_the_metadata_block_hides_an_index(client: Client, method: str, path: str) -> None:
    client.put("/i", {"aliases": {"al": {}}})
    client.put("/i/_block/metadata")
    answer = client.request(method, path)
    assert answer.status == 403
    assert answer.error()["reason"] == "index [i] blocked by: [FORBIDDEN/9/index metadata (api)];"


def test_the_metadata_block_lets_documents_in_that_bring_nothing_new(client: Client) -> None:
    client.put("/i", {"mappings": {"properties": {"k": {"type": "keyword"}}}})
    client.put("/i/_block/metadata")
    assert client.put("/i/_doc/1", {"new": 1}).status == 403
    assert client.put("/i/_doc/1", {"k": "1"}).status == 201
    answer = client.get("/i/_mapping/field/k")
    assert (answer.status, answer.json()) == (404, {})
    for path in ("/i/_refresh", "/i/_flush"):
        assert client.post(path).status == 200
    assert client.get("/i/_search").status == 200
    assert client.get("/_nodes/stats/indices").status == 200
