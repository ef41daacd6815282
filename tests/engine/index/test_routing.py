"""Shard numbers are those of the real system (recorded with _search_shards)."""

import json
from pathlib import Path

import pytest

from lanner.engine.index.routing import default_routing_shards, shard_of

RECORDED = json.loads((Path(__file__).parent / "routing_recorded.json").read_text())


@pytest.mark.parametrize("shards", [2, 3, 5, 7, 16])
def test_shard_numbers(shards: int) -> None:
    for routing, expected in RECORDED[str(shards)].items():
        assert shard_of(routing, shards, default_routing_shards(shards)) == expected, routing


@pytest.mark.parametrize(
    ("shards", "expected"), [(1, 1024), (2, 1024), (3, 768), (5, 640), (7, 896), (513, 1026), (1024, 2048)]
)
def test_default_routing_shards(shards: int, expected: int) -> None:
    assert default_routing_shards(shards) == expected
