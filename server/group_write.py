"""Documents that came one by one in one turn of the event loop, written together.

They share one hold of the shard's lock, one frame of its log, one sync, and one way back to the event loop.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from lanner.engine.common.errors import RejectedExecution
from lanner.engine.document.write import Write, write_all
from lanner.engine.index.shard import Shard

if TYPE_CHECKING:
    from lanner.engine.runtime.thread_pool import ThreadPools

Done = Callable[[], object]
Group = list[tuple[Write, Done]]


class GroupWrite:
    """Collects writes until the event loop has looked at everything that had come."""

    def __init__(self, pools: "ThreadPools") -> None:
        self._pools = pools
        self._waiting: dict[Shard, Group] = {}

    def add(self, write: Write, loop: asyncio.AbstractEventLoop, done: Done) -> None:
        """Call `done` on the event loop, in a later turn, when the write has its result or its error."""
        if not self._waiting:
            loop.call_soon(self._run, loop)
        self._waiting.setdefault(write.shard, []).append((write, done))

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting, self._waiting = self._waiting, {}
        for shard, group in waiting.items():
            writes = [write for write, _ in group]
            if shard.is_calm:
                write_all(shard, writes, patient=False)
                durability = shard.durability()
                if durability is None:
                    _tell(group)
                else:
                    durability(lambda error, group=group: _synced(loop, group, error))  # type: ignore[misc]
                continue
            try:
                self._pools["write"].submit(_write_patiently, loop, shard, group)
            except RejectedExecution as error:
                _fail(group, error)
                _tell(group)


def _write_patiently(loop: asyncio.AbstractEventLoop, shard: Shard, group: Group) -> None:
    """Do it on a pool: somebody has the lock, or memory asks for a refresh."""
    write_all(shard, [write for write, _ in group], patient=True)
    _synced(loop, group, None)


def _synced(loop: asyncio.AbstractEventLoop, group: Group, error: Exception | None) -> None:
    """Go back to the event loop. error: of the sync."""
    if error is not None:
        _fail(group, error)
    try:
        loop.call_soon_threadsafe(_tell, group)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return


def _fail(group: Group, error: Exception) -> None:
    for write, _ in group:
        write.error = write.error or error


def _tell(group: Group) -> None:
    for _, done in group:
        done()
