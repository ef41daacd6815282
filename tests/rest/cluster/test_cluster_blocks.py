"""Settings of the cluster that refuse changes. Numbers and texts are those of the real system's source."""

from typing import Any

import pytest

from tests.conftest import Client


def switch(client: Client, name: str, value: str | None) -> None:
    assert client.put("/_cluster/settings", {"persistent": {name: value}}).status == 200


@pytest.mark.parametrize(
    ("name", "number", "text", "levels", "creates", "deletes"),
    [
        ("read_only", "6", "cluster read-only (api)", ["write", "metadata_write"], False, False),
        (
            "read_only_allow_delete",
            "13",
            "cluster read-only / allow delete (api)",
            ["write", "metadata_write"],
            False,
            True,
        ),
        ("create_index", "10", "cluster create-index blocked (api)", ["create_index"], False, True),
    ],
)
def test_blocks(
    client: Client, name: str, number: str, text: str, levels: list[str], creates: bool, deletes: bool
) -> None:
    client.put("/i")
    switch(client, f"cluster.blocks.{name}", "true")
    shown = client.get("/_cluster/state/blocks").json()["blocks"]["global"]
    assert shown == {number: {"description": text, "retryable": False, "levels": levels}}
    refused: list[Any] = [client.put("/new")]
    if name != "create_index":
        refused += [
            client.put("/i/_doc/1", {}),
            client.put("/i/_mapping", {"properties": {"a": {"type": "long"}}}),
            client.put("/_index_template/t", {"index_patterns": ["a"]}),
            client.post("/i/_close"),
        ]
    for answer in refused:
        assert (answer.status, answer.error()["type"]) == (403, "cluster_block_exception")
        assert answer.error()["reason"] == f"blocked by: [FORBIDDEN/{number}/{text}];"
    assert client.get("/i/_search").status == 200
    assert (client.delete("/i").status == 200) == deletes
    switch(client, f"cluster.blocks.{name}", None)
    assert client.put("/new").status == 200


def test_names_are_asked_for(client: Client) -> None:
    client.put("/i")
    switch(client, "action.destructive_requires_name", "true")
    for answer in (
        client.delete("/i*"),
        client.delete("/_all"),
        client.post("/*/_close"),
        client.post("/_open"),
        client.put("/i*/_block/write"),
    ):
        assert (answer.status, answer.error()["reason"]) == (
            400,
            "Wildcard expressions or all indices are not allowed",
        )
    assert client.delete("/i").status == 200


def test_closing_can_be_switched_off(client: Client) -> None:
    client.put("/i")
    switch(client, "cluster.indices.close.enable", "false")
    assert client.post("/i/_close").error()["type"] == "illegal_state_exception"
    assert client.get("/i/_search").status == 200


def test_filters_do_not_cut_errors(client: Client) -> None:
    assert client.get("/nosuch/_search?filter_path=foo").error()["type"] == "index_not_found_exception"
