"""A node inside the process that uses it: for tests, notebooks and tools.

    with lanner.Node() as node:
        node.client().index(index="books", body={"title": "Dune"}, refresh=True)

    with lanner.Node(http=False) as node:
        node.request("GET", "/_cluster/health").json()

Everything happens in a thread of its own; the callers' threads only wait. Without a data folder the node
keeps its data in a temporary one, which goes with it.
"""

import asyncio
import concurrent.futures
import json
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from lanner.server.app import Application
    from lanner.server.listener import Listener

START_SECONDS = 30.0
DRAIN_SECONDS = 5.0


@dataclass(frozen=True)
class Reply:
    """The answer to a request that took no socket. Header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    def json(self) -> Any:
        """The body, decoded."""
        return json.loads(self.body)


class Node:
    """A running node; ``close()``, or the end of a ``with`` block, stops it.

    data: the folder of the data, kept; None for a temporary one. http: whether to listen, on any free port of
    127.0.0.1. settings: as on the command line, ``{"cluster.name": "books"}``.

    Raises ConfigError and LannerError as ``lanner serve`` does.
    """

    def __init__(
        self, *, data: str | Path | None = None, http: bool = True, settings: Mapping[str, str] | None = None
    ) -> None:
        self._temporary = tempfile.mkdtemp(prefix="lanner-") if data is None else None
        self._folder = Path(self._temporary or data or "")
        self._settings = dict(settings or {})
        self._http = http
        self._started: concurrent.futures.Future[Application] = concurrent.futures.Future()
        self._stop: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clients: list[Any] = []
        self._thread = threading.Thread(target=self._run, name="lanner", daemon=True)
        self._thread.start()
        try:
            self._application = self._started.result(START_SECONDS)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def url(self) -> str:
        """Where the node listens, as ``http://127.0.0.1:PORT``. Raises RuntimeError if it does not."""
        if not self._http:
            raise RuntimeError("the node was started without a socket (http=False)")
        return f"http://{self._application.publish_address}"

    @property
    def port(self) -> int:
        """The port that the node listens on."""
        return int(self.url.rpartition(":")[2])

    def client(self, **options: Any) -> Any:
        """Return an ``opensearchpy.OpenSearch`` for the node; it is closed with the node.

        Raises ImportError if opensearch-py is not installed.
        """
        from opensearchpy import OpenSearch

        client = OpenSearch(self.url, **options)
        self._clients.append(client)
        return client

    def request(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send one request without a socket.

        path: with its query string, escaped. body: bytes and str as they are, a list as lines of JSON,
        anything else as JSON. Raises RuntimeError once the node is closed.
        """
        loop = self._loop
        if loop is None or not self._thread.is_alive():
            raise RuntimeError("the node is closed")
        data = encode(body)
        sent = request_headers(body, len(data), headers)
        answer = call(self._application, method, path, data, sent)
        return asyncio.run_coroutine_threadsafe(answer, loop).result()

    def close(self) -> None:
        """Finish what is under way, close the node, and remove its folder if that was temporary."""
        for client in self._clients:
            client.close()
        self._clients.clear()
        loop, stop = self._loop, self._stop
        if loop is not None and stop is not None and self._thread.is_alive():
            loop.call_soon_threadsafe(stop.set)
        self._thread.join()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as fault:
            if self._started.done():
                raise
            self._started.set_exception(fault)

    async def _serve(self) -> None:
        from lanner.engine.node import Node as Engine
        from lanner.engine.node import NodeSettings
        from lanner.server.app import create_app
        from lanner.server.config import load_settings
        from lanner.server.serve import application_options, reserve_port

        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        given = {"path.data": str(self._folder), "http.port": "0", **self._settings}
        settings = load_settings(given)
        self._folder.mkdir(parents=True, exist_ok=True)
        engine = Engine(NodeSettings.parse(settings))
        engine.start()
        try:
            application = create_app(engine, **application_options(settings))
            server = await self._listen(application, reserve_port(settings)) if self._http else None
            self._started.set_result(application)
            await self._stop.wait()
            application.draining = True
            if server is not None:
                await server.drain(DRAIN_SECONDS)
        finally:
            engine.close()

    async def _listen(self, application: "Application", address: tuple[str, int, Any]) -> "Listener":
        from lanner.server.listener import Listener

        host, port, bound = address
        server = Listener(application, asyncio.get_running_loop())
        await server.start(bound)
        application.publish_address = f"{host}:{port}"
        return server


async def call(
    application: "Application", method: str, path: str, data: bytes, headers: Mapping[str, str]
) -> Reply:
    """Send one request to an application as an ASGI server does."""
    raw_path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": raw_path,
        "raw_path": raw_path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 9200),
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await application(scope, receive, send)
    start, *parts = sent
    names = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
    return Reply(start["status"], names, b"".join(part.get("body", b"") for part in parts))


def request_headers(body: Any, size: int, given: Mapping[str, str] | None) -> dict[str, str]:
    """Return the headers that go with a body of so many bytes, under those given."""
    headers = {"host": "localhost:9200", **{name.lower(): value for name, value in (given or {}).items()}}
    if body is not None:
        kind = "application/x-ndjson" if isinstance(body, list) else "application/json"
        headers.setdefault("content-type", kind)
        headers.setdefault("content-length", str(size))
    return headers


def encode(body: Any) -> bytes:
    """Return a body as it goes over the wire."""
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, list):
        lines = (line if isinstance(line, str) else json.dumps(line) for line in body)
        return "".join(f"{line}\n" for line in lines).encode()
    return json.dumps(body).encode()
