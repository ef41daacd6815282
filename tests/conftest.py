"""A node in a temporary folder, and a client that calls the application without sockets."""

import asyncio
import json as json_module
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from lanner.server.app import Application, create_app

# No test is judged by time: the machine may be busy.
settings.register_profile("lanner", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lanner")


class Response:
    """An answer, with header names in lower case."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json_module.loads(self.body)

    def error(self) -> dict[str, Any]:
        """The error object of a failed request."""
        error: dict[str, Any] = self.json()["error"]
        return error


class Client:
    """Calls an ASGI application; one event loop for all calls, so that nothing outlives a test."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.loop = asyncio.new_event_loop()

    def close(self) -> None:
        self.loop.close()

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send one request. body: bytes and str as they are, a list as NDJSON, anything else as JSON."""
        sent_headers = {"host": "localhost:9200", **{k.lower(): v for k, v in (headers or {}).items()}}
        data = encode(body)
        if body is not None:
            kind = "application/x-ndjson" if isinstance(body, list) else "application/json"
            sent_headers.setdefault("content-type", kind)
            sent_headers.setdefault("content-length", str(len(data)))
        return self.loop.run_until_complete(self.call(method, path, data, sent_headers))

    def request_raw(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Response:
        """Send one request with these headers and no others."""
        names = {k.lower(): v for k, v in headers.items()}
        return self.loop.run_until_complete(self.call(method, path, body or b"", names))

    async def call(self, method: str, path: str, data: bytes, headers: Mapping[str, str]) -> Response:
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
            "headers": [(k.encode(), v.encode("latin-1")) for k, v in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 9200),
        }
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        start, *parts = sent
        names = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
        return Response(start["status"], names, b"".join(part.get("body", b"") for part in parts))

    def get(self, path: str, body: Any = None, **headers: str) -> Response:
        return self.request("GET", path, body, headers)

    def post(self, path: str, body: Any = None) -> Response:
        return self.request("POST", path, body)

    def put(self, path: str, body: Any = None) -> Response:
        return self.request("PUT", path, body)

    def delete(self, path: str, body: Any = None) -> Response:
        return self.request("DELETE", path, body)

    def head(self, path: str) -> Response:
        return self.request("HEAD", path)


def encode(body: Any) -> bytes:
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, list):
        lines = (line if isinstance(line, str) else json_module.dumps(line) for line in body)
        return "".join(f"{line}\n" for line in lines).encode()
    return json_module.dumps(body).encode()


SETTINGS = {"cluster.name": "oracle", "node.name": "oracle-0", "node.attr.testattr": "test"}


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Any]:
    """A started node whose data is in the test's folder."""
    from lanner.engine.node import Node, NodeSettings
    from lanner.server.config import DEFAULTS

    started = Node(NodeSettings.parse({**DEFAULTS, **SETTINGS, "path.data": str(tmp_path / "data")}))
    started.start()
    yield started
    started.close()


@pytest.fixture
def client(node: Any) -> Iterator[Client]:
    """A client of the node's API."""
    made = Client(create_app(node))
    yield made
    made.close()
