"""Damaged files: a clear error that names index, shard and file; never silent loss, never a wrong answer."""

import random
from pathlib import Path

import pytest

from lanner.engine.cluster.check import check_data_folder
from lanner.engine.cluster.creation import create_index
from lanner.engine.cluster.health import health
from lanner.engine.common.errors import CorruptIndex, LannerError, NoShardAvailable, TranslogCorrupted
from lanner.engine.document.get import GetRequest, get_document
from lanner.engine.document.requests import IndexRequest
from lanner.engine.document.write import index_document
from lanner.engine.index.check import check_shard
from lanner.engine.index.translog import FRAME_HEADER, FRAME_OVERHEAD
from lanner.engine.node import Node, NodeSettings
from tests.crash.shards import contents, delete_op, index_op, make_shard, make_store, open_shard
from tests.crash.simulated import MemoryFileSystem

FLIPS = 200
LOG = "/d/0/translog/translog-3.log"
CHECKPOINT = "/d/0/translog/checkpoint"


@pytest.fixture(scope="module")
def disk() -> tuple[MemoryFileSystem, dict[str, int]]:
    """A shard with segments, deletes, two commits and operations after them; and its content."""
    files = MemoryFileSystem(folders={"/d"})
    shard = make_shard(files, "/d")
    shard.apply([index_op(f"a{number}", number) for number in range(50)])
    shard.flush()
    shard.apply([*[delete_op(f"a{number}") for number in range(0, 20, 2)], index_op("b", 1)])
    shard.flush()
    for number in range(6):
        shard.apply([index_op(f"c{number}", number)])
    return files.copy(), contents(open_shard(files.copy(), "/d", term=2))


def opened(files: MemoryFileSystem) -> dict[str, int] | LannerError:
    """What is found, or the error."""
    try:
        return contents(open_shard(files, "/d", term=2))
    except LannerError as error:
        return error


def frames(data: bytes) -> list[tuple[int, int]]:
    """Start and end of every record."""
    found, position = [], 24
    while position < len(data):
        end = position + FRAME_OVERHEAD + FRAME_HEADER.unpack_from(data, position)[1]
        found.append((position, end))
        position = end
    return found


def damaged(disk: MemoryFileSystem, path: str, data: bytes) -> MemoryFileSystem:
    files = disk.copy()
    files.files[path].data = bytearray(data)
    return files


def test_every_byte_of_the_last_three_records(disk: tuple[MemoryFileSystem, dict[str, int]]) -> None:
    files, whole = disk
    data = files.read(LOG)
    records = frames(data)
    assert len(records) == 6
    start = records[-3][0]
    count = 0
    for position in range(start, len(data)):
        for broken in (
            data[:position],
            data[:position] + bytes([data[position] ^ 0x40]) + data[position + 1 :],
        ):
            count += 1
            # the checkpoint knows that these bytes were durable: damage, not a torn tail
            error = opened(damaged(files, LOG, broken))
            assert isinstance(error, TranslogCorrupted), position
            assert "[test][0]" in error.reason
            assert LOG in error.reason
    print(f"\ntranslog: {count} cuts and flips of synced records, each an error")


def test_torn_tail_is_cut_at_the_last_whole_record(disk: tuple[MemoryFileSystem, dict[str, int]]) -> None:
    """Without the checkpoint the log itself decides.

    A later record that knew of the damaged one tells damage.
    """
    files, whole = disk
    files = files.copy()
    files.unlink(CHECKPOINT)
    data = files.read(LOG)
    records = frames(data)
    count = 0
    for number, (start, end) in list(enumerate(records))[-3:]:
        until = {name: value for name, value in whole.items() if name[0] != "c" or int(name[1:]) < number}
        for position in range(start, end):
            count += 2
            assert opened(damaged(files, LOG, data[:position])) == until
            flipped = data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]
            found = opened(damaged(files, LOG, flipped))
            if number == len(records) - 1:
                assert found == until
            else:
                assert isinstance(found, TranslogCorrupted)
    print(f"\ntranslog: {count} cuts and flips without a checkpoint")


@pytest.mark.parametrize("suffix", [".idx", ".src", ".del", "commit-3", "translog-3.log", "checkpoint"])
def test_flips_in_every_type_of_file(disk: tuple[MemoryFileSystem, dict[str, int]], suffix: str) -> None:
    files, whole = disk
    chance = random.Random(3)
    paths = [path for path in files.files if path.endswith(suffix)]
    assert paths
    errors = 0
    for _ in range(FLIPS):
        path = chance.choice(paths)
        data = bytearray(files.read(path))
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        broken = damaged(files, path, bytes(data))
        found = opened(broken)
        if isinstance(found, LannerError):
            assert isinstance(found, CorruptIndex | TranslogCorrupted)
            assert "[test][0]" in found.reason
            assert path in found.reason
            errors += 1
        else:
            assert found == whole
    assert errors == (0 if suffix == "checkpoint" else FLIPS)
    print(f"\n{suffix}: {FLIPS} flips, {errors} errors, no wrong answer")


@pytest.mark.parametrize("suffix", [".idx", ".src", ".del", "commit-3", "translog-3.log"])
def test_cut_and_missing_files(disk: tuple[MemoryFileSystem, dict[str, int]], suffix: str) -> None:
    files, _ = disk
    path = next(path for path in files.files if path.endswith(suffix))
    data = files.read(path)
    for broken in (b"", data[: len(data) // 2], data[:-1], data + b"\0"):
        found = opened(damaged(files, path, broken))
        if not (suffix == "translog-3.log" and broken.startswith(data)):
            assert isinstance(found, CorruptIndex | TranslogCorrupted), (suffix, len(broken))
    missing = files.copy()
    missing.unlink(path)
    assert isinstance(opened(missing), CorruptIndex | TranslogCorrupted)


def test_check_finds_what_opening_finds(disk: tuple[MemoryFileSystem, dict[str, int]]) -> None:
    files, _ = disk
    assert check_shard(make_store(files, "/d")) == []
    for suffix in (".idx", ".src", ".del", "commit-3", "translog-3.log"):
        path = next(path for path in files.files if path.endswith(suffix))
        data = bytearray(files.read(path))
        data[len(data) // 2] ^= 4
        findings = check_shard(make_store(damaged(files, path, bytes(data)), "/d"))
        assert len(findings) == 1
        assert path in findings[0].path or path in findings[0].problem


def start(path: Path) -> Node:
    node = Node(NodeSettings.parse({"path.data": str(path), "node.name": "n"}))
    node.start()
    return node


def test_only_the_damaged_shard_fails(tmp_path: Path) -> None:
    node = start(tmp_path)
    create_index(node, "two", {"settings": {"number_of_shards": 2, "number_of_replicas": 0}})
    for number in range(20):
        index_document(node, IndexRequest(index="two", id=str(number), source=b'{"n":%d}' % number))
    uuid = node.cluster.state.indices["two"].uuid
    node.close()
    assert check_data_folder(str(tmp_path)) == []
    victim = next((tmp_path / "indices" / uuid / "0" / "index").glob("*.idx"))
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    assert [finding.path for finding in check_data_folder(str(tmp_path))] == [str(victim)]
    node = start(tmp_path)
    try:
        assert health(node)["status"] == "red"
        found = failed = 0
        for number in range(20):
            try:
                found += get_document(node, GetRequest(index="two", id=str(number)))["found"]
            except NoShardAvailable as caught:
                error = caught
                failed += 1
        assert error.caused_by is not None
        assert "[two][0]" in error.caused_by.reason
        assert str(victim) in error.caused_by.reason
        assert found > 0
        assert failed > 0
    finally:
        node.close()


def test_flips_in_the_cluster_state(tmp_path: Path) -> None:
    node = start(tmp_path)
    create_index(node, "one", {"settings": {"number_of_replicas": 0}})
    node.close()
    path = tmp_path / "state.db"
    data = path.read_bytes()
    chance = random.Random(5)
    errors = 0
    for _ in range(FLIPS):
        broken = bytearray(data)
        broken[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(broken)
        for extra in ("state.db-wal", "state.db-shm"):
            (tmp_path / extra).unlink(missing_ok=True)
        node = Node(NodeSettings.parse({"path.data": str(tmp_path), "node.name": "n"}))
        text = str(path)
        try:
            node.start()
            assert list(node.cluster.state.indices) == ["one"]
        except CorruptIndex as error:
            text = error.reason
            errors += 1
        finally:
            node.abandon()
        assert str(path) in text
    print(f"\nstate.db: {FLIPS} flips, {errors} errors, no wrong state")
