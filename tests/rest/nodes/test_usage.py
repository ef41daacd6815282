"""Use of nodes, their busy threads, their keystore; expected values are the real system's."""

from typing import Any

from tests.conftest import Client


def test_usage(client: Client, node: Any) -> None:
    client.get("/_cluster/pending_tasks")
    shown = client.get("/_nodes/usage").json()["nodes"][node.id]
    assert shown["rest_actions"] == {"cluster_pending_tasks_action": 1, "node_usage_usage_action": 1}
    assert shown["aggregations"] == {}
    assert set(client.get("/_nodes/_local/usage/bogus").json()["nodes"][node.id]) == {"timestamp", "since"}
    assert client.get("/_nodes/nosuch/usage").json()["nodes"] == {}


def test_hot_threads(client: Client, node: Any) -> None:
    text = client.get("/_nodes/hot_threads?interval=1ms&threads=1").text
    assert text.startswith(f"::: {{{node.name}}}{{{node.id}}}")
    assert "interval=1ms, busiestThreads=1, ignoreIdleThreads=true:" in text
    assert client.get("/_nodes/hot_threads?type=bogus").text == ""
    assert client.get("/_cluster/nodes/nosuch/hotthreads").text == ""


def test_there_is_no_keystore(client: Client, node: Any) -> None:
    assert client.post("/_nodes/reload_secure_settings", {"secure_settings_password": "x"}).json()[
        "nodes"
    ] == {
        node.id: {
            "name": node.name,
            "reload_exception": {"type": "illegal_state_exception", "reason": "Keystore is missing"},
        }
    }
    assert client.post("/_nodes/nosuch/reload_secure_settings").json()["_nodes"]["total"] == 0


def test_searches_count_under_the_groups_that_they_name(client: Client, node: Any) -> None:
    client.put("/i/_doc/1?refresh=true", {"a": 1})
    client.post("/i/_search?stats=url", {"stats": ["bar", "baz"]})
    for groups, shown in (("bar", ["bar"]), ("*r,x", ["bar"]), ("_all", ["bar", "baz", "url"]), ("x", None)):
        found = client.get(f"/_stats/search?groups={groups}").json()["_all"]["total"]["search"].get("groups")
        assert (found and sorted(found)) == shown
    of_node = client.get("/_nodes/stats/indices/search?groups=bar").json()["nodes"][node.id]
    assert of_node["indices"]["search"]["groups"]["bar"]["query_total"] == 1
    assert "groups" not in client.get("/_stats").json()["_all"]["total"]["search"]
