"""The segments of a shard and the searcher over them: refresh, and the installation of merges.

What a refresh shows is what was applied up to its freeze: the deletes of that moment are captured together
with the buffers. Deletes that come later, while the segment is being built, wait for the next refresh, so
an updated document is never missing between its old and its new version. Merges keep to the same rule: they
drop only deletes that searchers have seen already.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyroaring import BitMap

from lanner.engine.index.recovery import Opened
from lanner.engine.index.searcher import Searcher
from lanner.engine.index.segment import Segment
from lanner.engine.index.store import Store
from lanner.engine.index.version_map import LiveBuffer, VersionMap
from lanner.engine.runtime.fsio import Buffer
from lanner.ext.index.segment_reader import SegmentReader

if TYPE_CHECKING:
    from lanner.ext.index.column_arrays import DocMap
    from lanner.ext.index.index_sort import SortKey

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was applied at one moment: deletes of the segments, and frozen buffers with theirs."""

    segments: tuple[tuple[Segment, BitMap], ...]
    buffers: tuple[tuple[LiveBuffer, BitMap], ...]
    max_seq_no: int


class SegmentSet:
    """The shard's lock guards the list, the refresh lock is held by whoever calls `build` or `install`."""

    def __init__(
        self,
        store: Store,
        lock: threading.Lock,
        versions: VersionMap,
        opened: Opened,
        sort: "tuple[SortKey, ...]" = (),
    ) -> None:
        self.segments: list[Segment] = opened.segments
        self.counter = opened.commit.segment_counter
        self.searcher: Searcher | None = None
        self.changed = False  # something was applied that no snapshot has
        self.merging: set[Segment] = set()
        self.merged = threading.Condition(lock)
        self._store = store
        self._lock = lock
        self._versions = versions
        self._sort = sort
        self._generation = 0

    def files(self) -> tuple[tuple[str, int], ...]:
        """Names and sizes of the files of the segments."""
        return tuple((file.name, file.size) for segment in self.segments for file in segment.files.values())

    # ---- refresh

    def freeze(self, max_seq_no: int) -> Snapshot:
        """End the buffer that is being filled and capture what is applied; the shard's lock is held."""
        buffers = self._versions.buffers
        if buffers and not buffers[-1].frozen:
            if buffers[-1].writer.max_doc:
                buffers[-1].frozen = True
            else:
                buffers.pop()  # it belongs to the translog generation that may just have ended
        self.changed = False
        return Snapshot(
            tuple((segment, segment.capture()) for segment in self.segments),
            tuple((buffer, buffer.deleted()) for buffer in self._versions.frozen()),
            max_seq_no,
        )

    def build(self, snapshot: Snapshot) -> list[tuple[Segment, BitMap]]:
        """Turn the snapshot's buffers into segments and publish it; all its segments with their deletes.

        After an error the buffers that have no segment yet stay as they are, to be tried again.
        """
        visible = list(snapshot.segments)
        try:
            for buffer, deleted in snapshot.buffers:
                segment, doc_map = self._build_one(buffer, deleted)
                with self._lock:
                    if segment is not None:
                        segment.deleted |= _moved(buffer.late_deletes, doc_map)
                        self.segments.append(segment)
                        visible.append((segment, _moved(deleted, doc_map)))
                    self._versions.buffers.remove(buffer)
        except OSError:
            self.changed = True
            raise
        with self._lock:
            for segment, deleted in visible:
                segment.show(deleted)
            self._publish(snapshot.max_seq_no)
        return visible

    def close(self) -> None:
        """Drop the searcher; those who use it keep it."""
        searcher, self.searcher = self.searcher, None
        if searcher is not None:
            searcher.close()

    def _build_one(self, buffer: LiveBuffer, deleted: BitMap) -> "tuple[Segment | None, DocMap | None]":
        """Write a frozen buffer as a segment, unsynced; None when no document of it is left.

        With it the new number of each document, None where all keep theirs.
        """
        if len(deleted) == buffer.writer.max_doc:
            return None, None
        parts: Mapping[str, Iterable[Buffer]] = buffer.writer.write_segment()
        doc_map = None
        if self._sort:
            from lanner.ext.index.segment_merger import merge_segments

            idx, src = (b"".join(parts[suffix]) for suffix in ("idx", "src"))
            arrived = SegmentReader(idx, src, verify=False, deleted=deleted)
            parts, (doc_map,) = merge_segments([arrived], self._sort)
        entries = self._store.write_segment(self._next_name(), parts)
        gone = _moved(deleted, doc_map)
        name = entries["idx"].name.partition("-")[0]
        return self._store.open_segment(name, entries, gone, verify=False), doc_map

    def _publish(self, max_seq_no: int) -> None:
        """Swap in a searcher over the readers as they are; the shard's lock is held."""
        self._generation += 1
        old = self.searcher
        self.searcher = Searcher(self.segments, self._generation, max_seq_no)
        if old is not None:
            old.close()

    def _next_name(self) -> str:
        with self._lock:
            number = self.counter
            self.counter += 1
        digits = ""
        while not digits or number:
            number, digit = divmod(number, 36)
            digits = _DIGITS[digit] + digits
        return f"_{digits}"

    # ---- merging

    def merge(self, chosen: list[Segment], pause: Callable[[int], None] | None = None) -> "Merge":
        """Merge segments into files that nothing refers to yet. `install` or `abandon` must follow."""
        snapshot = [segment.reader for segment in chosen]
        if not any(reader.num_docs for reader in snapshot):
            return Merge(chosen, snapshot, None, [])
        from lanner.ext.index.segment_merger import merge_segments  # not needed for starting

        parts, doc_maps = merge_segments(snapshot, self._sort)
        entries = self._store.write_segment(self._next_name(), parts, pause)
        name = entries["idx"].name.partition("-")[0]
        merged = self._store.open_segment(name, entries, BitMap(), verify=False)
        return Merge(chosen, snapshot, merged, doc_maps)

    def install(self, merge: "Merge") -> list[Segment]:
        """Put the merged segment in place of its sources.

        The sources. Flush, refresh and shard lock are held.
        """
        merged = merge.merged
        if merged is not None:
            seen, deleted = BitMap(), BitMap()
            for segment, reader, doc_map in zip(merge.chosen, merge.snapshot, merge.doc_maps, strict=True):
                seen |= _moved(segment.reader.deleted - reader.deleted, doc_map)
                deleted |= _moved(segment.deleted - reader.deleted, doc_map)
            merged.deleted = deleted
            merged.show(seen)
            self.segments[self.segments.index(merge.chosen[0])] = merged
        for segment in merge.chosen:
            if segment in self.segments:
                self.segments.remove(segment)
        searcher = self.searcher
        self._publish(searcher.max_seq_no if searcher is not None else -1)
        self.release(merge.chosen)
        return merge.chosen

    def release(self, chosen: list[Segment]) -> None:
        """These segments are not being merged any more; the shard's lock is held."""
        self.merging.difference_update(chosen)
        self.merged.notify_all()


def _moved(docs: BitMap, doc_map: "DocMap | None") -> BitMap:
    """The new numbers of those documents that have one."""
    if doc_map is None or not docs:
        return docs
    numbers = doc_map[docs.to_array()]
    return BitMap(numbers[numbers >= 0])


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge that has been written: its sources as they were then, the result (None: nothing was left)."""

    chosen: list[Segment]
    snapshot: list[SegmentReader]
    merged: Segment | None
    doc_maps: "Sequence[DocMap]"
