"""Where the newest state of recent ids is: the write buffers that no searcher sees yet, and tombstones.

An id is looked up in the buffer being filled, then in the frozen ones (being turned into segments), then
among the tombstones; only then do the segments know. A buffer leaves the map when its segment is installed.
"""

from collections.abc import Callable, Iterator

from pyroaring import BitMap

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.index.operation import Current
from lanner.ext.index.document import Document
from lanner.ext.index.live_versions import LiveVersions
from lanner.ext.index.write_buffer import WriteBuffer


class LiveBuffer:
    """A write buffer with what version control and real-time reads need of its documents."""

    __slots__ = ("_keep", "add", "frozen", "generation", "late_deletes", "primary_term", "versions", "writer")

    def __init__(
        self, generation: int, primary_term: int, keep: Callable[[bytes], bytes] | None = None
    ) -> None:
        self.writer = WriteBuffer()
        self._keep = keep  # what is left of a source; None where the whole of it is
        #: adds documents, returns the number of the first
        self.add: Callable[[list[Document]], int] = self.writer.add if keep is None else self._add_kept
        self.versions = LiveVersions()  # of the documents whose operations are in the translog
        self.generation = generation  # of the translog that holds all of these operations
        self.primary_term = primary_term
        self.frozen = False
        self.late_deletes = BitMap()  # of documents, made while the buffer is being written out

    def _add_kept(self, documents: list[Document]) -> int:
        assert self._keep is not None, "used only with it"
        try:
            sources = [self._keep(one.source) for one in documents]
        except IllegalArgument as error:
            raise ValueError(error.reason) from error  # a refusal, as the buffer words it
        return self.writer.add(
            [
                Document(one.id, source, one.routing, one.seq_no, one.primary_term, one.version, one.values)
                for one, source in zip(documents, sources, strict=True)
            ]
        )

    def take_back(self, first: int) -> None:
        """Forget the documents from `first` on: their operations did not get into the translog."""
        for doc in range(first, self.writer.max_doc):
            self.writer.delete(doc)
        self.versions.skip(self.writer.max_doc)

    def current(self, doc: int) -> Current:
        """A document as the newest state of its id."""
        seq_no, version = self.versions.version(doc)
        return Current(seq_no, self.primary_term, version, self, doc)

    def delete(self, doc: int) -> None:
        """Mark a document as superseded or deleted, with its nested rows."""
        if self.frozen:
            self.late_deletes.add_range(self.writer.block_start(doc), doc + 1)
        else:
            self.writer.delete(doc)

    def location(self, doc: int) -> tuple[int, int, int]:
        """Where the translog has a document: generation, offset, length."""
        offset, length = self.versions.place(doc)
        return self.generation, offset, length

    def deleted(self) -> BitMap:
        """All deleted documents, as of now."""
        return self.writer.deleted() | self.late_deletes

    @property
    def map_bytes(self) -> int:
        """What knowing the ids costs."""
        return 150 * self.writer.max_doc

    @property
    def ram_bytes(self) -> int:
        """What the buffer costs."""
        return self.writer.ram_bytes + self.map_bytes


class VersionMap:
    """The unpublished buffers and the tombstones of a shard. The shard's lock guards it."""

    def __init__(self, gc_deletes_seconds: float, keep: Callable[[bytes], bytes] | None = None) -> None:
        self.gc_deletes_seconds = gc_deletes_seconds
        self._keep = keep
        self.buffers: list[LiveBuffer] = []  # newest last; the last one is being filled unless it is frozen
        self.tombstones: dict[bytes, tuple[int, int, int, float]] = {}  # seq_no, term, version, time

    def start_buffer(self, generation: int, primary_term: int) -> None:
        """Fill another buffer from now on."""
        self.buffers.append(LiveBuffer(generation, primary_term, self._keep))

    def lookup(self, id_: bytes) -> Current | None:
        """The newest state of an id, as far as this map knows."""
        for buffer in reversed(self.buffers):
            doc = buffer.versions.find(id_)
            if doc >= 0:
                return buffer.current(doc)
        if self.tombstones:
            tombstone = self.tombstones.get(id_)
            if tombstone is not None:
                return Current(tombstone[0], tombstone[1], tombstone[2], None, -1)
        return None

    def lookup_all(self, ids: list[bytes]) -> dict[bytes, Current]:
        """The newest states of different ids, as far as this map knows."""
        found: dict[bytes, Current] = {}
        for buffer in self.buffers:
            for id_, doc in buffer.versions.find_all(ids):
                found[id_] = buffer.current(doc)
        if self.tombstones:
            for id_ in self.tombstones.keys() & ids:
                current = self.lookup(id_)
                if current is not None:
                    found[id_] = current
        return found

    def forget(self, id_: bytes) -> None:
        """Drop an id from the buffers: it was deleted, or its newest state is elsewhere."""
        for buffer in self.buffers:
            buffer.versions.forget(id_)

    def bury(self, id_: bytes, seq_no: int, primary_term: int, version: int, now: float) -> None:
        """Note a deletion, so that a later write continues its version."""
        self.forget(id_)
        self.tombstones[id_] = (seq_no, primary_term, version, now)

    def prune(self, now: float) -> None:
        """Forget tombstones that are old enough."""
        limit = now - self.gc_deletes_seconds
        if self.tombstones:
            self.tombstones = {id_: entry for id_, entry in self.tombstones.items() if entry[3] > limit}

    def frozen(self) -> Iterator[LiveBuffer]:
        """The buffers that wait to become segments, oldest first."""
        return (buffer for buffer in self.buffers if buffer.frozen)

    @property
    def map_bytes(self) -> int:
        """What knowing the ids costs."""
        return sum(buffer.map_bytes for buffer in self.buffers) + 200 * len(self.tombstones)

    @property
    def ram_bytes(self) -> int:
        """What the buffers and tombstones cost."""
        return sum(buffer.ram_bytes for buffer in self.buffers) + 200 * len(self.tombstones)
