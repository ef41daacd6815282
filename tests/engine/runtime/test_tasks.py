"""The registry of tasks."""

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.runtime.clock import SystemClock
from lanner.engine.runtime.tasks import MOST_RESULTS, Result, TaskRegistry


def test_results_are_kept_until_there_are_too_many() -> None:
    tasks = TaskRegistry(SystemClock())
    first = tasks.start("a")
    assert tasks.find(first.id) is first
    assert not tasks.wait(first.id, 0)
    kept = Result(first, {"x": 1})
    tasks.keep(kept)
    assert tasks.wait(first.id, 0)
    assert tasks.find(first.id) == kept
    assert first.nanos == first.running_nanos
    for _ in range(MOST_RESULTS):
        tasks.keep(Result(tasks.start("b"), error=IllegalArgument("no")))
    assert tasks.find(first.id) is None
    assert tasks.running() == []


def test_cancelling_reaches_what_a_task_started() -> None:
    tasks = TaskRegistry(SystemClock())
    top = tasks.start("a", cancellable=True)
    child = tasks.start("b", parent=top.id)
    grandchild = tasks.start("c", parent=child.id)
    other = tasks.start("d")
    tasks.cancel(top)
    assert [task.cancelled for task in (top, child, grandchild, other)] == [True, True, True, False]
