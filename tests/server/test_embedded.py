"""A node inside the process, with and without a socket."""

from pathlib import Path

import pytest

import lanner
from lanner.server.config import ConfigError


def test_over_http() -> None:
    with lanner.Node(settings={"cluster.name": "books"}) as node:
        client = node.client()
        assert client.info()["cluster_name"] == "books"
        client.index(index="books", id="1", body={"title": "Dune"}, refresh=True)
        found = client.search(index="books", body={"query": {"match": {"title": "dune"}}})
        assert [hit["_id"] for hit in found["hits"]["hits"]] == ["1"]
        assert node.url == f"http://127.0.0.1:{node.port}"


def test_without_a_socket() -> None:
    with lanner.Node(http=False) as node:
        lines = [{"index": {"_index": "a", "_id": "x/y"}}, {"n": 1}]
        assert node.request("POST", "/_bulk?refresh=true", lines).json()["errors"] is False
        assert node.request("GET", "/a/_doc/x%2Fy").json()["_source"] == {"n": 1}
        assert node.request("GET", "/a/_count", {"query": {"match_all": {}}}).json()["count"] == 1
        missing = node.request("GET", "/b/_search")
        assert missing.status == 404
        assert missing.json()["error"]["type"] == "index_not_found_exception"
        with pytest.raises(RuntimeError):
            _ = node.url
    with pytest.raises(RuntimeError):
        node.request("GET", "/")


def test_two_at_once_know_nothing_of_each_other() -> None:
    with lanner.Node() as one, lanner.Node() as other:
        one.request("PUT", "/a/_doc/1", {"n": 1})
        assert other.request("HEAD", "/a").status == 404
        assert one.port != other.port


def test_a_folder_that_is_given_is_kept(tmp_path: Path) -> None:
    with lanner.Node(data=tmp_path, http=False) as node:
        node.request("PUT", "/a/_doc/1", {"n": 1})
    with lanner.Node(data=tmp_path, http=False) as node:
        assert node.request("GET", "/a/_doc/1").json()["_source"] == {"n": 1}


def test_a_node_that_cannot_start_says_why() -> None:
    with pytest.raises(ConfigError):
        lanner.Node(settings={"http.type": "carrier pigeon"})


def test_what_the_package_does_not_have() -> None:
    with pytest.raises(AttributeError):
        _ = lanner.Cluster
