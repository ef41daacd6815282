"""Fixtures for tests that need a search service (entry point ``pytest11``).

| fixture | scope | gives |
|---|---|---|
| ``lanner_proc`` | session | a running ``lanner.Node`` in a thread of this process, one per xdist worker |
| ``lanner_url`` | session | its URL, which the variable OPENSEARCH_URL holds as well |
| ``opensearch`` | function | a client of it (opensearch-py) whose writes can be searched at once |
| ``lanner_nooproc`` | session | the URL of a running service: ``--lanner-host``, ``--lanner-port`` |

After each test the node of ``opensearch`` is emptied. ``factories`` makes more of them:
``books_proc = factories.node({"cluster.name": "books"})``, ``books = factories.client("books_proc")``.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lanner.server.embedded import Node

WRITES = ("_doc", "_create", "_update", "_bulk", "_update_by_query", "_delete_by_query", "_reindex")
LEFT_BY_TESTS = (  # paths to delete, which may be empty already
    "/_data_stream/*",
    "/*?expand_wildcards=all",
    "/_index_template/*",
    "/_component_template/*",
    "/_template/*",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Name the service that ``lanner_nooproc`` uses."""
    group = parser.getgroup("lanner")
    group.addoption("--lanner-host", help="host of a running service (lanner_nooproc)")
    group.addoption("--lanner-port", help="port of a running service (lanner_nooproc)")
    parser.addini("lanner_host", "host of a running service (lanner_nooproc)", default="127.0.0.1")
    parser.addini("lanner_port", "port of a running service (lanner_nooproc)", default="9200")


def node(
    settings: Mapping[str, str] | None = None, scope: Any = "session"
) -> Callable[..., Iterator["Node"]]:
    """Make a fixture that is a running node."""

    @pytest.fixture(scope=scope)
    def running() -> Iterator["Node"]:
        from lanner.server.embedded import Node

        with Node(settings=settings) as started:
            yield started

    return running


def client(service: str) -> Callable[..., Iterator[Any]]:
    """Make a fixture that is a client of another one, a node or a URL, which is emptied after each test."""

    @pytest.fixture
    def connected(request: pytest.FixtureRequest) -> Iterator[Any]:
        from opensearchpy import OpenSearch, Transport

        class RefreshingTransport(Transport):
            """Refreshes after every write that does not say otherwise."""

            def perform_request(
                self, method: str, url: str, params: Any = None, *args: Any, **rest: Any
            ) -> Any:
                if method != "GET" and not WRITTEN.isdisjoint(url.split("/")):
                    params = {"refresh": "true", **(params or {})}
                return super().perform_request(method, url, params, *args, **rest)

        found = request.getfixturevalue(service)
        made = OpenSearch(getattr(found, "url", found), transport_class=RefreshingTransport)
        yield made
        wipe(made)
        made.close()

    return connected


WRITTEN = frozenset(WRITES)
factories = SimpleNamespace(node=node, client=client)


def wipe(connected: Any) -> None:
    """Delete all indices, data streams and templates, and reset the cluster's settings."""
    for path in LEFT_BY_TESTS:
        connected.transport.perform_request("DELETE", path, params={"ignore": (404, 405)})
    given = connected.cluster.get_settings(params={"flat_settings": "true"})
    nothing = {kind: dict.fromkeys(given[kind]) for kind in ("persistent", "transient") if given[kind]}
    if nothing:
        connected.cluster.put_settings(body=nothing)


lanner_proc = node()
opensearch = client("lanner_url")


@pytest.fixture(scope="session")
def lanner_url(lanner_proc: "Node") -> Iterator[str]:
    """Return the URL of the session's node."""
    before = os.environ.get("OPENSEARCH_URL")
    os.environ["OPENSEARCH_URL"] = lanner_proc.url
    yield lanner_proc.url
    if before is None:
        del os.environ["OPENSEARCH_URL"]
    else:
        os.environ["OPENSEARCH_URL"] = before


@pytest.fixture(scope="session")
def lanner_nooproc(pytestconfig: pytest.Config) -> str:
    """Return the URL of a service that runs already."""
    host = pytestconfig.getoption("--lanner-host") or pytestconfig.getini("lanner_host")
    port = pytestconfig.getoption("--lanner-port") or pytestconfig.getini("lanner_port")
    return f"http://{host}:{port}"
