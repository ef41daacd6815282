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
    from lanner.server.granian_server import GranianServer
    from lanner.server.listener import Listener

log = logging.getLogger("lanner.server")

DRAIN_SECONDS = 30.0
PORT_FILE = "http.port"  # in the data folder, for those who started the server on port 0


def reserve_port(settings: Mapping[str, str]) -> tuple[str, int, socket.socket]:
    """Return the address, a free port, and the socket that is bound to it.

    A server that opens its own socket shares the port through SO_REUSEPORT. A port on which somebody else
    listens is not free, although SO_REUSEPORT would let us in.
    """
    host = bind_host(settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = port_range(settings)
    for port in ports:
        if port and not _is_free(family, host, port):
            continue
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            bound.bind((host, port))
        except OSError:
            bound.close()
            continue
        return host, bound.getsockname()[1], bound
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
        "max_header_size": parse_size(settings["http.max_header_size"], "http.max_header_size"),
        "compression": settings["http.compression"] == "true",
    }


def run(
    node: "Node",
    application: "Application",
    address: tuple[str, int, socket.socket],
    settings: Mapping[str, str],
    *,
    data: Path,
    ready: Callable[[str, int], None],
) -> None:
    """Serve until a signal comes; then finish what is in flight and close the node."""
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(application, address, settings["http.type"], data, ready))
    node.close()


def make_server(
    application: "Application", address: tuple[str, int], kind: str, stop: Callable[[], None]
) -> "Listener | GranianServer":
    """Return the server that ``http.type`` names; only that one is imported. stop: called when it ends."""
    if kind == "granian":
        from lanner.server.granian_server import GranianServer

        return GranianServer(application, address, stop)
    from lanner.server.listener import Listener

    return Listener(application, asyncio.get_running_loop())


async def _serve(
    application: "Application",
    address: tuple[str, int, socket.socket],
    kind: str,
    data: Path,
    ready: Callable[[str, int], None],
) -> None:
    host, port, bound = address
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    server = make_server(application, (host, port), kind, stopping.set)

    def stop(number: int) -> None:
        if stopping.is_set():
            os._exit(128 + number)  # the second signal: at once
        log.info("stopping: %d requests in flight", application.in_flight)
        application.draining = True
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    await server.start(bound)
    application.publish_address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    (data / PORT_FILE).write_text(f"{port}\n")
    ready(host, port)
    gc.freeze()  # what was loaded to start with stays: collections need not look at it
    application.node.pools["generic"].submit(warm)
    await stopping.wait()
    await server.drain(DRAIN_SECONDS)
    (data / PORT_FILE).unlink(missing_ok=True)
