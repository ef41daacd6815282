"""Identifiers: random ones for indices and nodes, ordered ones for documents."""

import os
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable


def random_uuid() -> str:
    """22 URL-safe characters that hold a version 4 UUID."""
    raw = bytearray(os.urandom(16))
    raw[6] = (raw[6] & 0x0F) | 0x40
    raw[8] = (raw[8] & 0x3F) | 0x80
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


class DocumentIds:
    """Generates document ids: 20 URL-safe characters, no two alike, neighbours in time share most bytes.

    15 bytes: the two fast-moving bytes of a counter, six of a millisecond clock, six of this node, one more
    of the counter. The order of the bytes is that of the time-based ids of the original, which compress
    well.
    """

    def __init__(
        self, *, millis: Callable[[], int] | None = None, node: bytes | None = None, start: int | None = None
    ) -> None:
        self._millis = millis or (lambda: time.time_ns() // 1_000_000)
        self._node = node or bytes([os.urandom(1)[0] | 1]) + os.urandom(5)
        self._counter = int.from_bytes(os.urandom(3)) if start is None else start
        self._last = 0
        self._lock = threading.Lock()

    def next_ids(self, count: int) -> list[str]:
        """`count` fresh ids."""
        with self._lock:
            first = self._counter
            self._counter = (first + count) & 0xFFFFFF
            stamp = max(self._last, self._millis())
            if (first & 0xFFFFFF) + count > 0xFFFFFF:
                stamp += 1 + (first + count) // 0x1000000  # the counter wrapped: never reuse a millisecond
            self._last = stamp
        head = stamp.to_bytes(6)
        middle = bytes((head[4], head[3], head[2], head[1], head[0])) + self._node + bytes((head[5],))
        ids = []
        for value in range(first, first + count):
            low = value & 0xFFFFFF
            raw = bytes((low & 0xFF, low >> 16)) + middle + bytes(((low >> 8) & 0xFF,))
            ids.append(urlsafe_b64encode(raw).decode())
        return ids

    def next_id(self) -> str:
        """One fresh id."""
        return self.next_ids(1)[0]
