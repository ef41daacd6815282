"""Named thread pools with bounded queues: a full queue rejects work instead of piling it up."""

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, TypeVar

from lanner.engine.common.errors import RejectedExecution

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PoolStats:
    """What statistics show of one pool."""

    threads: int
    queue: int
    active: int
    rejected: int
    largest: int
    completed: int
    waited_nanos: int  # of all tasks together, before they ran


class ThreadPool:
    """Up to `size` threads, started when needed, and up to `queue` waiting tasks (None: no limit)."""

    def __init__(self, name: str, size: int, queue: int | None) -> None:
        self.name = name
        self.size = size
        self.queue_size = queue
        self._tasks: deque[tuple[Future[Any], Callable[..., Any], tuple[Any, ...], int]] = deque()
        self._ready = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._active = 0
        self._rejected = 0
        self._completed = 0
        self._waited = 0
        self._largest = 0
        self._closed = False

    def submit(self, task: Callable[..., T], *arguments: Any) -> "Future[T]":
        """Run `task` on a thread of this pool; RejectedExecution when the queue is full."""
        future: Future[T] = Future()
        with self._ready:
            if self._closed or (
                self.queue_size is not None
                and len(self._tasks) - self._idle >= self.queue_size
                and len(self._threads) >= self.size
            ):
                self._rejected += 1
                raise RejectedExecution(
                    f"rejected execution of {getattr(task, '__name__', 'task')} on pool [{self.name}], "
                    f"pool size = {self.size}, active threads = {self._active}, "
                    f"queued tasks = {len(self._tasks)}, queue capacity = {self.queue_size}"
                )
            self._tasks.append((future, task, arguments, perf_counter_ns()))
            if self._idle < len(self._tasks) and len(self._threads) < self.size:
                thread = threading.Thread(
                    target=self._run, name=f"{self.name}-{len(self._threads)}", daemon=True
                )
                self._threads.append(thread)
                self._largest = len(self._threads)
                thread.start()
            else:
                self._ready.notify()
        return future

    @property
    def is_busy(self) -> bool:
        """Whether anything runs or waits to run, as far as one can know."""
        return self._active > 0 or bool(self._tasks)

    def stats(self) -> PoolStats:
        """Counters since the start."""
        with self._ready:
            return PoolStats(
                threads=len(self._threads),
                queue=len(self._tasks),
                active=self._active,
                rejected=self._rejected,
                largest=self._largest,
                completed=self._completed,
                waited_nanos=self._waited,
            )

    def close(self) -> None:
        """Finish what is queued, then end the threads."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()
            threads = list(self._threads)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join()

    def _run(self) -> None:
        while True:
            with self._ready:
                self._idle += 1
                while not self._tasks and not self._closed:
                    self._ready.wait()
                self._idle -= 1
                if not self._tasks:
                    return
                future, task, arguments, queued = self._tasks.popleft()
                self._waited += perf_counter_ns() - queued
                self._active += 1
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(task(*arguments))
                except BaseException as error:
                    future.set_exception(error)
            del future, task, arguments
            with self._ready:
                self._active -= 1
                self._completed += 1


class ThreadPools:
    """The pools of a node by name, sized for its processors."""

    def __init__(self, processors: int | None = None) -> None:
        count = processors or len(os.sched_getaffinity(0))
        half = max(1, min(5, (count + 1) // 2))
        sizes: dict[str, tuple[int, int | None]] = {
            "analyze": (1, 16),
            "flush": (half, None),
            "force_merge": (max(1, count // 8), None),
            "generic": (max(4, min(128, 4 * count)), None),
            "get": (count, 1000),
            "management": (half, None),
            "merge": (max(1, min(4, count // 2)), None),
            "refresh": (half, None),
            "search": (count * 3 // 2 + 1, 1000),
            "snapshot": (half, None),
            "write": (count, 10_000),
        }
        self._pools = {name: ThreadPool(name, size, queue) for name, (size, queue) in sizes.items()}

    def __getitem__(self, name: str) -> ThreadPool:
        return self._pools[name]

    def stats(self) -> dict[str, PoolStats]:
        """Counters of every pool, by name."""
        return {name: pool.stats() for name, pool in self._pools.items()}

    def sizes(self) -> dict[str, tuple[int, int | None]]:
        """Threads and queue capacity of every pool, by name."""
        return {name: (pool.size, pool.queue_size) for name, pool in self._pools.items()}

    def close(self) -> None:
        """End all pools."""
        for pool in self._pools.values():
            pool.close()
