"""One thread that runs things later. With nothing to do it sleeps without a timer."""

import heapq
import itertools
import threading
from collections.abc import Callable

from lanner.engine.runtime.clock import Clock


class Scheduler:
    """Runs short actions at their time; long ones hand themselves to a thread pool.

    The thread starts with the first action. An action must not raise; one that does is reported to
    `on_error`.
    """

    def __init__(self, clock: Clock, on_error: Callable[[BaseException], None]) -> None:
        self._clock = clock
        self._on_error = on_error
        self._wakeup = threading.Condition()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None
        self._closed = False

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Run `action` once, `seconds` from now; after close() nothing runs any more."""
        with self._wakeup:
            if self._closed:
                return
            heapq.heappush(self._due, (self._clock.monotonic() + seconds, next(self._numbers), action))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)
                self._thread.start()
            self._wakeup.notify()

    def close(self) -> None:
        """Forget what is due and end the thread."""
        with self._wakeup:
            self._closed = True
            self._due.clear()
            self._wakeup.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while True:
            with self._wakeup:
                while not self._closed and (not self._due or self._due[0][0] > self._clock.monotonic()):
                    self._wakeup.wait(
                        max(0.0, self._due[0][0] - self._clock.monotonic()) if self._due else None
                    )
                if self._closed:
                    return
                action = heapq.heappop(self._due)[2]
            try:
                action()
            except Exception as error:
                self._on_error(error)
