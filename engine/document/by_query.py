"""Delete, update and copy what a query finds: a scroll over the source, a bulk of writes per page.

The source is this node, or for copies another cluster (`remote_pages.py`).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.errors import IllegalArgument, VersionConflict
from lanner.engine.document.bulk import bulk
from lanner.engine.document.requests import BulkOperation, BulkRequest
from lanner.engine.index.operation import INTERNAL
from lanner.engine.runtime.tasks import Task
from lanner.engine.search.contexts import SCROLL, ContextService
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.request import SearchRequest
from lanner.engine.search.request_parts import Slice
from lanner.engine.search.scroll import next_page, start_scroll
from lanner.engine.search.slicing import sliced

if TYPE_CHECKING:
    from lanner.engine.document.remote_pages import RemoteCluster

DELETE = "delete"
UPDATE = "update"
REINDEX = "reindex"
ACTIONS = {
    DELETE: "indices:data/write/delete/byquery",
    UPDATE: "indices:data/write/update/byquery",
    REINDEX: "indices:data/write/reindex",
}
_COUNTED = {
    DELETE: ("total", "deleted"),
    UPDATE: ("total", "updated", "deleted"),
    REINDEX: ("total", "updated", "created", "deleted"),
}
_RESULTS = {"created": "created", "updated": "updated", "deleted": "deleted"}
_STEP = 0.02  # seconds between looks at whether a throttled task was told to stop


@dataclass(frozen=True, slots=True)
class Destination:
    """Where copies go. routing: "keep", "discard" or "=" and a value."""

    index: str
    op_type: str = "index"
    version_type: str | None = None
    routing: str = "keep"
    pipeline: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ByQuery:
    """What is asked. most: documents at most. per_second: documents a second, None for no limit.

    remote: the cluster that is copied from, and then no targets; None: this node.
    """

    kind: str
    targets: list[ShardTarget]
    request: SearchRequest
    remote: "RemoteCluster | None" = None
    keep_alive: float = 300_000.0
    most: int | None = None
    proceed: bool = False
    per_second: float | None = None
    slices: int = 1
    destination: Destination | None = None
    pipeline: str | None = None
    timeout: float | None = None
    wait_for_active_shards: str | None = None


@dataclass(slots=True)
class Progress:
    """How far one slice has come."""

    kind: str
    per_second: float | None
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("total", "created", "updated", "deleted"), 0)
    )
    batches: int = 0
    conflicts: int = 0
    throttled: float = 0.0  # seconds
    failures: list[dict[str, Any]] = field(default_factory=list)
    slice_id: int | None = None
    retries: int = 0  # of searches

    def render(self) -> dict[str, Any]:
        """Return the state as tasks and answers show it."""
        shown: dict[str, Any] = {} if self.slice_id is None else {"slice_id": self.slice_id}
        shown |= {name: self.counts[name] for name in _COUNTED[self.kind]}
        return {
            **shown,
            "batches": self.batches,
            "version_conflicts": self.conflicts,
            "noops": 0,
            "retries": {"bulk": 0, "search": self.retries},
            "throttled_millis": int(self.throttled * 1000),
            "requests_per_second": -1.0 if self.per_second is None else self.per_second,
            "throttled_until_millis": 0,
        }


class Pages(Protocol):
    """A source of hits, page by page: as scrolls show them, with ``_scroll_id``, total and hits."""

    def start(self, part: Progress, most: int | None) -> dict[str, Any] | None:
        """Return the first page of a slice; None where no shard has a part of it."""
        ...

    def next(self, part: Progress, key: str) -> dict[str, Any]:
        """Return the page after the last one."""
        ...

    def extend(self, key: str) -> None:
        """Keep what is between two pages a while longer."""
        ...

    def close(self, key: str) -> None:
        """Let go of it."""
        ...


class _OwnPages:
    """Scrolls of this node."""

    def __init__(self, node: NodeContext, contexts: ContextService, asked: ByQuery) -> None:
        self._clock = node.clock
        self._contexts = contexts
        self._asked = asked

    def start(self, part: Progress, most: int | None) -> dict[str, Any] | None:
        asked = self._asked
        targets = asked.targets
        if part.slice_id is not None:
            targets = sliced(targets, Slice(part.slice_id, asked.slices))
        if not targets:
            return None
        request = asked.request
        if most is not None and most < request.size:
            request = replace(request, size=max(most, 1))
        now = self._clock.millis()
        return start_scroll(self._contexts, targets, request, asked.keep_alive, now_millis=now)

    def next(self, part: Progress, key: str) -> dict[str, Any]:
        return next_page(self._contexts, key, None, now_millis=self._clock.millis())

    def extend(self, key: str) -> None:
        self._contexts.extend(self._contexts.get(SCROLL, key), None)

    def close(self, key: str) -> None:
        self._contexts.close(key)


class Job:
    """One request while it runs. wait: lets a number of seconds pass."""

    def __init__(
        self,
        node: NodeContext,
        contexts: ContextService,
        asked: ByQuery,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._node = node
        self._asked = asked
        self._wait = wait
        self._pages: Pages = _OwnPages(node, contexts, asked)
        if asked.remote is not None:
            from lanner.engine.document.remote_pages import RemotePages  # few copy from there

            self._pages = RemotePages(asked.remote, asked.request.size, asked.keep_alive, wait)
        self._scrolls: list[str] = []
        self.task: Task | None = None
        n = asked.slices
        per_second = asked.per_second
        self._parts = [
            Progress(
                asked.kind, None if per_second is None else per_second / n, slice_id=i if n > 1 else None
            )
            for i in range(n)
        ]

    def watch(self, task: Task) -> None:
        """Be told to stop by a task, and tell it how far the work has come."""
        task.cancellable = True
        task.status = self.status
        task.throttle = self.throttle
        self.task = task

    def throttle(self, per_second: float | None) -> None:
        """Change how many documents a second are allowed."""
        self._asked = replace(self._asked, per_second=per_second)
        for part in self._parts:
            part.per_second = None if per_second is None else per_second / len(self._parts)

    def status(self) -> dict[str, Any]:
        """Return the state of all slices together."""
        if len(self._parts) == 1:
            return self._parts[0].render()
        whole = Progress(self._asked.kind, self._asked.per_second)
        for part in self._parts:
            for name, value in part.counts.items():
                whole.counts[name] += value
            whole.batches += part.batches
            whole.conflicts += part.conflicts
            whole.throttled += part.throttled
        return {**whole.render(), "slices": [part.render() for part in self._parts]}

    def run(self) -> dict[str, Any]:
        """Do the work and return the answer; ``failures`` hold errors as they are."""
        started = time.monotonic_ns()
        pages: list[tuple[Progress, dict[str, Any]]] = []
        try:
            # all before the first write: what a slice writes belongs to another one afterwards
            for i, part in enumerate(self._parts):
                page = self._first_page(part, i)
                if page is not None:
                    pages.append((part, page))
                    self._scrolls.append(page["_scroll_id"])
            for part, page in pages:
                self._run(part, page)
        finally:
            for key in self._scrolls:
                self._pages.close(key)
        answer: dict[str, Any] = {
            "took": (time.monotonic_ns() - started) // 1_000_000,
            "timed_out": False,
            **self.status(),
        }
        if self._cancelled:
            answer["canceled"] = "by user request"
        return {**answer, "failures": [one for part in self._parts for one in part.failures]}

    @property
    def _cancelled(self) -> bool:
        return self.task is not None and self.task.cancelled

    def _first_page(self, part: Progress, i: int) -> dict[str, Any] | None:
        """Start the scroll of a slice, note how much there is to do; None where no shard has a part of it."""
        asked = self._asked
        most = asked.most
        if part.slice_id is not None and most is not None:
            most = most // asked.slices + (1 if i < most % asked.slices else 0)
        page = self._pages.start(part, most)
        if page is None:
            return None
        found = page["hits"]["total"]["value"]
        part.counts["total"] = found if most is None else min(found, most)
        return page

    def _run(self, part: Progress, page: dict[str, Any]) -> None:
        """Work through one slice from its first page on."""
        key = page["_scroll_id"]
        left = part.counts["total"]
        while page["hits"]["hits"] and left > 0 and not self._cancelled:
            hits = page["hits"]["hits"][:left]
            left -= len(hits)
            self._write(part, hits)
            self._stay()
            if part.failures or left <= 0:
                return
            self._throttle(part, len(hits))
            page = self._pages.next(part, key)

    def _stay(self) -> None:
        """Keep all scrolls open while one slice works, or waits."""
        for key in self._scrolls:
            self._pages.extend(key)

    def _throttle(self, part: Progress, n: int) -> None:
        """Wait as long as the documents of a page are worth."""
        waited = 0.0
        while part.per_second is not None and not self._cancelled:  # both may change in between
            step = min(n / part.per_second - waited, _STEP)
            if step <= 0:
                break
            self._wait(step)
            self._stay()
            waited += step
        part.throttled += waited

    def _write(self, part: Progress, hits: list[dict[str, Any]]) -> None:
        part.batches += 1
        asked = self._asked
        answer = bulk(
            self._node,
            BulkRequest(
                operations=[self._operation(hit) for hit in hits],
                pipeline=asked.pipeline,
                timeout=asked.timeout,
                wait_for_active_shards=asked.wait_for_active_shards,
            ),
        )
        for item in answer["items"]:
            (result,) = item.values()
            error = result.get("error")
            if error is None:
                name = _RESULTS.get(result["result"])
                if name is not None:
                    part.counts[name] += 1
                continue
            if isinstance(error, VersionConflict):
                part.conflicts += 1
                if asked.proceed:
                    continue
            part.failures.append({"index": result["_index"], "id": result["_id"], "cause": error})

    def _operation(self, hit: dict[str, Any]) -> BulkOperation:
        kind, destination = self._asked.kind, self._asked.destination
        routing = hit.get("_routing")
        if kind != DELETE and "_source" not in hit:
            raise IllegalArgument(f"[{hit['_index']}][{hit['_id']}] didn't store _source")
        if destination is None:
            return BulkOperation(
                action="delete" if kind == DELETE else "index",
                index=hit["_index"],
                id=hit["_id"],
                source=b"" if kind == DELETE else bytes(hit["_source"]),
                routing=routing,
                if_seq_no=hit["_seq_no"],
                if_primary_term=hit["_primary_term"],
            )
        if destination.routing == "discard":
            routing = None
        elif destination.routing != "keep":
            routing = destination.routing[1:]
        external = destination.version_type not in (None, INTERNAL)
        return BulkOperation(
            action=destination.op_type,
            index=destination.index,
            id=hit["_id"],
            source=bytes(hit["_source"]),
            routing=routing,
            version=hit["_version"] if external else None,
            version_type=destination.version_type or INTERNAL,
        )
