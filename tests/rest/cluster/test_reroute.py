"""_cluster/reroute; the answers are the reference's."""

import pytest

from tests.conftest import Client


def test_parts_of_the_state(client: Client) -> None:
    client.put("/a", {})
    answer = client.post("/_cluster/reroute").json()
    assert answer["acknowledged"] is True
    assert list(answer["state"]) == [
        "cluster_uuid",
        "version",
        "state_uuid",
        "master_node",
        "cluster_manager_node",
        "blocks",
        "nodes",
        "routing_table",
        "routing_nodes",
    ]
    path = "/_cluster/reroute?metric=none&retry_failed=true&explain=true"
    answer = client.post(path, {"commands": []}).json()
    assert list(answer) == ["acknowledged", "state", "explanations"]
    assert list(answer["state"]) == ["cluster_uuid"]
    assert answer["explanations"] == []


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("retry_failed=x", None, "Failed to parse value [x] as only [true] or [false] are allowed."),
        ("metric=none", {"foo": 1}, "[1:2] [cluster_reroute] unknown field [foo]"),
        (
            "metric=none",
            {"commands": [{"move": {}}]},
            "[1:25] [cluster_reroute] failed to parse field [commands]",
        ),
    ],
)
def test_refused(client: Client, path: str, body: object, reason: str) -> None:
    answer = client.post(f"/_cluster/reroute?{path}", body)
    assert answer.status == 400
    assert answer.error()["reason"] == reason
