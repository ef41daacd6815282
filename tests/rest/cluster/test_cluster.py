"""Expected values are the reference's."""

import pytest

from tests.conftest import Client


def test_health(client: Client) -> None:
    body = client.get("/_cluster/health").json()
    assert list(body) == [
        "cluster_name",
        "status",
        "timed_out",
        "number_of_nodes",
        "number_of_data_nodes",
        "discovered_master",
        "discovered_cluster_manager",
        "active_primary_shards",
        "active_shards",
        "relocating_shards",
        "initializing_shards",
        "unassigned_shards",
        "delayed_unassigned_shards",
        "number_of_pending_tasks",
        "number_of_in_flight_fetch",
        "task_max_waiting_in_queue_millis",
        "active_shards_percent_as_number",
    ]
    assert (body["cluster_name"], body["status"], body["active_shards_percent_as_number"]) == (
        "oracle",
        "green",
        100.0,
    )
    client.put("/a")
    assert client.get("/_cluster/health/a").json()["status"] == "yellow"
    assert client.get("/_cluster/health/a?level=indices").json()["indices"]["a"]["unassigned_shards"] == 1
    assert client.get("/_cluster/health?wait_for_nodes=%3E=1&wait_for_status=yellow").status == 200


def test_waits_in_vain(client: Client) -> None:
    answer = client.get("/_cluster/health/nosuch?timeout=1ms")
    assert (answer.status, answer.json()["timed_out"], answer.json()["status"]) == (408, True, "red")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("wait_for_status=x", "No enum constant org.opensearch.cluster.health.ClusterHealthStatus.X"),
        (
            "timeout=10",
            "failed to parse setting [timeout] with value [10] as a time value: "
            "unit is missing or unrecognized",
        ),
        (
            "wait_for_statu=1",
            "request [/_cluster/health] contains unrecognized parameter: [wait_for_statu] -> "
            "did you mean any of [wait_for_status, wait_for_events, wait_for_nodes]?",
        ),
    ],
)
def test_bad_health(client: Client, query: str, reason: str) -> None:
    answer = client.get(f"/_cluster/health?{query}")
    assert (answer.status, answer.error()["reason"]) == (400, reason)


def test_state(client: Client) -> None:
    client.put("/a")
    body = client.get("/_cluster/state").json()
    assert list(body)[:6] == [
        "cluster_name",
        "cluster_uuid",
        "version",
        "state_uuid",
        "master_node",
        "cluster_manager_node",
    ]
    assert body["metadata"]["indices"]["a"]["state"] == "open"
    assert list(client.get("/_cluster/state/version").json())[2:] == ["version", "state_uuid"]
    assert list(client.get("/_cluster/state/nosuch").json()) == ["cluster_name", "cluster_uuid"]
    assert list(client.get("/_cluster/state/metadata/a").json()["metadata"]["indices"]) == ["a"]
    answer = client.get("/_cluster/state?wait_for_metadata_version=0")
    assert answer.error()["reason"] == "provided waitForMetadataVersion should be >= 1, but instead is [0]"


def test_settings(client: Client) -> None:
    assert client.get("/_cluster/settings").json() == {"persistent": {}, "transient": {}}
    change = {"persistent": {"action.auto_create_index": "false"}}
    assert client.put("/_cluster/settings", change).json() == {
        "acknowledged": True,
        "persistent": {"action": {"auto_create_index": "false"}},
        "transient": {},
    }
    assert client.put("/a/_doc/1", {"n": 1}).status == 404
    flat = client.get("/_cluster/settings?flat_settings=true").json()
    assert flat["persistent"] == {"action.auto_create_index": "false"}
    client.put("/_cluster/settings", {"persistent": {"action.*": None}})
    assert client.get("/_cluster/settings").json()["persistent"] == {}


def test_bad_settings(client: Client) -> None:
    answer = client.put("/_cluster/settings", {})
    assert answer.error()["reason"] == "Validation Failed: 1: no settings to update;"
    assert client.put("/_cluster/settings").error()["reason"] == "request body is required"
    assert client.put("/_cluster/settings", b"{").error()["type"] == "json_e_o_f_exception"
    assert client.put("/_cluster/settings", {"persistent": {"nosuch.key": 1}}).status == 400


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("http.port", 1, "transient setting [http.port], not dynamically updateable"),
        ("nope.x", 1, "transient setting [nope.x], not recognized"),
        ("cluster.routing.allocation.enable", "bogus", "Illegal allocation.enable value [BOGUS]"),
        ("cluster.routing.rebalance.enable", "bogus", "Illegal rebalance.enable value [BOGUS]"),
    ],
)
def test_settings_that_are_refused(client: Client, name: str, value: object, reason: str) -> None:
    error = client.put("/_cluster/settings", {"transient": {name: value}}).error()
    assert (error["type"], error["reason"]) == ("illegal_argument_exception", reason)


@pytest.mark.parametrize("given", ["x", "%3E%3Dx", "ge(x)"])
def test_a_number_of_nodes_is_a_number(client: Client, given: str) -> None:
    error = client.get(f"/_cluster/health?wait_for_nodes={given}").error()
    assert (error["type"], error["reason"]) == ("number_format_exception", 'For input string: "x"')
