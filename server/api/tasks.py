"""Tasks: what runs, what came of it, and telling it to stop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    NumberFormatError,
    ResourceNotFound,
)
from lanner.engine.common.wildcards import matches_any
from lanner.engine.runtime.tasks import Task
from lanner.server.api.nodes import address, selected
from lanner.server.identity import ROLES
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.routing import Route

if TYPE_CHECKING:
    from lanner.engine.node import Node

LIST = "cluster:monitor/tasks/lists"
_ZERO = {"cpu_time_in_nanos": 0, "memory_in_bytes": 0}
# what tasks use is not measured
RESOURCES = {
    **dict.fromkeys(("average", "total", "min", "max"), _ZERO),
    "thread_info": {"thread_executions": 0, "active_threads": 0},
}
_GROUPS = ("nodes", "parents", "none")
_SECONDS = 30.0  # to wait where the request does not say


def parse_id(text: str) -> tuple[str, int]:
    """Return node and number of a task's id."""
    node, colon, number = text.rpartition(":")
    if not colon or not node:
        raise IllegalArgument(f"malformed task id {text}")
    try:
        return node, int(number)
    except ValueError:
        cause = NumberFormatError(f'For input string: "{number}"')
        raise IllegalArgument(f"malformed task id {text}", caused_by=cause) from None


def render_task(node: "Node", task: Task, *, detailed: bool = False) -> dict[str, Any]:
    """Return a task as it is shown."""
    shown: dict[str, Any] = {"node": node.id, "id": task.id, "type": task.kind, "action": task.action}
    if detailed:
        if task.status is not None:
            shown["status"] = task.status()
        shown["description"] = task.describe()
    shown["start_time_in_millis"] = task.started_millis
    shown["running_time_in_nanos"] = task.nanos
    shown["cancellable"] = task.cancellable
    shown["cancelled"] = task.cancelled
    if task.parent is not None:
        shown["parent_task_id"] = f"{node.id}:{task.parent}"
    shown["headers"] = dict(task.headers)
    if task.cancelled_millis is not None:
        shown["cancellation_time_millis"] = task.cancelled_millis
    return shown


def select(request: Request) -> list[Task]:
    """Return the running tasks that the parameters of a request mean."""
    params = request.params
    node = request.node
    if params.get("nodes") and not selected(node, params["nodes"]):
        return []
    found = node.tasks.running()
    actions = split_names(params.get("actions", ""))
    if actions:
        found = [task for task in found if matches_any(actions, task.action)]
    parent = params.get("parent_task_id")
    if parent:
        owner, number = parse_id(parent)
        found = [task for task in found if owner == node.id and task.parent == number]
    return found


@contextmanager
def listed(request: Request) -> Iterator[None]:
    """Be a task oneself while listing tasks."""
    tasks = request.node.tasks
    outer = tasks.start(LIST, headers=request.headers)
    inner = tasks.start(f"{LIST}[n]", headers=request.headers, kind="direct", parent=outer.id)
    try:
        yield
    finally:
        tasks.end(inner)
        tasks.end(outer)


def grouped(request: Request, tasks: list[Task], render: Callable[[Task], dict[str, Any]]) -> dict[str, Any]:
    """Return tasks in the shape that the request asks for."""
    group = request.params.get("group_by", "nodes")
    if group not in _GROUPS:
        raise IllegalArgument(f"[group_by] must be one of [nodes], [parents] or [none] but was [{group}]")
    node = request.node
    if group == "none":
        return {"tasks": [render(task) for task in tasks]}
    if group == "parents":
        return {"tasks": _tree(node, tasks, render)}
    if not tasks:
        return {"nodes": {}}
    return {
        "nodes": {
            node.id: {
                "name": node.name,
                "transport_address": address(request),
                "host": "127.0.0.1",
                "ip": address(request),
                "roles": list(ROLES),
                "attributes": dict(node.attributes),
                "tasks": {f"{node.id}:{task.id}": render(task) for task in tasks},
            }
        }
    }


def _tree(node: "Node", tasks: list[Task], render: Callable[[Task], dict[str, Any]]) -> dict[str, Any]:
    """Return tasks below those that started them."""
    shown = {task.id: render(task) for task in tasks}
    top = {}
    for task in tasks:
        if task.parent in shown:
            shown[task.parent].setdefault("children", []).append(shown[task.id])
        else:
            top[f"{node.id}:{task.id}"] = shown[task.id]
    return top


def list_tasks(request: Request) -> dict[str, Any]:
    """Return the tasks that run."""
    params = request.params
    detailed = params.boolean("detailed")
    seconds = params.millis("timeout", 1000 * _SECONDS) / 1000

    def render(task: Task) -> dict[str, Any]:
        shown = render_task(request.node, task, detailed=detailed)
        return {**shown, "resource_stats": RESOURCES} if detailed else shown

    if params.boolean("wait_for_completion"):
        for task in select(request):
            request.node.tasks.wait(task.id, seconds)
    with listed(request):
        return grouped(request, select(request), render)


def get(request: Request) -> dict[str, Any] | bytes:
    """Return a task that runs, or what came of one that has ended."""
    from lanner.engine.document.task_results import find_result

    params = request.params
    text = request.names["id"]
    owner, number = parse_id(text)
    if number < 0:
        raise ActionRequestValidation("Validation Failed: 1: task id is required;")
    node = request.node
    seconds = params.millis("timeout", 1000 * _SECONDS) / 1000
    if owner == node.id:
        if params.boolean("wait_for_completion"):
            node.tasks.wait(number, seconds)
        running = node.tasks.find(number)
        if running is not None:
            shown = render_task(node, running, detailed=True)
            return {"completed": False, "task": {**shown, "resource_stats": RESOURCES}}
    result = find_result(node, text)
    if result is not None:
        return result
    missing = ResourceNotFound(f"task [{text}] isn't running and hasn't stored its results")
    if owner == node.id:
        raise missing
    raise ResourceNotFound(
        f"task [{text}] belongs to the node [{owner}] which isn't part of the cluster and there is no "
        "record of the task",
        caused_by=missing,
    )


def cancel(request: Request) -> dict[str, Any]:
    """Tell tasks to stop; what is not there is told."""
    params = request.params
    params.boolean("wait_for_completion")
    node = request.node
    if "id" not in request.names:
        found = [task for task in select(request) if task.cancellable and task.parent is None]
        failures: list[dict[str, Any]] = []
    else:
        found, failures = _one(request, request.names["id"])
    for task in found:
        node.tasks.cancel(task)
    shown = grouped(request, found, lambda task: render_task(node, task))
    return {"node_failures": failures, **shown} if failures else shown


def _one(request: Request, text: str) -> tuple[list[Task], list[dict[str, Any]]]:
    """Return the task to be cancelled, or why it cannot be."""
    owner, number = parse_id(text)
    if owner != request.node.id:
        return [], [failed_node(owner, no_such_node(owner))]
    task = request.node.tasks.find(number)
    if task is not None and task.cancellable:
        return [task], []
    if task is not None:
        reason = {
            "type": "illegal_argument_exception",
            "reason": f"task [{text}] doesn't support this operation",
        }
    else:
        reason = {"type": "resource_not_found_exception", "reason": f"task [{text}] is not found"}
    return [], [failed_node(owner, reason)]


def no_such_node(name: str) -> dict[str, Any]:
    """Return the error about a node that is not there."""
    return {"type": "no_such_node_exception", "reason": f"No such node [{name}]", "node_id": name}


def failed_node(node: str, cause: dict[str, Any]) -> dict[str, Any]:
    """Return why a node did not do what was asked of it."""
    return {
        "type": "failed_node_exception",
        "reason": f"Failed node [{node}]",
        "node_id": node,
        "caused_by": cause,
    }


PARAMS = frozenset({"nodes", "actions", "parent_task_id", "detailed"})
_LIST = PARAMS | {"group_by", "wait_for_completion", "timeout"}
_CANCEL = frozenset({"nodes", "actions", "parent_task_id", "group_by", "wait_for_completion"})
ROUTES = (
    Route("GET", "/_tasks", list_tasks, "generic", params=_LIST, body=True),
    Route(
        "GET",
        "/_tasks/{id}",
        get,
        "generic",
        params=frozenset({"wait_for_completion", "timeout"}),
        body=True,
    ),
    Route("POST", "/_tasks/_cancel", cancel, params=_CANCEL, body=True),
    Route("POST", "/_tasks/{id}/_cancel", cancel, params=_CANCEL, body=True),
)
