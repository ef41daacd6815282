"""Counters of a shard, and how they add up."""

import time
from dataclasses import dataclass, field, fields

from lanner.engine.index.commit import Commit
from lanner.engine.index.segment import Segment

MOST_GROUPS = 1000  # of a shard


@dataclass(slots=True)
class Timed:
    """How often something ran, how long it took in nanoseconds, and how many run now."""

    total: int = 0
    nanos: int = 0
    current: int = 0
    failed: int = 0

    @property
    def millis(self) -> int:
        """Milliseconds in all."""
        return self.nanos // 1_000_000

    def add_since(self, started: int) -> None:
        """Count one run that began at this reading of the performance counter."""
        self.total += 1
        self.nanos += time.perf_counter_ns() - started

    def add(self, other: "Timed") -> None:
        """Add another shard's counters."""
        self.total += other.total
        self.nanos += other.nanos
        self.current += other.current
        self.failed += other.failed


@dataclass(slots=True)
class ShardCounters:
    """What a shard counts while it works; the lists of seconds are in `Timed`."""

    index: Timed = field(default_factory=Timed)
    delete: Timed = field(default_factory=Timed)
    noop_updates: int = 0
    get_found: Timed = field(default_factory=Timed)
    get_missing: Timed = field(default_factory=Timed)
    query: Timed = field(default_factory=Timed)
    fetch: Timed = field(default_factory=Timed)
    suggest: Timed = field(default_factory=Timed)  # searches that ask for nothing but suggestions
    refresh: Timed = field(default_factory=Timed)
    external_refresh: Timed = field(default_factory=Timed)
    flush: Timed = field(default_factory=Timed)
    periodic_flush: int = 0
    merge: Timed = field(default_factory=Timed)
    merge_docs: int = 0
    merge_bytes: int = 0
    merge_current_docs: int = 0
    merge_current_bytes: int = 0
    merge_throttled_nanos: int = 0
    groups: "dict[str, ShardCounters]" = field(
        default_factory=dict
    )  # of searches, by the name that they give

    def note_group(self, name: str, started: int) -> None:
        """Count a search under a name; there may be so many names and no more."""
        group = self.groups.get(name)
        if group is None:
            if len(self.groups) >= MOST_GROUPS:
                return
            group = self.groups.setdefault(name, ShardCounters())
        group.query.add_since(started)
        group.fetch.total += 1

    def add(self, other: "ShardCounters") -> None:
        """Add another shard's counters."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, Timed):
                mine.add(theirs)
            elif isinstance(mine, dict):
                for name, group in theirs.copy().items():
                    mine.setdefault(name, ShardCounters()).add(group)
            else:
                setattr(self, each.name, mine + theirs)


@dataclass(frozen=True, slots=True)
class SegmentStats:
    """One segment as ``_segments`` shows it."""

    name: str
    num_docs: int
    deleted_docs: int
    size_in_bytes: int
    committed: bool
    searchable: bool
    parts: dict[str, int]

    @classmethod
    def of(cls, segment: Segment, visible: frozenset[str]) -> "SegmentStats":
        """A segment, given the names of those that searchers see."""
        reader = segment.reader
        return cls(
            segment.name,
            reader.num_docs,
            reader.num_deleted,
            segment.size_in_bytes,
            segment.committed,
            segment.name in visible,
            reader.sizes(),
        )


@dataclass(frozen=True, slots=True)
class ShardStats:
    """A shard at one moment."""

    num_docs: int
    deleted_docs: int
    store_bytes: int
    counters: ShardCounters
    segments: tuple[SegmentStats, ...]
    translog_operations: int
    translog_bytes: int
    idle_millis: int
    max_seq_no: int
    local_checkpoint: int
    global_checkpoint: int
    buffer_bytes: int
    version_map_bytes: int
    pending_listeners: int
    commit: Commit
    search_idle: bool
