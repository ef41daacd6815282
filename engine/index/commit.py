"""The commit point of a shard: the durable list of its segments, and where the translog goes on from it.

``commit-<generation>`` is one line of JSON and one line with its xxh3 checksum. It is complete when it has
its name: written under another name, synced, renamed; every file that it names, and their names, were made
durable before. A commit point that exists and cannot be read is damage: an older one would silently lose
operations.
"""

import os
from dataclasses import dataclass, field
from typing import Any

import msgspec
from xxhash import xxh3_64_hexdigest

from lanner.engine.common.errors import IOFailure
from lanner.engine.index.segment import FileEntry, Segment
from lanner.engine.index.store import Store

FORMAT = "lanner.commit"
VERSION = 1
_PREFIX = "commit-"
_TEMPORARY = ".tmp"
FIRST_FILES = frozenset({f"{_PREFIX}1", f"{_PREFIX}1{_TEMPORARY}"})  # all that a new shard may hold


@dataclass(frozen=True, slots=True)
class CommittedSegment:
    """A segment as a commit point names it."""

    name: str
    max_doc: int
    files: dict[str, FileEntry]
    deleted: FileEntry | None
    deleted_count: int


@dataclass(frozen=True, slots=True)
class Commit:
    """What is durable of a shard apart from its translog."""

    generation: int
    id: str
    index_uuid: str
    shard: int
    segments: tuple[CommittedSegment, ...]
    segment_counter: int
    max_seq_no: int
    local_checkpoint: int
    translog_generation: int
    primary_term: int
    user_data: dict[str, str] = field(default_factory=dict)

    @property
    def num_docs(self) -> int:
        """Live documents."""
        return sum(segment.max_doc - segment.deleted_count for segment in self.segments)

    @property
    def file_names(self) -> set[str]:
        """All files it needs, itself included."""
        names = {commit_name(self.generation)}
        for segment in self.segments:
            names.update(entry.name for entry in segment.files.values())
            if segment.deleted is not None:
                names.add(segment.deleted.name)
        return names


def commit_name(generation: int) -> str:
    """The file name of a commit point."""
    return f"{_PREFIX}{generation}"


def committed(segment: Segment, deletes_file: FileEntry | None, deleted_count: int) -> CommittedSegment:
    """How a commit point names a segment."""
    return CommittedSegment(segment.name, segment.max_doc, segment.files, deletes_file, deleted_count)


def encode(commit: Commit) -> bytes:
    """The bytes of a commit point."""
    body = msgspec.json.encode(
        {
            "format": FORMAT,
            "version": VERSION,
            "generation": commit.generation,
            "id": commit.id,
            "index_uuid": commit.index_uuid,
            "shard": commit.shard,
            "segments": [
                {
                    "name": segment.name,
                    "max_doc": segment.max_doc,
                    "files": {suffix: entry.to_json() for suffix, entry in segment.files.items()},
                    "deleted": segment.deleted.to_json() if segment.deleted else None,
                    "deleted_count": segment.deleted_count,
                }
                for segment in commit.segments
            ],
            "segment_counter": commit.segment_counter,
            "max_seq_no": commit.max_seq_no,
            "local_checkpoint": commit.local_checkpoint,
            "translog_generation": commit.translog_generation,
            "primary_term": commit.primary_term,
            "user_data": commit.user_data,
        }
    )
    return body + b"\n" + xxh3_64_hexdigest(body).encode() + b"\n"


def decode(data: bytes) -> Commit:
    """Read a commit point; ValueError when it is not what was written."""
    body, newline, rest = data.partition(b"\n")
    if not newline or rest != xxh3_64_hexdigest(body).encode() + b"\n":
        raise ValueError("the checksum does not match")
    try:
        value: dict[str, Any] = msgspec.json.decode(body)
        if value["format"] != FORMAT or value["version"] != VERSION:
            raise ValueError(f"format {value['format']} version {value['version']} is not known")
        return Commit(
            generation=value["generation"],
            id=value["id"],
            index_uuid=value["index_uuid"],
            shard=value["shard"],
            segments=tuple(
                CommittedSegment(
                    name=segment["name"],
                    max_doc=segment["max_doc"],
                    files={suffix: FileEntry.from_json(entry) for suffix, entry in segment["files"].items()},
                    deleted=FileEntry.from_json(segment["deleted"]) if segment["deleted"] else None,
                    deleted_count=segment["deleted_count"],
                )
                for segment in value["segments"]
            ),
            segment_counter=value["segment_counter"],
            max_seq_no=value["max_seq_no"],
            local_checkpoint=value["local_checkpoint"],
            translog_generation=value["translog_generation"],
            primary_term=value["primary_term"],
            user_data=value["user_data"],
        )
    except (KeyError, TypeError, msgspec.DecodeError) as error:
        raise ValueError(f"it cannot be read: {error!r}") from error


def write_commit(store: Store, commit: Commit) -> None:
    """Make a commit point durable. The files that it names must be synced; their names need not be yet.

    OSError: the last commit point is still in force. IOFailure: it is not known which one is; nothing may be
    removed and the shard must be opened again.
    """
    name = commit_name(commit.generation)
    temporary = store.file(name + _TEMPORARY)
    if store.files.exists(temporary):
        store.files.unlink(temporary)
    store.files.write_new(temporary, (encode(commit),), sync=True)
    try:
        store.files.fsync_dir(store.index_folder)  # the names of all files, before the name that needs them
        store.files.rename(temporary, store.file(name))
        store.files.fsync_dir(store.index_folder)
    except OSError as error:
        raise IOFailure(f"{store.shard_id} file [{store.file(name)}]: {error.strerror or error}") from error


def read_last_commit(store: Store) -> Commit:
    """The newest commit point; CorruptIndex when it is missing, damaged or of another shard."""
    found = []
    for name in store.files.list(store.index_folder):
        number = name.removeprefix(_PREFIX)
        if number != name and number.isdigit():
            found.append(int(number))
    if not found:
        raise store.damaged(os.path.join(store.index_folder, "commit-*"), "there is no commit point")
    path = store.file(commit_name(max(found)))
    try:
        commit = decode(store.files.read(path))
    except ValueError as error:
        raise store.damaged(path, error) from error
    shard_id = store.shard_id
    if (commit.index_uuid, commit.shard) != (shard_id.index_uuid, shard_id.shard):
        raise store.damaged(path, "it belongs to another shard")
    return commit
