"""The time, as something that tests can choose."""

import time
from typing import Protocol


class Clock(Protocol):
    """What the engine asks for the time."""

    def millis(self) -> int:
        """Wall clock: milliseconds since 1970."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""


class SystemClock:
    """The machine's clock."""

    def millis(self) -> int:
        """Wall clock: milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()
