"""Real sockets; and the same answers from every server that the application runs under."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from lanner.server.api.root import ROUTES as ROOT
from lanner.server.app import Application
from lanner.server.request import Request
from lanner.server.routing import INLINE, Route
from tests.conftest import Client
from tests.server.benches import BODY, CHUNKED, GET, gated
from tests.server.conftest import ECHO, crash, echo, fail, sized
from tests.server.serving import Served


def mirror(request: Request) -> dict[str, Any]:
    return {name: value for name, value in echo(request).items() if name != "thread"}


ROUTES = (
    *ROOT,
    Route("GET", "/{index}/_echo", mirror, INLINE, params=ECHO, body=True),
    Route("POST", "/{index}/_echo", mirror, "pool", params=ECHO, body=True),
    Route("GET", "/{index}/_gated", gated, "pool"),
    Route("GET", "/_crash", crash, INLINE),
    Route("GET", "/{index}/_fail", fail, INLINE),
    Route("GET", "/_sized", sized, "pool"),
    Route("POST", "/_size", lambda request: {"size": len(request.content)}, "pool", body=True),
    Route("GET", "/_large", lambda request: {"x": "y" * 5_000_000}, INLINE),
)


@pytest.fixture
def app() -> Iterator[Application]:
    with ThreadPoolExecutor(2, thread_name_prefix="pool") as pool:
        gate = threading.Event()
        node: Any = SimpleNamespace(
            name="node-0", cluster_name="cluster", uuid="uuid", id="id", pools={"pool": pool}, gate=gate
        )
        yield Application(node, routes=ROUTES, max_content_length=8 << 20)
        gate.set()


@pytest.fixture
def served(app: Application) -> Iterator[Served]:
    started = Served(app)
    yield started
    started.close()


def test_many_requests_on_one_connection(served: Served) -> None:
    with served.open() as wire:
        for request in (GET, BODY, CHUNKED) * 3:
            wire.send(request)
            assert wire.answer()[0] == 200
        wire.send((GET + BODY + CHUNKED) * 50)
        assert [wire.answer()[0] for _ in range(150)] == [200] * 150


def test_large_bodies_and_answers(served: Served) -> None:
    text = b'"' + b"x" * (7 << 20) + b'"'
    with served.open() as wire:
        wire.send(
            b"POST /_size HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % len(text)
        )
        wire.send(text)
        assert json.loads(wire.answer()[2]) == {"size": len(text)}
        wire.send(b"GET /_large HTTP/1.1\r\n\r\n" * 3)
        assert [len(wire.answer()[2]) > 5_000_000 for _ in range(3)] == [True] * 3


def test_too_large_a_body_is_refused_before_it_comes(served: Served) -> None:
    head = b"POST /_size HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 50000000\r\n\r\n"
    with served.open() as wire:
        wire.send(head)
        assert wire.answer()[0] == 413
        wire.send(b"x" * 1_000_000)  # the answer was not lost, and nobody is reset
        assert wire.ended()


def test_clients_that_leave_harm_nobody(served: Served, app: Application) -> None:
    for part in (GET[:7], BODY[:-1], b"GET /a/_gated HTTP/1.1\r\n\r\n", GET + GET[:3]):
        wire = served.open()
        wire.send(part)
        wire.close()
    app.node.gate.set()  # type: ignore[attr-defined]
    with served.open() as wire:
        wire.send(GET)
        assert wire.answer()[0] == 200


def test_draining_finishes_what_is_in_flight(served: Served, app: Application) -> None:
    with served.open() as busy, served.open() as idle:
        idle.send(GET)
        assert idle.answer()[0] == 200
        busy.send(b"GET /a/_gated HTTP/1.1\r\n\r\n")
        while not app.in_flight:
            pass
        served.drain()
        assert idle.ended()
        with pytest.raises(OSError, match="refused"):
            served.open()
        app.node.gate.set()  # type: ignore[attr-defined]
        status, headers, _ = busy.answer()
        assert (status, headers["connection"]) == (200, "close")
        assert busy.ended()
    served.close()


REQUESTS: list[tuple[str, str, bytes, dict[str, str]]] = [
    ("GET", "/", b"", {}),
    ("HEAD", "/", b"", {}),
    ("GET", "/?pretty=false&filter_path=version.number", b"", {"accept": "application/yaml"}),
    ("GET", "/a%2Fb/_echo?size=1&sort=%C3%A4+x", b"", {}),
    ("GET", "/a/_echo", b'{"q":"\xc3\xa4"}', {"content-type": "application/json"}),
    ("POST", "/a/_echo", b'{"q":1}', {"content-type": "application/json", "x-opaque-id": "me"}),
    ("POST", "/a/_echo", b'{"q":', {"content-type": "application/json"}),
    ("POST", "/a/_echo", b"{}", {"content-type": "text/plain"}),
    ("PUT", "/a/_echo?x=y", b"", {}),
    ("OPTIONS", "/a/_echo", b"", {}),
    ("GET", "/a/_echo?nosuch=1", b"", {}),
    ("GET", "/nosuch/x/y", b"", {}),
    ("GET", "//a/_echo", b"", {}),
    ("GET", "/a/_fail", b"", {"x-opaque-id": "me"}),
    ("GET", "/_crash", b"", {}),
    ("GET", "/_sized", b"", {"accept-encoding": "gzip"}),
    ("GET", "/" + "a" * 5000, b"", {}),
    ("POST", "/_size", b"x" * 300_000, {"content-type": "application/json"}),
]
OUR_OWN = ("date", "server", "connection", "transfer-encoding", "content-length")


def test_every_server_gives_the_same_answers(app: Application) -> None:
    client = Client(app)
    bare = []
    for method, path, body, headers in REQUESTS:
        length = {"content-length": str(len(body))} if body else {}
        answer = client.request_raw(method, path, body, {"host": "x", **headers, **length})
        bare.append((answer.status, answer.headers, answer.body))
    client.close()
    for kind in ("lanner", "granian"):
        served = Served(app, kind)
        try:
            found = []
            for method, path, body, headers in REQUESTS:
                with served.open() as wire:
                    sent = {"host": "x", **headers} | ({"content-length": str(len(body))} if body else {})
                    lines = [
                        f"{method} {path} HTTP/1.1",
                        *(f"{name}: {value}" for name, value in sent.items()),
                    ]
                    wire.send("\r\n".join([*lines, "", ""]).encode() + body)
                    found.append(wire.answer(method))
        finally:
            served.close()
            app.draining = False
        for request, one, other in zip(REQUESTS, bare, found, strict=True):
            assert (request, visible(one)) == (request, visible(other))


def visible(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, dict[str, str], bytes]:
    status, headers, body = answer
    assert int(headers["content-length"]) >= len(body)
    return status, {name: value for name, value in headers.items() if name not in OUR_OWN}, body
