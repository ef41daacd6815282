"""The budget for write buffers of all shards together: ``indices.memory.index_buffer_size``."""

import threading
from typing import Protocol


class Buffering(Protocol):
    """A shard, as the budget sees it."""


class IndexingMemory:
    """Keeps count of the shards' buffers; says who must refresh when they are too large."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0  # bytes in all buffers
        self._lock = threading.Lock()
        self._by_shard: dict[Buffering, int] = {}

    def note(self, shard: Buffering, ram_bytes: int) -> Buffering | None:
        """Record a shard's size; return the shard to refresh when the budget is exceeded, the largest one."""
        with self._lock:
            self.used += ram_bytes - self._by_shard.pop(shard, 0)
            if ram_bytes:
                self._by_shard[shard] = ram_bytes
            if self.used <= self.limit:
                return None
            return max(self._by_shard, key=self._by_shard.__getitem__)

    @property
    def is_nearly_full(self) -> bool:
        """Whether one of the next writes may exceed the budget."""
        return self.used > self.limit - self.limit // 16
