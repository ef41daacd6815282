"""A listener without a socket: what its connections write, and a clock that tests move."""

import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

from lanner.server.app import Application
from lanner.server.connection import Connection
from lanner.server.listener import Listener
from lanner.server.request import Request
from lanner.server.routing import INLINE, Route
from tests.server.conftest import ECHO, echo
from tests.server.serving import PATIENCE, Answer, read_answer

GET = b"GET /a/_echo?size=1 HTTP/1.1\r\nHost: x\r\n\r\n"
BODY = (
    b'POST /a/_echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
)
CHUNKED = (
    b"POST /a/_echo HTTP/1.1\r\nHost: x\r\nX-Opaque-Id: me\r\nContent-Type: application/json\r\n"
    b'Transfer-Encoding: chunked\r\n\r\n3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nTrailer: x\r\n\r\n'
)


class Transport:
    """Notes what is done to it."""

    def __init__(self) -> None:
        self.written = b""
        self.closing = self.aborted = self.eof = False
        self.reading = True
        self.unsent = 0

    def write(self, data: bytes) -> None:
        assert not self.closing
        self.written += data

    def writelines(self, parts: tuple[bytes, ...]) -> None:
        self.write(b"".join(parts))

    def write_eof(self) -> None:
        self.eof = True

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        assert self.reading
        self.reading = False

    def resume_reading(self) -> None:
        assert not self.reading
        self.reading = True

    def set_write_buffer_limits(self, high: int) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def answers(self, *methods: str) -> list[Answer]:
        """What was written, as answers to requests of these methods (GET when they run out)."""
        file, found = io.BytesIO(self.written), []
        waiting = list(methods)
        while file.tell() < len(self.written):
            found.append(read_answer(file, waiting.pop(0) if waiting else "GET"))
        return found


class Loop:
    """A clock that stands still, and calls from other threads that wait to be run."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.calls: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self.called = threading.Semaphore(0)

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Callable[..., None]) -> Any:
        return SimpleNamespace(cancel=lambda: None)

    def call_soon(self, call: Callable[..., None], *arguments: Any) -> None:
        self.call_soon_threadsafe(call, *arguments)

    def call_soon_threadsafe(self, call: Callable[..., None], *arguments: Any) -> None:
        self.calls.append((call, arguments))
        self.called.release()

    def run_one(self) -> None:
        """Run the next call from another thread, when it comes."""
        assert self.called.acquire(timeout=PATIENCE)
        call, arguments = self.calls.pop(0)
        call(*arguments)


def gated(request: Request) -> dict[str, Any]:
    assert request.node.gate.wait(PATIENCE)  # type: ignore[attr-defined]
    return {"through": request.path}


ROUTES = (
    Route("GET", "/{index}/_echo", echo, INLINE, params=ECHO, body=True),
    Route("POST", "/{index}/_echo", echo, INLINE, params=ECHO, body=True),
    Route("HEAD", "/{index}/_echo", echo, INLINE, params=ECHO),
    Route("GET", "/{index}/_gated", gated, "pool"),
    Route("GET", "/_large", lambda request: {"x": "y" * 100_000}, INLINE),
)


class Bench:
    """A listener without a socket, and its connections."""

    def __init__(self, pool: ThreadPoolExecutor, **options: Any) -> None:
        self.gate = threading.Event()
        node: Any = SimpleNamespace(pools={"pool": pool}, gate=self.gate)
        self.app = Application(node, routes=ROUTES, max_content_length=1 << 20, **options)
        self.loop = Loop()
        self.listener = Listener(self.app, self.loop, max_connections=3)  # type: ignore[arg-type]

    def connect(self) -> tuple[Connection, Transport]:
        connection, transport = Connection(self.listener), Transport()
        connection.connection_made(transport)  # type: ignore[arg-type]
        return connection, transport

    def send(self, *parts: bytes) -> Transport:
        """What a new connection does when it receives these parts."""
        connection, transport = self.connect()
        for part in parts:
            connection.data_received(part)
        connection.connection_lost(None)
        return transport

    def after(self, seconds: float) -> None:
        """Let time pass."""
        self.loop.now += seconds
        self.listener.check(self.loop.now)
