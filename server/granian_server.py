"""granian in front of the application, for those who chose it (``http.type: granian``)."""

import asyncio
import logging
import socket
from collections.abc import Callable

from lanner.server.app import Application

log = logging.getLogger("lanner.server")

BACKLOG = 1024
HEAD_MILLIS = 75_000


class GranianServer:
    """Serves the application as any ASGI server would."""

    def __init__(self, application: Application, address: tuple[str, int], ended: Callable[[], None]) -> None:
        from granian.constants import HTTPModes, Interfaces
        from granian.http import HTTP1Settings
        from granian.server.embed import Server

        self._application = application
        self._ended = ended
        self._host, self._port = host, port = address
        self._server = Server(
            application,
            address=host,
            port=port,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=HEAD_MILLIS),
            websockets=False,
            backlog=BACKLOG,
            backpressure=BACKLOG,
            log_enabled=False,
            log_access=False,
        )
        self._serving: asyncio.Future[None] | None = None
        self._keeper: socket.socket | None = None

    async def start(self, sock: socket.socket) -> None:
        """Listen beside a bound socket, which keeps the port; return once connections are taken."""
        self._keeper = sock
        self._serving = asyncio.ensure_future(self._server.serve())
        reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        while not self._serving.done():
            try:
                _, writer = await asyncio.open_connection(reachable, self._port)
            except OSError:
                await asyncio.sleep(0.005)
                continue
            writer.close()
            self._serving.add_done_callback(lambda _: self._ended())
            return
        await self._serving

    async def drain(self, seconds: float) -> None:
        """Take no more connections; give what is in flight this long to end."""
        assert self._serving is not None
        assert self._keeper is not None
        self._server.stop()  # type: ignore[no-untyped-call]
        self._keeper.close()
        try:
            await asyncio.wait_for(self._serving, seconds)
        except TimeoutError:
            log.warning("%d requests still in flight after %d s", self._application.in_flight, seconds)
