"""What runs on a node, by number: listed, waited for, told to stop.

A task that is told to stop is only marked; whoever does the work looks at the mark.
"""

import itertools
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from lanner.engine.runtime.clock import Clock


class Task:
    """One thing that runs. describe: makes the text that says what it is about.

    throttle: changes how many documents a second it may do, None for any number; None for what has no such
    limit.
    """

    __slots__ = (
        "action",
        "cancellable",
        "cancelled_millis",
        "describe",
        "headers",
        "id",
        "kind",
        "parent",
        "running_nanos",
        "started_millis",
        "started_nanos",
        "status",
        "throttle",
    )

    def __init__(
        self,
        number: int,
        action: str,
        describe: Callable[[], str],
        headers: Mapping[str, str],
        started_millis: int,
        *,
        kind: str,
        parent: int | None,
        cancellable: bool,
    ) -> None:
        self.id = number
        self.action = action
        self.describe = describe
        self.headers = headers
        self.kind = kind
        self.parent = parent
        self.cancellable = cancellable
        self.started_millis = started_millis
        self.started_nanos = time.monotonic_ns()
        self.running_nanos: int | None = None  # once it has ended
        self.cancelled_millis: int | None = None
        self.status: Callable[[], dict[str, Any]] | None = None
        self.throttle: Callable[[float | None], None] | None = None

    @property
    def cancelled(self) -> bool:
        """Whether it was told to stop."""
        return self.cancelled_millis is not None

    @property
    def nanos(self) -> int:
        """How long it has been running, or ran."""
        return time.monotonic_ns() - self.started_nanos if self.running_nanos is None else self.running_nanos


def nothing() -> str:
    """Return the description of a task that has none."""
    return ""


class TaskRegistry:
    """The tasks of a node. Starting and ending one is cheap, as every search does it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = itertools.count(1)
        self._running: dict[int, Task] = {}
        self._ended = threading.Condition()

    def start(
        self,
        action: str,
        describe: Callable[[], str] = nothing,
        headers: Mapping[str, str] | None = None,
        *,
        kind: str = "transport",
        parent: int | None = None,
        cancellable: bool = False,
    ) -> Task:
        """Note that something runs; `end` must follow."""
        task = Task(
            next(self._numbers),
            action,
            describe,
            headers or {},
            self._clock.millis(),
            kind=kind,
            parent=parent,
            cancellable=cancellable,
        )
        self._running[task.id] = task
        return task

    def end(self, task: Task) -> None:
        """Note that something has ended which nobody waits for by its number."""
        self._running.pop(task.id, None)

    def finish(self, task: Task) -> None:
        """Note that something has ended, and tell those who wait for it."""
        with self._ended:
            self._running.pop(task.id, None)
            self._ended.notify_all()

    def running(self) -> list[Task]:
        """What runs now, oldest first."""
        return sorted(self._running.copy().values(), key=lambda task: task.id)

    def find(self, number: int) -> Task | None:
        """A task that runs."""
        return self._running.get(number)

    def wait(self, number: int, seconds: float) -> bool:
        """Wait until a task that is finished by `finish` has ended; False when time ran out."""
        with self._ended:
            return self._ended.wait_for(lambda: number not in self._running, timeout=max(0.0, seconds))

    def cancel(self, task: Task) -> None:
        """Tell a task and those that it started to stop."""
        now = self._clock.millis()
        waiting = [task]
        while waiting:
            each = waiting.pop()
            if each.cancelled_millis is None:
                each.cancelled_millis = now
                waiting += [other for other in self.running() if other.parent == each.id]
