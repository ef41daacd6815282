"""A node: the one place where services are put together."""

import fcntl
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from lanner.engine.cluster.persistence import KeyValue, LocalCoord
from lanner.engine.cluster.service import ClusterService
from lanner.engine.cluster.state import NodeFacts
from lanner.engine.common.errors import DiskFull, IllegalStateError, IOFailure, LannerError
from lanner.engine.common.ids import DocumentIds, random_uuid
from lanner.engine.common.units import parse_memory
from lanner.engine.index.indexing_memory import IndexingMemory
from lanner.engine.index.indices_service import IndicesService
from lanner.engine.index.merge_scheduler import MergeScheduler, Merging, RateLimiter
from lanner.engine.index.shard import Shard, ShardServices
from lanner.engine.runtime.clock import Clock, SystemClock
from lanner.engine.runtime.fsio import FileSystem, RealFileSystem
from lanner.engine.runtime.scheduler import Scheduler
from lanner.engine.runtime.tasks import TaskRegistry
from lanner.engine.runtime.thread_pool import ThreadPools
from lanner.engine.search.contexts import ContextService

DEFAULT_BUFFER = 128 << 20  # bytes, where the setting does not say; on a small machine a tenth of its memory
ROLES = ("cluster_manager", "data", "ingest", "remote_cluster_client")
_RETRY_SECONDS = 5.0  # between attempts to open a shard that failed for its disk


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """What a node is started with."""

    flat: Mapping[str, str] = field(default_factory=dict)
    data_path: str = "data"
    node_name: str = "node-1"
    cluster_name: str = "lanner"
    buffer_size: int = DEFAULT_BUFFER
    verify_on_open: bool = True
    transport_address: str = "127.0.0.1:9300"
    attributes: Mapping[str, str] = field(default_factory=dict)
    roles: tuple[str, ...] = ROLES

    @classmethod
    def parse(cls, settings: Mapping[str, str]) -> "NodeSettings":
        """From the flat keys of the configuration."""
        flat = {name: str(value) for name, value in settings.items()}
        size = flat.get("indices.memory.index_buffer_size")
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        roles = flat.get("node.roles")
        return cls(
            flat=flat,
            data_path=os.path.abspath(flat.get("path.data", "data")),
            node_name=flat.get("node.name") or os.uname().nodename,
            cluster_name=flat.get("cluster.name", "lanner"),
            buffer_size=parse_memory(size, "indices.memory.index_buffer_size", total)
            if size
            else min(DEFAULT_BUFFER, total // 10),
            verify_on_open=flat.get("indices.verify_on_open", "true") != "false",
            transport_address=f"127.0.0.1:{flat.get('transport.port', '9300').partition('-')[0]}",
            attributes={
                name.removeprefix("node.attr."): value
                for name, value in flat.items()
                if name.startswith("node.attr.")
            },
            roles=ROLES
            if roles is None
            else tuple(role.strip() for role in roles.split(",") if role.strip()),
        )


class Node:
    """Everything that runs: start() brings it up, close() flushes and ends it."""

    def __init__(
        self,
        settings: NodeSettings,
        *,
        files: FileSystem | None = None,
        clock: Clock | None = None,
        processors: int | None = None,
    ) -> None:
        self.node_settings = settings
        self.settings = settings.flat
        self.name = settings.node_name
        self.cluster_name = settings.cluster_name
        self.data_path = settings.data_path
        self.roles = list(settings.roles)
        self.attributes = {**settings.attributes, "shard_indexing_pressure_enabled": "true"}  # as all have
        self.ephemeral_id = random_uuid()
        self.clock: Clock = clock or SystemClock()
        self.started_millis = self.clock.millis()
        self.document_ids = DocumentIds(millis=self.clock.millis)
        self.files = files or RealFileSystem()
        self.errors: list[BaseException] = []  # of background work that nobody waited for
        self.pools = ThreadPools(processors)
        self.tasks = TaskRegistry(self.clock)
        self.scheduler = Scheduler(self.clock, self.errors.append)
        self.merges = MergeScheduler(self.pools["merge"], self._merge_failed, RateLimiter(self.clock))
        self.memory = IndexingMemory(settings.buffer_size)
        services = ShardServices(
            clock=self.clock,
            scheduler=self.scheduler,
            pools=self.pools,
            merges=self.merges,
            memory=self.memory,
            failed=self._shard_failed,
            verify=settings.verify_on_open,
        )
        self.indices = IndicesService(self.files, settings.data_path, services)
        self.contexts = ContextService(
            self.clock, lambda name: self.cluster.state.setting(name), self.scheduler.after
        )
        self.indices.on_remove = self.contexts.close_index
        self.indices.lookup = self._source_of
        self._retrying = False  # failed shards will be opened again soon
        self._lock_file: int | None = None
        self._store: KeyValue | None = None
        self.id = ""
        self.cluster: ClusterService

    @property
    def uuid(self) -> str:
        """The cluster's UUID."""
        return self.cluster.state.cluster_uuid

    @property
    def settings_map(self) -> Mapping[str, str]:
        """The settings that the node was started with."""
        return self.settings

    @property
    def auto_create_index(self) -> str:
        """``action.auto_create_index``."""
        value = self.cluster.state.setting("action.auto_create_index")
        if value is None:
            value = self.settings.get("action.auto_create_index", "true")
        return ",".join(value) if isinstance(value, list) else value

    def start(self) -> None:
        """Lock the data folder and open everything in it."""
        os.makedirs(self.data_path, mode=0o700, exist_ok=True)
        self._lock()
        self._store = store = LocalCoord(os.path.join(self.data_path, "state.db"))
        self.id = _node_id(store)
        facts = NodeFacts(
            self.id, self.name, self.ephemeral_id, self.node_settings.transport_address, self.attributes
        )
        self.indices.start()
        self.cluster = ClusterService(store, self.indices, facts, self.cluster_name, self.clock)
        self.cluster.start()
        if any(index.retriable for index in self.indices):
            self._retry_later()

    def close(self) -> None:
        """Flush and end; the next start has nothing to replay."""
        self.scheduler.close()
        self.merges.limiter.close()
        self.contexts.close_all()
        self.indices.close()
        self.pools.close()
        self.cluster.close()
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None

    def abandon(self) -> None:
        """End without flushing, also after a failed start: what is on disk stays as it is."""
        self.scheduler.close()
        self.merges.limiter.close()
        for index in self.indices:
            index.close(flush=False)
        self.pools.close()
        if self._store is not None:
            self._store.close()
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None

    def _lock(self) -> None:
        """Keep other processes out of the data folder."""
        path = os.path.join(self.data_path, "node.lock")
        self._lock_file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock_file)
            self._lock_file = None
            raise IllegalStateError(
                f"failed to obtain node lock, is the following location writable?: [{self.data_path}]"
            ) from None

    def _source_of(self, index: str, id_: str, routing: str | None, version: int | None) -> bytes | None:
        from lanner.engine.document.get import source_of  # few queries refer to documents

        return source_of(self, index, id_, routing, version)

    def _shard_failed(self, shard: Shard, error: Exception) -> None:
        """Tell the cluster state, on another thread: the shard's locks are held."""
        self.pools["generic"].submit(self.cluster.shard_failed, shard.id.index_uuid, shard.id.shard, error)
        if isinstance(error, IOFailure):
            self._retry_later()

    def _merge_failed(self, shard: Merging, error: Exception) -> None:
        """A full disk can wait; anything else means that the shard is damaged."""
        if isinstance(shard, Shard) and not isinstance(error, DiskFull):
            place = f"{shard.id} merge failed: {error}"
            if not isinstance(error, LannerError):
                error = IOFailure(place) if isinstance(error, OSError) else IllegalStateError(place)
            shard.fail(error)

    def _retry_later(self) -> None:
        """Open failed shards again after a while, unless that is to happen already."""
        if not self._retrying:
            self._retrying = True
            self.scheduler.after(_RETRY_SECONDS, self._retry_shards)

    def _retry_shards(self) -> None:
        def retry() -> None:
            self._retrying = False
            if self.cluster.retry_shards():
                self._retry_later()

        self.pools["generic"].submit(retry)


def _node_id(store: KeyValue) -> str:
    """The id of this node; made at the first start."""
    entry = store.get("node")
    if entry is None:
        node_id = random_uuid()
        store.transact({"node": 0}, {"node": msgspec.json.encode({"id": node_id})})
        return node_id
    value: str = msgspec.json.decode(entry.value)["id"]
    return value
