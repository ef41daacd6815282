"""The server of our own: a listening socket, its connections, and the clock that they are judged by."""

import asyncio
import logging
import resource
import socket

from lanner.server.app import Application
from lanner.server.connection import Connection

log = logging.getLogger("lanner.server")

BACKLOG = 1024
SWEEP_SECONDS = 1.0
MOST_CONNECTIONS = 1 << 20
FILES_KEPT = 2  # of the files that the process may open, the part that connections leave to the indices


class Listener:
    """Takes connections until it is drained."""

    def __init__(
        self,
        application: Application,
        loop: asyncio.AbstractEventLoop,
        *,
        max_connections: int | None = None,
    ) -> None:
        self.application = application
        application.loop = loop
        self.loop = loop
        self.now = loop.time()  # of the last sweep: exact enough, and free
        self._max_connections = most_connections() if max_connections is None else max_connections
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self._all_closed: asyncio.Event = asyncio.Event()
        self._refusing = False

    async def start(self, sock: socket.socket) -> None:
        """Listen on a bound socket, which is closed by drain()."""
        self._server = await self.loop.create_server(lambda: Connection(self), sock=sock, backlog=BACKLOG)

    async def drain(self, seconds: float) -> None:
        """Take no more connections; give what is under way this long to end, then end it."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in tuple(self._connections):
            connection.drain()
        try:
            if self._connections:
                self._all_closed.clear()
                await asyncio.wait_for(self._all_closed.wait(), seconds)
        except TimeoutError:
            log.warning("%d requests still in flight after %d s", self.application.in_flight, seconds)
        for connection in tuple(self._connections):
            connection.abort()
        if self._sweeping is not None:
            self._sweeping.cancel()

    def opened(self, connection: Connection) -> None:
        """Count a connection in, or end it when there are too many."""
        if len(self._connections) >= self._max_connections:
            if not self._refusing:
                log.warning("more than %d connections: further ones are closed", self._max_connections)
            self._refusing = True
            connection.abort()
            return
        self._connections.add(connection)
        if self._sweeping is None:
            self.now = self.loop.time()
            self._sweeping = self.loop.call_later(SWEEP_SECONDS, self._sweep)

    def closed(self, connection: Connection) -> None:
        """Count a connection out."""
        self._connections.discard(connection)
        self._refusing = False
        if not self._connections:
            self._all_closed.set()

    def check(self, now: float) -> None:
        """End the connections that have waited for too long."""
        self.now = now
        for connection in tuple(self._connections):
            connection.check(now)

    def _sweep(self) -> None:
        self.check(self.loop.time())
        self._sweeping = self.loop.call_later(SWEEP_SECONDS, self._sweep) if self._connections else None


def most_connections() -> int:
    """Return how many connections the limit of open files allows, after raising it as far as we may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft // FILES_KEPT if soft != resource.RLIM_INFINITY else MOST_CONNECTIONS
