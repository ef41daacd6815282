"""Folders that the state does not know: removed if nothing acknowledged is in them, else left alone."""

from pathlib import Path

import pytest

from lanner.engine.cluster.check import check_data_folder
from lanner.engine.cluster.creation import create_index
from lanner.engine.document.requests import IndexRequest
from lanner.engine.document.write import index_document
from lanner.engine.node import Node, NodeSettings


def start(path: Path) -> Node:
    node = Node(NodeSettings.parse({"path.data": str(path), "node.name": "n"}))
    node.start()
    return node


def problems(path: Path) -> list[tuple[str, str]]:
    return [(str(Path(each.path).relative_to(path)), each.problem) for each in check_data_folder(str(path))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a node with an index that holds a document, and one that holds none."""
    node = start(tmp_path)
    for name in ("full", "empty"):
        create_index(node, name, {"settings": {"number_of_shards": 2, "number_of_replicas": 0}})
    index_document(node, IndexRequest(index="full", id="1", source=b'{"n":1}'))
    node.close()
    assert problems(tmp_path) == []
    return tmp_path


def leave(folder: Path, step: int) -> Path:
    """What is left of an index with one shard when its creation is killed after so many steps."""
    orphan = folder / "indices" / "killed-while-it-was-made"
    steps = (
        orphan.mkdir,
        (orphan / "0").mkdir,
        (orphan / "0" / "index").mkdir,
        (orphan / "0" / "translog").mkdir,
        lambda: (orphan / "0" / "index" / "commit-1.tmp").write_bytes(b"half"),
        lambda: (orphan / "0" / "index" / "commit-1.tmp").rename(orphan / "0" / "index" / "commit-1"),
    )
    for each in steps[: step + 1]:
        each()
    return orphan


@pytest.mark.parametrize("step", range(6))
def test_interrupted_creation(folder: Path, step: int) -> None:
    orphan = leave(folder, step)
    assert problems(folder) == []
    assert orphan.exists(), "checking changed something"
    node = start(folder)
    assert not orphan.exists()
    assert set(node.cluster.state.indices) == {"full", "empty"}
    node.close()


@pytest.mark.parametrize(
    "name", ["0/index/_0-x.idx", "0/index/commit-2", "0/translog/checkpoint", "0/other", "x"]
)
def test_anything_else_is_left_alone(folder: Path, name: str) -> None:
    orphan = leave(folder, 5)
    (orphan / name).write_bytes(b"")
    assert problems(folder)[0] == (
        "indices/killed-while-it-was-made",
        "the cluster state does not know this index",
    )
    start(folder).close()
    assert (orphan / name).exists()


def test_lost_state_loses_no_document(folder: Path) -> None:
    node = start(folder)
    full = f"indices/{node.cluster.state.indices['full'].uuid}"
    node.close()
    (folder / "state.db").unlink()
    lost = [("state.db", "it is missing"), (full, "the cluster state does not know this index")]
    assert problems(folder) == lost
    files = {path: path.read_bytes() for path in (folder / full).rglob("*") if path.is_file()}
    for _ in range(2):  # the second start has a state of its own
        start(folder).close()
        assert {path: path.read_bytes() for path in (folder / full).rglob("*") if path.is_file()} == files
    assert problems(folder) == lost[1:]


def test_damaged_state(folder: Path) -> None:
    (folder / "state.db").write_bytes(b"x" * 8192)
    assert problems(folder)[0][0] == "state.db"


def test_missing_folders(folder: Path) -> None:
    node = start(folder)
    uuid = node.cluster.state.indices["empty"].uuid
    node.close()
    (folder / "indices" / uuid / "1").rename(folder / "elsewhere")
    assert problems(folder) == [(f"indices/{uuid}/1", "the folder is missing")]


def test_interrupted_deletion(folder: Path) -> None:
    node = start(folder)
    uuid = node.cluster.state.indices["full"].uuid
    node.indices.remove = lambda uuid: (_ for _ in ()).throw(KeyboardInterrupt)  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        node.cluster.delete_indices(["full"])
    node.abandon()
    assert (folder / "indices" / uuid).exists()
    assert problems(folder) == []
    start(folder).close()
    assert not (folder / "indices" / uuid).exists()
    assert problems(folder) == []
