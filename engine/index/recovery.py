"""Brings a shard back from its folder: the last commit, then the translog after it."""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pyroaring import BitMap

from lanner.engine.common.errors import CorruptIndex, LannerError
from lanner.engine.index.commit import Commit, commit_name, read_last_commit
from lanner.engine.index.segment import Segment
from lanner.engine.index.sequence_numbers import SequenceNumbers
from lanner.engine.index.store import Store
from lanner.engine.index.translog import DELETE, INDEX, Translog, file_name
from lanner.engine.index.translog_reader import LoggedOperation, LogReader, recover, seal_recovered
from lanner.engine.index.version_map import LiveBuffer, VersionMap
from lanner.ext.index.document import Operation

if TYPE_CHECKING:
    from lanner.ext.index.field_values import FieldValues
    from lanner.ext.index.schema import Field

Values: TypeAlias = "FieldValues | list[tuple[Field, Any]]"
Parse: TypeAlias = "Callable[[bytes, str, str | None], Values]"  # source, id, routing


# how a shard came to what it has
EMPTY_STORE, EXISTING_STORE, LOCAL_SHARDS = "EMPTY_STORE", "EXISTING_STORE", "LOCAL_SHARDS"


@dataclass(frozen=True, slots=True)
class Recovered:
    """What opening a shard took. files: names and sizes of those that were there; times in milliseconds."""

    kind: str
    started: int
    stopped: int
    files: tuple[tuple[str, int], ...]
    operations: int  # replayed from the translog


@dataclass(frozen=True, slots=True)
class Opened:
    """What was found in the folder."""

    commit: Commit
    segments: list[Segment]
    readers: list[LogReader]
    translog: Translog


def open_folder(store: Store, *, verify: bool) -> Opened:
    """Open the last commit and find the translog that follows it; remove what neither refers to.

    Raises CorruptIndex or TranslogCorrupted and changes nothing when something is damaged.
    """
    commit = read_last_commit(store)
    segments = []
    for committed in commit.segments:
        deleted = BitMap()
        if committed.deleted is not None:
            deleted = store.read_deletes(committed.deleted, committed.max_doc)
        segment = store.open_segment(committed.name, committed.files, deleted, verify=verify)
        if segment.max_doc != committed.max_doc or len(deleted) != committed.deleted_count:
            raise store.damaged(store.file(commit_name(commit.generation)), f"segment [{committed.name}]")
        segment.synced = segment.committed = True
        segment.deletes_file = committed.deleted
        segment.committed_deletes = BitMap(deleted)
        segments.append(segment)
    place = str(store.shard_id)
    readers, old = recover(store.files, store.translog_folder, place, commit.translog_generation)
    newest = readers[-1].generation + 1 if readers else commit.translog_generation
    translog = Translog(store.files, store.translog_folder, place, newest)
    store.remove(store.garbage(commit.file_names))
    for generation in old:
        store.files.unlink(f"{store.translog_folder}/{file_name(generation)}")
    return Opened(commit, segments, readers, translog)


class Replay:
    """Applies logged operations again, each at most once: sequence numbers tell what is there already."""

    def __init__(
        self,
        store: Store,
        opened: Opened,
        versions: VersionMap,
        numbers: SequenceNumbers,
        parse: Parse,
        relieve: Callable[[], None],
    ) -> None:
        self._store = store
        self._opened = opened
        self._versions = versions
        self._numbers = numbers
        self._parse = parse
        self._relieve = relieve  # called now and then, refreshes when the buffer is full
        self.count = 0
        self._now = 0.0

    def run(self, now: float) -> None:
        """Replay all generations, then cut the torn tail. `now` dates the tombstones."""
        self._now = now
        opened = self._opened
        for reader in opened.readers:
            for operations in reader.frames():
                for operation in operations:
                    if operation.seq_no > opened.commit.local_checkpoint:
                        self._apply(operation, reader)
                self._relieve()
        seal_recovered(self._store.files, self._store.translog_folder, opened.readers, opened.translog)
        self._numbers.confirm(self._numbers.max_seq_no)

    def _apply(self, operation: LoggedOperation, reader: LogReader) -> None:
        if operation.seq_no <= self._numbers.max_seq_no:
            return
        if operation.kind == INDEX:
            routing = operation.routing
            try:
                values = self._parse(
                    operation.source,
                    operation.id.decode(),
                    None if routing is None else routing.decode(),
                )
            except (LannerError, ValueError) as error:
                raise CorruptIndex(
                    f"{self._store.shard_id} operation [{operation.seq_no}] of the translog "
                    f"cannot be applied: {error}"
                ) from error
        self._remove(operation.id)
        if operation.kind == INDEX:
            buffer = self._buffer(reader.generation, operation.primary_term)
            document = Operation(INDEX, operation.id, operation.source, operation.routing, values)
            document.place(operation.seq_no, operation.primary_term, operation.version)
            first = buffer.add([document])
            # nothing is read from the log while it is replayed
            buffer.versions.note(first, [document], INDEX, 0, array("q", (0, 0)))
        elif operation.kind == DELETE:
            self._versions.bury(
                operation.id, operation.seq_no, operation.primary_term, operation.version, self._now
            )
        self._numbers.advance(operation.seq_no)
        self.count += 1

    def _remove(self, id_: bytes) -> None:
        """Mark the document that has this id, if any, as superseded."""
        current = self._versions.lookup(id_)
        if current is not None:
            if current.holder is not None:
                current.holder.delete(current.doc)
            self._versions.forget(id_)
            self._versions.tombstones.pop(id_, None)
            return
        for segment in self._opened.segments:
            doc = segment.lookup(id_)
            if doc >= 0:
                segment.delete(doc)

    def _buffer(self, generation: int, primary_term: int) -> LiveBuffer:
        buffers = self._versions.buffers
        if not buffers or buffers[-1].frozen:
            self._versions.start_buffer(generation, primary_term)
        return buffers[-1]
