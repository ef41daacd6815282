"""Copies from another cluster, which is a node with a socket here; answers are the real system's."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

import lanner

ALLOWED = {
    "reindex.remote.allowlist": "127.0.0.1:*",
    "reindex.remote.retry.initial_backoff": "1ms",
    "reindex.remote.retry.max_count": "2",
}


@pytest.fixture(scope="module")
def source() -> Iterator[lanner.Node]:
    with lanner.Node() as node:
        for i in range(5):
            routing = "&routing=x" if i == 3 else ""
            node.request("PUT", f"/src/_doc/{i}?refresh=true{routing}", {"n": i, "t": "a b"})
        yield node


@pytest.fixture(scope="module")
def target() -> Iterator[lanner.Node]:
    with lanner.Node(http=False, settings=ALLOWED) as node:
        yield node


def copy(target: lanner.Node, host: str, source: dict[str, Any], **more: Any) -> Any:
    target.request("DELETE", "/dst")
    remote = {"host": host, **more.pop("remote", {})}
    query = more.pop("url", "?refresh=true")
    body = {"source": {"remote": remote, **source}, "dest": {"index": "dst"}, **more}
    return target.request("POST", f"/_reindex{query}", body)


def ids(target: lanner.Node) -> list[str]:
    hits = target.request("POST", "/dst/_search", {"sort": "n", "size": 50}).json()["hits"]["hits"]
    return [hit["_id"] for hit in hits]


def test_everything_comes_over(source: lanner.Node, target: lanner.Node) -> None:
    answer = copy(target, source.url, {"index": "src", "size": 2}).json()
    assert answer.pop("took") >= 0
    assert answer == {
        "timed_out": False,
        "total": 5,
        "updated": 0,
        "created": 5,
        "deleted": 0,
        "batches": 3,
        "version_conflicts": 0,
        "noops": 0,
        "retries": {"bulk": 0, "search": 0},
        "throttled_millis": 0,
        "requests_per_second": -1.0,
        "throttled_until_millis": 0,
        "failures": [],
    }
    assert ids(target) == ["0", "1", "2", "3", "4"]
    assert target.request("GET", "/dst/_doc/3?routing=x").json()["_routing"] == "x"
    stats = source.request("GET", "/src/_stats/search").json()
    assert stats["_all"]["total"]["search"]["open_contexts"] == 0


def test_what_is_wanted_of_it(source: lanner.Node, target: lanner.Node) -> None:
    wanted = {
        "index": ["src"],
        "query": {"range": {"n": {"gte": 1}}},
        "_source": ["n"],
        "sort": [{"n": "desc"}],
    }
    answer = copy(target, source.url, wanted, max_docs=3).json()
    assert (answer["total"], answer["created"]) == (3, 3)
    assert ids(target) == ["2", "3", "4"]
    assert target.request("GET", "/dst/_doc/2").json()["_source"] == {"n": 2}


def test_versions_of_their_own(source: lanner.Node, target: lanner.Node) -> None:
    source.request("PUT", "/src/_doc/4?refresh=true", {"n": 4, "t": "a b"})
    dest = {"index": "dst", "version_type": "external"}
    assert copy(target, source.url, {"index": "src"}, dest=dest).json()["created"] == 5
    version = source.request("GET", "/src/_doc/4").json()["_version"]
    assert target.request("GET", "/dst/_doc/4").json()["_version"] == version > 1


def test_a_scroll_is_kept_as_long_as_was_asked_for(source: lanner.Node, target: lanner.Node) -> None:
    # a minute and a half has to be sent as 90 seconds: fractions are refused
    answer = copy(target, source.url, {"index": "src", "size": 2}, url="?scroll=90s").json()
    assert answer["created"] == 5


def test_refusals_of_the_other_cluster(source: lanner.Node, target: lanner.Node) -> None:
    answer = copy(target, source.url, {"index": "src", "query": {"garbage": "x"}})
    fault = {
        "type": "parsing_exception",
        "reason": "[garbage] query malformed, no start_object after query name",
        "line": 1,
        "col": 21,
    }
    text = json.dumps({"error": {"root_cause": [fault], **fault}, "status": 400}, separators=(",", ":"))
    shown = {"type": "status_exception", "reason": f"body={text}"}
    uri = "/src/_search?scroll=5m&sort=_doc%3Aasc&size=1000&allow_partial_search_results=false&version=false"
    cause = {
        "type": "response_exception",
        "reason": f"method [POST], host [{source.url}], URI [{uri}], status line "
        f"[HTTP/1.1 400 Bad Request]\n{text}",
    }
    assert answer.json() == {"error": {"root_cause": [shown], **shown, "caused_by": cause}, "status": 400}
    assert copy(target, source.url, {"index": "nope"}).status == 404


def test_no_connection(target: lanner.Node) -> None:
    answer = copy(target, "http://127.0.0.1:1", {"index": "src"})
    shown = {"type": "connect_exception", "reason": "Connection refused"}
    assert answer.json() == {"error": {"root_cause": [shown], **shown}, "status": 500}


def test_no_safe_connection(source: lanner.Node, target: lanner.Node) -> None:
    answer = copy(target, source.url.replace("http:", "https:"), {"index": "src"})
    assert (answer.status, answer.json()["error"]["type"]) == (500, "s_s_l_exception")


def test_no_slices(source: lanner.Node, target: lanner.Node) -> None:
    error = copy(target, source.url, {"index": "src"}, url="?slices=2").json()["error"]
    assert error["reason"] == (
        "Validation Failed: 1: reindex from remote sources doesn't support slices > 1 but was [2];"
    )


def test_hosts_that_are_not_allowed(source: lanner.Node) -> None:
    with lanner.Node(http=False) as other:
        error = copy(other, source.url, {"index": "src"}).json()["error"]
    place = source.url.removeprefix("http://")
    assert error["reason"] == f"[{place}] not allowlisted in reindex.remote.allowlist"


class _Busy(BaseHTTPRequestHandler):
    """Refuses requests as long as its server says so, then has no hits."""

    def do_POST(self) -> None:
        server: Any = self.server
        self.rfile.read(int(self.headers["Content-Length"]))
        server.asked.append(
            (self.path.partition("?")[0], self.headers["Authorization"], self.headers["x-tenant"])
        )
        body = b"slow down"
        if server.refusals == 0:
            body = b'{"_scroll_id":"s","hits":{"total":0,"hits":[]}}'
        self.send_response(429 if server.refusals else 200)
        server.refusals -= server.refusals > 0
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_DELETE = do_POST  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def busy() -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), _Busy)
    server.asked, server.refusals = [], 0
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_busy_cluster_is_asked_again(busy: Any, target: lanner.Node) -> None:
    busy.refusals = 2
    remote = {"username": "me", "password": "secret", "headers": {"x-tenant": "7"}}
    host = f"http://127.0.0.1:{busy.server_port}/front"
    answer = copy(target, host, {"index": "a,b*"}, remote=remote)
    assert answer.json()["retries"] == {"bulk": 0, "search": 2}
    credentials = "Basic bWU6c2VjcmV0"
    assert busy.asked[:3] == [("/front/a,b*/_search", credentials, "7")] * 3
    assert busy.asked[3][0] == "/front/_search/scroll"


def test_not_for_ever(busy: Any, target: lanner.Node) -> None:
    busy.refusals = 9
    answer = copy(target, f"http://127.0.0.1:{busy.server_port}", {"index": "a"})
    assert (answer.status, answer.json()["error"]["reason"]) == (429, "body=slow down")
    assert len(busy.asked) == 3


def test_no_cluster_at_all(busy: Any, target: lanner.Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Busy, "do_POST", lambda self: self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n<html>"))
    answer = copy(target, f"http://127.0.0.1:{busy.server_port}", {"index": "a"})
    assert (answer.status, answer.json()["error"]["type"]) == (500, "i_o_exception")
    assert answer.json()["error"]["reason"].startswith("Error parsing the response, remote is likely not an")
