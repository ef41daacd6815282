"""The log of operations since the last commit: what makes an acknowledged write survive.

Files ``translog-<generation>.log`` in the shard's ``translog`` folder::

    file header   magic "LTLG", format version u32, generation u64, xxh3 of these u64
    frame         frame header, hash u64, payload
    frame header  magic u32, payload length u32, position u64, synced u64, first seq_no u64, primary term u64,
                  operations u32, 0 u32
    payload       per operation: kind u8, flags u8, id length u16, routing length u32, source length u32,
                  version u64, then id, routing, source (written by ext/index/log_records.pyx)

One frame holds what one call of `append` brought; its operations have consecutive sequence numbers. The
hash covers header and payload. ``synced`` is how far the file was durable when the frame was written, which
is what tells a torn tail from damage: a bad frame that a later good frame (or the checkpoint) knows to have
been durable is damage and an error; any other bad frame was never acknowledged and the log is cut before
it.

``checkpoint`` holds generation and synced length. It is written after each fdatasync and never synced
itself: it may be old, but never ahead of the truth, so it can only reveal losses.

Group commit: `append` runs under the shard's lock and only writes; `sync` runs outside it, and whoever gets
the sync lock first makes everything durable that was written until then. A new generation is created at the
first append after opening or rolling, so opening a shard writes nothing.
"""

import errno
import os
import struct
import threading

from xxhash import xxh3_64_intdigest

from lanner.engine.common.errors import DiskFull, IOFailure
from lanner.engine.runtime.fsio import FileSystem, OpenFile

INDEX, DELETE, NOOP = 1, 2, 3

FILE_HEADER = struct.Struct("<4sIQQ")
FRAME_HEADER = struct.Struct("<IIQQQQII")
HASH = struct.Struct("<Q")
OPERATION = struct.Struct("<BBHIIQ")
CHECKPOINT = struct.Struct("<4sIQQQ")

MAGIC = b"LTLG"
CHECKPOINT_MAGIC = b"LCKP"
FRAME_MAGIC = 0x4D52464C
VERSION = 1
FRAME_OVERHEAD = FRAME_HEADER.size + HASH.size
HAS_ROUTING = 1

Position = tuple[int, int]  # generation, offset; compares in the order of writing


def file_name(generation: int) -> str:
    """Name of a generation's file."""
    return f"translog-{generation}.log"


class Translog:
    """The log of one shard. The shard's lock guards everything but `sync` and `read_record`."""

    def __init__(self, files: FileSystem, folder: str, place: str, generation: int) -> None:
        self._files = files
        self._folder = folder
        self._place = place  # "[index][shard]", for error texts
        self._sync_lock = threading.Lock()
        self._file: OpenFile | None = None
        self._checkpoint: OpenFile | None = None
        self.generation = generation  # of the file to write, or to create at the next append
        self.minimum_generation = generation
        self.synced: Position = (generation, 0)
        self.written: Position = (generation, 0)
        self._older: dict[int, tuple[int, int]] = {}  # generation: (bytes, operations) of sealed files
        self.operations = 0  # in the current generation
        self.last_modified_millis = 0
        self.broken: str | None = None  # why it takes no more operations

    # ---- writing

    def append(self, body: bytes, operations: int, first_seq_no: int, primary_term: int) -> int:
        """Write one frame of so many operations (see `pack_records`); return the offset of its payload.

        DiskFull: nothing was written and the log works again when there is space. IOFailure: the log is
        broken.
        """
        self.check()
        file = self._file or self._create()
        offset = file.size
        header = FRAME_HEADER.pack(
            FRAME_MAGIC,
            len(body),
            offset,
            self.synced[1] if self.synced[0] == self.generation else 0,
            first_seq_no,
            primary_term,
            operations,
            0,
        )
        check = HASH.pack(xxh3_64_intdigest(header + HASH.pack(xxh3_64_intdigest(body))))
        try:
            self._files.append(file, (header + check, body))
        except OSError as error:
            self._cut(file, offset)
            raise disk_full(self._place, error) if is_full(error) else self._break(error, "write") from error
        self.operations += operations
        self.written = (self.generation, file.size)
        return offset + FRAME_OVERHEAD

    def sync(self, target: Position | None = None) -> None:
        """Make everything up to `target` durable (default.

        All that is written). One sync serves all who wait.
        """
        target = self.written if target is None else target
        if self.synced >= target:
            return
        with self._sync_lock:
            if self.synced >= target:
                return
            self.check()
            self._sync_file()

    def roll(self) -> int:
        """Seal the current generation; later operations go to the next. Return the number of the next."""
        with self._sync_lock:
            self.check()
            file = self._file
            if file is not None:
                self._sync_file()
                self._older[self.generation] = (file.size, self.operations)
                self._file = None
                self._files.close(file)
                self.operations = 0
                self.generation += 1
                self.synced = self.written = (self.generation, 0)
        return self.generation

    def trim(self, minimum: int) -> None:
        """Remove the generations before `minimum`: a durable commit holds their operations."""
        for generation in sorted(self._older):
            if generation < minimum:
                self._files.unlink(os.path.join(self._folder, file_name(generation)))
                del self._older[generation]
        self.minimum_generation = max(self.minimum_generation, minimum)

    def adopt(self, generation: int, size: int, operations: int) -> None:
        """Account for a generation that was found at opening."""
        self._older[generation] = (size, operations)

    def close(self) -> None:
        """Let go of the files; unsynced operations stay unsynced."""
        with self._sync_lock:
            for file in (self._file, self._checkpoint):
                if file is not None:
                    self._files.close(file)
            self._file = self._checkpoint = None
            if self.broken is None:
                self.broken = f"{self._place} translog is closed"

    # ---- reading back

    def read_record(self, generation: int, offset: int, length: int) -> bytes | None:
        """Bytes of an operation written by this process; None when its generation is sealed."""
        file = self._file
        if file is None or generation != self.generation:
            return None
        try:
            data = self._files.read_at(file, offset, length)
        except (OSError, ValueError):
            return None
        return data if len(data) == length and generation == self.generation else None

    # ---- state

    def check(self) -> None:
        """Raise what broke the log, if something did."""
        if self.broken is not None:
            raise IOFailure(self.broken)

    @property
    def size_in_bytes(self) -> int:
        """Bytes in all generations."""
        file = self._file
        return sum(size for size, _ in self._older.values()) + (file.size if file else 0)

    @property
    def total_operations(self) -> int:
        """Operations in all generations."""
        return self.operations + sum(count for _, count in self._older.values())

    @property
    def needs_sync(self) -> bool:
        """Whether something is written and not yet durable."""
        return self.synced < self.written

    # ---- inside

    def _create(self) -> OpenFile:
        """Create the current generation's file with a durable name; the first sync covers its header."""
        path = os.path.join(self._folder, file_name(self.generation))
        head = FILE_HEADER.pack(MAGIC, VERSION, self.generation, 0)[: -HASH.size]
        created = False
        try:
            file = self._files.create(path)
            created = True
            self._files.append(file, (head + HASH.pack(xxh3_64_intdigest(head)),))
        except OSError as error:
            if created:
                self._files.close(file)
                try:
                    self._files.unlink(path)
                except OSError as second:
                    raise self._break(second, "unlink") from second
            raise disk_full(self._place, error) if is_full(error) else self._break(error, "create") from error
        try:
            self._files.fsync_dir(self._folder)
        except OSError as error:
            raise self._break(error, "sync") from error
        self._file = file
        self.synced, self.written = (self.generation, 0), (self.generation, file.size)
        return file

    def _sync_file(self) -> None:
        """Make the current file durable; the sync lock is held."""
        file = self._file
        if file is None:
            return
        end = self.written
        if self.synced < end:
            try:
                self._files.fdatasync(file)
            except OSError as error:
                raise self._break(error, "sync") from error
            self.synced = end
            self._note_checkpoint(end)

    def _note_checkpoint(self, synced: Position) -> None:
        """Write down how far the log is durable. A failure costs only the hint."""
        head = CHECKPOINT.pack(CHECKPOINT_MAGIC, VERSION, synced[0], synced[1], 0)[: -HASH.size]
        try:
            if self._checkpoint is None:
                path = os.path.join(self._folder, "checkpoint")
                self._checkpoint = (
                    self._files.open(path) if self._files.exists(path) else self._files.create(path)
                )
            self._files.write_at(self._checkpoint, 0, head + HASH.pack(xxh3_64_intdigest(head)))
        except OSError:
            pass

    def _cut(self, file: OpenFile, size: int) -> None:
        """Take back a failed write."""
        try:
            self._files.truncate(file, size)
        except OSError as error:
            raise self._break(error, "truncate") from error

    def _break(self, error: OSError, step: str) -> IOFailure:
        """Remember the failure: nothing is written any more."""
        self.broken = f"{self._place} translog {step} failed: {error.strerror or error}"
        return IOFailure(self.broken)


def is_full(error: OSError) -> bool:
    """Whether an I/O error says that the disk is full."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def disk_full(place: str, error: OSError) -> DiskFull:
    """The answer to a write that found no space: the one that clients know from the flood stage."""
    index = place[1 : place.index("]")]
    return DiskFull(
        f"index [{index}] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, "
        "index has read-only-allow-delete block];",
        caused_by=IOFailure(f"{place} {error.strerror or error}"),
    )
