"""Searches through aliases: plain, with a filter, with routing. All counts are the reference's."""

from typing import Any

import pytest

from tests.conftest import Client

ALIASES = {
    "plain": {},
    "even": {"filter": {"term": {"k": "x"}}},
    "odd": {"filter": {"term": {"k": "y"}}},
    "one": {"routing": "1"},
    "some": {"search_routing": "1,2", "filter": {"range": {"n": {"gte": 2}}}},
}


@pytest.fixture
def filled(client: Client) -> Client:
    body = {
        "settings": {"number_of_shards": 3, "number_of_replicas": 0},
        "mappings": {"properties": {"k": {"type": "keyword"}, "n": {"type": "integer"}}},
        "aliases": ALIASES,
    }
    assert client.put("/a", body).status == 200
    lines: list[Any] = []
    for i in range(1, 7):
        lines += [{"index": {"_id": str(i), "routing": str(i)}}, {"k": "y" if i % 2 else "x", "n": i}]
    assert not client.post("/a/_bulk?refresh=true", lines).json()["errors"]
    return client


@pytest.mark.parametrize(
    ("path", "count", "shards"),
    [
        ("a", 6, 3),
        ("plain", 6, 3),
        ("even", 3, 3),
        ("even,odd", 6, 3),
        ("even,plain", 6, 3),
        ("even,a", 6, 3),
        ("ev*", 3, 3),
        ("e*,o*", 6, 3),
        ("*", 6, 3),
        ("_all", 6, 3),
        ("even,one", 6, 3),
        ("one", 2, 1),
        ("some", 4, 2),
        ("one,some", 5, 2),
        ("even,some", 5, 3),
        ("a,one", 6, 3),
        ("one?routing=2", 6, 3),
        ("one?routing=1,2", 2, 1),
        ("some?routing=2,3", 3, 1),
        ("one,plain?routing=2", 3, 1),
    ],
)
def test_what_is_found_through_aliases(filled: Client, path: str, count: int, shards: int) -> None:
    name, _, parameters = path.partition("?")
    suffix = f"?{parameters}" if parameters else ""
    answer = filled.get(f"/{name}/_count{suffix}").json()
    assert (answer["count"], answer["_shards"]["total"]) == (count, shards)
    found = filled.get(f"/{name}/_search{suffix}").json()
    assert found["hits"]["total"]["value"] == len(found["hits"]["hits"]) == count
    assert {hit["_index"] for hit in found["hits"]["hits"]} == {"a"}


def test_a_filter_does_not_score(filled: Client) -> None:
    body = {
        "query": {"match_all": {}},
        "post_filter": {"range": {"n": {"gt": 2}}},
        "sort": ["n"],
        "track_scores": True,
    }
    hits = filled.post("/even/_search", body).json()["hits"]
    assert [(hit["_id"], hit["_score"]) for hit in hits["hits"]] == [("4", 1.0), ("6", 1.0)]


def test_documents_through_aliases(filled: Client) -> None:
    assert filled.put("/one/_doc/x?refresh=true", {"k": "x"}).json()["_index"] == "a"
    assert filled.get("/one/_doc/x").json()["_routing"] == "1"
    assert filled.get("/one/_count").json()["count"] == 3
    lines = [{"index": {"_index": "plain", "_id": "p"}}, {"n": 1}]
    assert filled.post("/_bulk", lines).json()["items"][0]["index"]["_index"] == "a"
    assert filled.get("/plain/_doc/p").json()["found"]
    refused = filled.get("/one/_doc/x?routing=2")
    assert (refused.status, refused.error()["type"]) == (400, "illegal_argument_exception")


def test_documents_are_read_by_index_routing(client: Client) -> None:
    aliases = {"m": {"index_routing": "1", "search_routing": "2"}}
    client.put("/a", {"settings": {"number_of_shards": 3}, "aliases": aliases})
    client.put("/m/_doc/x?refresh=true", {"n": 1})
    assert client.get("/m/_doc/x").json()["_routing"] == "1"
    assert client.get("/m/_count").json()["count"] == 0


@pytest.mark.parametrize(
    ("alias", "shown"),
    [
        ({"filter": "x"}, {}),
        ({"filter": {}}, {}),
        ({"nosuch": 1}, {}),
        ({"routing": 5}, {}),
        ({"is_write_index": "x"}, {}),
        (
            {"routing": "1", "filter": {"term": {"zz": 1}}},
            {"filter": {"term": {"zz": 1}}, "index_routing": "1", "search_routing": "1"},
        ),
    ],
)
def test_what_an_alias_keeps(client: Client, alias: dict[str, Any], shown: dict[str, Any]) -> None:
    assert client.put("/a", {"aliases": {"al": alias}}).status == 200
    assert client.get("/a").json()["a"]["aliases"] == {"al": shown}


@pytest.mark.parametrize(
    ("name", "alias", "kind", "reason"),
    [
        ("al", {"filter": {"nosuch": {}}}, "illegal_argument", "failed to parse filter for alias [al]"),
        (
            "al",
            {"filter": {"range": {"n": {"gte": "abc"}}}},
            "illegal_argument",
            "failed to parse filter for alias [al]",
        ),
        (
            "al",
            {"index_routing": "a,b"},
            "illegal_argument",
            "alias [al] has several index routing values associated with it",
        ),
        ("al", 5, "illegal_argument", "No alias is specified"),
        (
            "_al",
            {},
            "invalid_alias_name",
            "Invalid alias name [_al]: must not start with '_', '-', or '+'",
        ),
        (
            "b",
            {},
            "invalid_alias_name",
            "Invalid alias name [b], an index exists with the same name as the alias",
        ),
        (
            "a",
            {},
            "illegal_argument",
            "index, alias, and data stream names need to be unique, but the following duplicates were found "
            "[a (alias of [a]) conflicts with index]",
        ),
    ],
)
def test_bad_aliases(client: Client, name: str, alias: Any, kind: str, reason: str) -> None:
    client.put("/b")
    body = {"mappings": {"properties": {"n": {"type": "integer"}}}, "aliases": {name: alias}}
    answer = client.put("/a", body)
    assert (answer.status, answer.error()["type"]) == (400, f"{kind}_exception")
    assert answer.error()["reason"] == reason
    assert client.head("/a").status == 404


def test_the_cause_of_a_bad_filter_has_a_place(client: Client) -> None:
    filters = {"match": {"k": {"query": "x", "foo": 1}}}
    cause = client.put("/a", {"aliases": {"al": {"filter": filters}}}).error()["caused_by"]
    assert (cause["type"], cause["line"], cause["col"]) == ("parsing_exception", 1, 34)
