"""Totals that are asked for again are answered from before, until something changes."""

import pytest

from lanner.server.request_cache import RequestCache
from tests.conftest import Client

QUERY = {"query": {"match": {"t": "dog"}}}


@pytest.fixture
def client(client: Client) -> Client:
    client.put("/a/_doc/1?refresh=true", {"t": "a dog"})
    return client


def kept(client: Client) -> int:
    cache: RequestCache = client.app.request_cache
    return len(cache._answers)


@pytest.mark.parametrize("path", ["/a/_count", "/a/_search"])
def test_an_answer_is_kept_until_a_refresh_or_a_new_mapping(client: Client, path: str) -> None:
    body = QUERY if path.endswith("_count") else {**QUERY, "size": 0}

    def total() -> int:
        answer = client.post(path, body).json()
        found: int = answer["count"] if "count" in answer else answer["hits"]["total"]["value"]
        return found

    assert [total(), total()] == [1, 1]
    assert kept(client) == 1
    client.put("/a/_doc/2", {"t": "two dogs, one dog"})
    assert total() == 1
    client.post("/a/_refresh")
    assert total() == 2
    client.request("DELETE", "/a/_doc/1?refresh=true")
    assert total() == 1
    client.request("DELETE", "/a")
    client.put("/a/_doc/1?refresh=true", {"t": "cat"})
    assert total() == 0


def test_hits_parameters_and_the_present_are_never_kept(client: Client) -> None:
    client.post("/a/_search", QUERY)
    client.post("/a/_count?routing=x", QUERY)
    client.post("/a/_count", {"query": {"range": {"d": {"gte": "now-1d"}}}})
    assert kept(client) == 0


def test_the_oldest_answers_go_first(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanner.server.request_cache.MOST_ENTRIES", 3)
    for i in range(5):
        client.post("/a/_count", {"query": {"match": {"t": f"dog {i}"}}})
    assert kept(client) == 3
