"""The key-value store of what the cluster knows, behind the interface that other stores will implement.

Keys: ``cluster`` (identity), ``node`` (this node's identity), ``settings`` (persistent settings),
``index/<uuid>`` (metadata of an index), ``name/<index>`` (its UUID), ``deleted/<uuid>`` (an index whose
files are being removed). Every change is one transaction, guarded by the revisions that its author has
read.

SQLite does not notice a flipped bit in a row, so each value carries a checksum of its whole row.
"""

import os
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xxhash import xxh3_64_digest

from lanner.engine.common.errors import CorruptIndex


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with the revisions of its creation and its last change."""

    value: bytes
    create_revision: int
    mod_revision: int


class ConflictError(Exception):
    """A guard did not hold: somebody else changed the key."""


class KeyValue(ABC):
    """A small, strictly serializable store. The revision grows with every transaction."""

    @abstractmethod
    def get(self, key: str) -> Entry | None:
        """The entry of a key."""

    @abstractmethod
    def range(self, prefix: str) -> list[tuple[str, Entry]]:
        """All entries whose key begins so, ordered by key."""

    @abstractmethod
    def transact(
        self, guards: Mapping[str, int], puts: Mapping[str, bytes], deletes: Sequence[str] = ()
    ) -> int:
        """Apply changes at once and durably if every guarded key has that mod revision (0: it is not there).

        Returns the revision of the change. Raises ConflictError and changes nothing otherwise; OSError when
        the disk does not take it.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the store."""


class LocalCoord(KeyValue):
    """One SQLite file for a node on its own; a change is on disk when `transact` returns."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._path = path
        fresh = not os.path.exists(path)
        try:
            self._open(path, fresh=fresh)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _open(self, path: str, *, fresh: bool) -> None:
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
        run = self._database.execute
        run("PRAGMA journal_mode=WAL")
        run("PRAGMA synchronous=FULL")
        if fresh:
            os.chmod(path, 0o600)
        # a crash may have come between the making of the file and that of the tables
        run(
            "CREATE TABLE IF NOT EXISTS kv "
            "(k TEXT PRIMARY KEY, v BLOB NOT NULL, create_rev INTEGER NOT NULL, mod_rev INTEGER NOT NULL) "
            "WITHOUT ROWID"
        )
        run("CREATE TABLE IF NOT EXISTS revision (one INTEGER PRIMARY KEY, n INTEGER NOT NULL)")
        run("INSERT OR IGNORE INTO revision VALUES (1, 0)")

    def get(self, key: str) -> Entry | None:
        """See KeyValue."""
        rows = self._rows("SELECT k, v, create_rev, mod_rev FROM kv WHERE k = ?", (key,))
        return rows[0][1] if rows else None

    def range(self, prefix: str) -> list[tuple[str, Entry]]:
        """See KeyValue."""
        return self._rows(
            "SELECT k, v, create_rev, mod_rev FROM kv WHERE k >= ? AND k < ? ORDER BY k",
            (prefix, prefix + "\U0010ffff"),
        )

    def _rows(self, query: str, arguments: tuple[str, ...]) -> list[tuple[str, Entry]]:
        """Rows whose checksum holds."""
        with self._lock:
            try:
                rows = self._database.execute(query, arguments).fetchall()
            except sqlite3.DatabaseError as error:
                raise self._damaged(error) from error
        found = []
        for key, value, create_revision, mod_revision in rows:
            if not isinstance(value, bytes) or value[:8] != _digest(key, create_revision, value[8:]):
                raise self._damaged(f"the checksum of [{key}] does not match")
            found.append((key, Entry(value[8:], create_revision, mod_revision)))
        return found

    def _damaged(self, detail: object) -> CorruptIndex:
        return CorruptIndex(f"cluster state file [{self._path}] is damaged: {detail}")

    def transact(
        self, guards: Mapping[str, int], puts: Mapping[str, bytes], deletes: Sequence[str] = ()
    ) -> int:
        """See KeyValue."""
        with self._lock:
            run = self._database.execute
            try:
                run("BEGIN IMMEDIATE")
                try:
                    for key, revision in guards.items():
                        row = run("SELECT mod_rev FROM kv WHERE k = ?", (key,)).fetchone()
                        if (row[0] if row else 0) != revision:
                            raise ConflictError(key)
                    run("UPDATE revision SET n = n + 1")
                    now: int = run("SELECT n FROM revision").fetchone()[0]
                    for key, value in puts.items():
                        row = run("SELECT create_rev FROM kv WHERE k = ?", (key,)).fetchone()
                        created = row[0] if row else now
                        run(
                            "INSERT INTO kv VALUES (?, ?, ?, ?) "
                            "ON CONFLICT (k) DO UPDATE SET v = excluded.v, mod_rev = excluded.mod_rev",
                            (key, _digest(key, created, value) + value, created, now),
                        )
                    for key in deletes:
                        run("DELETE FROM kv WHERE k = ?", (key,))
                    run("COMMIT")
                    # keep the log empty: a damaged log would be cut without a word
                    run("PRAGMA wal_checkpoint(TRUNCATE)")
                except BaseException:
                    if self._database.in_transaction:
                        run("ROLLBACK")
                    raise
            except sqlite3.OperationalError as error:
                raise OSError(f"cluster state cannot be written: {error}") from error
        return now

    def close(self) -> None:
        """See KeyValue."""
        with self._lock:
            self._database.close()


def _digest(key: str, create_revision: int, value: bytes) -> bytes:
    """The checksum of a row."""
    return xxh3_64_digest(b"%d\0%s\0%s" % (create_revision, key.encode(errors="replace"), value))
