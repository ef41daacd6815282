"""Expected values are the reference's."""

import pytest

from tests.conftest import Client


def test_create_get_exists_delete(client: Client) -> None:
    body = {"settings": {"number_of_replicas": 0}, "mappings": {"properties": {"n": {"type": "integer"}}}}
    answer = client.put("/a", body)
    assert answer.json() == {"acknowledged": True, "shards_acknowledged": True, "index": "a"}
    shown = client.get("/a").json()["a"]
    assert list(shown) == ["aliases", "mappings", "settings"]
    assert shown["mappings"] == {"properties": {"n": {"type": "integer"}}}
    settings = shown["settings"]["index"]
    assert settings["number_of_replicas"] == "0"
    assert settings["version"] == {"created": "136407927"}
    assert list(settings) == [
        "replication",
        "number_of_shards",
        "provided_name",
        "creation_date",
        "number_of_replicas",
        "uuid",
        "version",
    ]
    assert client.head("/a").status == 200
    assert client.delete("/a").json() == {"acknowledged": True}
    assert client.head("/a").status == 404


def test_create_twice(client: Client) -> None:
    client.put("/a")
    uuid = client.get("/a").json()["a"]["settings"]["index"]["uuid"]
    answer = client.put("/a")
    assert answer.status == 400
    assert answer.error()["type"] == "resource_already_exists_exception"
    assert answer.error()["reason"] == f"index [a/{uuid}] already exists"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("A", "Invalid index name [A], must be lowercase"),
        ("_a", "Invalid index name [_a], must not start with '_', '-', or '+'"),
        ("a%23b", "Invalid index name [a#b], must not contain '#'"),
    ],
)
def test_bad_names(client: Client, name: str, reason: str) -> None:
    answer = client.put(f"/{name}")
    assert (answer.status, answer.error()["type"]) == (400, "invalid_index_name_exception")
    assert answer.error()["reason"].startswith(reason)


def test_broken_bodies_of_create(client: Client) -> None:
    answer = client.put("/a", b"{")
    assert (answer.status, answer.error()["type"]) == (400, "parse_exception")
    assert answer.error()["reason"] == "Failed to parse content to map"
    assert answer.error()["caused_by"]["type"] == "json_e_o_f_exception"
    answer = client.put("/a", {"nosuch": {}})
    assert answer.error()["reason"] == "unknown key [nosuch] for create index"
    assert client.head("/a").status == 404


def test_missing_index(client: Client) -> None:
    for answer in (client.get("/nosuch"), client.delete("/nosuch")):
        assert answer.status == 404
        assert answer.error()["resource.id"] == "nosuch"


def test_reading_a_name_that_no_index_has(client: Client) -> None:
    answer = client.get("/_nosuch")
    assert answer.status == 400
    assert answer.error()["reason"] == "Invalid index name [_nosuch], must not start with '_'."


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("ignore_unavailable=x", "Could not convert [ignore_unavailable] to boolean"),
        ("expand_wildcards=x", "No valid expand wildcard value [x]"),
        ("flat_settings=x", "Failed to parse value [x] as only [true] or [false] are allowed."),
        ("local=x", "Failed to parse value [x] as only [true] or [false] are allowed."),
        (
            "timeout=10",
            "failed to parse setting [timeout] with value [10] as a time value: unit is missing or "
            "unrecognized",
        ),
        (
            "cluster_manager_timeout=1s&master_timeout=1s",
            "Please only use one of the request parameters [master_timeout, cluster_manager_timeout].",
        ),
    ],
)
def test_bad_parameters(client: Client, query: str, reason: str) -> None:
    client.put("/a")
    answer = client.get(f"/a?{query}")
    assert (answer.status, answer.error()["reason"]) == (400, reason)


def test_refresh_flush_and_merge(client: Client) -> None:
    client.put("/a", {"settings": {"number_of_replicas": 0, "number_of_shards": 2}})
    done = {"_shards": {"total": 2, "successful": 2, "failed": 0}}
    assert client.post("/a/_refresh").json() == done
    assert client.get("/a/_refresh").json() == done
    assert client.post("/_refresh").json() == done
    assert client.get("/_refresh").json() == done
    assert client.post("/a/_flush?force=true").json() == done
    assert client.get("/a/_flush").json() == done
    assert client.post("/_flush").json() == done
    assert client.get("/_flush").json() == done
    assert client.post("/a/_forcemerge?max_num_segments=1").json() == done
    assert client.post("/_forcemerge").json() == done


def test_bad_refresh_flush_and_merge(client: Client) -> None:
    client.put("/a")
    assert client.post("/nosuch/_refresh").status == 404
    assert client.post("/a/_flush?force=x").status == 400
    answer = client.post("/a/_forcemerge?max_num_segments=x")
    assert answer.error()["reason"] == "Failed to parse int parameter [max_num_segments] with value [x]"


def test_stats(client: Client) -> None:
    client.put("/a", {"settings": {"number_of_replicas": 0}})
    client.put("/a/_doc/1?refresh=true", {"n": 1})
    body = client.get("/a/_stats/docs").json()
    assert body["_shards"] == {"total": 1, "successful": 1, "failed": 0}
    assert body["_all"]["primaries"] == {"docs": {"count": 1, "deleted": 0}}
    assert body["indices"]["a"]["total"] == {"docs": {"count": 1, "deleted": 0}}
    assert client.get("/_stats").json()["_all"]["primaries"]["docs"]["count"] == 1
    assert client.get("/_stats/store,docs").status == 200
    assert "shards" in client.get("/a/_stats?level=shards").json()["indices"]["a"]
    assert client.get("/a/_stats/store?human").json()["_all"]["total"]["store"]["reserved"] == "0b"


def test_bad_stats(client: Client) -> None:
    client.put("/a")
    answer = client.get("/a/_stats/merges")
    assert answer.error()["reason"] == (
        "request [/a/_stats/merges] contains unrecognized metric: [merges] -> did you mean [merge]?"
    )
    answer = client.get("/a/_stats?level=x")
    assert answer.error()["reason"] == (
        "level parameter must be one of [cluster] or [indices] or [shards] but was [x]"
    )


def test_segments(client: Client) -> None:
    client.put("/a", {"settings": {"number_of_replicas": 0}})
    client.put("/a/_doc/1?refresh=true", {"n": 1})
    (copy,) = client.get("/a/_segments").json()["indices"]["a"]["shards"]["0"]
    (segment,) = copy["segments"].values()
    assert (segment["num_docs"], segment["search"]) == (1, True)
    assert client.get("/_segments").json()["_shards"]["total"] == 1
    assert client.get("/nosuch/_segments").status == 404
