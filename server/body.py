"""Reading bodies under limits: size, time, and what compressed bytes may grow to."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from lanner.engine.common.errors import IllegalArgument

Receive = Callable[[], Awaitable[dict[str, Any]]]
MAX_RATIO = 100  # of what comes out of compressed bytes
FREE_SIZE = 1 << 20  # up to here any ratio goes
START_SECONDS = 10.0  # before a body must flow
MIN_RATE = 1000.0  # bytes a second from then on
TOTAL_SECONDS = 120.0
_CHUNK = 1 << 16


class BodyTooLargeError(Exception):
    """The body is over the limit."""


class BodyTimeoutError(Exception):
    """The body does not come, or comes too slowly."""


class ClientGoneError(Exception):
    """The connection ended before the body did."""


class BodyReader:
    """Reads the bodies of all requests; one sweep a second ends those that stall."""

    def __init__(self, max_size: int) -> None:
        self.max_size = max_size
        self._reading: dict[asyncio.Task[Any], list[float]] = {}  # task -> [started, bytes so far]
        self._late: set[asyncio.Task[Any]] = set()
        self._sweep: asyncio.TimerHandle | None = None

    async def read(self, receive: Receive) -> bytes:
        """Return the whole body."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None
        progress = [loop.time(), 0.0]
        self._reading[task] = progress
        if self._sweep is None:
            self._sweep = loop.call_later(1.0, self._end_stalled, loop)
        try:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientGoneError
            body = message.get("body", b"")
            if message.get("more_body"):
                parts = [body]
                size = len(body)
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise ClientGoneError
                    body = message.get("body", b"")
                    parts.append(body)
                    size += len(body)
                    progress[1] = size
                    if size > self.max_size:
                        raise BodyTooLargeError
                    if not message.get("more_body"):
                        break
                body = b"".join(parts)
            if len(body) > self.max_size:
                raise BodyTooLargeError
            return bytes(body)
        except asyncio.CancelledError:
            if task in self._late:
                self._late.discard(task)
                task.uncancel()
                raise BodyTimeoutError from None
            raise
        finally:
            del self._reading[task]

    def _end_stalled(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for task, (started, size) in self._reading.items():
            if is_stalled(now - started, size):
                self._late.add(task)
                task.cancel()
        self._sweep = loop.call_later(1.0, self._end_stalled, loop) if self._reading else None


def is_stalled(age: float, size: float) -> bool:
    """Return whether a body comes too slowly. age: seconds since its head. size: bytes of it so far."""
    if age <= START_SECONDS:
        return False
    return age > TOTAL_SECONDS or not size or size < MIN_RATE * (age - START_SECONDS)


def decompress(data: bytes, encoding: str, max_size: int) -> bytes:
    """Return the bytes that gzip or deflate packed; BodyTooLargeError for what grows beyond reason."""
    unpacker = zlib.decompressobj(wbits=47)  # gzip or zlib, as the header says
    parts = []
    size = 0
    limit = min(max_size, max(FREE_SIZE, MAX_RATIO * len(data)))
    try:
        rest = data
        while rest and not unpacker.eof:
            part = unpacker.decompress(rest, _CHUNK)
            rest = unpacker.unconsumed_tail
            size += len(part)
            if size > limit:
                raise BodyTooLargeError
            parts.append(part)
        if unpacker.eof:
            return b"".join(parts)
    except zlib.error as fault:
        raise IllegalArgument(f"Failed to decompress the body: {fault}") from None
    raise IllegalArgument(f"Failed to decompress the body: the {encoding} stream is cut off")


def compress(data: bytes) -> bytes:
    """Return data packed with gzip, fast rather than small."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()
