"""Thread pools under the names of the API: those of the node, and those that only others have."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.runtime.thread_pool import PoolStats

if TYPE_CHECKING:
    from lanner.engine.node import Node

FIXED, SCALING, MEASURED = "fixed", "scaling", "fixed_auto_queue_size"
# name: whether all threads are there from the start as far as callers can tell, or come with the work
KINDS = {
    "analyze": FIXED,
    "fetch_shard_started": SCALING,
    "fetch_shard_store": SCALING,
    "flush": SCALING,
    "force_merge": FIXED,
    "generic": SCALING,
    "get": FIXED,
    "index_searcher": MEASURED,
    "listener": FIXED,
    "management": SCALING,
    "merge": SCALING,
    "refresh": SCALING,
    "remote_purge": SCALING,
    "remote_recovery": SCALING,
    "remote_refresh_retry": SCALING,
    "remote_state_checksum": FIXED,
    "remote_state_read": FIXED,
    "search": MEASURED,
    "search_throttled": MEASURED,
    "snapshot": SCALING,
    "snapshot_deletion": SCALING,
    "system_read": FIXED,
    "system_write": FIXED,
    "translog_sync": FIXED,
    "translog_transfer": SCALING,
    "warmer": SCALING,
    "write": FIXED,
}
_UNUSED = PoolStats(threads=0, queue=0, active=0, rejected=0, largest=0, completed=0, waited_nanos=0)


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool. size: the most threads. queue_size: -1 without a limit."""

    name: str
    kind: str
    size: int
    queue_size: int
    stats: PoolStats


def pools_of(node: "Node") -> list[Pool]:
    """Return all pools by name; those that the node does not have have no threads."""
    sizes, stats = node.pools.sizes(), node.pools.stats()
    found = []
    for name in sorted(KINDS.keys() | sizes.keys()):
        size, queue = sizes.get(name, (0, 0))
        kind = KINDS.get(name, FIXED)
        found.append(Pool(name, kind, size, -1 if queue is None else queue, stats.get(name, _UNUSED)))
    return found
