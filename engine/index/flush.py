"""Writes commit points, and removes the files that no commit point and no searcher-to-be needs."""

from collections.abc import Iterable
from typing import Any

from pyroaring import BitMap

from lanner.engine.common.errors import IOFailure
from lanner.engine.common.ids import random_uuid
from lanner.engine.index.commit import Commit, committed, write_commit
from lanner.engine.index.segment import FileEntry, Segment
from lanner.engine.index.store import Store


class Committer:
    """The last commit of a shard and what has become superfluous since. The shard's flush lock guards it."""

    def __init__(self, store: Store, commit: Commit) -> None:
        self.commit = commit
        self._store = store
        self._retired: set[str] = set()  # files of segments that were merged away

    def write(
        self,
        segments: list[tuple[Segment, BitMap]],
        counter: int,
        translog_generation: int,
        max_seq_no: int,
        primary_term: int,
    ) -> None:
        """Sync what the commit point needs, then write it.

        OSError from a write leaves the last commit in force. IOFailure: a sync failed, the shard must give
        up.
        """
        generation = self.commit.generation + 1
        written: list[str] = []
        named = []
        files: list[tuple[Segment, FileEntry | None, BitMap]] = []
        try:
            for segment, deleted in segments:
                if not segment.synced:
                    for entry in segment.files.values():
                        self._sync(entry)
                    segment.synced = True
                deletes_file = segment.deletes_file
                if deleted != segment.committed_deletes:
                    deletes_file = self._store.write_deletes(segment, deleted, generation)
                    written.append(deletes_file.name)
                files.append((segment, deletes_file, deleted))
                named.append(committed(segment, deletes_file, len(deleted)))
            commit = Commit(
                generation=generation,
                id=random_uuid(),
                index_uuid=self._store.shard_id.index_uuid,
                shard=self._store.shard_id.shard,
                segments=tuple(named),
                segment_counter=counter,
                max_seq_no=max_seq_no,
                local_checkpoint=max_seq_no,
                translog_generation=translog_generation,
                primary_term=primary_term,
            )
            write_commit(self._store, commit)
        except OSError:
            self._store.remove(written)
            raise
        self._retired |= self.commit.file_names
        self.commit = commit
        for segment, deletes_file, deleted in files:
            segment.committed = True
            segment.deletes_file = deletes_file
            segment.committed_deletes = deleted

    def retire(self, segments: Iterable[Segment]) -> None:
        """These segments were merged away; their files go as soon as no commit names them."""
        for segment in segments:
            self._retired.update(entry.name for entry in segment.files.values())

    def take_garbage(self) -> list[str]:
        """The retired files that the commit does not name, for the caller to remove."""
        names = self._retired - self.commit.file_names
        self._retired -= names
        return sorted(names)

    def _sync(self, entry: FileEntry) -> None:
        try:
            self._store.files.fsync_path(self._store.file(entry.name))
        except OSError as error:
            raise IOFailure(
                f"{self._store.shard_id} file [{self._store.file(entry.name)}] sync failed: "
                f"{error.strerror or error}"
            ) from error


def commit_user_data(commit: Commit) -> dict[str, Any]:
    """What statistics show as the user data of a commit."""
    return {
        "max_seq_no": str(commit.max_seq_no),
        "local_checkpoint": str(commit.local_checkpoint),
        "max_unsafe_auto_id_timestamp": "-1",
        "min_retained_seq_no": "0",
        "translog_uuid": commit.index_uuid,
        "history_uuid": commit.index_uuid,
    }
