"""Shards without mappings, for tests of durability: a document is JSON, its string fields are terms."""

import json
import os
from collections.abc import Callable
from typing import Any

from lanner.engine.index.index_settings import IndexSettings
from lanner.engine.index.indexing_memory import IndexingMemory
from lanner.engine.index.merge_scheduler import MergeScheduler, Merging, RateLimiter
from lanner.engine.index.operation import DELETE, INDEX, Operation
from lanner.engine.index.shard import Shard, ShardServices, create_shard
from lanner.engine.index.store import ShardId, Store
from lanner.engine.runtime.clock import Clock, SystemClock
from lanner.engine.runtime.fsio import FileSystem
from lanner.engine.runtime.scheduler import Scheduler
from lanner.engine.runtime.thread_pool import ThreadPool, ThreadPools
from lanner.ext.index.field_values import RowValues
from lanner.ext.index.schema import DOCS, TERM, Field

FIELD = Field("tag", 10, TERM, postings=DOCS, doc_values=True)
UUID = "u" * 22


def nested_rows(source: bytes) -> int:
    """How many nested rows a document has."""
    return 4 if len(source) % 3 == 2 else 0


def parse(source: bytes, id_: str, routing: str | None) -> list[tuple[Any, Any]]:
    """The columns of a document; every third one has nested rows, which must come and go with it."""
    values = RowValues()
    values += [(FIELD, value.encode()) for value in json.loads(source).values() if isinstance(value, str)]
    for i in range(nested_rows(source)):
        row = RowValues(b"rows", values)
        row.append((FIELD, b"row%d of " % i + id_.encode()))
        row.block.append(row)
    return values


class ManualScheduler(Scheduler):
    """Runs nothing by itself."""

    def __init__(self) -> None:
        super().__init__(SystemClock(), _raise)
        self.due: list[Callable[[], None]] = []

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self.due.append(action)

    def run(self) -> None:
        due, self.due = self.due, []
        for action in due:
            action()


class DirectPool(ThreadPool):
    """Runs everything at once, on the calling thread; `merge` runs nothing."""

    def __init__(self, *, runs: bool = True) -> None:
        super().__init__("direct", 0, None)
        self.runs = runs

    def submit(self, task: Callable[..., Any], *arguments: Any) -> None:  # type: ignore[override]
        if self.runs:
            task(*arguments)


class DirectPools(ThreadPools):
    def __init__(self) -> None:
        self._pools = {}

    def __getitem__(self, name: str) -> DirectPool:
        return DirectPool(runs=name != "merge")


class Failures(list[Exception]):
    def __call__(self, shard: Shard, error: Exception) -> None:
        self.append(error)


def _raise(error: BaseException) -> None:
    raise error


def _fail(shard: Merging, error: Exception) -> None:
    assert isinstance(shard, Shard)
    shard.fail(error)


def services(*, memory: int = 64 << 20, verify: bool = True, clock: Clock | None = None) -> ShardServices:
    failures = Failures()
    return ShardServices(
        clock=clock or SystemClock(),
        scheduler=ManualScheduler(),
        pools=DirectPools(),
        merges=MergeScheduler(DirectPool(runs=False), _fail, RateLimiter(SystemClock())),
        memory=IndexingMemory(memory),
        failed=failures,
        verify=verify,
    )


def make_store(files: FileSystem, root: str) -> Store:
    return Store(files, os.path.join(root, "0"), ShardId("test", UUID, 0))


def make_shard(files: FileSystem, root: str, *, clock: Clock | None = None, **settings: Any) -> Shard:
    create_shard(make_store(files, root))
    return open_shard(files, root, clock=clock, **settings)


def open_shard(
    files: FileSystem, root: str, *, term: int = 1, clock: Clock | None = None, **settings: str
) -> Shard:
    flat = {f"index.{name.replace('__', '.')}": value for name, value in settings.items()}
    return Shard.open(
        make_store(files, root), IndexSettings(flat), services(clock=clock), primary_term=term, parse=parse
    )


def index_op(id_: str, value: int, **extra: Any) -> Operation:
    source = json.dumps({"tag": f"t{value}", "n": value}).encode()
    return Operation(INDEX, id_.encode(), source, values=parse(source, id_, None), **extra)


def delete_op(id_: str) -> Operation:
    return Operation(DELETE, id_.encode())


def contents(shard: Shard) -> dict[str, int]:
    """Every document that a search would find, by id; fails for an id twice or a block not whole."""
    found: dict[str, int] = {}
    with shard.acquire_searcher() as searcher:
        for reader in searcher.segments:
            for doc in range(reader.max_doc):
                if doc in reader.deleted:
                    continue
                id_ = reader.id(doc).decode()
                assert id_ not in found, f"[{id_}] is there twice"
                source = reader.source(doc)
                found[id_] = json.loads(source)["n"]
                rows = [reader.terms("tag", row) for row in range(reader.block_start(doc), doc)]
                assert rows == [[b"row%d of " % i + id_.encode()] for i in range(nested_rows(source))]
    return found
