"""All file input and output of the engine, behind one class that tests can replace.

Only what is named here touches the disk, so a test can record every step, fail the nth, fill the disk, or
work out what a power cut would have left. Nothing is durable before `fsync`; a name is not durable before
`fsync_dir` of its folder. A failed `fsync` may have dropped the data: nobody may retry it (the callers fail
their shard instead).
"""

import mmap
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import TypeAlias

Buffer: TypeAlias = bytes | bytearray | memoryview | mmap.mmap

_SYNC_FILE_RANGE_WRITE = 2  # begin, and do not wait
_PARTS = 512  # of one writev; the system's limit is 1024


class OpenFile:
    """A file open for reading and writing, with the length that its owner has written."""

    __slots__ = ("descriptor", "path", "size")

    def __init__(self, path: str, descriptor: int, size: int) -> None:
        self.path = path
        self.descriptor = descriptor
        self.size = size


class FileSystem(ABC):
    """The operations that the engine knows. All raise OSError."""

    @abstractmethod
    def create(self, path: str) -> OpenFile:
        """A new, empty file; it must not exist."""

    @abstractmethod
    def open(self, path: str) -> OpenFile:
        """An existing file."""

    @abstractmethod
    def append(self, file: OpenFile, parts: Sequence[Buffer]) -> None:
        """Write all parts at the end.

        After an error any prefix may have been written, and `size` is as before.
        """

    @abstractmethod
    def write_at(self, file: OpenFile, offset: int, data: Buffer) -> None:
        """Overwrite in place."""

    @abstractmethod
    def read_at(self, file: OpenFile, offset: int, length: int) -> bytes:
        """Up to `length` bytes; fewer at the end of the file."""

    @abstractmethod
    def truncate(self, file: OpenFile, size: int) -> None:
        """Cut the file."""

    @abstractmethod
    def fsync(self, file: OpenFile) -> None:
        """Make content and length durable."""

    @abstractmethod
    def fdatasync(self, file: OpenFile) -> None:
        """Make content durable, and the length as far as reading needs it."""

    @abstractmethod
    def close(self, file: OpenFile) -> None:
        """Let go of the file; twice is harmless."""

    @abstractmethod
    def rename(self, source: str, target: str) -> None:
        """Move, replacing the target atomically."""

    @abstractmethod
    def unlink(self, path: str) -> None:
        """Remove a file."""

    @abstractmethod
    def mkdir(self, path: str) -> None:
        """Make one folder; it may exist."""

    @abstractmethod
    def rmdir(self, path: str) -> None:
        """Remove an empty folder."""

    @abstractmethod
    def fsync_dir(self, path: str) -> None:
        """Make the names in a folder durable."""

    @abstractmethod
    def list(self, path: str) -> list[str]:
        """Names in a folder, sorted; FileNotFoundError when there is none."""

    @abstractmethod
    def is_dir(self, path: str) -> bool:
        """Whether the path is a folder."""

    @abstractmethod
    def size(self, path: str) -> int:
        """Length of a file."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """A whole (small) file."""

    @abstractmethod
    def map(self, path: str) -> Buffer:
        """A file's bytes, read-only; the mapping lives as long as the object."""

    def begin_sync(self, file: OpenFile, offset: int) -> None:  # noqa: B027 -- a hint that may be ignored
        """Let the disk begin with what was written from an offset on, so that a later fsync waits less."""

    # what can be said with the above

    def exists(self, path: str) -> bool:
        """Whether a file or folder has this name."""
        try:
            self.size(path)
        except FileNotFoundError:
            return False
        return True

    def write_new(self, path: str, parts: Sequence[Buffer], *, sync: bool) -> int:
        """Create a file with this content and return its length; a failed write leaves no file behind."""
        file = self.create(path)
        try:
            self.append(file, parts)
            if sync:
                self.fsync(file)
        except OSError:
            self.close(file)
            self.unlink(path)
            raise
        self.close(file)
        return file.size

    def fsync_path(self, path: str) -> None:
        """Make a file durable that was written earlier."""
        file = self.open(path)
        try:
            self.fsync(file)
        finally:
            self.close(file)

    def remove_tree(self, path: str) -> None:
        """Remove a folder and all below it; nothing there is fine."""
        try:
            names = self.list(path)
        except FileNotFoundError:
            return
        for name in names:
            below = os.path.join(path, name)
            if self.is_dir(below):
                self.remove_tree(below)
            else:
                with suppress(FileNotFoundError):  # garbage may be on its way out
                    self.unlink(below)
        self.rmdir(path)


@cache
def _sync_file_range() -> Callable[..., int]:
    """Linux's call of that name, which Python does not offer; elsewhere what does nothing."""
    import ctypes

    found = getattr(ctypes.CDLL(None), "sync_file_range", None)
    if found is None:
        return lambda *_: 0
    found.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
    return found  # type: ignore[no-any-return]


class RealFileSystem(FileSystem):
    """The disk."""

    def create(self, path: str) -> OpenFile:
        """See FileSystem."""
        return OpenFile(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), 0)

    def open(self, path: str) -> OpenFile:
        """See FileSystem."""
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        return OpenFile(path, descriptor, os.fstat(descriptor).st_size)

    def append(self, file: OpenFile, parts: Sequence[Buffer]) -> None:
        """See FileSystem."""
        position = file.size
        for start in range(0, len(parts), _PARTS):
            chunk = parts[start : start + _PARTS]
            expected = sum(memoryview(part).nbytes for part in chunk)
            written = os.pwritev(file.descriptor, chunk, position)
            if written != expected:
                self._write_rest(file, chunk, position, written)
            position += expected
        file.size = position

    @staticmethod
    def _write_rest(file: OpenFile, chunk: Sequence[Buffer], position: int, written: int) -> None:
        """A short write is a full disk about to say so: go on until it does."""
        rest = memoryview(b"".join(chunk))[written:]
        position += written
        while rest:
            count = os.pwrite(file.descriptor, rest, position)
            rest, position = rest[count:], position + count

    def write_at(self, file: OpenFile, offset: int, data: Buffer) -> None:
        """See FileSystem."""
        rest = memoryview(data)
        while rest:
            count = os.pwrite(file.descriptor, rest, offset)
            rest, offset = rest[count:], offset + count
        file.size = max(file.size, offset)

    def read_at(self, file: OpenFile, offset: int, length: int) -> bytes:
        """See FileSystem."""
        return os.pread(file.descriptor, length, offset)

    def truncate(self, file: OpenFile, size: int) -> None:
        """See FileSystem."""
        os.ftruncate(file.descriptor, size)
        file.size = size

    def fsync(self, file: OpenFile) -> None:
        """See FileSystem."""
        os.fsync(file.descriptor)

    def fdatasync(self, file: OpenFile) -> None:
        """See FileSystem."""
        os.fdatasync(file.descriptor)

    def begin_sync(self, file: OpenFile, offset: int) -> None:
        """See FileSystem."""
        _sync_file_range()(file.descriptor, offset, file.size - offset, _SYNC_FILE_RANGE_WRITE)

    def close(self, file: OpenFile) -> None:
        """See FileSystem."""
        if file.descriptor >= 0:
            descriptor, file.descriptor = file.descriptor, -1
            os.close(descriptor)

    def rename(self, source: str, target: str) -> None:
        """See FileSystem."""
        os.rename(source, target)

    def unlink(self, path: str) -> None:
        """See FileSystem."""
        os.unlink(path)

    def mkdir(self, path: str) -> None:
        """See FileSystem."""
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):
                raise

    def rmdir(self, path: str) -> None:
        """See FileSystem."""
        os.rmdir(path)

    def fsync_dir(self, path: str) -> None:
        """See FileSystem."""
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def list(self, path: str) -> list[str]:
        """See FileSystem."""
        return sorted(os.listdir(path))

    def is_dir(self, path: str) -> bool:
        """See FileSystem."""
        return os.path.isdir(path)

    def size(self, path: str) -> int:
        """See FileSystem."""
        return os.stat(path).st_size

    def read(self, path: str) -> bytes:
        """See FileSystem."""
        with open(path, "rb") as file:
            return file.read()

    def map(self, path: str) -> Buffer:
        """See FileSystem."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            if os.fstat(descriptor).st_size == 0:
                return b""
            return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        finally:
            os.close(descriptor)
