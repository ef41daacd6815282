"""When a shard refreshes by itself."""

import threading
from collections.abc import Callable

from lanner.engine.index.index_settings import IndexSettings
from lanner.engine.runtime.clock import Clock
from lanner.engine.runtime.scheduler import Scheduler
from lanner.engine.runtime.thread_pool import ThreadPool


class RefreshSchedule:
    """Nothing is scheduled while nothing waits to become visible.

    With the default interval a shard that nobody has searched for ``index.search.idle.after`` does not
    refresh; the next search refreshes it first.
    """

    def __init__(
        self,
        settings: Callable[[], IndexSettings],
        clock: Clock,
        scheduler: Scheduler,
        pool: ThreadPool,
        refresh: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._scheduler = scheduler
        self._pool = pool
        self._refresh = refresh
        self._lock = threading.Lock()
        self._scheduled = False
        self._last_search = clock.monotonic()
        self._waiting: list[threading.Event] = []

    @property
    def idle(self) -> bool:
        """Whether nobody has searched for a while."""
        settings = self._settings()
        if settings.refresh_interval_is_set:
            return False
        return self._clock.monotonic() - self._last_search >= settings.search_idle_after

    @property
    def waiting(self) -> int:
        """Requests that wait for the next refresh."""
        return len(self._waiting)

    def note_write(self) -> None:
        """Something waits to become visible."""
        if not self._scheduled and not self.idle:
            self._schedule()

    def note_search(self) -> bool:
        """A search begins; whether it has to refresh first because the shard was idle."""
        was_idle = self.idle
        self._last_search = self._clock.monotonic()
        return was_idle

    def wait(self) -> bool:
        """Wait for the next refresh; True when it had to be forced."""
        settings = self._settings()
        event = threading.Event()
        with self._lock:
            forced = settings.refresh_interval < 0 or len(self._waiting) >= settings.max_refresh_listeners
            if not forced:
                self._waiting.append(event)
        if forced:
            self._refresh("too_many_listeners")
            return True
        self._last_search = self._clock.monotonic()
        self._schedule()
        event.wait()
        return False

    def take_waiting(self) -> list[threading.Event]:
        """Those who wait, before a refresh begins; it must `set` them when it ends, also when it fails."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            return waiting

    def _schedule(self) -> None:
        interval = self._settings().refresh_interval
        with self._lock:
            if self._scheduled or interval < 0:
                return
            self._scheduled = True
        self._scheduler.after(interval, self._fire)

    def _fire(self) -> None:
        self._scheduled = False
        self._pool.submit(self._refresh, "schedule")
