"""A shard against a dictionary: versions, sequence numbers, visibility, real-time reads, merges."""

import random
import threading
from typing import Any

import pytest

from lanner.engine.common.errors import AlreadyClosed, IllegalArgument, VersionConflict
from lanner.engine.index.merge_scheduler import QUIET_SECONDS
from lanner.engine.index.operation import EXTERNAL, EXTERNAL_GTE, INDEX, Condition, Operation
from lanner.engine.index.shard import Shard
from lanner.engine.runtime.clock import SystemClock
from lanner.ext.index.schema import POSITIONS, TERM, Field
from tests.crash.shards import ManualScheduler, contents, delete_op, index_op, make_shard, open_shard
from tests.crash.simulated import MemoryFileSystem


@pytest.fixture
def files() -> MemoryFileSystem:
    return MemoryFileSystem(folders={"/d"})


@pytest.fixture
def shard(files: MemoryFileSystem) -> Shard:
    return make_shard(files, "/d")


def scheduler_of(shard: Shard) -> ManualScheduler:
    scheduler = shard._services.scheduler
    assert isinstance(scheduler, ManualScheduler)
    return scheduler


def test_versions_and_sequence_numbers(shard: Shard) -> None:
    results = shard.apply(
        [
            index_op("a", 1),
            index_op("b", 2),
            index_op("a", 3),
            delete_op("a"),
            delete_op("x"),
            index_op("a", 4),
        ]
    )
    assert [(each.seq_no, each.version, each.found) for each in results] == [
        (0, 1, False),
        (1, 1, False),
        (2, 2, True),
        (3, 3, True),
        (4, 1, False),
        (5, 4, False),  # the tombstone's version goes on
    ]
    shard.refresh()
    assert contents(shard) == {"a": 4, "b": 2}


@pytest.mark.parametrize("refreshed", [False, True])
def test_conditions(shard: Shard, refreshed: bool) -> None:
    shard.apply([index_op("a", 1)])
    if refreshed:
        shard.refresh()

    def error(condition: Condition, id_: str = "a") -> str:
        result = shard.apply([index_op(id_, 9, condition=condition)])[0]
        assert isinstance(result.error, VersionConflict)
        return result.error.reason

    assert error(Condition(create=True)) == (
        "[a]: version conflict, document already exists (current version [1])"
    )
    assert error(Condition(if_seq_no=5, if_primary_term=1)) == (
        "[a]: version conflict, required seqNo [5], primary term [1]. "
        "current document has seqNo [0] and primary term [1]"
    )
    assert error(Condition(if_seq_no=5, if_primary_term=1), "b") == (
        "[b]: version conflict, required seqNo [5], primary term [1]. but no document was found"
    )
    assert (
        shard.apply([index_op("a", 2, condition=Condition(if_seq_no=0, if_primary_term=1))])[0].version == 2
    )
    external = shard.apply([index_op("a", 3, condition=Condition(version=10, version_type=EXTERNAL))])[0]
    assert external.version == 10
    assert error(Condition(version=10, version_type=EXTERNAL)) == (
        "[a]: version conflict, current version [10] is higher or equal to the one provided [10]"
    )
    assert error(Condition(version=9, version_type=EXTERNAL_GTE)) == (
        "[a]: version conflict, current version [10] is higher than the one provided [9]"
    )
    assert (
        shard.apply([index_op("a", 4, condition=Condition(version=10, version_type=EXTERNAL_GTE))])[0].error
        is None
    )


def test_reads_are_in_real_time(shard: Shard, files: MemoryFileSystem) -> None:
    shard.apply([index_op("a", 1)])
    found = shard.get(b"a")
    assert found is not None
    assert (found.version, found.seq_no, found.source) == (1, 0, b'{"tag": "t1", "n": 1}')
    assert shard.get(b"a", realtime=False) is None
    shard.refresh()
    assert shard.get(b"a") == found
    assert shard.get(b"a", realtime=False) == found
    shard.apply([delete_op("a")])
    assert shard.get(b"a") is None
    assert shard.get(b"a", realtime=False) == found
    routed = Operation(INDEX, b"r", b'{"n":1}', b"way", [])
    shard.apply([routed])
    again = shard.get(b"r")
    assert again is not None
    assert again.routing == b"way"


def test_a_searcher_stays_as_it_was(shard: Shard) -> None:
    shard.apply([index_op("a", 1), index_op("b", 1)])
    shard.refresh()
    with shard.acquire_searcher() as before:
        shard.apply([delete_op("a"), index_op("b", 2), index_op("c", 3)])
        assert contents(shard) == {"a": 1, "b": 1}  # nothing is visible before the refresh
        shard.refresh()
        shard.force_merge(1)
        assert before.num_docs == 2
        assert sorted(before.segments[0].source(doc) for doc in range(2)) == [b'{"tag": "t1", "n": 1}'] * 2
    assert contents(shard) == {"b": 2, "c": 3}
    with pytest.raises(ValueError, match="closed"):
        _ = before.reader


def test_a_merge_shows_no_delete_before_its_time(shard: Shard) -> None:
    shard.apply([index_op("a", 1), index_op("b", 1)])
    shard.refresh()
    shard.apply([index_op("c", 1)])
    shard.refresh()
    shard.apply([index_op("a", 2)])  # not refreshed: searchers still see a=1
    with shard.lock:
        chosen = list(shard._set.segments)
        shard._set.merging.update(chosen)
    shard._merge(chosen)
    assert contents(shard) == {"a": 1, "b": 1, "c": 1}
    found = shard.get(b"a")
    assert found is not None
    assert found.version == 2
    shard.refresh()
    assert contents(shard) == {"a": 2, "b": 1, "c": 1}


def test_force_merge_ends_with_invisible_deletes(shard: Shard) -> None:
    shard.apply([index_op("a", 1), index_op("b", 1)])
    shard.refresh()
    shard.apply([delete_op("a")])
    shard.force_merge(1)
    assert len(shard.stats().segments) == 1
    assert contents(shard) == {"b": 1}


def test_one_bad_document_harms_no_other(shard: Shard) -> None:
    huge = Field("huge", 20, TERM, postings=POSITIONS)
    bad = Operation(INDEX, b"bad", b"{}", values=[(huge, b"x" * 40_000)])
    results = shard.apply([index_op("a", 1), bad, index_op("b", 2)])
    assert [each.error is None for each in results] == [True, False, True]
    assert isinstance(results[1].error, IllegalArgument)
    assert [results[0].seq_no, results[2].seq_no] == [0, 1]
    shard.refresh()
    assert contents(shard) == {"a": 1, "b": 2}


@pytest.mark.parametrize("settings", [{}, {"sort__field": "tag"}])
def test_random_work_equals_a_dictionary(files: MemoryFileSystem, settings: dict[str, Any]) -> None:
    chance = random.Random(11)
    shard = make_shard(files, "/d", **settings)
    mixed = list(range(400))
    if settings:
        chance.shuffle(mixed)
        mixed = [100 + number for number in mixed]  # values of four digits: no nested rows
    model: dict[str, int] = {}
    versions: dict[str, int] = {}
    term = 1
    for number in range(400):
        operations = []
        for at in range(chance.randrange(1, 9)):
            id_ = f"d{chance.randrange(30)}"
            if chance.random() < 0.3:
                operations.append(delete_op(id_))
                model.pop(id_, None)
            else:
                operations.append(index_op(id_, mixed[number] * 10 + at))
                model[id_] = mixed[number] * 10 + at
        for operation, result in zip(operations, shard.apply(operations), strict=True):
            id_ = operation.id.decode()
            assert result.version == versions.get(id_, 0) + 1 or term > 1
            versions[id_] = result.version
        action = chance.random()
        if action < 0.2:
            shard.refresh()
        elif action < 0.3:
            shard.flush()
        elif action < 0.35:
            shard.force_merge(chance.randrange(1, 4))
        elif action < 0.4:
            while shard.merge_once():
                pass
        elif action < 0.43:
            term += 1
            shard.close(flush=chance.random() < 0.5)
            shard = open_shard(files, "/d", term=term, **settings)
        for id_ in (f"d{chance.randrange(30)}" for _ in range(3)):
            found = shard.get(id_.encode())
            assert (found is None) == (id_ not in model)
    shard.refresh()
    assert contents(shard) == model
    if settings:
        with shard.acquire_searcher() as searcher:
            for reader in searcher.segments:
                tags = [reader.terms("tag", doc) for doc in range(reader.max_doc)]
                assert tags == sorted(tags)


def test_closing_twice_and_using_after(shard: Shard) -> None:
    shard.apply([index_op("a", 1)])
    shard.close()
    shard.close()
    with pytest.raises(AlreadyClosed):
        shard.apply([index_op("a", 2)])
    with pytest.raises(AlreadyClosed):
        shard.acquire_searcher()


def test_closed_shard_has_nothing_to_replay(files: MemoryFileSystem) -> None:
    shard = make_shard(files, "/d")
    shard.apply([index_op(f"a{number}", number) for number in range(20)])
    shard.close()
    again = open_shard(files, "/d", term=2)
    assert again.recovered.operations == 0
    assert len(contents(again)) == 20


def test_async_durability_syncs_later(files: MemoryFileSystem) -> None:
    shard = make_shard(files, "/d", translog__durability="async")
    shard.apply([index_op("a", 1)])
    shard.apply([index_op("b", 1)])
    assert shard.translog.needs_sync
    scheduler_of(shard).run()
    assert not shard.translog.needs_sync


def test_idle_shard_refreshes_at_the_next_search(files: MemoryFileSystem) -> None:
    shard = make_shard(files, "/d", search__idle__after="0s")
    shard.apply([index_op("a", 1)])
    assert scheduler_of(shard).due == []  # no timer for a shard that nobody searches
    assert contents(shard) == {}
    with shard.acquire_searcher(search=True) as searcher:
        assert searcher.num_docs == 1


def test_wait_for_refresh_returns_with_the_refresh(files: MemoryFileSystem) -> None:
    shard = make_shard(files, "/d", refresh_interval="1s")
    shard.apply([index_op("a", 1)])
    forced: list[bool] = []
    thread = threading.Thread(target=lambda: forced.append(shard.wait_for_refresh()))
    thread.start()
    while not shard.schedule.waiting:
        thread.join(0.001)
    scheduler_of(shard).run()
    thread.join()
    assert forced == [False]
    assert contents(shard) == {"a": 1}


def test_full_buffer_becomes_a_segment(files: MemoryFileSystem) -> None:
    shard = make_shard(files, "/d")
    shard._services.memory.limit = 50_000
    shard.apply([index_op(f"a{number}", number) for number in range(500)])
    assert shard.stats().buffer_bytes == 0
    assert len(contents(shard)) == 500


class SetClock(SystemClock):
    """Stands still until it is moved."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_a_quiet_shard_merges_on(files: MemoryFileSystem) -> None:
    clock = SetClock()
    shard = make_shard(files, "/d", clock=clock)
    for number in range(5):
        shard.apply([index_op(f"a{number}", number)])
        shard.refresh()
    scheduler = shard._services.scheduler
    assert isinstance(scheduler, ManualScheduler)
    before = len(scheduler.due)
    assert not shard.merge_once()
    assert not shard.merge_once()
    assert len(scheduler.due) == before + 1  # it looks again, once
    scheduler.run()
    clock.now += QUIET_SECONDS
    assert shard.merge_once()
    assert not shard.merge_once()
    assert len(shard.stats().segments) == 1
    assert contents(shard) == {f"a{number}": number for number in range(5)}


def test_a_batch_meets_buffers_segments_and_tombstones(shard: Shard) -> None:
    shard.apply([index_op(id_, 1) for id_ in ("segment", "both", "deleted", "buried")])
    shard.refresh()
    shard.apply([index_op("both", 2), index_op("buffer", 2), delete_op("deleted"), index_op("fresh", 2)])
    results = shard.apply(
        [index_op(id_, 3) for id_ in ("segment", "both", "deleted", "buffer", "new")] + [delete_op("buried")]
    )
    assert [(each.version, each.found) for each in results] == [
        (2, True),
        (3, True),
        (3, False),
        (2, True),
        (1, False),
        (2, True),
    ]
    for id_, value in (("segment", 3), ("both", 3), ("fresh", 2), ("new", 3)):
        found = shard.get(id_.encode())
        assert found is not None
        assert found.source == index_op(id_, value).source
    shard.refresh()
    expected = dict.fromkeys(("segment", "both", "deleted", "buffer", "new"), 3) | {"fresh": 2}
    assert contents(shard) == expected
