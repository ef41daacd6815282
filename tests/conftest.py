"""A node in a temporary folder, and a client that calls the application without sockets."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from lanner.server.app import Application, create_app
from lanner.server.embedded import Reply, call, encode, request_headers

# No test is judged by time: the machine may be busy.
settings.register_profile("lanner", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lanner")


class Response(Reply):
    """An answer."""

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
        data = encode(body)
        return self.send(method, path, data, request_headers(body, len(data), headers))

    def request_raw(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Response:
        """Send one request with these headers and no others."""
        names = {k.lower(): v for k, v in headers.items()}
        return self.send(method, path, body or b"", names)

    def send(self, method: str, path: str, data: bytes, headers: Mapping[str, str]) -> Response:
        reply = self.loop.run_until_complete(call(self.app, method, path, data, headers))
        return Response(reply.status, reply.headers, reply.body)

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
