"""The budget for write buffers of all shards together: ``indices.memory.index_buffer_size``."""

import threading
from typing import Protocol


class Buffering(Protocol):
    """A shard, as the budget sees it."""


class IndexingMemory:
    """Keeps count of the shards' buffers; says who must refresh when they are too large."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._used: dict[Buffering, int] = {}

    def note(self, shard: Buffering, ram_bytes: int) -> Buffering | None:
        """Record a shard's size; return the shard to refresh when the budget is exceeded, the largest one."""
        with self._lock:
            if ram_bytes:
                self._used[shard] = ram_bytes
            else:
                self._used.pop(shard, None)
            if sum(self._used.values()) <= self.limit:
                return None
            return max(self._used, key=self._used.__getitem__)

    @property
    def used(self) -> int:
        """Bytes in all buffers."""
        with self._lock:
            return sum(self._used.values())

    @property
    def is_nearly_full(self) -> bool:
        """Whether one of the next writes may exceed the budget."""
        return self.used > self.limit - self.limit // 16
