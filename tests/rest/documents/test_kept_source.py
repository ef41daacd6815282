"""``_source`` of a mapping; tests/rest/types/source.json has what the reference answers."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from lanner.engine.node import Node, NodeSettings
from lanner.server.app import create_app
from lanner.server.config import DEFAULTS
from tests.conftest import SETTINGS, Client

RULES = {"excludes": ["secret"]}


def started(folder: Path) -> Node:
    node = Node(NodeSettings.parse({**DEFAULTS, **SETTINGS, "path.data": str(folder)}))
    node.start()
    return node


def test_what_is_replayed_from_the_log_is_kept_alike(node: Any, client: Client, tmp_path: Path) -> None:
    client.put("/i", {"mappings": {"_source": RULES}})
    client.put("/i/_doc/1", {"a": 1, "secret": "word"})
    shutil.copytree(tmp_path / "data", tmp_path / "crashed", ignore=shutil.ignore_patterns("*.lock"))
    again = started(tmp_path / "crashed")
    other = Client(create_app(again))
    assert other.get("/i/_doc/1").json()["_source"] == {"a": 1}
    other.post("/i/_refresh")
    hits = other.post("/i/_search", {"query": {"match": {"secret": "word"}}}).json()["hits"]["hits"]
    assert [hit["_source"] for hit in hits] == [{"a": 1}]
    other.close()
    again.close()


@pytest.mark.parametrize(
    ("properties", "kept"),
    [
        ({}, b'{"a":1}'),
        ({"secret": {"type": "keyword", "store": True}}, b'{"a":1,"secret":"word"}'),
        ({"n": {"type": "nested"}}, b'{"a":1,"secret":"word"}'),
        ({"n": {"type": "long", "ignore_malformed": True}}, b'{"a":1,"secret":"word"}'),
    ],
)
def test_segments_keep_no_more_than_is_read(
    node: Any, client: Client, properties: dict[str, Any], kept: bytes
) -> None:
    client.put("/i", {"mappings": {"_source": RULES, "properties": properties}})
    client.put("/i/_doc/1?refresh", {"a": 1, "secret": "word"})
    uuid = node.cluster.state.indices["i"].uuid
    with node.indices.index(uuid).shard(0).acquire_searcher() as searcher:
        assert searcher.segments[0].stored_row(0)[2].replace(b" ", b"") == kept


def test_patterns_come_in_a_list(client: Client) -> None:
    answer = client.put("/i", {"mappings": {"_source": {"includes": "a*"}}})
    assert (answer.status, answer.error()["type"]) == (400, "mapper_parsing_exception")


def test_an_index_that_keeps_parts_is_not_resized(client: Client) -> None:
    client.put("/i", {"mappings": {"_source": RULES}, "settings": {"index.blocks.write": True}})
    answer = client.post("/i/_clone/j")
    assert answer.status == 400
    assert "keeps no whole source" in answer.error()["reason"]
