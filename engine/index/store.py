"""The folder of one shard: paths, segment files, deletes files, garbage.

``<data>/indices/<index uuid>/<shard>/`` holds ``index/`` (segments, deletes, commit points) and
``translog/``. Files are written once under names that are never used again. A deletes file is::

    magic "LDEL", version u32, max_doc u32, count u32, a serialized roaring bitmap, xxh3 of all before it u64
"""

import os
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyroaring import BitMap
from xxhash import xxh3_64, xxh3_64_hexdigest, xxh3_64_intdigest

from lanner.engine.common.errors import CorruptIndex
from lanner.engine.common.ids import random_uuid
from lanner.engine.index.segment import FileEntry, Segment
from lanner.engine.runtime.fsio import Buffer, FileSystem
from lanner.ext.errors import CorruptIndexError, FormatVersionError
from lanner.ext.index.segment_reader import SegmentReader

DELETES_HEADER = struct.Struct("<4sIII")
DELETES_MAGIC = b"LDEL"
VERSION = 1
_DIGEST = struct.Struct("<Q")
_CHUNK = 1 << 20  # written or read at once
_STRETCH = 16 << 20  # of a large file, from which on the disk is to begin while the rest is made


@dataclass(frozen=True, slots=True)
class ShardId:
    """Names a shard in errors and paths."""

    index: str
    index_uuid: str
    shard: int

    def __str__(self) -> str:
        return f"[{self.index}][{self.shard}]"


class Store:
    """Reads and writes the files of one shard."""

    def __init__(self, files: FileSystem, path: str, shard_id: ShardId) -> None:
        self.files = files
        self.path = path
        self.shard_id = shard_id
        self.index_folder = os.path.join(path, "index")
        self.translog_folder = os.path.join(path, "translog")

    def create_folders(self) -> None:
        """Make the shard's folders, durably. The folder that holds `path` must exist."""
        for folder in (self.path, self.index_folder, self.translog_folder):
            self.files.mkdir(folder)
        self.files.fsync_dir(self.path)
        self.files.fsync_dir(os.path.dirname(self.path))

    def exists(self) -> bool:
        """Whether the shard has its folder."""
        return self.files.is_dir(self.index_folder)

    def file(self, name: str) -> str:
        """Path of a file of the index folder."""
        return os.path.join(self.index_folder, name)

    def damaged(self, path: str, detail: object) -> CorruptIndex:
        """The error for a damaged file."""
        return CorruptIndex(
            f"{self.shard_id} file [{path}] is damaged: {detail}",
            index=self.shard_id.index,
            shard=str(self.shard_id.shard),
            index_uuid=self.shard_id.index_uuid,
        )

    # ---- segments

    def write_segment(
        self, name: str, parts: Mapping[str, Iterable[Buffer]], pause: Callable[[int], None] | None = None
    ) -> dict[str, FileEntry]:
        """Write a segment's files without syncing them; after an error none is left.

        parts: of each file, by suffix; asked for as they are written.
        pause: called with the number of bytes before each megabyte or so is written; may wait.
        """
        stem = f"{name}-{random_uuid()}"
        entries: dict[str, FileEntry] = {}
        try:
            for suffix, pieces in parts.items():
                entries[suffix] = self._write_file(f"{stem}.{suffix}", pieces, pause)
        except Exception:
            self.remove([entry.name for entry in entries.values()])
            raise
        return entries

    def _write_file(
        self, name: str, pieces: Iterable[Buffer], pause: Callable[[int], None] | None
    ) -> FileEntry:
        path = self.file(name)
        file = self.files.create(path)
        digest = xxh3_64()
        step: list[Buffer] = []
        waiting = begun = 0
        try:
            for piece in pieces:
                digest.update(piece)
                step.append(piece)
                waiting += memoryview(piece).nbytes
                if waiting >= _CHUNK:
                    if pause is not None:
                        pause(waiting)
                    self.files.append(file, step)
                    step, waiting = [], 0
                    if file.size - begun >= _STRETCH:
                        self.files.begin_sync(file, begun)
                        begun = file.size
            self.files.append(file, step)
            if begun:
                self.files.begin_sync(file, begun)
        except Exception:
            self.files.close(file)
            self.files.unlink(path)
            raise
        self.files.close(file)
        return FileEntry(name, file.size, digest.hexdigest())

    def open_segment(
        self, name: str, entries: dict[str, FileEntry], deleted: BitMap, *, verify: bool
    ) -> Segment:
        """Map a segment's files; CorruptIndex when one is missing, has another length or does not verify."""
        buffers: dict[str, Buffer] = {}
        for suffix, entry in entries.items():
            path = self.file(entry.name)
            try:
                buffers[suffix] = buffer = self.files.map(path)
            except FileNotFoundError:
                raise self.damaged(path, "it is missing") from None
            if len(buffer) != entry.size:
                raise self.damaged(path, f"it has {len(buffer)} bytes instead of {entry.size}")
            if verify and xxh3_64_hexdigest(buffer) != entry.checksum:
                raise self.damaged(path, "the checksum does not match")
        path = self.file(entries["idx"].name) if "idx" in entries else self.index_folder
        try:
            # the checksums of the commit point have covered every byte already
            reader = SegmentReader(buffers["idx"], buffers["src"], name=name, verify=False, deleted=deleted)
        except (CorruptIndexError, FormatVersionError, KeyError, ValueError) as error:
            raise self.damaged(path, error) from error
        return Segment(name, reader, entries, BitMap(deleted))

    # ---- deletes

    def write_deletes(self, segment: Segment, deleted: BitMap, generation: int) -> FileEntry:
        """Write and sync the deletes of a segment."""
        body = deleted.serialize()
        data = DELETES_HEADER.pack(DELETES_MAGIC, VERSION, segment.max_doc, len(deleted)) + body
        data += _DIGEST.pack(xxh3_64_intdigest(data))
        name = f"{segment.name}-{generation}-{random_uuid()}.del"
        self.files.write_new(self.file(name), (data,), sync=True)
        return FileEntry(name, len(data), xxh3_64_hexdigest(data))

    def read_deletes(self, entry: FileEntry, max_doc: int) -> BitMap:
        """Read a deletes file; CorruptIndex when a byte of it is not what was written."""
        path = self.file(entry.name)
        try:
            data = self.files.read(path)
        except FileNotFoundError:
            raise self.damaged(path, "it is missing") from None
        if len(data) != entry.size or xxh3_64_hexdigest(data) != entry.checksum:
            raise self.damaged(path, "the checksum does not match")
        magic, version, stated, count = DELETES_HEADER.unpack_from(data)
        if magic != DELETES_MAGIC or version != VERSION or stated != max_doc:
            raise self.damaged(path, "it belongs to another segment or format")
        deleted = BitMap.deserialize(data[DELETES_HEADER.size : -_DIGEST.size])
        if len(deleted) != count or (count and deleted.max() >= max_doc):
            raise self.damaged(path, "its count does not match")
        return deleted

    # ---- whole files

    def check_file(self, entry: FileEntry) -> str | None:
        """What is wrong with a file that a commit point names, or None; reads all of it."""
        path = self.file(entry.name)
        try:
            buffer = self.files.map(path)
        except FileNotFoundError:
            return "it is missing"
        if len(buffer) != entry.size:
            return f"it has {len(buffer)} bytes instead of {entry.size}"
        digest = xxh3_64()
        view = memoryview(buffer)
        for start in range(0, len(view), _CHUNK):
            digest.update(view[start : start + _CHUNK])
        return None if digest.hexdigest() == entry.checksum else "the checksum does not match"

    def remove(self, names: Sequence[str]) -> None:
        """Remove files of the index folder; a missing one is fine."""
        for name in names:
            try:
                self.files.unlink(self.file(name))
            except FileNotFoundError:
                continue

    def garbage(self, wanted: set[str]) -> list[str]:
        """Files of the index folder that nothing refers to."""
        return [name for name in self.files.list(self.index_folder) if name not in wanted]
