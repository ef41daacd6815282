"""A shard: one writer, any number of readers, and the order in which things become visible and durable.

Locks, in the order in which they may be taken:

- `_flush_lock`: one flush, or the installation of one merge
- `_refresh_lock`: one refresh, or the installation of one merge
- `lock`: the writer; guards the buffers, the tombstones, the list of segments and their deletes

A write goes into the buffer and the translog under `lock` and is acknowledged after the translog's sync,
which happens outside. A refresh freezes the buffer, builds a segment from it without `lock`, and swaps in a
new searcher. A flush also starts a new generation of the translog in the moment of the freeze, so that the
commit holds exactly the operations of the older generations: deletes that come later must not be in it.
"""

import threading
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.errors import AlreadyClosed, DiskFull, IOFailure, LannerError, RejectedExecution
from lanner.engine.common.ids import random_uuid
from lanner.engine.index.commit import Commit, write_commit
from lanner.engine.index.flush import Committer
from lanner.engine.index.group_sync import Done, GroupSync
from lanner.engine.index.index_settings import IndexSettings
from lanner.engine.index.indexing import Writer
from lanner.engine.index.indexing_memory import IndexingMemory
from lanner.engine.index.merge_scheduler import QUIET_BUFFERS, QUIET_SECONDS, MergeScheduler
from lanner.engine.index.operation import DELETE, INDEX, GetResult, Operation, OperationResult
from lanner.engine.index.realtime import from_record, from_segment, read_record
from lanner.engine.index.recovery import (
    EMPTY_STORE,
    EXISTING_STORE,
    Opened,
    Parse,
    Recovered,
    Replay,
    open_folder,
)
from lanner.engine.index.refresh import SegmentSet
from lanner.engine.index.refresh_schedule import RefreshSchedule
from lanner.engine.index.searcher import Searcher
from lanner.engine.index.segment import Segment
from lanner.engine.index.sequence_numbers import NO_OPS, SequenceNumbers
from lanner.engine.index.stats import SegmentStats, ShardCounters, ShardStats
from lanner.engine.index.store import ShardId, Store
from lanner.engine.index.translog import disk_full, is_full
from lanner.engine.index.version_map import VersionMap
from lanner.engine.runtime.clock import Clock
from lanner.engine.runtime.scheduler import Scheduler
from lanner.engine.runtime.thread_pool import ThreadPools
from lanner.ext.codec.bytes_writer import release_free_memory

Keep = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class ShardServices:
    """What a shard shares with the others of its node."""

    clock: Clock
    scheduler: Scheduler
    pools: ThreadPools
    merges: MergeScheduler
    memory: IndexingMemory
    failed: "Callable[[Shard, Exception], None]"
    verify: bool = True  # every byte when opening


def create_shard(store: Store) -> None:
    """Make an empty shard, durably."""
    store.create_folders()
    commit = Commit(
        generation=1,
        id=random_uuid(),
        index_uuid=store.shard_id.index_uuid,
        shard=store.shard_id.shard,
        segments=(),
        segment_counter=0,
        max_seq_no=NO_OPS,
        local_checkpoint=NO_OPS,
        translog_generation=1,
        primary_term=0,
    )
    write_commit(store, commit)


class Shard:
    """The primary copy of one shard. Made by `Shard.open`."""

    def __init__(
        self,
        store: Store,
        settings: IndexSettings,
        services: ShardServices,
        primary_term: int,
        opened: Opened,
        keep: Keep | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self.primary_term = primary_term
        self.lock = threading.Lock()
        self.failure: Exception | None = None
        self.closed = False
        self.counters = ShardCounters()
        self.translog = opened.translog
        self.recovered: Recovered
        self._services = services
        self._refresh_lock = threading.Lock()
        self._flush_lock = threading.Lock()
        self._numbers = SequenceNumbers(opened.commit.max_seq_no)
        self._versions = VersionMap(settings.gc_deletes, keep)
        self._set = SegmentSet(store, self.lock, self._versions, opened, settings.sort_keys)
        self._committer = Committer(store, opened.commit)
        self._syncs = GroupSync(self.sync, services.pools["write"])
        self._sync_scheduled = False
        self._flush_scheduled = False
        self._quiet_scheduled = False
        self._last_write = services.clock.monotonic()
        self._writer = Writer(
            self.place,
            self._versions,
            self._set.segments,
            self._numbers,
            self.translog,
            primary_term,
            services.clock.monotonic,
        )
        self.schedule = RefreshSchedule(
            lambda: self.settings,
            services.clock,
            services.scheduler,
            services.pools["refresh"],
            self.refresh_quietly,
        )

    @classmethod
    def open(
        cls,
        store: Store,
        settings: IndexSettings,
        services: ShardServices,
        *,
        primary_term: int,
        parse: Parse,
        keep: Keep | None = None,
    ) -> "Shard":
        """Open a shard that was created before, with every acknowledged operation in it.

        keep: what segments keep of a source; None for all of it.
        CorruptIndex and TranslogCorrupted: the folder is damaged. DiskFull: there is no space to replay.
        """
        started = services.clock.millis()
        try:
            opened = open_folder(store, verify=services.verify)
            shard = cls(store, settings, services, primary_term, opened, keep)
            replay = Replay(store, opened, shard._versions, shard._numbers, parse, shard._relieve)
            replay.run(services.clock.monotonic())
            shard._rebuild()
        except FileNotFoundError as error:
            raise store.damaged(error.filename or store.path, "it is missing") from error
        except OSError as error:
            if is_full(error):
                raise disk_full(str(store.shard_id), error) from error
            raise IOFailure(f"{store.shard_id} {error.filename or store.path}: {error.strerror}") from error
        shard.recovered = Recovered(
            EMPTY_STORE if primary_term == 1 else EXISTING_STORE,
            started,
            services.clock.millis(),
            shard._set.files(),
            replay.count,
        )
        return shard

    @property
    def id(self) -> ShardId:
        """Index and number."""
        return self.store.shard_id

    @property
    def place(self) -> dict[str, Any]:
        """What errors about this shard carry beside type and reason."""
        return {"index": self.id.index, "shard": str(self.id.shard), "index_uuid": self.id.index_uuid}

    # ---- writing

    @property
    def is_calm(self) -> bool:
        """Whether a write would not wait for somebody else."""
        return not (self.lock.locked() or self._services.memory.is_nearly_full)

    def apply(self, operations: Sequence[Operation], *, patient: bool = True) -> list[OperationResult]:
        """Apply operations in order and make them durable; one result each.

        An error in a result concerns that operation alone. What is raised concerns all: nothing is
        acknowledged. patient: refreshes itself if memory asks for it, as the price of writing much. If not,
        the operations may not be acknowledged before `durability` has come to pass.
        """
        started = time.perf_counter_ns()
        with self.lock:
            self._check_open()
            try:
                results = self._writer.apply(operations)
            except Exception as error:
                self.fail(error)
                raise
            target = self.translog.written
            ram = self._versions.ram_bytes
            self._set.changed = True
            self._last_write = self._services.clock.monotonic()
        if self.translog.broken is not None:
            self.fail(IOFailure(self.translog.broken))
        if patient or not self.settings.durability_is_request:
            self._make_durable(target)
        self._count(operations, results, time.perf_counter_ns() - started)
        self._after_write(ram, patient=patient)
        return results

    def adopt(self, documents: list[Operation]) -> None:
        """Take over documents of other shards as they are, with their versions and sequence numbers.

        No id may be here yet. Nothing is logged: the documents last once the shard is flushed.
        """
        with self.lock:
            self._check_open()
            buffer = self._writer.buffer()
            first = buffer.add(list(documents))
            # nothing is read from a log that they are not in: the shard is refreshed before it is used
            buffer.versions.note(first, documents, INDEX, 0, array("q", bytes(8 * (len(documents) + 1))))
            self._numbers.advance(max(document.seq_no for document in documents))
            self._set.changed = True
            ram = self._versions.ram_bytes
        if ram > self._services.memory.limit:
            self.refresh("memory")

    def skip_to(self, seq_no: int) -> None:
        """Leave out all sequence numbers up to this one."""
        with self.lock:
            self._numbers.advance(seq_no)

    def sync(self) -> None:
        """Make everything durable that was applied."""
        self._sync(None)
        if not self.translog.needs_sync:
            self._numbers.confirm(self._numbers.max_seq_no)

    def durability(self) -> Callable[[Done], None] | None:
        """What tells when operations that were applied are durable; None if nobody waits for that here."""
        return self._syncs.request if self.settings.durability_is_request else None

    # ---- reading

    def get(self, id_: bytes, *, realtime: bool = True) -> GetResult | None:
        """The document with this id as it is now (or, not realtime, as searches see it), or None."""
        if not realtime:
            with self.acquire_searcher() as searcher:
                for reader in searcher.segments:
                    doc = reader.lookup(id_)
                    if doc >= 0:
                        return from_segment(reader, doc)
            return None
        while True:
            with self.lock:
                self._check_open()
                current = self._writer.lookup(id_)
                if current is None or current.holder is None:
                    return None
                if isinstance(current.holder, Segment):
                    reader, doc, location = current.holder.reader, current.doc, None
                else:
                    location = current.holder.location(current.doc)
            if location is None:
                return from_segment(reader, doc)
            record = read_record(self.store, self.translog, location)
            if record is not None:
                return from_record(current, record)
            # its buffer became a segment between the two steps: look again

    def acquire_searcher(self, *, search: bool = False) -> Searcher:
        """The newest point in time; close it. A search wakes an idle shard, which refreshes first."""
        self._check_open()
        if search and self.schedule.note_search() and self.has_unrefreshed:
            self.refresh("search_idle")
        while True:
            searcher = self._set.searcher
            if searcher is None:
                raise AlreadyClosed(f"{self.id} is closed")
            try:
                return searcher.acquire()
            except ValueError:
                continue  # replaced and closed in between

    @property
    def has_unrefreshed(self) -> bool:
        """Whether operations wait to become visible."""
        return self._set.changed or any(buffer.writer.max_doc for buffer in self._versions.buffers)

    def clear_caches(self) -> None:
        """Forget which documents filters let through."""
        with self.acquire_searcher() as searcher:
            for reader in searcher.segments:
                reader.bitmap_cache.clear()

    # ---- refresh

    def refresh(self, reason: str = "api") -> bool:
        """Make all applied operations visible; whether there were any."""
        started = time.perf_counter_ns()
        waiting = self.schedule.take_waiting()
        try:
            with self._refresh_lock:
                with self.lock:
                    self._check_open()
                    if not self.has_unrefreshed:
                        return False
                    snapshot = self._set.freeze(self._numbers.max_seq_no)
                self._set.build(snapshot)
            self._relieved()
        except OSError as error:
            raise self._io_error(error) from error
        finally:
            for event in waiting:
                event.set()
        self.counters.refresh.add_since(started)
        if reason != "memory":
            self.counters.external_refresh.add_since(started)
        self._services.merges.consider(self)
        return True

    def refresh_quietly(self, reason: str) -> None:
        """A refresh that nobody waits for: a full disk leaves the buffer as it is, to be tried again."""
        try:
            self.refresh(reason)
        except LannerError:
            return

    def wait_for_refresh(self) -> bool:
        """Wait until what was applied before is visible; True when a refresh had to be forced."""
        return self.has_unrefreshed and self.failure is None and self.schedule.wait()

    # ---- flush

    def flush(self, *, force: bool = False) -> bool:
        """Make a commit point of everything applied, and drop the translog before it.

        Whether there was one.
        """
        started = time.perf_counter_ns()
        with self._flush_lock:
            try:
                if not self._flush(force=force):
                    return False
            except OSError as error:
                raise self._io_error(error) from error
            except LannerError as error:
                if not isinstance(error, DiskFull | AlreadyClosed):
                    self.fail(error)
                raise
        self.counters.flush.add_since(started)
        self._services.merges.consider(self)
        return True

    @property
    def needs_flush(self) -> bool:
        """Whether the last commit lacks something."""
        commit = self._committer.commit
        return (
            self.translog.total_operations > 0
            or self._numbers.max_seq_no > commit.max_seq_no
            or len(self._set.segments) != len(commit.segments)
            or any(not segment.committed for segment in self._set.segments)
        )

    # ---- merging

    def merge_once(self) -> bool:
        """Find and run one background merge; whether there was one."""
        with self.lock:
            if self.closed or self.failure is not None:
                return False
            policy, segments, merging = self.settings.merge_policy, self._set.segments, self._set.merging
            chosen = policy.find_merge(segments, merging)
            quiet = self._services.clock.monotonic() - self._last_write >= QUIET_SECONDS
            if quiet and not chosen:
                most = QUIET_BUFFERS * self._services.memory.limit
                chosen = policy.find_quiet_merge(segments, merging, most=most)
            elif not quiet and not self._quiet_scheduled:
                self._quiet_scheduled = True
                self._services.scheduler.after(QUIET_SECONDS, self._consider_later)
            merging.update(chosen)
        if chosen:
            self._merge(chosen, self._services.merges.limiter.pause)
        elif quiet:
            release_free_memory()  # of buffers and merges, which are not to be expected now
        return bool(chosen)

    def force_merge(
        self, max_num_segments: int | None = None, *, only_expunge_deletes: bool = False, flush: bool = True
    ) -> None:
        """Merge until at most so many of the segments of now are left (None: what the policy wants)."""
        self.refresh("force_merge")
        ours: set[Segment] | None = None  # the segments of now and what became of them
        fresh: Segment | None = None  # made by the last merge: not merged again alone
        while True:
            with self.lock:
                self._check_open()
                policy, merging = self.settings.merge_policy, self._set.merging
                if merging and max_num_segments is not None:
                    self._set.merged.wait()  # for a background merge
                    continue
                ours = set(self._set.segments) if ours is None else ours
                free = [each for each in self._set.segments if each in ours and each not in merging]
                if only_expunge_deletes:
                    chosen = policy.find_expunge(free)
                elif max_num_segments is None:
                    chosen = policy.find_merge(free)
                else:
                    chosen = policy.find_forced_merge(free, max_num_segments)
                if not chosen or chosen == [fresh]:
                    break
                merging.update(chosen)
            fresh = self._merge(chosen)
            ours.difference_update(chosen)
            if fresh is not None:
                ours.add(fresh)
        if flush:
            self.flush()

    # ---- state

    def update_settings(self, settings: IndexSettings) -> None:
        """Use new settings from now on."""
        self.settings = settings
        self._versions.gc_deletes_seconds = settings.gc_deletes
        if self.has_unrefreshed:
            self.schedule.note_write()

    def stats(self) -> ShardStats:
        """Counters and sizes of this moment."""
        with self.lock:
            searcher = self._set.searcher
            visible = frozenset(searcher.names) if searcher is not None else frozenset()
            segments = tuple(SegmentStats.of(segment, visible) for segment in self._set.segments)
            commit = self._committer.commit
            return ShardStats(
                num_docs=sum(segment.num_docs for segment in segments),
                deleted_docs=sum(segment.deleted_docs for segment in segments),
                store_bytes=sum(segment.size_in_bytes for segment in segments),
                counters=self.counters,
                segments=segments,
                translog_operations=self.translog.total_operations,
                translog_bytes=self.translog.size_in_bytes,
                idle_millis=int(1000 * (self._services.clock.monotonic() - self._last_write)),
                max_seq_no=self._numbers.max_seq_no,
                local_checkpoint=self._numbers.local_checkpoint,
                global_checkpoint=self._numbers.persisted,
                buffer_bytes=sum(buffer.ram_bytes for buffer in self._versions.buffers),
                version_map_bytes=self._versions.map_bytes,
                pending_listeners=self.schedule.waiting,
                commit=commit,
                search_idle=self.schedule.idle,
            )

    def reclosed(self) -> Recovered:
        """What recovers when the index is closed: all that there is, in no time."""
        now = self._services.clock.millis()
        with self.lock:
            return Recovered(EXISTING_STORE, now, now, self._set.files(), 0)

    def close(self, *, flush: bool = True) -> None:
        """Stop. With `flush` the next start finds an empty translog; without, it replays."""
        if flush and self.failure is None and not self.closed:
            try:
                if self.needs_flush:
                    self.flush()
            except DiskFull:
                self.sync()
        with self._flush_lock, self._refresh_lock, self.lock:
            self.closed = True
            self._release()

    def fail(self, error: Exception) -> None:
        """Take the shard out of service for good; it must be opened again from disk."""
        if self.failure is None and not self.closed:
            self.failure = error
            self._services.failed(self, error)

    # ---- inside

    def _check_open(self) -> None:
        if self.failure is not None:
            raise AlreadyClosed(f"{self.id} has failed: {self.failure}", **self.place)
        if self.closed:
            raise AlreadyClosed(f"{self.id} is closed", **self.place)

    def _rebuild(self) -> None:
        """During recovery: turn what was replayed into segments."""
        with self.lock:
            snapshot = self._set.freeze(self._numbers.max_seq_no)
        self._set.build(snapshot)

    def _relieve(self) -> None:
        """During recovery: do not let the buffer grow over its budget."""
        if self._versions.ram_bytes > self._services.memory.limit:
            self._rebuild()

    def _make_durable(self, target: tuple[int, int]) -> None:
        if self.settings.durability_is_request:
            self._sync(target)
        elif not self._sync_scheduled:
            self._sync_scheduled = True
            self._services.scheduler.after(self.settings.sync_interval, self._sync_later)
        if not self.translog.needs_sync:
            self._numbers.confirm(self._numbers.max_seq_no)

    def _sync(self, target: tuple[int, int] | None) -> None:
        try:
            self.translog.sync(target)
        except LannerError as error:
            self.fail(error)
            raise

    def _after_write(self, ram: int, *, patient: bool) -> None:
        """What a write sets off: refreshes for memory and for time, a flush of a long translog."""
        largest = self._services.memory.note(self, ram)
        if largest is self and patient:
            self.refresh_quietly("memory")
        elif isinstance(largest, Shard):
            self._services.pools["refresh"].submit(largest.refresh_quietly, "memory")
        self.schedule.note_write()
        if self.translog.size_in_bytes > self.settings.flush_threshold_size and not self._flush_scheduled:
            self._flush_scheduled = True
            self._services.pools["flush"].submit(self._flush_quietly)

    def _consider_later(self) -> None:
        self._quiet_scheduled = False
        self._services.merges.consider(self)

    def _sync_later(self) -> None:
        self._sync_scheduled = False
        if not self.closed and self.failure is None:
            self._services.pools["flush"].submit(self._sync_quietly)

    def _sync_quietly(self) -> None:
        try:
            self.sync()
        except LannerError:
            return  # the shard has failed, and says so to everybody who asks

    def _flush_quietly(self) -> None:
        try:
            self.counters.periodic_flush += self.flush()
        except LannerError:
            return
        finally:
            self._flush_scheduled = False

    def _count(self, operations: Sequence[Operation], results: list[OperationResult], nanos: int) -> None:
        counters = self.counters
        deletes = sum([operation.kind == DELETE for operation in operations])
        if deletes:
            share = nanos * deletes // len(operations)
            counters.delete.total += deletes
            counters.delete.nanos += share
            nanos -= share
        index = counters.index
        failed = sum([result.error is not None for result in results])
        index.total += len(operations) - deletes - failed
        index.failed += failed
        index.nanos += nanos

    def _relieved(self) -> None:
        """After a refresh: forget old tombstones and tell the memory budget."""
        with self.lock:
            self._versions.prune(self._services.clock.monotonic())
            ram = self._versions.ram_bytes
        self._services.memory.note(self, ram)

    def _flush(self, *, force: bool) -> bool:
        with self._refresh_lock:
            with self.lock:
                self._check_open()
                if not (force or self.needs_flush):
                    return False
                translog_generation = self.translog.roll()
                snapshot = self._set.freeze(self._numbers.max_seq_no)
            captured = self._set.build(snapshot)
        self._relieved()
        self._committer.write(
            captured, self._set.counter, translog_generation, snapshot.max_seq_no, self.primary_term
        )
        with self.lock:
            self.translog.trim(translog_generation)
        self._remove_later(self._committer.take_garbage())
        return True

    def _merge(self, chosen: list[Segment], pause: Callable[[int], None] | None = None) -> Segment | None:
        """Merge segments and put the result in their place; the new segment, None when nothing was left."""
        started = time.perf_counter_ns()
        counters = self.counters
        documents = sum(segment.num_docs for segment in chosen)
        size = sum(segment.size_in_bytes for segment in chosen)
        counters.merge.current += 1
        counters.merge_current_docs += documents
        counters.merge_current_bytes += size
        try:
            merge = self._set.merge(chosen, pause)
            with self._flush_lock:
                with self._refresh_lock, self.lock:
                    dropped = self.closed or self.failure is not None
                    if not dropped:
                        self._committer.retire(self._set.install(merge))
                if dropped and merge.merged is not None:
                    self.store.remove([entry.name for entry in merge.merged.files.values()])
                garbage = self._committer.take_garbage()
            self._remove_later(garbage)
        except OSError as error:
            raise self._io_error(error) from error
        finally:
            counters.merge.current -= 1
            counters.merge_current_docs -= documents
            counters.merge_current_bytes -= size
            with self.lock:
                self._set.release(chosen)
        counters.merge.add_since(started)
        counters.merge_docs += documents
        counters.merge_bytes += size
        return merge.merged

    def _remove_later(self, names: list[str]) -> None:
        """Remove files that nothing refers to. Large ones take a disk long, and nobody has to wait for it."""
        if names:
            try:
                self._services.pools["flush"].submit(self._remove, names)
            except RejectedExecution:  # the node is ending
                self._remove(names)

    def _remove(self, names: list[str]) -> None:
        try:
            self.store.remove(names)
        except OSError as error:
            self._io_error(error)

    def _io_error(self, error: OSError) -> LannerError:
        """What an I/O error means: a full disk is told apart, anything else breaks the shard."""
        if is_full(error):
            return disk_full(str(self.id), error)
        failure = IOFailure(f"{self.id} {error.filename or self.store.path}: {error.strerror or error}")
        self.fail(failure)
        return failure

    def _release(self) -> None:
        self.translog.close()
        self._set.close()
        self._services.memory.note(self, 0)
