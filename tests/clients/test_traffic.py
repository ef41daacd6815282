"""Each request that real clients and tools send gets its status, and the fields that they read.

traffic.ndjson has one request a line, with the status and the fields of its answer. Source: a log of
opensearch-py, -js, -java, -go, -rs, the high-level REST client, opensearch-benchmark, elasticvue,
curator, elasticdump and others against OpenSearch 2.19.1. A field is a path: ``a.b``, ``[]`` for each of
a list that is not empty, ``*`` for each of an object that is not empty, ``{a,b}`` for several. In paths
and bodies $scroll, $closed (a scroll that has ended), $pit and $task stand for ids that are asked for
before. The area "refused" is what does not belong to the daily API.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanner.engine.node import Node, NodeSettings
from lanner.server.app import create_app
from lanner.server.config import DEFAULTS
from tests.conftest import SETTINGS, Client, Response

Call = dict[str, Any]
CALLS = [json.loads(line) for line in Path(__file__).with_name("traffic.ndjson").read_text().splitlines()]
REFUSED = [call for call in CALLS if call["area"] == "refused"]
READING = [
    call
    for call in CALLS
    if call["area"] in ("searches", "cluster", "cat")
    or (call["area"] != "refused" and call["request"].startswith(("GET", "HEAD")))
]
WRITING = [call for call in CALLS if call not in READING and call not in REFUSED]
BOOKS = [
    {"index": {"_index": "books", "_id": "1"}},
    {"title": "the wind rises", "n": 1, "tags": "a"},
    {"index": {"_index": "books", "_id": "2"}},
    {"title": "wind and sea", "n": 2, "tags": "b"},
    {"index": {"_index": "books", "_id": "3"}},
    {"title": "stones", "n": 3, "tags": "a"},
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A filled node for requests that leave to the others what they ask about."""
    folder = tmp_path_factory.mktemp("shared")
    node = Node(NodeSettings.parse({**DEFAULTS, **SETTINGS, "path.data": str(folder)}))
    node.start()
    client = Client(create_app(node))
    fill(client)
    client.post("/books/_search/point_in_time?keep_alive=5m")
    yield client
    client.close()
    node.close()


@pytest.fixture
def filled(client: Client) -> Client:
    """A filled node of one's own."""
    fill(client)
    return client


def fill(client: Client) -> None:
    """Make everything that the requests speak of."""
    fields = {"title": {"type": "text"}, "n": {"type": "integer"}, "tags": {"type": "keyword"}}
    one = {"number_of_shards": 1, "number_of_replicas": 0}
    two = {"number_of_shards": 2, "number_of_replicas": 0, "index.blocks.write": True}
    for path, body in (
        ("/books", {"settings": one, "mappings": {"properties": fields}, "aliases": {"shelf": {}}}),
        ("/spread", {"settings": {"number_of_replicas": 1}}),
        ("/shut", {"settings": one}),
        ("/ready", {"settings": two}),
        ("/log-000001", {"settings": one, "aliases": {"log": {"is_write_index": True}}}),
        ("/_component_template/part", {"template": {"settings": {"refresh_interval": "5s"}}}),
        ("/_index_template/logs", {"index_patterns": ["log-*"], "template": {}, "priority": 1, "version": 2}),
        ("/_index_template/spare", {"index_patterns": ["spare-*"]}),
        ("/_index_template/streams", {"index_patterns": ["stream-*"], "data_stream": {}}),
        ("/_template/old", {"index_patterns": ["old-*"]}),
        ("/_data_stream/stream-1", None),
    ):
        made = client.put(path, body)
        assert made.status == 200, made.body
    assert client.post("/shut/_close").status == 200
    assert not client.post("/_bulk?refresh=true", BOOKS).json()["errors"]


def send(client: Client, call: Call) -> Response:
    """Send a request; ids that it needs are asked for first."""
    method, path = call["request"].split(" ")
    body = call.get("body")
    names = set(re.findall(r"\$(\w+)", f"{path} {body}"))
    for name in names:
        found = _id(client, name)
        path = path.replace(f"${name}", found)
        body = _replaced(body, f"${name}", found)
    return client.request(method, path, body)


def _id(client: Client, name: str) -> str:
    if name == "pit":
        return str(client.post("/books/_search/point_in_time?keep_alive=1m").json()["pit_id"])
    if name == "task":
        body = {"source": {"index": "books"}, "dest": {"index": "target"}}
        path = "/_reindex?wait_for_completion=false&requests_per_second=0.001"
        return str(client.post(path, {**body, "source": {"index": "books", "size": 1}}).json()["task"])
    found = str(client.post("/books/_search?scroll=1m&size=1").json()["_scroll_id"])
    if name == "closed":
        client.delete("/_search/scroll", {"scroll_id": found})
    return found


def _replaced(body: Any, name: str, found: str) -> Any:
    if isinstance(body, dict):
        return {key: _replaced(value, name, found) for key, value in body.items()}
    if isinstance(body, list):
        return [_replaced(value, name, found) for value in body]
    return found if body == name else body


def missing(answer: Any, path: str) -> list[str]:
    """Return what an answer lacks of a path."""
    if not path:
        return []
    head, rest = _first(path)
    if head.startswith("{"):
        return [
            one
            for part in _parts(head[1:-1])
            for one in missing(answer, ".".join(filter(None, (part, rest))))
        ]
    if head == "[]":
        if not isinstance(answer, list) or not answer:
            return [path]
        return [f"{i}.{one}" for i, item in enumerate(answer) for one in missing(item, rest)]
    if not isinstance(answer, dict):
        return [path]
    if head == "*":
        if not answer:
            return [path]
        return [f"{key}.{one}" for key, item in answer.items() for one in missing(item, rest)]
    # columns of tables have dots in their names
    whole = next((key for key in answer if path == key), None)
    if whole is not None:
        return []
    if head not in answer:
        return [path]
    return [f"{head}.{one}" for one in missing(answer[head], rest)]


def _first(path: str) -> tuple[str, str]:
    """Split the first step off a path."""
    if path.startswith("{"):
        depth = 0
        for at, char in enumerate(path):
            depth += (char == "{") - (char == "}")
            if not depth:
                return path[: at + 1], path[at + 1 :].removeprefix(".")
    if path.startswith("[]"):
        return "[]", path[2:].removeprefix(".")
    end = re.search(r"\.|\[\]", path)
    if end is None:
        return path, ""
    return path[: end.start()], path[end.start() :].removeprefix(".")


def _parts(inside: str) -> Iterator[str]:
    """Split what stands between braces."""
    depth, start = 0, 0
    for at, char in enumerate(f"{inside},"):
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            yield inside[start:at]
            start = at + 1


def named(call: Call) -> str:
    """Return what a request is called among the tests."""
    return str(call["request"])[:80]


@pytest.mark.parametrize("call", READING, ids=named)
def test_reading(shared: Client, call: Call) -> None:
    check(shared, call)


@pytest.mark.parametrize("call", WRITING, ids=named)
def test_writing(filled: Client, call: Call) -> None:
    check(filled, call)


def check(client: Client, call: Call) -> None:
    """Send a request and look at its answer."""
    answer = send(client, call)
    assert answer.status == call["status"], answer.body
    if "fields" in call:
        body = answer.json()
        assert [one for path in call["fields"] for one in missing(body, path)] == [], body


@pytest.mark.parametrize("call", REFUSED, ids=named)
def test_what_is_not_built_is_refused(shared: Client, call: Call) -> None:
    answer = send(shared, call)
    assert 400 <= answer.status < 500, answer.body
    error = answer.json()["error"]
    assert error if isinstance(error, str) else error["reason"]


def test_missing_tells_what_is_not_there() -> None:
    answer = {"a": {"b": 1}, "l": [{"x": 1, "docs.count": 2}, {"x": 2}], "m": {"k": {"y": None}}, "e": []}
    assert missing(answer, "a.b") == missing(answer, "l[].x") == missing(answer, "m.*.y") == []
    assert missing(answer, "a.c") == ["a.c"]
    assert missing(answer, "{a.{b,c},z}") == ["a.c", "z"]
    assert missing(answer, "l[].{x,docs.count}") == ["l.1.docs.count"]
    assert missing(answer, "e[].x") == ["e.[].x"]


def test_values_that_clients_are_particular_about(shared: Client) -> None:
    versions = shared.get("/_cluster/stats").json()["nodes"]["jvm"]["versions"]
    assert all(isinstance(one["using_bundled_jdk"], bool) for one in versions)
    (node,) = shared.get("/_nodes").json()["nodes"].values()
    assert isinstance(node["jvm"]["using_bundled_jdk"], bool)
    assert re.fullmatch(r"[\d.]+:\d+", node["http"]["publish_address"])
    for table in ("indices", "nodes", "shards", "segments", "thread_pool"):
        rows = shared.get(f"/_cat/{table}?format=json").json()
        assert all(isinstance(value, str | None) for row in rows for value in row.values())
        assert shared.get(f"/_cat/{table}", Accept="application/json").json()[0].keys() == rows[0].keys()
    settings = shared.get("/books/_settings").json()["books"]["settings"]["index"]
    assert settings["number_of_shards"] == "1"
    answer = shared.get("/_cluster/settings").json()
    assert answer.keys() == {"persistent", "transient"}


def test_what_shippers_look_for(filled: Client) -> None:
    lines = b'{"create":{"_index":"books","_id":"1"}}\n{"n":1}\n'
    for kind in ("application/json", "application/x-ndjson", "application/json; charset=utf-8"):
        answer = filled.request("POST", "/_bulk", lines, {"content-type": kind})
        assert '"errors":true' in answer.text
    answer = filled.post("/_bulk", [{"index": {"_index": "books"}}, {"n": 1}])
    assert '"errors":false' in answer.text
    assert len(answer.json()["items"][0]["index"]["_id"]) == 20
