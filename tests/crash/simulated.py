"""A disk in memory: records what is done to it, fails on request, tells what a power cut may leave."""

import errno
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lanner.engine.runtime.fsio import Buffer, FileSystem, OpenFile


class Inode:
    """A file without its name. `pending`: changes since the last sync."""

    __slots__ = ("data", "number")

    def __init__(self, number: int, data: bytes = b"") -> None:
        self.number = number
        self.data = bytearray(data)


Step: TypeAlias = tuple[Any, ...]  # (name, ...)


class MemoryFileSystem(FileSystem):
    """Files in dictionaries. `steps` grows with every change when recording."""

    def __init__(self, files: dict[str, bytes] | None = None, folders: set[str] | None = None) -> None:
        self.numbers = 0
        self.files: dict[str, Inode] = {}
        self.folders: set[str] = {"/", *(folders or ())}
        for path, data in (files or {}).items():
            self.files[path] = self._inode(data)
        self.open_files: list[Inode | None] = []
        self.steps: list[Step] | None = None
        self.fail_at = -1  # number of the changing operation to fail
        self.fail_with = errno.EIO
        self.count = 0
        self.limit: int | None = None  # bytes that the disk holds
        self.skip: Callable[[str, str, str], bool] | None = (
            None  # syncs that do nothing: (name, path, step before)
        )
        self.before = ""  # the step before, by name
        self.on_create: Callable[[str], None] | None = None  # called before a file is made

    def _inode(self, data: bytes = b"") -> Inode:
        self.numbers += 1
        return Inode(self.numbers, data)

    def _step(self, name: str, path: str, *rest: object) -> bool:
        """Count, fail or record an operation; False when a sync is to be left out."""
        self.count += 1
        if self.count == self.fail_at:
            raise OSError(self.fail_with, os.strerror(self.fail_with), path)
        before, self.before = self.before, name
        if self.skip is not None and self.skip(name, path, before):
            return False
        if self.steps is not None:
            self.steps.append((name, *rest))
        return True

    def _space(self, path: str, more: int) -> None:
        if (
            self.limit is not None
            and sum(len(inode.data) for inode in self.files.values()) + more > self.limit
        ):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    def _node(self, file: OpenFile) -> Inode:
        node = self.open_files[file.descriptor]
        assert node is not None, "the file is closed"
        return node

    def _opened(self, path: str, node: Inode) -> OpenFile:
        self.open_files.append(node)
        return OpenFile(path, len(self.open_files) - 1, len(node.data))

    def create(self, path: str) -> OpenFile:
        if path in self.files:
            raise FileExistsError(errno.EEXIST, "exists", path)
        if os.path.dirname(path) not in self.folders:
            raise FileNotFoundError(errno.ENOENT, "no folder", path)
        if self.on_create is not None:
            self.on_create(path)
        self._space(path, 64)
        node = self._inode()
        self._step("create", path, path, node.number)
        self.files[path] = node
        return self._opened(path, node)

    def open(self, path: str) -> OpenFile:
        if path not in self.files:
            raise FileNotFoundError(errno.ENOENT, "missing", path)
        return self._opened(path, self.files[path])

    def append(self, file: OpenFile, parts: Sequence[Buffer]) -> None:
        node = self._node(file)
        data = b"".join(parts)
        at = file.size
        try:
            self._space(file.path, len(data))
        except OSError:
            half = data[: len(data) // 2]
            node.data[at : at + len(half)] = half
            if self.steps is not None:
                self.steps.append(("write", node.number, at, half))
            raise
        self._step("write", file.path, node.number, at, data)
        node.data[at : at + len(data)] = data
        file.size = at + len(data)

    def write_at(self, file: OpenFile, offset: int, data: Buffer) -> None:
        node = self._node(file)
        raw = bytes(data)
        self._space(file.path, max(0, offset + len(raw) - len(node.data)))
        self._step("write", file.path, node.number, offset, raw)
        node.data[offset : offset + len(raw)] = raw
        file.size = max(file.size, offset + len(raw))

    def read_at(self, file: OpenFile, offset: int, length: int) -> bytes:
        return bytes(self._node(file).data[offset : offset + length])

    def truncate(self, file: OpenFile, size: int) -> None:
        node = self._node(file)
        self._step("truncate", file.path, node.number, size)
        del node.data[size:]
        file.size = size

    def fsync(self, file: OpenFile) -> None:
        self._step("fsync", file.path, self._node(file).number)

    def fdatasync(self, file: OpenFile) -> None:
        self._step("fdatasync", file.path, self._node(file).number)

    def close(self, file: OpenFile) -> None:
        if file.descriptor >= 0:
            self.open_files[file.descriptor] = None
            file.descriptor = -1

    def rename(self, source: str, target: str) -> None:
        self._step("rename", source, source, target)
        self.files[target] = self.files.pop(source)

    def unlink(self, path: str) -> None:
        if path not in self.files:
            raise FileNotFoundError(errno.ENOENT, "missing", path)
        self._step("unlink", path, path)
        del self.files[path]

    def mkdir(self, path: str) -> None:
        self._step("mkdir", path, path)
        self.folders.add(path)

    def rmdir(self, path: str) -> None:
        self._step("rmdir", path, path)
        self.folders.discard(path)

    def fsync_dir(self, path: str) -> None:
        self._step("fsync_dir", path, path)

    def list(self, path: str) -> list[str]:
        if path not in self.folders:
            raise FileNotFoundError(errno.ENOENT, "no folder", path)
        names = [
            name for name in (*self.files, *self.folders) if os.path.dirname(name) == path and name != "/"
        ]
        return sorted(os.path.basename(name) for name in names)

    def is_dir(self, path: str) -> bool:
        return path in self.folders

    def size(self, path: str) -> int:
        if path in self.folders:
            return 0
        if path not in self.files:
            raise FileNotFoundError(errno.ENOENT, "missing", path)
        return len(self.files[path].data)

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise FileNotFoundError(errno.ENOENT, "missing", path)
        return bytes(self.files[path].data)

    def map(self, path: str) -> Buffer:
        return self.read(path)

    def copy_with_limit(self) -> "MemoryFileSystem":
        """The same content on a disk of the same size."""
        copy = self.copy()
        copy.limit = self.limit
        return copy

    def copy(self) -> "MemoryFileSystem":
        """The same content, nothing open, nothing recorded."""
        return MemoryFileSystem(
            {path: bytes(node.data) for path, node in self.files.items()}, set(self.folders)
        )


@dataclass
class Disk:
    """What a disk may hold at a crash: durable content and the changes that may or may not have got there."""

    durable: dict[int, bytes] = field(default_factory=dict)
    pending: dict[int, list[Step]] = field(default_factory=dict)  # by inode: write or truncate
    names: dict[str, int | None] = field(default_factory=dict)  # durable names; None: a folder
    moves: list[Step] = field(default_factory=list)  # changes of names that are not durable

    @classmethod
    def of(cls, files: MemoryFileSystem) -> "Disk":
        """A disk on which everything that the files hold is durable."""
        return cls(
            {node.number: bytes(node.data) for node in files.files.values()},
            {node.number: [] for node in files.files.values()},
            {**dict.fromkeys(files.folders), **{path: node.number for path, node in files.files.items()}},
        )

    def apply(self, step: Step) -> None:
        """Let a step happen."""
        match step[0]:
            case "create":
                self.durable[step[2]] = b""
                self.pending[step[2]] = []
                self.moves.append(step)
            case "write" | "truncate":
                self.pending[step[1]].append(step)
            case "fsync" | "fdatasync":
                self.durable[step[1]] = change(self.durable[step[1]], self.pending[step[1]])
                self.pending[step[1]] = []
            case "rename" | "unlink" | "mkdir" | "rmdir":
                self.moves.append(step)
            case "fsync_dir":
                here = [move for move in self.moves if os.path.dirname(move[1]) == step[1]]
                for move in here:
                    name_change(self.names, move)
                self.moves = [move for move in self.moves if move not in here]

    def states(self, chance: random.Random, extra: int) -> Iterator[MemoryFileSystem]:
        """What may be found after a power cut now: names x content."""
        cuts = {0, len(self.moves), *(chance.randrange(len(self.moves) + 1) for _ in range(2))}
        chosen = [self.moves[:cut] for cut in sorted(cuts)]
        for moves in chosen:
            for mode in ("none", "all", "torn", "zeroed"):
                yield self._state(moves, mode, chance)
        for _ in range(extra):
            moves = [move for move in self.moves if chance.random() < 0.5]
            yield self._state(moves, "random", chance)

    def _state(self, moves: list[Step], mode: str, chance: random.Random) -> MemoryFileSystem:
        names = dict(self.names)
        for move in moves:
            name_change(names, move)
        names = {path: inode for path, inode in names.items() if _reachable(path, names)}
        return MemoryFileSystem(
            {path: self._content(inode, mode, chance) for path, inode in names.items() if inode is not None},
            {path for path, inode in names.items() if inode is None},
        )

    def _content(self, inode: int, mode: str, chance: random.Random) -> bytes:
        data, pending = self.durable[inode], self.pending[inode]
        if mode == "all" or not pending:
            return change(data, pending)
        if mode == "none":
            return data
        if mode == "torn":
            cut = chance.randrange(len(pending))
            data = change(data, pending[:cut])
            step = pending[cut]
            if step[0] == "write":
                part = step[3][: chance.randrange(len(step[3]) + 1)]
                data = change(data, [("write", inode, step[2], part)])
            return data
        if mode == "zeroed":
            return change(
                data,
                [
                    ("write", inode, s[2], bytes(len(s[3]))) if s[0] == "write" and s[2] >= len(data) else s
                    for s in pending
                ],
            )
        return change(data, [step for step in pending if chance.random() < 0.5])


def _reachable(path: str, names: dict[str, int | None]) -> bool:
    """Whether all folders above a name exist; "/d" always did."""
    folder = os.path.dirname(path)
    return folder in ("/", "/d") or (folder in names and _reachable(folder, names))


def change(data: bytes, steps: list[Step]) -> bytes:
    """Content after writes and truncations; a gap is zeros."""
    result = bytearray(data)
    for step in steps:
        if step[0] == "truncate":
            del result[step[2] :]
        else:
            at, new = step[2], step[3]
            if at > len(result):
                result.extend(bytes(at - len(result)))
            result[at : at + len(new)] = new
    return bytes(result)


def name_change(names: dict[str, int | None], move: Step) -> None:
    """Names after one change."""
    match move[0]:
        case "create":
            names[move[1]] = move[2]
        case "mkdir":
            names[move[1]] = None
        case "rename":
            if move[1] in names:
                names[move[2]] = names.pop(move[1])
        case "unlink" | "rmdir":
            names.pop(move[1], None)
