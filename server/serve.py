"""The process around a node: sockets, signals, draining."""

import asyncio
import gc
import logging
import os
import signal
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanner.engine.common.units import parse_size
from lanner.server.api.search import warm
from lanner.server.config import ConfigError, bind_host, port_range

if TYPE_CHECKING:
    from lanner.engine.node import Node
    from lanner.server.app import Application

log = logging.getLogger("lanner.server")

DRAIN_SECONDS = 30.0
BACKLOG = 1024
PORT_FILE = "http.port"  # in the data folder, for those who started the server on port 0


def reserve_port(settings: Mapping[str, str]) -> tuple[str, int, socket.socket]:
    """Return the address, a free port, and a socket that keeps the port until the server listens.

    The kept socket never listens; it shares the port with the server's own through SO_REUSEPORT. A port on
    which somebody else listens is not free, although SO_REUSEPORT would let us in.
    """
    host = bind_host(settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = port_range(settings)
    for port in ports:
        if port and not _is_free(family, host, port):
            continue
        keeper = socket.socket(family, socket.SOCK_STREAM)
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            keeper.bind((host, port))
        except OSError:
            keeper.close()
            continue
        return host, keeper.getsockname()[1], keeper
    raise ConfigError(f"no free port on [{host}] among [{ports[0]}-{ports[-1]}]")


def _is_free(family: socket.AddressFamily, host: str, port: int) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def application_options(settings: Mapping[str, str]) -> dict[str, Any]:
    """Return what the application takes from the settings."""
    return {
        "max_content_length": parse_size(settings["http.max_content_length"], "http.max_content_length"),
        "max_initial_line_length": parse_size(
            settings["http.max_initial_line_length"], "http.max_initial_line_length"
        ),
        "compression": settings["http.compression"] == "true",
    }


def run(
    node: "Node",
    application: "Application",
    address: tuple[str, int, socket.socket],
    *,
    data: Path,
    ready: Callable[[str, int], None],
) -> None:
    """Serve until a signal comes; then finish what is in flight and close the node."""
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(application, address, data, ready))
    node.close()


async def _serve(
    application: "Application",
    address: tuple[str, int, socket.socket],
    data: Path,
    ready: Callable[[str, int], None],
) -> None:
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.server.embed import Server

    host, port, keeper = address
    server = Server(
        application,
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=75_000),
        websockets=False,
        backlog=BACKLOG,
        backpressure=BACKLOG,
        log_enabled=False,
        log_access=False,
    )
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()

    def stop(number: int) -> None:
        if stopping.is_set():
            os._exit(128 + number)  # the second signal: at once
        log.info("stopping: %d requests in flight", application.in_flight)
        application.draining = True
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    serving = asyncio.ensure_future(server.serve())
    await _listening(host, port, serving)
    application.publish_address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    (data / PORT_FILE).write_text(f"{port}\n")
    ready(host, port)
    gc.freeze()  # what was loaded to start with stays: collections need not look at it
    application.node.pools["generic"].submit(warm)
    await asyncio.wait({serving, asyncio.ensure_future(stopping.wait())}, return_when=asyncio.FIRST_COMPLETED)
    server.stop()  # type: ignore[no-untyped-call]
    keeper.close()
    try:
        await asyncio.wait_for(serving, DRAIN_SECONDS)
    except TimeoutError:
        log.warning("%d requests still in flight after %d s", application.in_flight, DRAIN_SECONDS)
    (data / PORT_FILE).unlink(missing_ok=True)


async def _listening(host: str, port: int, serving: "asyncio.Future[None]") -> None:
    """Return once the port takes connections."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    while not serving.done():
        try:
            _, writer = await asyncio.open_connection(reachable, port)
        except OSError:
            await asyncio.sleep(0.005)
            continue
        writer.close()
        return
    await serving
