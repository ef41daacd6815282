"""Expected values are the reference's."""

import pytest

from tests.conftest import Client

FRAME = {"total": 1, "successful": 1, "failed": 0}


@pytest.mark.parametrize(
    "path", ["/_nodes/_all/http", "/_nodes/http", "/_nodes/_local/info/http", "/_nodes/oracle-0/http"]
)
def test_where_the_http_api_is(client: Client, path: str) -> None:
    client.app.publish_address = "127.0.0.1:19200"
    body = client.get(path).json()
    assert (body["_nodes"], body["cluster_name"]) == (FRAME, "oracle")
    (node,) = body["nodes"].values()
    assert node["http"] == {
        "bound_address": ["127.0.0.1:19200"],
        "publish_address": "127.0.0.1:19200",
        "max_content_length_in_bytes": 104857600,
    }
    assert node["roles"] == ["cluster_manager", "data", "ingest", "remote_cluster_client"]


def test_everything(client: Client) -> None:
    (node,) = client.get("/_nodes").json()["nodes"].values()
    assert list(node) == [
        "name",
        "transport_address",
        "host",
        "ip",
        "version",
        "build_type",
        "build_hash",
        "total_indexing_buffer",
        "roles",
        "attributes",
        "settings",
        "os",
        "process",
        "jvm",
        "thread_pool",
        "transport",
        "http",
        "plugins",
        "modules",
        "ingest",
        "aggregations",
        "search_pipelines",
    ]
    assert node["settings"]["cluster"]["name"] == "oracle"
    assert node["attributes"]["testattr"] == "test"


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("_all", 1),
        ("nosuch", 0),
        ("oracle-*", 1),
        ("127.*", 1),
        ("data:true", 1),
        ("cluster_manager:false", 0),
        ("_all,data:false", 0),
        ("data:false,_all", 1),
        ("testattr:te*", 1),
        ("testattr:no", 0),
        ("coordinating_only:true", 0),
        ("_all,coordinating_only:true", 0),
        ("nosuch,_all", 1),
        ("*", 1),
        ("_cluster_manager", 1),
    ],
)
def test_filters(client: Client, expression: str, count: int) -> None:
    body = client.get(f"/_nodes/{expression}/stats/http").json()
    assert (body["_nodes"]["total"], len(body["nodes"])) == (count, count)


def test_stats(client: Client) -> None:
    client.put("/a/_doc/1?refresh=true", {"n": 1})
    (node,) = client.get("/_nodes/stats").json()["nodes"].values()
    assert node["indices"]["docs"]["count"] == 1
    assert node["jvm"]["gc"]["collectors"]["old"]["collection_count"] >= 0
    assert node["jvm"]["mem"]["pools"]["old"]["peak_used_in_bytes"] > 0
    assert {"os", "process", "thread_pool", "fs", "transport", "http", "breakers"} <= node.keys()
    (node,) = client.get("/_nodes/stats/indices/docs").json()["nodes"].values()
    assert node["indices"] == {"docs": {"count": 1, "deleted": 0}}
    (node,) = client.get("/_nodes/_local/stats/indices/docs,store?level=indices").json()["nodes"].values()
    assert node["indices"]["indices"]["a"]["docs"]["count"] == 1
    (node,) = client.get("/_nodes/_local/stats/fs?human").json()["nodes"].values()
    assert list(node["fs"]["total"])[:2] == ["total", "total_in_bytes"]
    assert client.get("/_nodes/_local/stats").json()["_nodes"] == FRAME


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/_nodes/stats/bogus", "request [/_nodes/stats/bogus] contains unrecognized metric: [bogus]"),
        (
            "/_nodes/stats/osx",
            "request [/_nodes/stats/osx] contains unrecognized metric: [osx] -> did you mean [os]?",
        ),
        (
            "/_nodes/stats/indices/merges",
            "request [/_nodes/stats/indices/merges] contains unrecognized index metric: [merges] -> "
            "did you mean [merge]?",
        ),
        (
            "/_nodes/stats/os/docs",
            "request [/_nodes/stats/os/docs] contains index metrics [docs] but indices stats not requested",
        ),
        (
            "/_nodes/stats/_all/docs",
            "request [/_nodes/stats/_all/docs] contains index metrics [docs] but all stats requested",
        ),
        ("/_nodes/data:maybe/stats", "Failed to parse value [maybe] as only [true] or [false] are allowed."),
    ],
)
def test_bad_stats(client: Client, path: str, reason: str) -> None:
    answer = client.get(path)
    assert (answer.status, answer.error()["reason"]) == (400, reason)


def test_a_level_that_is_none_fails_the_node(client: Client) -> None:
    body = client.get("/_nodes/stats/indices?level=bogus").json()
    assert (body["_nodes"]["failed"], body["nodes"]) == (1, {})
    assert body["_nodes"]["failures"][0]["type"] == "failed_node_exception"
