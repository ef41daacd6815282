"""A disk that fails and comes back: its shards are opened again from what is known to be on it."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanner.engine.cluster.creation import create_index
from lanner.engine.cluster.health import health
from lanner.engine.common.errors import IOFailure, LannerError, NoShardAvailable
from lanner.engine.document.get import GetRequest, get_document
from lanner.engine.document.requests import IndexRequest
from lanner.engine.document.write import index_document
from lanner.engine.node import Node, NodeSettings
from lanner.engine.runtime.fsio import OpenFile, RealFileSystem


class FailingDisk(RealFileSystem):
    """Syncs, or all writing and reading of folders, fail while told to."""

    def __init__(self) -> None:
        self.syncs_fail = self.all_fails = False

    def check(self, *, sync: bool) -> None:
        if self.all_fails or (sync and self.syncs_fail):
            raise OSError(errno.EIO, "Input/output error")

    def fsync(self, file: OpenFile) -> None:
        self.check(sync=True)
        super().fsync(file)

    def fdatasync(self, file: OpenFile) -> None:
        self.check(sync=True)
        super().fdatasync(file)

    def fsync_dir(self, path: str) -> None:
        self.check(sync=True)
        super().fsync_dir(path)

    def list(self, path: str) -> list[str]:
        self.check(sync=False)
        return super().list(path)


@pytest.fixture
def disk() -> FailingDisk:
    return FailingDisk()


@pytest.fixture
def node(tmp_path: Path, disk: FailingDisk) -> Iterator[Node]:
    node = Node(NodeSettings.parse({"path.data": str(tmp_path), "node.name": "n"}), files=disk)
    node.start()
    create_index(node, "i", {"settings": {"number_of_replicas": 0, "index.allocation.max_retries": 2}})
    yield node
    node.close()
    assert node.errors == []


def put(node: Node, id_: str, value: int) -> dict[str, object]:
    return index_document(node, IndexRequest(index="i", id=id_, source=b'{"n":%d}' % value))


def status(node: Node) -> str:
    found: str = health(node)["status"]
    return found


def break_it(node: Node, disk: FailingDisk) -> None:
    """Lose the shard to a failed sync, and wait until the cluster knows."""
    disk.syncs_fail = True
    with pytest.raises(LannerError):
        put(node, "lost", 2)
    uuid = node.cluster.state.indices["i"].uuid
    assert node.cluster.wait(lambda state: not state.routing[uuid][0].started, 10)
    assert status(node) == "red"
    with pytest.raises(NoShardAvailable):
        get_document(node, GetRequest(index="i", id="kept"))


def test_opened_again_when_the_disk_answers(node: Node, disk: FailingDisk) -> None:
    kept = put(node, "kept", 1)
    index = node.cluster.state.indices["i"]
    folder = Path(node.indices.index(index.uuid).store(0).translog_folder)
    before = set(folder.glob("*.log"))
    break_it(node, disk)
    assert node._retrying, "nobody will try"
    disk.syncs_fail = False
    assert not node.cluster.retry_shards(), "something is left to try"
    assert status(node) == "green"
    assert bytes(get_document(node, GetRequest(index="i", id="kept"))["_source"]) == b'{"n":1}'
    new = put(node, "new", 3)
    assert new["_primary_term"] == 2
    assert kept["_primary_term"] == 1
    # what was replayed stands in new files, not in the log whose sync had failed
    assert before
    assert before.isdisjoint(folder.glob("*.log"))


def test_tried_a_few_times_and_then_on_request(node: Node, disk: FailingDisk) -> None:
    put(node, "kept", 1)
    break_it(node, disk)
    disk.all_fails = True
    assert node.cluster.retry_shards()
    assert not node.cluster.retry_shards(), "it is tried for ever"
    index = node.cluster.state.indices["i"]
    assert isinstance(node.indices.index(index.uuid).failures[0], IOFailure)
    disk.all_fails = disk.syncs_fail = False
    assert not node.cluster.retry_shards()
    assert status(node) == "red"
    node.cluster.retry_shards(everything=True)
    assert status(node) == "green"
    assert get_document(node, GetRequest(index="i", id="kept"))["found"]


def test_syncs_that_go_on_failing(node: Node, disk: FailingDisk) -> None:
    """The shard can be read, so it opens; what was replayed cannot be made durable, so it fails again."""
    put(node, "kept", 1)
    break_it(node, disk)
    node.cluster.retry_shards()
    uuid = node.cluster.state.indices["i"].uuid
    assert node.cluster.wait(lambda state: not state.routing[uuid][0].started, 10)
    disk.syncs_fail = False
    node.cluster.retry_shards()
    assert status(node) == "green"
    assert bytes(get_document(node, GetRequest(index="i", id="kept"))["_source"]) == b'{"n":1}'
