"""Syncs for those who do not wait on a thread: one at a time, each for all who asked before it began."""

import threading
from collections.abc import Callable

from lanner.engine.common.errors import RejectedExecution
from lanner.engine.runtime.thread_pool import ThreadPool

Done = Callable[[Exception | None], None]  # called once: with None, or with what went wrong


class GroupSync:
    """Runs `sync` on a pool, as often as it must. What it raises, everybody gets who waits for it."""

    def __init__(self, sync: Callable[[], None], pool: ThreadPool) -> None:
        self._sync = sync
        self._pool = pool
        self._lock = threading.Lock()
        self._waiting: list[Done] = []
        self._running = False

    def request(self, done: Done) -> None:
        """Call `done`, from any thread, after a sync that begins from now on, or if the pool is full."""
        with self._lock:
            self._waiting.append(done)
            runs, self._running = self._running, True
        if not runs:
            try:
                self._pool.submit(self._run)
            except RejectedExecution as error:
                with self._lock:
                    batch, self._waiting = self._waiting, []
                    self._running = False
                _tell(batch, error)

    def _run(self) -> None:
        while True:
            with self._lock:
                batch, self._waiting = self._waiting, []
                if not batch:
                    self._running = False
                    return
            try:
                self._sync()
            except Exception as error:
                _tell(batch, error)
            else:
                _tell(batch, None)


def _tell(batch: list[Done], error: Exception | None) -> None:
    for done in batch:
        done(error)
