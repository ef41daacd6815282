"""A point in time of one shard, shared by all who search between two refreshes."""

import threading
from types import TracebackType

from lanner.engine.index.segment import Segment
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.search.reader import IndexReader


class Searcher:
    """A snapshot of the segments of a shard. Close what you acquired.

    The shard holds one use of its newest searcher; when the last use ends the readers are dropped, and with
    the last reader of a segment its memory mapping goes (also if the file has been removed long ago).
    """

    __slots__ = ("_lock", "_reader", "_users", "generation", "max_seq_no", "names")

    def __init__(self, segments: list[Segment], generation: int, max_seq_no: int) -> None:
        self._reader: IndexReader | None = IndexReader([segment.reader.searchable() for segment in segments])
        self.names = tuple(segment.name for segment in segments)
        self.generation = generation
        self.max_seq_no = max_seq_no
        self._users = 1
        self._lock = threading.Lock()

    @property
    def reader(self) -> IndexReader:
        """What queries run on."""
        if self._reader is None:
            raise ValueError("this searcher is closed")
        return self._reader

    @property
    def segments(self) -> "tuple[SegmentReader, ...]":
        """The readers of the segments, in the order that hits number them."""
        return tuple(self.reader.segments)

    @property
    def max_doc(self) -> int:
        """Documents including deleted ones."""
        return self.reader.max_doc

    @property
    def num_docs(self) -> int:
        """Documents that a search can find."""
        return self.reader.num_docs

    def acquire(self) -> "Searcher":
        """Use the searcher once more."""
        with self._lock:
            if self._users == 0:
                raise ValueError("this searcher is closed")
            self._users += 1
        return self

    def close(self) -> None:
        """End one use."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._reader = None

    def __enter__(self) -> "Searcher":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
