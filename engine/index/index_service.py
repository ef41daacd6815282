"""One index on this node: its settings, its mapping, its shards."""

import logging
import os
import threading
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import (
    CorruptIndex,
    DiskFull,
    IndexClosed,
    IOFailure,
    LannerError,
    NoShardAvailable,
)
from lanner.engine.index.index_settings import IndexSettings
from lanner.engine.index.recovery import Recovered, Values
from lanner.engine.index.shard import Shard, ShardServices, create_shard
from lanner.engine.index.stats import ShardStats
from lanner.engine.index.store import ShardId, Store
from lanner.engine.runtime.fsio import FileSystem

if TYPE_CHECKING:
    from lanner.engine.analysis.registry import AnalysisRegistry
    from lanner.engine.dsl.base import Lookup
    from lanner.engine.dsl.stored_query import StoredQuery
    from lanner.engine.mapping.field_type import FieldType
    from lanner.engine.mapping.mapping import Mapping

_log = logging.getLogger(__name__)


class IndexService:
    """Owns the shards of an index. The mapping is read when it is first needed, which keeps starting fast."""

    def __init__(
        self,
        name: str,
        uuid: str,
        settings: IndexSettings,
        mapping: AbstractMapping[str, Any],
        folder: str,
        files: FileSystem,
        services: ShardServices,
        lookup: "Lookup | None" = None,
    ) -> None:
        """lookup: reads the source of any document of the node."""
        self.name = name
        self.uuid = uuid
        self.settings = settings
        self.folder = folder  # of the index; its shards are below
        self.shards: dict[int, Shard] = {}
        self.failures: dict[int, Exception] = {}  # of shards that could not be opened, or failed later
        self.closed = False  # by request: answers neither reads nor writes
        self.closed_stats: dict[int, ShardStats] = {}  # of the shards before they were closed
        self._closed_recoveries: dict[int, Recovered] = {}
        self._attempts: dict[int, int] = {}  # to open them, in a row
        self._replaying: set[int] = set()  # threads that parse logged documents
        self._files = files
        self._services = services
        self._lookup = lookup
        self._mapping_body = mapping
        self._mapping: Mapping | None = None
        self._registry: AnalysisRegistry | None = None
        self._lock = threading.RLock()

    # ---- meaning

    @property
    def registry(self) -> "AnalysisRegistry":
        """The analyzers of the index."""
        with self._lock:
            if self._registry is None:
                from lanner.engine.analysis.registry import AnalysisRegistry  # off the start path

                self._registry = AnalysisRegistry(self.settings.analysis, self.settings.analysis_limits)
            return self._registry

    @property
    def mapping(self) -> "Mapping":
        """The mapping as it is now."""
        mapping = self._mapping
        if mapping is not None:
            return mapping
        with self._lock:
            if self._mapping is None:
                from lanner.engine.mapping.mapping import Mapping  # off the start path

                self._mapping = Mapping.parse(
                    dict(self._mapping_body), self.registry, self.settings.plain, self._read_query
                )
            return self._mapping

    def _read_query(self, mapping: "Mapping", given: Any, field: "FieldType") -> "StoredQuery":
        """What is kept of a query that a document holds; one that was logged need not fit any more."""
        from lanner.engine.dsl.stored_query import keep_query, read_query  # few documents do

        try:
            return read_query(
                mapping,
                given,
                field,
                index=self.name,
                uuid=self.uuid,
                now=self._services.clock.millis,
                lookup=self._lookup,
            )
        except LannerError:
            if threading.get_ident() not in self._replaying:
                raise
            return keep_query(given)

    def use_mapping(self, mapping: "Mapping") -> None:
        """Use a newer mapping from now on."""
        with self._lock:
            self._mapping = mapping

    def use_settings(self, settings: IndexSettings) -> None:
        """Use newer settings from now on."""
        with self._lock:
            self.settings = settings
            if self.closed:  # analyzers may change while nothing is analyzed
                self._forget()
            elif self._mapping is not None:
                self._mapping = self._mapping.with_settings(settings.plain)
        for shard in self.shards.values():
            shard.update_settings(settings)

    def parse(self, source: bytes, id_: str, routing: str | None) -> Values:
        """Fields and values of a logged document. Its mapping was made durable before it was logged."""
        thread = threading.get_ident()
        self._replaying.add(thread)
        try:
            parsed = self.mapping.parse_document(source, id=id_, routing=routing)
            if parsed.update is not None:
                merged = self.mapping.merge(parsed.update)
                self.use_mapping(merged)
                parsed = merged.parse_document(source, id=id_, routing=routing)
        finally:
            self._replaying.discard(thread)
        return parsed.values

    def _keep_source(self, source: bytes) -> bytes:
        """What segments keep of a source. Whether they leave anything out is fixed once there is an index."""
        return self.mapping.kept_source(source)

    # ---- shards

    def store(self, shard: int) -> Store:
        """The folder of a shard."""
        return Store(self._files, os.path.join(self.folder, str(shard)), ShardId(self.name, self.uuid, shard))

    def create(self) -> None:
        """Make the folders of all shards, durably; after an error none is left."""
        try:
            self._files.mkdir(self.folder)
            self._files.fsync_dir(os.path.dirname(self.folder))
            for shard in range(self.settings.number_of_shards):
                create_shard(self.store(shard))
        except (OSError, LannerError):
            self._files.remove_tree(self.folder)
            raise

    def open(self, primary_terms: Sequence[int]) -> None:
        """Open all shards. One that cannot be opened is noted in `failures`; the others go on."""
        self.closed = False
        self.closed_stats = {}
        for shard in range(self.settings.number_of_shards):
            self.open_shard(shard, primary_terms[shard])

    def open_shard(self, shard: int, primary_term: int) -> None:
        """Open one shard, or note why it cannot be opened."""
        store = self.store(shard)
        try:
            if not store.exists():
                raise CorruptIndex(
                    f"{store.shard_id} folder [{store.path}] is missing",
                    index=self.name,
                    shard=str(shard),
                    index_uuid=self.uuid,
                )
            self.shards[shard] = Shard.open(
                store,
                self.settings,
                self._services,
                primary_term=primary_term,
                parse=self.parse,
                keep=self._keep_source if "_source" in self._mapping_body else None,
            )
            self.failures.pop(shard, None)
            self._attempts.pop(shard, None)
        except LannerError as error:
            self.failures[shard] = error
            self._attempts[shard] = self._attempts.get(shard, 0) + 1

    def reopen_shard(self, shard: int, primary_term: int) -> None:
        """Open a shard that failed, or note why it cannot be opened.

        What could not be synced may be readable and yet not on the disk, and syncing it again proves
        nothing: whatever was replayed is made durable in new files.
        """
        self.open_shard(shard, primary_term)
        opened = self.shards.get(shard)
        if opened is None:
            return
        try:
            opened.flush(force=True)
        except LannerError as error:
            _log.warning("%s was opened and cannot be flushed: %s", opened.id, error.reason)

    @property
    def retriable(self) -> list[int]:
        """Failed shards worth opening again: where space lacked always, where the disk failed a few times."""
        most = self.settings.value("index.allocation.max_retries")
        return [
            shard
            for shard, error in self.failures.items()
            if isinstance(error, DiskFull)
            or (isinstance(error, IOFailure) and self._attempts.get(shard, 0) < most)
        ]

    def fail(self, shard: int, error: Exception) -> None:
        """Take a shard out of service."""
        self.failures[shard] = error
        failed = self.shards.pop(shard, None)
        if failed is not None:
            failed.close(flush=False)

    def shard(self, number: int) -> Shard:
        """An active shard; NoShardAvailable when it failed."""
        shard = self.shards.get(number)
        if self.closed:
            raise IndexClosed("closed", index=self.name, index_uuid=self.uuid)
        if shard is None or shard.failure is not None:
            error = self.failures.get(number) or (shard.failure if shard is not None else None)
            cause = error if isinstance(error, LannerError) else None
            raise NoShardAvailable(
                f"No shard available for [{self.name}][{number}]",
                index=self.name,
                shard=str(number),
                index_uuid=self.uuid,
                caused_by=cause,
            )
        return shard

    def shut(self) -> None:
        """Flush and close the shards until the index is opened again; mapping and settings stay."""
        with self._lock:
            self.closed = True
            self._forget()
        self.closed_stats = {number: shard.stats() for number, shard in self.shards.items()}
        self._closed_recoveries = {number: shard.reclosed() for number, shard in self.shards.items()}
        self.close()
        self.failures.clear()

    @property
    def recoveries(self) -> dict[int, Recovered]:
        """How the shards came to what they have, by number."""
        if self.closed:
            return self._closed_recoveries
        return {number: shard.recovered for number, shard in sorted(self.shards.items())}

    def _forget(self) -> None:
        """Drop what is built from the settings; it is built again when it is needed."""
        if self._mapping is not None:
            self._mapping_body = self._mapping.render()
        self._mapping = self._registry = None

    def close(self, *, flush: bool = True) -> None:
        """Close all shards."""
        for shard in self.shards.values():
            try:
                shard.close(flush=flush)
            except LannerError as error:
                self.failures[shard.id.shard] = error
        self.shards.clear()

    def remove(self) -> None:
        """Close the shards and delete all files."""
        self.close(flush=False)
        self._files.remove_tree(self.folder)
