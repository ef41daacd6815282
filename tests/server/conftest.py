"""An application without a node behind it: enough for what lies below the handlers."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from lanner.engine.common.errors import IllegalArgument, IndexNotFound
from lanner.server.api.root import ROUTES as ROOT
from lanner.server.app import Application
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import INLINE, Route
from tests.conftest import Client


def echo(request: Request) -> dict[str, Any]:
    return {
        "names": request.names,
        "params": dict(request.params),
        "body": request.json_map() if request.content else None,
        "thread": threading.current_thread().name.split("_")[0],
    }


def fail(request: Request) -> Response:
    raise IndexNotFound(request.names["index"])


def crash(request: Request) -> Response:
    raise ZeroDivisionError("a bug")


def wrapped(request: Request) -> Response:
    raise IllegalArgument("outer", caused_by=IllegalArgument("inner"))


def nap(request: Request) -> dict[str, Any]:
    time.sleep(0.2)
    return {"slept": True}


def sized(request: Request) -> dict[str, Any]:
    return {"store": {"size_in_bytes": 2048, "time_in_millis": 1500}, "pad": "x" * 600}


ECHO = frozenset({"size", "from", "sort", "routing"})
ROUTES = (
    *ROOT,
    Route("GET", "/{index}/_echo", echo, INLINE, params=ECHO, body=True, source=True),
    Route("POST", "/{index}/_echo", echo, "management", params=ECHO, body=True),
    Route("GET", "/{index}/_doc/{id}", echo, INLINE),
    Route("GET", "/{index}/_fail", fail, INLINE),
    Route("GET", "/_crash", crash, INLINE),
    Route("GET", "/_wrapped", wrapped, INLINE),
    Route("GET", "/_nap", nap, "management"),
    Route("GET", "/_sized", sized, INLINE, human=True),
    Route("GET", "/_echo/fixed", echo, INLINE),
    Route("GET", "/_echo/{word}", echo, INLINE),
)


@pytest.fixture
def app() -> Iterator[Application]:
    with ThreadPoolExecutor(2, thread_name_prefix="management") as pool:
        node: Any = SimpleNamespace(
            name="node-0", cluster_name="cluster", uuid="uuid", id="id", pools={"management": pool}
        )
        yield Application(node, routes=ROUTES, max_content_length=3 << 20)


@pytest.fixture
def client(app: Application) -> Iterator[Client]:
    made = Client(app)
    yield made
    made.close()
