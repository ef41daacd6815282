"""Answers that are not there yet."""

import asyncio
from collections.abc import Callable

Headers = tuple[tuple[bytes, bytes], ...]
Answer = tuple[int, Headers, bytes]  # the length of the body is not among the headers


def _nobody(answer: Answer) -> None:
    """Stand for whoever has not said yet that he waits."""


class Later:
    """An answer to come. `tell` is called once, on the event loop, and never before it could be set there."""

    __slots__ = ("_loop", "tell")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.tell: Callable[[Answer], object] = _nobody

    def send(self, answer: Answer) -> None:
        """Give the answer, from any thread."""
        try:
            self._loop.call_soon_threadsafe(self.give, answer)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    def give(self, answer: Answer) -> None:
        """Give the answer, on the event loop."""
        self.tell(answer)
