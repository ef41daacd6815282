"""Thread pools and the scheduler."""

import threading

import pytest

from lanner.engine.common.errors import RejectedExecution
from lanner.engine.runtime.clock import SystemClock
from lanner.engine.runtime.scheduler import Scheduler
from lanner.engine.runtime.thread_pool import ThreadPool, ThreadPools


def test_results_and_errors_come_back() -> None:
    pool = ThreadPool("p", 2, None)
    assert pool.submit(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 7, 0).result()
    assert [each.result() for each in [pool.submit(abs, -n) for n in range(50)]] == list(range(50))
    pool.close()
    assert pool.stats().completed == 52
    with pytest.raises(RejectedExecution):
        pool.submit(abs, 1)


def test_a_full_queue_rejects() -> None:
    pool = ThreadPool("p", 1, 2)
    hold, running = threading.Event(), threading.Event()

    def block() -> None:
        running.set()
        hold.wait(10)

    first = pool.submit(block)
    running.wait(10)
    waiting = [pool.submit(abs, -1), pool.submit(abs, -2)]
    with pytest.raises(RejectedExecution, match=r"on pool \[p\].*queue capacity = 2"):
        pool.submit(abs, -3)
    hold.set()
    first.result()
    assert [each.result() for each in waiting] == [1, 2]
    pool.close()
    assert pool.stats().rejected == 1


def test_no_threads_before_work() -> None:
    pools = ThreadPools(2)
    assert all(stats.threads == 0 for stats in pools.stats().values())
    pools.close()


def test_scheduler_runs_in_order_of_time() -> None:
    done: list[int] = []
    errors: list[BaseException] = []
    finished = threading.Event()
    scheduler = Scheduler(SystemClock(), errors.append)
    scheduler.after(0.02, lambda: done.append(2))
    scheduler.after(0.01, lambda: done.append(1))
    scheduler.after(0.015, lambda: done.append(1 // 0))
    scheduler.after(0.03, finished.set)
    assert finished.wait(10)
    scheduler.close()
    assert done == [1, 2]
    assert [type(error) for error in errors] == [ZeroDivisionError]
    scheduler.after(0, lambda: done.append(3))
    assert done == [1, 2]
