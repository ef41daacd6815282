"""A node in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lanner.engine.node import Node, NodeSettings


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    node = Node(NodeSettings.parse({"path.data": str(tmp_path), "node.name": "n", "cluster.name": "c"}))
    node.start()
    yield node
    node.close()
    assert node.errors == []
