"""Power cuts at every moment of a workload, and what must be found afterwards."""

import itertools
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from xxhash import xxh3_64

from lanner.engine.index.operation import Operation
from lanner.engine.index.shard import Shard
from tests.crash.shards import contents, delete_op, index_op, make_shard, open_shard
from tests.crash.simulated import Disk, MemoryFileSystem, Step

State = dict[str, int]
Skip = Callable[[str, str, str], bool]  # operation, path, operation before: whether a sync does nothing


@dataclass
class Recording:
    """A workload as it ran: the steps on the disk, and after which of them what was acknowledged."""

    start: MemoryFileSystem
    steps: list[Step] = field(default_factory=list)
    acks: list[tuple[int, State]] = field(default_factory=list)  # number of steps, content
    flights: list[tuple[int, list[tuple[str, int | None]]]] = field(
        default_factory=list
    )  # submitted operations


def record(
    *,
    seed: int,
    rounds: int,
    skip: Skip | None = None,
    base: MemoryFileSystem | None = None,
    state: State | None = None,
    term: int = 1,
) -> Recording:
    """Run batches, refreshes, flushes and merges.

    `skip` leaves out syncs. With `base`: go on from a crashed disk.
    """
    chance = random.Random(seed)
    fresh = base is None
    files = MemoryFileSystem(folders={"/d"}) if base is None else base.copy()
    recording = Recording(files.copy() if fresh else _same_numbers(files))
    files.steps = recording.steps
    files.skip = skip
    shard = make_shard(files, "/d") if fresh else open_shard(files, "/d", term=term)
    model = dict(state or {})
    recording.acks.append((len(recording.steps), dict(model)))
    numbers = itertools.count()

    def in_between(path: str) -> None:
        """Operations may come while a refresh, a flush or a merge is under way."""
        if path.endswith((".idx", ".del", ".tmp")) and chance.random() < 0.3:
            _batch(shard, recording, model, chance, next(numbers))

    files.on_create = in_between
    for _ in range(rounds):
        _batch(shard, recording, model, chance, next(numbers))
        action = chance.random()
        if action < 0.35:
            shard.refresh()
        elif action < 0.55:
            shard.flush()
        elif action < 0.65:
            shard.force_merge(1, flush=chance.random() < 0.5)
    return recording


def _same_numbers(files: MemoryFileSystem) -> MemoryFileSystem:
    """A copy whose files have the same inode numbers."""
    copy = files.copy()
    for path, node in copy.files.items():
        node.number = files.files[path].number
    return copy


def _batch(shard: Shard, recording: Recording, model: State, chance: random.Random, number: int) -> None:
    operations: list[Operation] = []
    flight: list[tuple[str, int | None]] = []
    for at in range(chance.randrange(1, 6)):
        id_ = f"d{chance.randrange(12)}"
        if chance.random() < 0.25:
            operations.append(delete_op(id_))
            flight.append((id_, None))
        else:
            value = number * 10 + at
            operations.append(index_op(id_, value))
            flight.append((id_, value))
    recording.flights.append((len(recording.steps), flight))
    results = shard.apply(operations)
    assert all(result.error is None for result in results)
    for id_, written in flight:
        if written is None:
            model.pop(id_, None)
        else:
            model[id_] = written
    recording.acks.append((len(recording.steps), dict(model)))


def allowed(recording: Recording, crash: int) -> list[State]:
    """What may be found after a crash: what was acknowledged, and any beginning of what was on its way."""
    at = max(number for number, (steps, _) in enumerate(recording.acks) if steps <= crash)
    state = recording.acks[at][1]
    states = [state]
    if at < len(recording.flights) and recording.flights[at][0] <= crash:
        for id_, value in recording.flights[at][1]:
            state = dict(state)
            if value is None:
                state.pop(id_, None)
            else:
                state[id_] = value
            states.append(state)
    return states


def digest(files: MemoryFileSystem) -> str:
    """Tells equal disks."""
    hashed = xxh3_64()
    for path in sorted(files.files):
        hashed.update(path.encode() + b"\0" + bytes(files.files[path].data) + b"\0")
    hashed.update("\0".join(sorted(files.folders)).encode())
    return hashed.hexdigest()


@dataclass
class Outcome:
    """What a search through the crash states found."""

    states: int = 0
    opened: int = 0  # different ones
    second: int = 0  # of crashes after a recovery
    faults: list[str] = field(default_factory=list)


def explore(
    recording: Recording,
    outcome: Outcome,
    *,
    seed: int,
    extra: int,
    stop_at_fault: bool = False,
    deeper: int = 0,
    deeper_skip: Skip | None = None,
) -> None:
    """Crash after every step in many ways and open what is left.

    deeper: every nth state goes on working (without the syncs of `deeper_skip`) and crashes again, in every
    way.
    """
    chance = random.Random(seed)
    disk = Disk.of(recording.start)
    seen: set[tuple[str, int]] = set()
    first_ack = recording.acks[0][0]
    for crash in range(len(recording.steps) + 1):
        if crash:
            disk.apply(recording.steps[crash - 1])
        if crash < first_ack:
            continue
        states = allowed(recording, crash)
        ack = sum(steps <= crash for steps, _ in recording.acks)
        for files in disk.states(chance, extra):
            outcome.states += 1
            key = (digest(files), ack)
            if key in seen:
                continue
            seen.add(key)
            outcome.opened += 1
            found = check(files, states, outcome, crash)
            if outcome.faults and stop_at_fault:
                return
            if deeper and found is not None and outcome.opened % deeper == 0:
                again = record(
                    seed=outcome.opened, rounds=2, base=files, state=found, term=2, skip=deeper_skip
                )
                inner = Outcome()
                explore(again, inner, seed=outcome.opened, extra=1, stop_at_fault=True)
                outcome.second += inner.states
                outcome.faults.extend(f"second crash: {fault}" for fault in inner.faults)


def check(files: MemoryFileSystem, states: list[State], outcome: Outcome, crash: int) -> State | None:
    """Open a crashed disk; its content when it is one of the allowed states."""
    try:
        shard = open_shard(files.copy(), "/d", term=2)
        found = contents(shard)
    except Exception as error:
        outcome.faults.append(f"step {crash}: cannot be opened: {type(error).__name__}: {error}")
        return None
    if found not in states:
        lost = json.dumps([states[0], found], sort_keys=True)
        outcome.faults.append(f"step {crash}: acknowledged and found: {lost}")
        return None
    return found
