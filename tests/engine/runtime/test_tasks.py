"""The registry of tasks."""

from lanner.engine.runtime.clock import SystemClock
from lanner.engine.runtime.tasks import TaskRegistry


def test_what_has_finished_is_waited_for_no_more() -> None:
    tasks = TaskRegistry(SystemClock())
    first = tasks.start("a")
    assert tasks.find(first.id) is first
    assert not tasks.wait(first.id, 0)
    tasks.finish(first)
    assert tasks.wait(first.id, 0)
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
