"""Work that a request starts and does not wait for: the answer names a task."""

from collections.abc import Callable
from typing import Any

from lanner.engine.runtime.tasks import Task
from lanner.server.api.tasks import render_task
from lanner.server.errors import as_error
from lanner.server.json_writer import encode, with_texts
from lanner.server.request import Request


def detach(
    request: Request,
    pool: str,
    action: str,
    description: str,
    work: Callable[[], dict[str, Any]],
    watch: Callable[[Task], None] | None = None,
) -> dict[str, Any]:
    """Run something on a pool and return the id of the task that tells what becomes of it.

    watch: is given the task before the work begins.
    """
    node = request.node
    tasks = node.tasks
    task = tasks.start(action, lambda: description, request.headers)
    if watch is not None:
        watch(task)

    def run() -> None:
        from lanner.engine.document.task_results import store_result

        try:
            outcome = {"response": with_texts(work())}
        except Exception as fault:  # every fault is the result of the task
            outcome = {"error": as_error(fault).render()}
        task.running_nanos = task.nanos
        shown = {"completed": True, "task": render_task(node, task, detailed=True), **outcome}
        try:
            store_result(node, f"{node.id}:{task.id}", encode(shown))
        finally:
            tasks.finish(task)

    try:
        node.pools[pool].submit(run)
    except BaseException:
        tasks.end(task)
        raise
    return {"task": f"{node.id}:{task.id}"}
