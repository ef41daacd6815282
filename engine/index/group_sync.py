"""Syncs for those who do not wait on a thread: one at a time, each for all who asked before it began."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from lanner.engine.common.errors import RejectedExecution
from lanner.engine.runtime.thread_pool import ThreadPool


class GroupSync:
    """Runs `sync` on a pool, as often as it must. What it raises, everybody gets who waits for it."""

    def __init__(self, sync: Callable[[], None], pool: ThreadPool) -> None:
        self._sync = sync
        self._pool = pool
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []
        self._running = False

    def request(self) -> "Future[None]":
        """Return the future of a sync that begins after this call; it fails if the pool is full."""
        future: Future[None] = Future()
        with self._lock:
            self._waiting.append(future)
            runs, self._running = self._running, True
        if not runs:
            try:
                self._pool.submit(self._run)
            except RejectedExecution as error:
                with self._lock:
                    batch, self._waiting = self._waiting, []
                    self._running = False
                for waiting in batch:
                    waiting.set_exception(error)
        return future

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
                for future in batch:
                    future.set_exception(error)
            else:
                for future in batch:
                    future.set_result(None)
