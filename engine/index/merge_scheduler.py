"""Runs merges in the background: few at a time on the ``merge`` pool, and not faster than the disk budget."""

import threading
from collections.abc import Callable
from typing import Protocol

from lanner.engine.runtime.clock import Clock
from lanner.engine.runtime.thread_pool import ThreadPool


class Merging(Protocol):
    """A shard, as the scheduler sees it."""

    def merge_once(self) -> bool:
        """Find and run one merge; whether there was one."""


class MergeScheduler:
    """One background merge per shard at a time. A failure is reported to `on_error` and ends that shard's turn."""

    def __init__(self, pool: ThreadPool, on_error: Callable[[Merging, Exception], None]) -> None:
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
    """Spreads writes of background merges over time."""

    def __init__(self, bytes_per_second: float, clock: Clock, closing: threading.Event) -> None:
        self._rate = bytes_per_second
        self._clock = clock
        self._closing = closing
        self._due = 0.0

    def pause(self, size: int) -> None:
        """Wait until `size` more bytes are within the budget; a closing shard does not wait."""
        now = self._clock.monotonic()
        self._due = max(self._due, now) + size / self._rate
        if self._due - now > 0.005:
            self._closing.wait(self._due - now)
