"""Expected values are the reference's."""

import re

import pytest

from tests.conftest import Client

TABLES = ["shards", "nodes", "indices", "segments", "count", "health"]


@pytest.fixture
def client(client: Client) -> Client:
    client.put("/idx", {"settings": {"number_of_replicas": 0}})
    client.put("/rep")
    client.put("/idx/_doc/1?refresh=true", {"n": 1})
    return client


def test_listing(client: Client) -> None:
    lines = client.get("/_cat").text.splitlines()
    assert lines[0] == "=^.^="
    assert {"/_cat/indices", "/_cat/indices/{index}", "/_cat/health"} <= set(lines)


@pytest.mark.parametrize("table", TABLES)
def test_formats(client: Client, table: str) -> None:
    plain = client.get(f"/_cat/{table}?v")
    assert (plain.status, plain.headers["content-type"]) == (200, "text/plain; charset=UTF-8")
    heads = plain.text.splitlines()[0].split()
    listed = client.get(f"/_cat/{table}?format=json")
    assert listed.headers["content-type"] == "application/json; charset=UTF-8"
    assert all(list(row) == heads for row in listed.json())
    assert client.get(f"/_cat/{table}?format=yaml").text.startswith("---\n- ")
    assert client.get(f"/_cat/{table}", accept="application/json").json() is not None
    helped = client.get(f"/_cat/{table}?help").text
    assert heads[0] in [line.split(" ")[0] for line in helped.splitlines()]
    assert set(client.get(f"/_cat/{table}?h=nosuch&v").text) == {"\n"}


@pytest.mark.parametrize("table", ["shards", "indices", "segments", "count"])
def test_one_index(client: Client, table: str) -> None:
    assert client.get(f"/_cat/{table}/idx").status == 200
    answer = client.get(f"/_cat/{table}/nosuch")
    assert (answer.status, answer.error()["type"]) == (404, "index_not_found_exception")


def test_indices(client: Client) -> None:
    text = client.get("/_cat/indices?v&h=health,status,index,pri,rep,docs.count,docs.deleted&s=index").text
    assert text == (
        "health status index pri rep docs.count docs.deleted\n"
        "green  open   idx     1   0          1            0\n"
        "yellow open   rep     1   1          0            0\n"
    )
    assert client.get("/_cat/indices?h=i,pri&s=index:desc").text == "rep 1\nidx 1\n"
    assert client.get("/_cat/indices?health=yellow&h=index").text == "rep\n"
    assert client.get("/_cat/indices?h=docs*,index&s=i").text == "1 0 idx\n0 0 rep\n"
    assert re.fullmatch(r"\d+\n", client.get("/_cat/indices/idx?h=ss&bytes=b").text)
    assert client.get("/_cat/indices/idx?h=ss&bytes=mb").text == "0\n"
    assert re.fullmatch(r"[\d.]+kb\n", client.get("/_cat/indices/idx?h=ss&bytes=bogus").text)
    assert client.get("/_cat/indices?format=json&h=index,rep&s=index").json() == [
        {"index": "idx", "rep": "0"},
        {"index": "rep", "rep": "1"},
    ]


def test_shards(client: Client) -> None:
    text = client.get("/_cat/shards?h=index,shard,prirep,state,unassigned.reason&s=index,prirep&v").text
    assert text == (
        "index shard prirep state      unassigned.reason\n"
        "idx   0     p      STARTED    \n"
        "rep   0     p      STARTED    \n"
        "rep   0     r      UNASSIGNED INDEX_CREATED\n"
    )


def test_health_count_and_nodes(client: Client) -> None:
    assert client.get("/_cat/health?h=cluster,status,shards,unassign,active_shards_percent").text == (
        "oracle yellow 2 1 66.7%\n"
    )
    assert client.get("/_cat/health?ts=false&v").text.startswith("cluster status")
    assert client.get("/_cat/count?h=count").text == "1\n"
    assert client.get("/_cat/nodes?h=n,m,master,r&v").text == (
        "n        m master r\noracle-0 * *      dimr\n"
    )


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("v=x", "Failed to parse value [x] as only [true] or [false] are allowed."),
        ("s=nosuch", "Unable to sort by unknown sort key `nosuch`"),
        ("nosuch=1", "request [/_cat/indices] contains unrecognized parameter: [nosuch]"),
        ("health=bogus", "unknown cluster health status [bogus]"),
    ],
)
def test_bad_parameters(client: Client, query: str, reason: str) -> None:
    answer = client.get(f"/_cat/indices?{query}")
    assert (answer.status, answer.error()["reason"]) == (400, reason)


def test_unknown_tables(client: Client) -> None:
    assert client.get("/_cat/nosuch").json() == {
        "error": "no handler found for uri [/_cat/nosuch] and method [GET]"
    }
    assert client.post("/_cat/indices").status == 405
