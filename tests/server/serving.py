"""Servers on real sockets, and the sight of a client that writes bytes."""

import asyncio
import socket
import threading
from typing import Any

import uvloop

from lanner.server.app import Application
from lanner.server.granian_server import GranianServer
from lanner.server.listener import Listener

PATIENCE = 30.0
Answer = tuple[int, dict[str, str], bytes]


class Served:
    """An application behind a server of the named type, on a thread with an event loop of its own."""

    def __init__(self, app: Application, kind: str = "lanner") -> None:
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind(("127.0.0.1", 0))
        self.port: int = sock.getsockname()[1]
        self.server: Any = None
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._draining = False
        self._thread = threading.Thread(target=self._run, args=(app, sock, kind))
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def _run(self, app: Application, sock: socket.socket, kind: str) -> None:
        async def main() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            if kind == "granian":
                self.server = GranianServer(app, ("127.0.0.1", self.port), lambda: None)
            else:
                self.server = Listener(app, self._loop)
            await self.server.start(sock)
            self._ready.set()
            await self._stop.wait()
            app.draining = True
            await self.server.drain(PATIENCE)

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main())

    def drain(self) -> None:
        """Begin to drain, once; return at once."""
        assert self._loop is not None
        assert self._stop is not None
        if not self._draining:  # the loop may have ended since
            self._draining = True
            self._loop.call_soon_threadsafe(self._stop.set)

    def close(self) -> None:
        """Drain and wait for the end."""
        self.drain()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def open(self) -> "Wire":
        """A new connection."""
        return Wire(socket.create_connection(("127.0.0.1", self.port), PATIENCE))


class Wire:
    """A connection of a client."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.file = sock.makefile("rb")

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.file.close()
        self.sock.close()

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def answer(self, method: str = "GET") -> Answer:
        """The next answer."""
        return read_answer(self.file, method)

    def ended(self) -> bool:
        """Whether the server has closed the connection; waits for it."""
        return self.file.read() == b""


def read_answer(file: Any, method: str = "GET") -> Answer:
    """Status, headers by lower-case name, and body of the next answer in a file."""
    line = file.readline()
    assert line.startswith(b"HTTP/1.1 "), line
    headers = {}
    while (header := file.readline()) != b"\r\n":
        name, _, value = header.rstrip(b"\r\n").partition(b": ")
        headers[name.decode().lower()] = value.decode()
    status = int(line.split()[1])
    if status < 200:
        return status, headers, b""
    return status, headers, b"" if method == "HEAD" else file.read(int(headers["content-length"]))
