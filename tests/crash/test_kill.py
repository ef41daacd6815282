"""kill -9 at random moments: nothing acknowledged is lost, nothing is doubled, everything opens.

A child is forked from this warm process, opens the shard, and works with two writers, refreshes, flushes
and merges on threads of their own until it is killed. What it submitted and what was acknowledged comes
back through a pipe. The same folder lives through all kills.
"""

import json
import os
import random
import signal
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from lanner.engine.index.index_settings import IndexSettings
from lanner.engine.index.indexing_memory import IndexingMemory
from lanner.engine.index.merge_scheduler import MergeScheduler, Merging, RateLimiter
from lanner.engine.index.operation import Operation
from lanner.engine.index.shard import Shard, ShardServices
from lanner.engine.runtime.clock import SystemClock
from lanner.engine.runtime.fsio import RealFileSystem
from lanner.engine.runtime.scheduler import Scheduler
from lanner.engine.runtime.thread_pool import ThreadPools
from tests.crash.shards import contents, delete_op, index_op, make_shard, make_store, open_shard, parse

KILLS = 1000
SECONDS = 240  # the most that all of it may take
WRITERS = 2
IDS = 25  # of each writer
HEAD = struct.Struct("<BBH")
SUBMITTED, ACKNOWLEDGED, READY = 1, 2, 3

Model = dict[str, int]
Flight = list[tuple[str, int | None]]


def work(root: str, term: int, seed: int, pipe: int) -> None:
    """Write, refresh, flush and merge until somebody kills this process."""
    pools = ThreadPools(2)
    clock = SystemClock()

    def failed(shard: Merging, error: Exception) -> None:
        os.write(pipe, HEAD.pack(255, 0, 0))
        os._exit(3)

    services = ShardServices(
        clock=clock,
        scheduler=Scheduler(clock, lambda error: os._exit(4)),
        pools=pools,
        merges=MergeScheduler(pools["merge"], failed, RateLimiter(clock)),
        memory=IndexingMemory(40_000),
        failed=failed,
    )
    settings = IndexSettings(
        {
            "index.refresh_interval": "3ms",
            "index.merge.policy.segments_per_tier": "2.0",
            "index.merge.policy.max_merge_at_once": "3",
            "index.translog.flush_threshold_size": "6kb",
        }
    )
    shard = Shard.open(make_store(RealFileSystem(), root), settings, services, primary_term=term, parse=parse)
    os.write(pipe, HEAD.pack(READY, 0, 0))

    def write(writer: int) -> None:
        chance = random.Random(seed * 10 + writer)
        value = seed * 100_000
        while True:
            operations: list[Operation] = []
            flight: Flight = []
            for _ in range(chance.choice((1, 1, 2, 5, 20))):
                id_ = f"w{writer}-{chance.randrange(IDS)}"
                value += 1
                if chance.random() < 0.25:
                    operations.append(delete_op(id_))
                    flight.append((id_, None))
                else:
                    operations.append(index_op(id_, value))
                    flight.append((id_, value))
            body = json.dumps(flight).encode()
            os.write(pipe, HEAD.pack(SUBMITTED, writer, len(body)) + body)
            results = shard.apply(operations)
            assert all(result.error is None for result in results)
            os.write(pipe, HEAD.pack(ACKNOWLEDGED, writer, 0))
            if chance.random() < 0.05:
                shard.flush()
            elif chance.random() < 0.03:
                shard.force_merge(1)

    threads = [threading.Thread(target=write, args=(writer,), daemon=True) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def messages(data: bytes) -> Iterator[tuple[int, int, Flight]]:
    """What the child wrote, whole messages only."""
    at = 0
    while at + HEAD.size <= len(data):
        kind, writer, length = HEAD.unpack_from(data, at)
        if at + HEAD.size + length > len(data):
            return
        body = data[at + HEAD.size : at + HEAD.size + length]
        yield kind, writer, [tuple(each) for each in json.loads(body)] if body else []
        at += HEAD.size + length


def run_and_kill(root: str, term: int, seed: int, delay: float) -> bytes:
    """Fork a child, let it work for a while, kill it; what it reported."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 5
        try:
            os.close(reading)
            work(root, term, seed, writing)
        finally:
            os._exit(code)
    os.close(writing)
    try:
        chunks = []
        drained = threading.Event()

        def drain() -> None:
            while chunk := os.read(reading, 1 << 16):
                chunks.append(chunk)
            drained.set()

        thread = threading.Thread(target=drain)
        thread.start()
        time.sleep(delay)  # the moment of death, not a wait for something
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        thread.join()
    finally:
        os.close(reading)
    assert os.WIFSIGNALED(status), f"the child ended by itself: {os.waitstatus_to_exitcode(status)}"
    return b"".join(chunks)


def expected(model: Model, data: bytes) -> tuple[list[list[Model]], int]:
    """Per writer: the states that its ids may be in; and the number of acknowledged operations."""
    states: list[list[Model]] = []
    acknowledged = 0
    for writer in range(WRITERS):
        mine = {id_: value for id_, value in model.items() if id_.startswith(f"w{writer}-")}
        flight: Flight = []
        for kind, who, operations in messages(data):
            assert kind != 255, "the shard failed"
            if who != writer or kind == READY:
                continue
            if kind == SUBMITTED:
                flight = operations
            else:
                acknowledged += len(flight)
                mine = after(mine, flight)
                flight = []
        states.append([after(mine, flight[:count]) for count in range(len(flight) + 1)])
    return states, acknowledged


def after(model: Model, flight: Flight) -> Model:
    """The content after operations."""
    model = dict(model)
    for id_, value in flight:
        if value is None:
            model.pop(id_, None)
        else:
            model[id_] = value
    return model


def test_kill_at_random_moments(tmp_path: Path) -> None:
    root = str(tmp_path)
    make_shard(RealFileSystem(), root).close()
    chance = random.Random(7)
    model: Model = {}
    term, total, replayed, kills = 1, 0, 0, 0
    deadline = time.monotonic() + SECONDS
    while kills < KILLS and time.monotonic() < deadline:
        term += 1
        data = run_and_kill(root, term, kills, 0.004 + 0.045 * chance.random())
        states, acknowledged = expected(model, data)
        kills += 1
        total += acknowledged
        term += 1
        shard = open_shard(RealFileSystem(), root, term=term)
        replayed += shard.recovered.operations
        model = contents(shard)
        for writer, allowed in enumerate(states):
            found = {id_: value for id_, value in model.items() if id_.startswith(f"w{writer}-")}
            assert found in allowed, f"kill {kills}: writer {writer}: {found} is none of {allowed}"
        commit = shard.stats().commit
        shard.close(flush=chance.random() < 0.3)
    print(
        f"\nkill -9: {kills} kills, {total} acknowledged operations, {replayed} replayed, "
        f"{commit.generation} commits, "
        f"{commit.segment_counter} segments written; none lost, none doubled"
    )
    assert kills == KILLS
    assert total > KILLS
