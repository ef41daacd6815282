"""Reads the log of a shard back when it opens, and decides what is a torn tail and what is damage.

The format and the rule are described in translog.py.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from xxhash import xxh3_64_intdigest

from lanner.engine.common.errors import TranslogCorrupted
from lanner.engine.index.translog import (
    CHECKPOINT,
    CHECKPOINT_MAGIC,
    DELETE,
    FILE_HEADER,
    FRAME_HEADER,
    FRAME_MAGIC,
    FRAME_OVERHEAD,
    HAS_ROUTING,
    HASH,
    INDEX,
    MAGIC,
    NOOP,
    OPERATION,
    VERSION,
    Position,
    Translog,
    file_name,
)
from lanner.engine.runtime.fsio import FileSystem

FRAME_MAGIC_BYTES = FRAME_MAGIC.to_bytes(4, "little")


@dataclass(frozen=True, slots=True)
class LoggedOperation:
    """One operation read back."""

    kind: int
    seq_no: int
    primary_term: int
    version: int
    id: bytes
    routing: bytes | None
    source: bytes


def generations(files: FileSystem, folder: str) -> list[int]:
    """The generations that have a file, ascending."""
    found = []
    for name in files.list(folder):
        number = name.removeprefix("translog-").removesuffix(".log")
        if name == f"translog-{number}.log" and number.isdigit():
            found.append(int(number))
    return sorted(found)


def read_checkpoint(files: FileSystem, folder: str) -> Position:
    """What was durable at least; (0, 0) when the hint is missing or unreadable."""
    try:
        data = files.read(os.path.join(folder, "checkpoint"))
    except OSError:
        return (0, 0)
    if len(data) != CHECKPOINT.size:
        return (0, 0)
    magic, version, generation, offset, check = CHECKPOINT.unpack(data)
    good = xxh3_64_intdigest(data[: -HASH.size]) == check
    return (generation, offset) if good and magic == CHECKPOINT_MAGIC and version == VERSION else (0, 0)


class LogReader:
    """Reads one generation, deciding where it ends."""

    def __init__(self, data: bytes, path: str, place: str, generation: int, durable: int) -> None:
        self._data = data
        self._path = path
        self._place = place
        self.generation = generation
        self._durable = durable  # bytes that must be whole
        self.end = 0  # where the last whole frame ends, once the frames are read
        self.operations = 0

    def frames(self) -> Iterator[list[LoggedOperation]]:
        """The operations of each frame up to the tail; TranslogCorrupted where durable bytes are damaged."""
        data = self._data
        if not self._header_is_good():
            if self._durable or self._later_frame(0):
                raise self._damaged(0, "the header is damaged")
            return
        position = FILE_HEADER.size
        self.end = position
        while position < len(data):
            frame = _frame_at(data, position)
            if frame is None:
                if position < self._durable or self._later_frame(position):
                    raise self._damaged(position, "an operation is damaged")
                break
            length, first_seq_no, term, count = frame
            start = position + FRAME_OVERHEAD
            operations = _decode(data, start, start + length, first_seq_no, term, count)
            if operations is None:
                raise self._damaged(position, "an operation cannot be read")
            position = start + length
            self.end = position
            self.operations += count
            yield operations
        if self.end < self._durable:
            raise self._damaged(self.end, f"it ends before byte {self._durable}, which was durable")

    def _header_is_good(self) -> bool:
        data = self._data
        if len(data) < FILE_HEADER.size:
            return False
        magic, version, generation, check = FILE_HEADER.unpack_from(data)
        if xxh3_64_intdigest(data[: FILE_HEADER.size - HASH.size]) != check:
            return False
        return (magic, version, generation) == (MAGIC, VERSION, self.generation)

    def _later_frame(self, position: int) -> bool:
        """Whether a whole frame after `position` says that what stands at `position` had been durable."""
        data = self._data
        at = data.find(FRAME_MAGIC_BYTES, position + 1)
        while at >= 0:
            if _frame_at(data, at) is not None and FRAME_HEADER.unpack_from(data, at)[3] > position:
                return True
            at = data.find(FRAME_MAGIC_BYTES, at + 1)
        return False

    def _damaged(self, position: int, what: str) -> TranslogCorrupted:
        return TranslogCorrupted(
            f"{self._place} translog from source [{self._path}] is corrupted at byte {position}: {what}"
        )


def _frame_at(data: bytes, position: int) -> tuple[int, int, int, int] | None:
    """Payload length, first seq_no, term and count of a whole frame at `position`, or None."""
    start = position + FRAME_OVERHEAD
    if start > len(data):
        return None
    magic, length, stated, _, first_seq_no, term, count, _ = FRAME_HEADER.unpack_from(data, position)
    if magic != FRAME_MAGIC or stated != position or start + length > len(data):
        return None
    header = data[position : position + FRAME_HEADER.size]
    body = HASH.pack(xxh3_64_intdigest(memoryview(data)[start : start + length]))
    if HASH.unpack_from(data, start - HASH.size)[0] != xxh3_64_intdigest(header + body):
        return None
    return length, first_seq_no, term, count


def _decode(
    data: bytes, position: int, end: int, first_seq_no: int, term: int, count: int
) -> list[LoggedOperation] | None:
    """The operations of a payload, or None when the lengths do not add up."""
    operations = []
    for seq_no in range(first_seq_no, first_seq_no + count):
        if position + OPERATION.size > end:
            return None
        kind, flags, id_length, routing_length, source_length, version = OPERATION.unpack_from(data, position)
        position += OPERATION.size
        stop = position + id_length + routing_length + source_length
        if stop > end or kind not in (INDEX, DELETE, NOOP):
            return None
        routing_at = position + id_length
        source_at = routing_at + routing_length
        operations.append(
            LoggedOperation(
                kind,
                seq_no,
                term,
                version,
                data[position:routing_at],
                data[routing_at:source_at] if flags & HAS_ROUTING else None,
                data[source_at:stop],
            )
        )
        position = stop
    return operations if position == end else None


def recover(files: FileSystem, folder: str, place: str, minimum: int) -> tuple[list[LogReader], list[int]]:
    """Readers of all generations from `minimum` on, oldest first, and the generations before it (garbage).

    Raises TranslogCorrupted when a generation is missing. The newest may have a torn tail; an older one was
    sealed by a sync, so all of it must be whole.
    """
    present = generations(files, folder)
    kept = [generation for generation in present if generation >= minimum]
    hinted, durable = read_checkpoint(files, folder)
    expected = list(range(minimum, kept[-1] + 1)) if kept else []
    if hinted >= minimum and hinted > (kept[-1] if kept else minimum - 1):
        expected.append(hinted)
    missing = [generation for generation in expected if generation not in kept]
    if missing:
        path = os.path.join(folder, file_name(missing[0]))
        raise TranslogCorrupted(f"{place} translog from source [{path}] is corrupted: the file is missing")
    readers = []
    for generation in kept:
        path = os.path.join(folder, file_name(generation))
        data = files.read(path)
        whole = len(data) if generation != kept[-1] else durable if generation == hinted else 0
        readers.append(LogReader(data, path, place, generation, whole))
    return readers, [generation for generation in present if generation < minimum]


def seal_recovered(files: FileSystem, folder: str, readers: list[LogReader], translog: Translog) -> None:
    """Cut the newest generation's torn tail, make the rest of it durable, and account for all generations.

    Later operations go to the next generation, and an older one counts as whole: so what was read must stay.
    """
    if readers:
        newest = readers[-1]
        file = files.open(os.path.join(folder, file_name(newest.generation)))
        try:
            if file.size != newest.end:
                files.truncate(file, newest.end)
            files.fsync(file)
        finally:
            files.close(file)
    for reader in readers:
        translog.adopt(reader.generation, reader.end, reader.operations)
