"""One immutable segment of a shard together with what changes about it: which documents are deleted."""

from dataclasses import dataclass
from typing import Any

from pyroaring import BitMap

from lanner.ext.index.segment_reader import SegmentReader


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file as a commit point names it."""

    name: str
    size: int
    checksum: str  # xxh3 of all its bytes, as 16 hexadecimal digits

    def to_json(self) -> list[Any]:
        """As it stands in a commit point."""
        return [self.name, self.size, self.checksum]

    @classmethod
    def from_json(cls, value: list[Any]) -> "FileEntry":
        """Read what `to_json` gave."""
        name, size, checksum = value
        if not (isinstance(name, str) and isinstance(size, int) and isinstance(checksum, str)):
            raise ValueError("a file entry is not name, size and checksum")
        return cls(name, size, checksum)


class Segment:
    """The shard's lock guards the deletes; `reader` is replaced, never changed, so searchers keep theirs."""

    __slots__ = (
        "committed",
        "committed_deletes",
        "deleted",
        "deletes_file",
        "files",
        "has_nested",
        "name",
        "reader",
        "synced",
    )

    def __init__(
        self, name: str, reader: SegmentReader, files: dict[str, FileEntry], deleted: BitMap
    ) -> None:
        self.name = name
        self.has_nested = reader.has_nested
        self.reader = reader  # with the deletes of the last refresh
        self.files = files  # by suffix
        self.deleted = deleted  # up to now
        self.synced = False
        self.committed = False
        self.deletes_file: FileEntry | None = None  # of the last commit
        self.committed_deletes = BitMap()

    def lookup(self, id_: bytes) -> int:
        """The live document with this id, or -1."""
        doc: int = self.reader.lookup(id_)
        return -1 if doc >= 0 and doc in self.deleted else doc

    def lookup_all(self, ids: list[bytes]) -> list[tuple[bytes, int]]:
        """The live documents among those with these ids, each with its id."""
        found = self.reader.lookup_all(ids)
        return [(id_, doc) for id_, doc in found if doc not in self.deleted] if found else found

    def delete(self, doc: int) -> None:
        """Mark a document with its nested rows as superseded or deleted.

        Searchers see it after the next refresh.
        """
        if self.has_nested:
            self.deleted.add_range(self.reader.block_start(doc), doc + 1)
        else:
            self.deleted.add(doc)

    def capture(self) -> BitMap:
        """The deletes up to now, as a set that does not change."""
        if len(self.deleted) == self.reader.num_deleted:
            return self.reader.deleted
        return BitMap(self.deleted)

    def show(self, deleted: BitMap) -> None:
        """Let later searchers see these deletes."""
        if len(deleted) != self.reader.num_deleted:
            self.reader = self.reader.with_deleted(deleted)

    @property
    def max_doc(self) -> int:
        """Documents including deleted ones."""
        return self.reader.max_doc

    @property
    def num_docs(self) -> int:
        """Documents that searchers see: what a merge of this segment keeps."""
        return self.reader.num_docs

    @property
    def size_in_bytes(self) -> int:
        """Bytes of its files."""
        return sum(entry.size for entry in self.files.values())

    @property
    def live_bytes(self) -> int:
        """Bytes as far as they belong to live documents: what a merge of this segment would write."""
        return self.size_in_bytes * self.num_docs // max(1, self.max_doc)
