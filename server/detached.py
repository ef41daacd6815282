"""Work that a request starts and does not wait for: the answer names a task."""

from collections.abc import Callable
from typing import Any

from lanner.engine.runtime.tasks import Result, Task
from lanner.server.errors import as_error
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
    tasks = request.node.tasks
    task = tasks.start(action, lambda: description, request.headers)
    if watch is not None:
        watch(task)

    def run() -> None:
        try:
            result = Result(task, work())
        except Exception as fault:  # every fault is the result of the task
            result = Result(task, error=as_error(fault))
        tasks.keep(result)

    try:
        request.node.pools[pool].submit(run)
    except BaseException:
        tasks.end(task)
        raise
    return {"task": f"{request.node.id}:{task.id}"}
