"""Tasks; every expected value is the real system's."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from lanner.engine.node import Node, NodeSettings
from lanner.server.app import create_app
from lanner.server.config import DEFAULTS
from tests.conftest import SETTINGS, Client

LIST = "cluster:monitor/tasks/lists"


def test_lists(client: Client, node: Any) -> None:
    shown = client.get(f"/_tasks?actions={LIST}", **{"X-Opaque-Id": "me"}).json()["nodes"][node.id]
    assert shown["roles"] == ["cluster_manager", "data", "ingest", "remote_cluster_client"]
    (task,) = shown["tasks"].values()
    assert (task["type"], task["action"], task["cancellable"], task["cancelled"]) == (
        "transport",
        LIST,
        False,
        False,
    )
    assert task["headers"] == {"X-Opaque-Id": "me"}
    (tree,) = client.get("/_tasks?group_by=parents&detailed=true").json()["tasks"].values()
    assert tree["children"][0]["action"] == f"{LIST}[n]"
    assert tree["resource_stats"]["thread_info"] == {"thread_executions": 0, "active_threads": 0}
    assert len(client.get("/_tasks?group_by=none").json()["tasks"]) == 2
    assert client.get("/_tasks?nodes=nosuch").json() == {"nodes": {}}
    assert client.get("/_tasks?actions=nosuch&wait_for_completion=true&timeout=1s").json() == {"nodes": {}}


@pytest.mark.parametrize(
    ("method", "path", "status", "reason"),
    [
        (
            "GET",
            "/_tasks?group_by=x",
            400,
            "[group_by] must be one of [nodes], [parents] or [none] but was [x]",
        ),
        ("GET", "/_tasks?parent_task_id=bogus", 400, "malformed task id bogus"),
        ("GET", "/_tasks/bogus", 400, "malformed task id bogus"),
        ("GET", "/_tasks/a:b", 400, "malformed task id a:b"),
        (
            "GET",
            "/_tasks/a:1",
            404,
            "task [a:1] belongs to the node [a] which isn't part of the cluster and there is no record of "
            "the task",
        ),
        ("POST", "/_tasks/a:b/_cancel", 400, "malformed task id a:b"),
        (
            "POST",
            "/_tasks/_cancel?actions=x&timeout=5s&detailed=true",
            400,
            "request [/_tasks/_cancel] contains unrecognized parameters: [detailed], [timeout]",
        ),
    ],
)
def test_bad_requests(client: Client, method: str, path: str, status: int, reason: str) -> None:
    answer = client.request(method, path)
    assert (answer.status, answer.error()["reason"]) == (status, reason)


def test_work_that_nobody_waits_for(client: Client, node: Any) -> None:
    client.put("/src", {"settings": {"number_of_shards": 2, "number_of_replicas": 0}})

    def outcome(path: str, body: Any = None) -> Any:
        task = client.post(path, body).json()["task"]
        return client.get(f"/_tasks/{task}?wait_for_completion=true").json()

    shown = outcome("/src/_forcemerge?wait_for_completion=false&max_num_segments=1")
    assert (shown["completed"], shown["task"]["action"]) == (True, "indices:admin/forcemerge")
    assert shown["task"]["description"] == (
        "Force-merge indices [src], maxSegments[1], onlyExpungeDeletes[false], flush[true], "
        "primaryOnly[false]"
    )
    assert shown["response"] == {"_shards": {"total": 2, "successful": 2, "failed": 0}}
    client.post("/src/_close")
    shown = outcome("/src/_open?wait_for_completion=false")
    assert shown["response"] == {"acknowledged": True, "shards_acknowledged": True}
    client.put("/src/_block/write")
    body = {"settings": {"index.number_of_shards": 1}}
    shown = outcome("/src/_shrink/small?wait_for_completion=false", body)
    assert shown["task"]["description"] == "shrink from [src] to [small]"
    assert shown["response"]["index"] == "small"
    shown = outcome("/src/_shrink/small?wait_for_completion=false", body)
    assert shown["error"]["type"] == "resource_already_exists_exception"


def test_cancelling(client: Client, node: Any) -> None:
    task = node.tasks.start("some/work", lambda: "text", cancellable=True)
    child = node.tasks.start("some/work[n]", parent=task.id, cancellable=True)
    shown = client.get(f"/_tasks/{node.id}:{task.id}").json()
    assert (shown["completed"], shown["task"]["description"]) == (False, "text")
    assert len(client.get(f"/_tasks?parent_task_id={node.id}:{task.id}&group_by=none").json()["tasks"]) == 1
    shown = client.post("/_tasks/_cancel?actions=some*").json()["nodes"][node.id]["tasks"]
    assert shown[f"{node.id}:{task.id}"]["cancelled"] is True
    assert child.cancelled
    assert client.post(f"/_tasks/{node.id}:{task.id}/_cancel").status == 200
    node.tasks.end(child)
    node.tasks.end(task)
    missing = client.post(f"/_tasks/{node.id}:{task.id}/_cancel").json()
    assert missing["node_failures"][0]["caused_by"] == {
        "type": "resource_not_found_exception",
        "reason": f"task [{node.id}:{task.id}] is not found",
    }
    assert client.get(f"/_tasks/{node.id}:{task.id}").error()["reason"] == (
        f"task [{node.id}:{task.id}] isn't running and hasn't stored its results"
    )
    away = client.post("/_tasks/nosuch:1/_cancel").json()
    assert away["node_failures"][0]["caused_by"]["type"] == "no_such_node_exception"
    assert client.post("/_tasks/_cancel?group_by=none").json() == {"tasks": []}
    fixed = node.tasks.start("fixed/work")
    refused = client.post(f"/_tasks/{node.id}:{fixed.id}/_cancel").json()
    assert refused["node_failures"][0]["caused_by"]["type"] == "illegal_argument_exception"


def test_results_are_documents_that_outlive_the_node(client: Client, node: Any, tmp_path: Path) -> None:
    client.put("/src/_doc/1?refresh", {"a": 1})
    body = {"source": {"index": "src"}, "dest": {"index": "copy"}}
    task = client.post("/_reindex?wait_for_completion=false", body).json()["task"]
    shown = client.get(f"/_tasks/{task}?wait_for_completion=true").json()
    assert client.get(f"/.tasks/_doc/{task}").json()["_source"] == shown
    assert list(shown) == ["completed", "task", "response"]
    assert shown["task"]["status"]["created"] == 1
    assert [shown["response"][name] for name in ("created", "throttled", "throttled_until")] == [
        1,
        "0s",
        "0s",
    ]
    index = client.get("/.tasks").json()[".tasks"]
    assert index["mappings"]["dynamic"] == "strict"
    assert index["settings"]["index"]["priority"] == "2147483647"
    assert index["settings"]["index"]["auto_expand_replicas"] == "0-1"
    assert index["settings"]["index"]["number_of_replicas"] == "0"
    shutil.copytree(tmp_path / "data", tmp_path / "crashed", ignore=shutil.ignore_patterns("*.lock"))
    again = Node(NodeSettings.parse({**DEFAULTS, **SETTINGS, "path.data": str(tmp_path / "crashed")}))
    again.start()
    other = Client(create_app(again))
    assert other.get(f"/_tasks/{task}").json() == shown
    client.delete("/.tasks")
    assert client.get(f"/_tasks/{task}").status == 404
    other.close()
    again.close()


def test_a_result_that_cannot_be_stored_is_missing(client: Client) -> None:
    client.put("/.tasks", {"mappings": {"dynamic": "strict"}})
    client.put("/src/_doc/1?refresh", {"a": 1})
    task = client.post("/src/_forcemerge?wait_for_completion=false").json()["task"]
    answer = client.get(f"/_tasks/{task}?wait_for_completion=true")
    assert (answer.status, answer.error()["type"]) == (404, "resource_not_found_exception")
