"""The translog: what comes back is what was written, in order, and syncs are shared."""

import itertools
import threading
from array import array
from typing import Any

import pytest

from lanner.engine.common.errors import DiskFull, IOFailure, TranslogCorrupted
from lanner.engine.index.translog import DELETE, INDEX, Translog
from lanner.engine.index.translog_reader import recover, seal_recovered
from lanner.engine.runtime.fsio import OpenFile
from lanner.ext.index.document import Operation
from lanner.ext.index.log_records import pack_records
from tests.crash.simulated import MemoryFileSystem


@pytest.fixture
def files() -> MemoryFileSystem:
    return MemoryFileSystem(folders={"/log"})


def encode(kind: int, id_: bytes, routing: bytes | None, source: bytes, version: int) -> bytes:
    operation = Operation(kind, id_, source, routing)
    operation.place(0, 1, version)
    body, starts = pack_records([operation])
    assert list(starts) == [0, len(body)]
    return body


def make(files: MemoryFileSystem, generation: int = 1) -> Translog:
    return Translog(files, "/log", "[i][0]", generation)


def read(files: MemoryFileSystem, minimum: int = 1) -> list[tuple[Any, ...]]:
    readers, _ = recover(files, "/log", "[i][0]", minimum)
    return [
        (each.kind, each.seq_no, each.primary_term, each.version, each.id, each.routing, each.source)
        for reader in readers
        for frame in reader.frames()
        for each in frame
    ]


def test_operations_come_back(files: MemoryFileSystem) -> None:
    log = make(files)
    log.append(encode(INDEX, b"a", None, b"{}", 1) + encode(INDEX, b"b", b"r", b'{"x":1}', 7), 2, 0, 3)
    log.append(encode(DELETE, b"a", None, b"", 2), 1, 2, 3)
    log.append(encode(INDEX, b"", b"", b"", 2**62), 1, 3, 4)
    assert read(files) == [
        (INDEX, 0, 3, 1, b"a", None, b"{}"),
        (INDEX, 1, 3, 7, b"b", b"r", b'{"x":1}'),
        (DELETE, 2, 3, 2, b"a", None, b""),
        (INDEX, 3, 4, 2**62, b"", b"", b""),
    ]
    assert log.total_operations == 4


def test_records_follow_each_other() -> None:
    operations = [Operation(INDEX, b"a" * n, b"s" * (3 * n), b"r" * n if n % 2 else None) for n in range(5)]
    body, starts = pack_records(operations)
    records = [pack_records([operation])[0] for operation in operations]
    assert body == b"".join(records)
    assert [body[a:b] for a, b in itertools.pairwise(starts)] == records
    with pytest.raises(ValueError, match="too long"):
        pack_records([Operation(INDEX, b"i" * 65536)])
    assert pack_records([]) == (b"", array("q", [0]))


def test_opening_and_rolling_write_nothing(files: MemoryFileSystem) -> None:
    log = make(files, 5)
    assert log.roll() == 5
    log.sync()
    assert files.list("/log") == []


def test_generations(files: MemoryFileSystem) -> None:
    log = make(files)
    for number in range(3):
        log.append(encode(INDEX, b"%d" % number, None, b"{}", 1), 1, number, 1)
        assert log.roll() == number + 2
    assert [operation[1] for operation in read(files)] == [0, 1, 2]
    log.trim(3)
    assert files.list("/log") == ["checkpoint", "translog-3.log"]
    assert [operation[1] for operation in read(files, 3)] == [2]
    with pytest.raises(TranslogCorrupted, match="translog-2.log.*the file is missing"):
        read(files, 2)


def test_one_sync_serves_all_who_wait() -> None:
    files = MemoryFileSystem(folders={"/log"})
    log = make(files)
    files.steps = []
    lock = threading.Lock()
    inside, go_on = threading.Event(), threading.Event()
    plain = files.fdatasync

    def slow(file: OpenFile) -> None:
        inside.set()
        go_on.wait(10)
        plain(file)

    files.fdatasync = slow  # type: ignore[method-assign]

    def write(number: int) -> None:
        with lock:
            log.append(encode(INDEX, b"x", None, b"{}", 1), 1, number, 1)
            target = log.written
        log.sync(target)
        assert log.synced >= target

    first = threading.Thread(target=write, args=(0,))
    first.start()
    inside.wait(10)
    others = [threading.Thread(target=write, args=(number,)) for number in range(1, 9)]
    for thread in others:
        thread.start()
    while log.operations < 9:
        others[0].join(0.001)
    go_on.set()
    for thread in (first, *others):
        thread.join()
    syncs = [step for step in files.steps if step[0] == "fdatasync"]
    assert len(syncs) == 2  # the one under way, and one for all that came meanwhile


def test_torn_tail_is_cut_and_the_next_generation_follows(files: MemoryFileSystem) -> None:
    log = make(files)
    log.append(encode(INDEX, b"a", None, b"{}", 1), 1, 0, 1)
    log.sync()
    log.append(encode(INDEX, b"b", None, b"{}", 1), 1, 1, 1)
    node = files.files["/log/translog-1.log"]
    del node.data[-3:]
    readers, _ = recover(files, "/log", "[i][0]", 1)
    assert [len(frame) for frame in readers[0].frames()] == [1]
    again = make(files, 2)
    seal_recovered(files, "/log", readers, again)
    again.append(encode(INDEX, b"c", None, b"{}", 1), 1, 1, 2)
    assert [operation[4] for operation in read(files)] == [b"a", b"c"]


def test_zeros_between_unsynced_records_are_no_damage(files: MemoryFileSystem) -> None:
    log = make(files)
    log.append(encode(INDEX, b"a", None, b"{}", 1), 1, 0, 1)
    log.sync()
    start = log.written[1]
    log.append(encode(INDEX, b"b", None, b"{}", 1), 1, 1, 1)
    end = log.written[1]
    log.append(encode(INDEX, b"c", None, b"{}", 1), 1, 2, 1)
    files.files["/log/translog-1.log"].data[start:end] = bytes(end - start)
    assert [operation[4] for operation in read(files)] == [b"a"]  # neither b nor c was durable


def test_full_disk_takes_the_write_back(files: MemoryFileSystem) -> None:
    log = make(files)
    log.append(encode(INDEX, b"a", None, b"{}", 1), 1, 0, 1)
    size = len(files.files["/log/translog-1.log"].data)
    files.limit = size + 20
    with pytest.raises(DiskFull, match=r"index \[i\] blocked by"):
        log.append(encode(INDEX, b"b", None, b"{}", 1), 1, 1, 1)
    assert len(files.files["/log/translog-1.log"].data) == size
    files.limit = None
    log.append(encode(INDEX, b"c", None, b"{}", 1), 1, 1, 1)
    assert [operation[4] for operation in read(files)] == [b"a", b"c"]


def test_failed_sync_is_never_tried_again(files: MemoryFileSystem) -> None:
    log = make(files)
    log.append(encode(INDEX, b"a", None, b"{}", 1), 1, 0, 1)
    files.fail_at = files.count + 1
    for _ in range(2):
        with pytest.raises(IOFailure, match="sync failed"):
            log.sync()
    with pytest.raises(IOFailure, match="sync failed"):
        log.append(encode(INDEX, b"b", None, b"{}", 1), 1, 1, 1)
