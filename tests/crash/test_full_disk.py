"""A full disk and a failing one: clear errors, nothing half acknowledged, reads go on, recovery by itself."""

import errno
import random
from pathlib import Path

import pytest

from lanner.engine.common.errors import AlreadyClosed, CorruptIndex, DiskFull, IOFailure
from tests.crash.shards import contents, delete_op, index_op, make_shard, open_shard
from tests.crash.simulated import MemoryFileSystem

FAILURES = 300
Model = dict[str, int]


def used(files: MemoryFileSystem) -> int:
    return sum(len(inode.data) for inode in files.files.values())


def test_writes_fail_and_reads_go_on_until_there_is_space() -> None:
    files = MemoryFileSystem(folders={"/d"})
    shard = make_shard(files, "/d")
    model: Model = {}
    for number in range(20):
        assert shard.apply([index_op(f"d{number}", number)])[0].error is None
        model[f"d{number}"] = number
    shard.flush()
    for round_ in range(20):
        files.limit = used(files) + 150 * round_
        refused = 0
        for number in range(40):
            result = shard.apply([index_op(f"r{round_}-{number}", number), delete_op(f"x{number}")])[0]
            if result.error is None:
                model[f"r{round_}-{number}"] = number
            else:
                refused += 1
                assert isinstance(result.error, DiskFull)
                assert "flood-stage" in result.error.reason
                assert shard.get(f"r{round_}-{number}".encode()) is None
        assert refused > 0
        if refused < 40:  # otherwise there is nothing to flush
            with pytest.raises(DiskFull):
                shard.flush()
        assert shard.get(b"d3") is not None
        assert contents(shard)["d3"] == 3  # reads go on
        files.limit = None
        assert shard.apply([index_op("again", round_)])[0].error is None
        model["again"] = round_
        shard.flush()
        assert contents(shard) == model
        assert shard.failure is None
    assert contents(open_shard(files, "/d", term=2)) == model


def test_a_batch_is_refused_as_a_whole() -> None:
    files = MemoryFileSystem(folders={"/d"})
    shard = make_shard(files, "/d")
    shard.apply([index_op("a", 1)])
    files.limit = used(files) + 100
    results = shard.apply([index_op("a", 2), index_op("b", 2), index_op("c", 2)])
    assert all(isinstance(result.error, DiskFull) for result in results)
    files.limit = None
    result = shard.apply([index_op("a", 3)])[0]
    assert (result.seq_no, result.version) == (1, 2)  # the refused ones left no trace
    shard.refresh()
    assert contents(shard) == {"a": 3}


def test_opening_on_a_full_disk_waits_for_space() -> None:
    files = MemoryFileSystem(folders={"/d"})
    shard = make_shard(files, "/d")
    shard.apply([index_op("a", 1)])
    files.limit = used(files)
    with pytest.raises(DiskFull):
        open_shard(files.copy_with_limit(), "/d", term=2)
    assert contents(open_shard(files.copy(), "/d", term=2)) == {"a": 1}


def workload(files: MemoryFileSystem, model: Model, maybe: Model, chance: random.Random) -> None:
    """Write, refresh, flush and merge; ends with an error at the latest when the shard fails."""
    shard = make_shard(files, "/d")
    for number in range(12):
        operations = {f"d{chance.randrange(9)}": number * 10 + at for at in range(3)}
        maybe.clear()
        maybe.update(operations)
        results = shard.apply([index_op(id_, value) for id_, value in operations.items()])
        for (id_, value), result in zip(operations.items(), results, strict=True):
            if result.error is None:
                model[id_] = value
        maybe.clear()
        if number % 3 == 1:
            shard.refresh()
        if number % 4 == 3:
            shard.flush()
        if number % 6 == 5:
            shard.force_merge(1)


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_every_operation_failing_once(number: int) -> None:
    failed = complete = 0
    for at in range(1, FAILURES + 1):
        files = MemoryFileSystem(folders={"/d"})
        files.fail_at, files.fail_with = at, number
        model: Model = {}
        maybe: Model = {}
        try:
            workload(files, model, maybe, random.Random(1))
            complete += 1
        except (DiskFull, IOFailure, AlreadyClosed, OSError):
            failed += 1
        try:
            found = contents(open_shard(files.copy(), "/d", term=2))
        except CorruptIndex:
            assert not model  # the shard had not been made yet
            continue
        for id_, value in model.items():
            assert found.get(id_) in (value, maybe.get(id_)), f"operation {at}: [{id_}]"
        assert all(id_ in model or id_ in maybe or value % 10 < 3 for id_, value in found.items())
    print(
        f"\n{errno.errorcode[number]} at each of {FAILURES} operations: "
        f"{failed} ended the work, {complete} did not"
    )
    assert failed > 0


def test_failed_sync_ends_the_shard(tmp_path: Path) -> None:
    files = MemoryFileSystem(folders={"/d"})
    shard = make_shard(files, "/d")
    shard.apply([index_op("a", 1)])
    files.fail_at = files.count + 2  # the write, then its sync
    with pytest.raises(IOFailure):
        shard.apply([index_op("a", 2)])
    assert shard.failure is not None
    with pytest.raises(AlreadyClosed):
        shard.apply([index_op("a", 3)])
