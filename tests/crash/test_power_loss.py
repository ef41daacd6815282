"""A power cut at any moment: the shard opens and holds everything that was acknowledged.

The simulated disk keeps of everything unsynced none, all, a torn or zeroed part, or any subset; and of
changes of names that no folder sync has confirmed any prefix or any subset.
"""

import pytest

from tests.crash.power import Outcome, Skip, explore, record

STATES = 20_000

SYNCS: dict[str, Skip] = {
    "translog operations": lambda name, path, before: name == "fdatasync",
    "translog name": lambda name, path, before: name == "fsync_dir" and path.endswith("/translog"),
    "segment index": lambda name, path, before: name == "fsync" and path.endswith(".idx"),
    "segment source": lambda name, path, before: name == "fsync" and path.endswith(".src"),
    "deletes": lambda name, path, before: name == "fsync" and path.endswith(".del"),
    "commit point": lambda name, path, before: name == "fsync" and "commit-" in path,
    "names before the commit": lambda name, path, before: (
        name == "fsync_dir" and path.endswith("/index") and before != "rename"
    ),
    "name of the commit": lambda name, path, before: (
        name == "fsync_dir" and path.endswith("/index") and before == "rename"
    ),
    "folders of the shard": lambda name, path, before: name == "fsync_dir" and path == "/d/0",
    "folder of the shard": lambda name, path, before: name == "fsync_dir" and path == "/d",
}


def recovered_translog(name: str, path: str, before: str) -> bool:
    return name == "fsync" and "/translog-" in path


def test_acknowledged_operations_survive_every_crash() -> None:
    outcome = Outcome()
    seed = 0
    while outcome.states < STATES:
        seed += 1
        explore(record(seed=seed, rounds=45), outcome, seed=seed, extra=4, deeper=250)
    print(
        f"\npower loss: {outcome.states} crash states, {outcome.opened} different; "
        f"{outcome.second} states of second crashes after a recovery; {len(outcome.faults)} faults"
    )
    assert outcome.faults == []


@pytest.mark.parametrize("missing", sorted(SYNCS))
def test_each_missing_sync_is_caught(missing: str) -> None:
    outcome = Outcome()
    explore(record(seed=1, rounds=30, skip=SYNCS[missing]), outcome, seed=1, extra=4, stop_at_fault=True)
    print(f"\nwithout the sync of the {missing}: caught after {outcome.states} crash states")
    assert outcome.faults != []


def test_a_missing_sync_after_recovery_is_caught() -> None:
    outcome = Outcome()
    for seed in range(1, 6):
        recording = record(seed=seed, rounds=8)
        explore(
            recording,
            outcome,
            seed=seed,
            extra=2,
            stop_at_fault=True,
            deeper=3,
            deeper_skip=recovered_translog,
        )
        if outcome.faults:
            break
    print(f"\nwithout the sync of the recovered translog: caught after {outcome.second} second crashes")
    assert outcome.faults != []


def test_every_kind_of_sync_is_in_the_table() -> None:
    """Leaving all listed syncs out leaves none: a new one must be added to the table."""
    syncs = [*SYNCS.values(), recovered_translog]
    recording = record(seed=1, rounds=30, skip=lambda *step: any(sync(*step) for sync in syncs))
    assert not [step for step in recording.steps if step[0] in ("fsync", "fdatasync", "fsync_dir")]
