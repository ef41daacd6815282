"""Explanations of where shards are; every expected value is the real system's."""

from typing import Any

import pytest

from tests.conftest import Client


def test_a_replica_is_nowhere_because_there_is_one_node(client: Client) -> None:
    client.put("/rep")
    shown = client.get("/_cluster/allocation/explain").json()
    assert (
        client.post("/_cluster/allocation/explain", {"index": "rep", "shard": 0, "primary": False}).json()
        == shown
    )
    assert (shown["index"], shown["primary"], shown["current_state"]) == ("rep", False, "unassigned")
    assert shown["can_allocate"] == "no"
    inner = shown["node_allocation_decisions"][0]
    assert [each["decider"] for each in inner["deciders"]] == ["same_shard"]
    full = client.get("/_cluster/allocation/explain?include_yes_decisions=true").json()
    deciders = full["node_allocation_decisions"][0]["deciders"]
    assert len(deciders) == 16
    assert [each["decider"] for each in deciders if each["decision"] == "NO"] == ["same_shard"]


def test_a_primary_is_where_it_is(client: Client) -> None:
    client.put("/i", {"settings": {"number_of_replicas": 0}})
    body = {"index": "i", "shard": 0, "primary": True}
    shown = client.get("/_cluster/allocation/explain", body).json()
    assert (shown["can_remain_on_current_node"], shown["can_rebalance_cluster"]) == ("yes", "yes")
    client.put("/rep")
    shown = client.get("/_cluster/allocation/explain", body).json()
    assert shown["can_rebalance_cluster_decisions"][0]["decider"] == "cluster_rebalance"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (
            None,
            400,
            "unable to find any unassigned shards to explain [ClusterAllocationExplainRequest["
            "useAnyUnassignedShard=true,includeYesDecisions?=false]",
        ),
        (
            {"index": "i"},
            400,
            "Validation Failed: 1: shard must be specified;2: primary must be specified;",
        ),
        ({"index": "i", "shard": 5, "primary": True}, 404, "no such shard"),
        ({"index": "nosuch", "shard": 0, "primary": True}, 404, "no such index [nosuch]"),
        (
            {"index": "i", "shard": 0, "primary": True, "current_node": "nosuch"},
            400,
            "failed to resolve [nosuch], no matching nodes",
        ),
        (
            {"index": "i", "shard": 0, "primary": False},
            400,
            "unable to find any shards to explain [ClusterAllocationExplainRequest[index=i,shard=0,"
            "primary?=false,includeYesDecisions?=false] in the routing table",
        ),
        (
            {"index": "i", "x": 1},
            400,
            "[1:16] [cluster/allocation/explain] unknown field [x]",
        ),
    ],
)
def test_bad_requests(client: Client, body: Any, status: int, reason: str) -> None:
    client.put("/i", {"settings": {"number_of_replicas": 0}})
    answer = client.get("/_cluster/allocation/explain", body)
    assert (answer.status, answer.error()["reason"]) == (status, reason)


def test_commands_say_what_stands_in_their_way(client: Client, node: Any) -> None:
    client.put("/rep")
    place = {"index": "rep", "shard": 0}

    def explain(command: dict[str, Any]) -> Any:
        path = "/_cluster/reroute?metric=none&explain=true&dry_run=true"
        return client.post(path, {"commands": [command]}).json()["explanations"][0]

    shown = explain({"cancel": {**place, "node": node.id}})
    assert shown["parameters"] == {**place, "node": node.id, "allow_primary": False}
    assert shown["decisions"][0]["explanation"].endswith("shard is primary and started")
    assert (
        explain({"cancel": {**place, "node": node.id, "allow_primary": True}})["decisions"][0]["decision"]
        == "YES"
    )
    shown = explain({"allocate_replica": {**place, "node": node.name}})
    assert len(shown["decisions"]) == 16
    shown = explain({"allocate_empty_primary": {**place, "node": node.id}})
    assert shown["decisions"][0]["explanation"] == "primary [rep][0] is already assigned"
    shown = explain({"move": {**place, "from_node": node.id, "to_node": node.id}})
    assert "this shard is already allocated to this node" in str(shown)


@pytest.mark.parametrize(
    ("command", "kind", "cause"),
    [
        ({"bogus": {}}, "named_object_not_found_exception", "[1:25] unknown field [bogus]"),
        ({"move": {}}, "parse_exception", "[move] command missing the index parameter"),
        ({"allocate_replica": {}}, "illegal_argument_exception", "Argument [index] must be defined"),
        (5, "parse_exception", "allocation command is malformed, got [VALUE_NUMBER] instead"),
    ],
)
def test_bad_commands(client: Client, command: Any, kind: str, cause: str) -> None:
    body = b'{"commands": [{"bogus": {}}]}' if command == {"bogus": {}} else {"commands": [command]}
    error = client.post("/_cluster/reroute?dry_run=true", body).error()
    assert error["type"] == "x_content_parse_exception"
    assert error["caused_by"]["type"] == kind
    assert error["caused_by"]["reason"].split("] ", 1)[-1] == cause.split("] ", 1)[-1]


def test_commands_that_cannot_be_done_are_errors(client: Client, node: Any) -> None:
    client.put("/rep")
    command = {"allocate_stale_primary": {"index": "rep", "shard": 0, "node": node.id}}
    answer = client.post("/_cluster/reroute", {"commands": [command]})
    assert answer.error()["reason"] == "[allocate_stale_primary] primary [rep][0] is already assigned"
    command = {"cancel": {"index": "rep", "shard": 0, "node": "nosuch"}}
    answer = client.post("/_cluster/reroute", {"commands": [command]})
    assert answer.error()["reason"] == "failed to resolve [nosuch], no matching nodes"
