"""Runs merges in the background: few at a time on the ``merge`` pool, and not faster than the disk budget."""

import threading
from collections.abc import Callable
from typing import Protocol

from lanner.engine.runtime.clock import Clock
from lanner.engine.runtime.thread_pool import ThreadPool

QUIET_SECONDS = 3.0  # without a write, then merges go on for the sake of searches
# times the write buffers of the node: what such a merge may write; it holds one column at a time of it in
# memory, and of texts with their positions that is some two fifths of the whole
QUIET_BUFFERS = 10
BYTES_PER_SECOND = 200 << 20  # of all background merges of a node together


class Merging(Protocol):
    """A shard, as the scheduler sees it."""

    def merge_once(self) -> bool:
        """Find and run one merge; whether there was one."""


class MergeScheduler:
    """One background merge per shard at a time.

    A failure is reported to `on_error` and ends that shard's turn.
    """

    def __init__(
        self, pool: ThreadPool, on_error: Callable[[Merging, Exception], None], limiter: "RateLimiter"
    ) -> None:
        self.limiter = limiter
        self._pool = pool
        self._on_error = on_error
        self._lock = threading.Lock()
        self._busy: set[Merging] = set()
        self._again: set[Merging] = set()

    def consider(self, shard: Merging) -> None:
        """Look for merges of a shard whose segments changed."""
        with self._lock:
            if shard in self._busy:
                self._again.add(shard)
                return
            self._busy.add(shard)
        self._pool.submit(self._run, shard)

    def _run(self, shard: Merging) -> None:
        while True:
            with self._lock:
                self._again.discard(shard)
            try:
                found = shard.merge_once()
            except Exception as error:
                self._on_error(shard, error)
                found = False
            with self._lock:
                if not found and shard not in self._again:
                    self._busy.discard(shard)
                    return


class RateLimiter:
    """Spreads what background merges write over time, so that searches keep their share of the disk."""

    def __init__(self, clock: Clock, bytes_per_second: float = BYTES_PER_SECOND) -> None:
        self._rate = bytes_per_second
        self._clock = clock
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._due = 0.0
        self.paused_nanos = 0

    def pause(self, size: int) -> None:
        """Wait until `size` more bytes are within the budget; after close() nobody waits."""
        with self._lock:
            now = self._clock.monotonic()
            self._due = max(self._due, now) + size / self._rate
            wait = self._due - now
        if wait > 0.005:
            self.paused_nanos += int(wait * 1e9)
            self._closing.wait(wait)

    def close(self) -> None:
        """Let running merges finish as fast as they can."""
        self._closing.set()
