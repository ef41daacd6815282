"""The merge policy keeps few segments and merges those of like size."""

import math
import random
from dataclasses import dataclass

from lanner.engine.index.merge_policy import MergePolicy

MB = 1 << 20


@dataclass(frozen=True)
class Fake:
    name: int
    size_in_bytes: int
    max_doc: int = 1000
    num_docs: int = 1000

    @property
    def live_bytes(self) -> int:
        return self.size_in_bytes * self.num_docs // self.max_doc


def test_nothing_to_do_within_the_budget() -> None:
    assert MergePolicy().find_merge([Fake(n, 10 * MB) for n in range(10)]) == []


def test_ten_of_like_size_are_merged() -> None:
    segments = [Fake(0, 1000 * MB), *(Fake(n, 10 * MB) for n in range(1, 31))]
    found = MergePolicy().find_merge(segments)
    assert len(found) == 10
    assert {each.size_in_bytes for each in found} == {10 * MB}


def test_merging_segments_are_left_alone() -> None:
    segments = [Fake(n, 10 * MB) for n in range(25)]
    first = MergePolicy().find_merge(segments)
    assert not set(first) & set(MergePolicy().find_merge(segments, first))


def test_large_segments_stay() -> None:
    policy = MergePolicy(max_merged_segment=100 * MB)
    segments = [Fake(n, 60 * MB) for n in range(50)]
    assert policy.find_merge(segments) == []


def test_growth_stays_logarithmic() -> None:
    chance = random.Random(1)
    policy = MergePolicy()
    segments: list[Fake] = []
    written = 0
    for number in range(2000):
        size = chance.randrange(MB, 3 * MB)
        segments.append(Fake(number, size))
        while found := policy.find_merge(segments):
            segments = [each for each in segments if each not in found]
            merged = sum(each.size_in_bytes for each in found)
            written += merged
            segments.append(Fake(-number, merged))
    total = sum(each.size_in_bytes for each in segments)
    assert len(segments) < 45
    assert written < 5 * total


def test_forced_merges() -> None:
    policy = MergePolicy()
    segments = [Fake(n, (n + 1) * MB) for n in range(5)]
    assert policy.find_forced_merge(segments, 1) == segments
    assert policy.find_forced_merge(segments, 5) == []
    assert [each.name for each in policy.find_forced_merge(segments, 3)] == [0, 1, 2]
    assert policy.find_forced_merge([Fake(0, MB)], 1) == []
    deleted = Fake(0, MB, 1000, 800)
    assert policy.find_forced_merge([deleted], 1) == [deleted]
    assert policy.find_expunge([Fake(1, MB), deleted]) == [deleted]
    assert policy.find_expunge([Fake(1, MB, 1000, 950)]) == []


def test_quiet_segments_of_like_size_become_one() -> None:
    segments = [Fake(n, 30 * MB + n) for n in range(12)]
    assert set(MergePolicy().find_quiet_merge(segments)) == set(segments)
    assert MergePolicy().find_quiet_merge(segments, segments[:10]) == []
    large = Fake(99, 1000 * MB)
    assert large not in MergePolicy().find_quiet_merge([large, *segments])


def test_quiet_merges_stop_at_the_largest_size() -> None:
    policy = MergePolicy(max_merged_segment=100 * MB)
    assert policy.find_quiet_merge([Fake(n, 60 * MB) for n in range(9)]) == []
    assert len(policy.find_quiet_merge([Fake(n, 30 * MB) for n in range(9)])) == 3
    assert len(policy.find_quiet_merge([Fake(n, 10 * MB) for n in range(9)], most=50 * MB)) == 5
    assert policy.find_quiet_merge([Fake(n, 30 * MB) for n in range(9)], most=50 * MB) == []


def test_quiet_merges_cost_a_logarithm() -> None:
    chance = random.Random(2)
    policy = MergePolicy()
    segments: list[Fake] = []
    added = written = most = 0
    for number in range(1, 2000):
        size = chance.randrange(1000, 3000)
        segments.append(Fake(number, size))
        added += size
        while found := policy.find_quiet_merge(segments):
            segments = [each for each in segments if each not in found]
            merged = sum(each.size_in_bytes for each in found)
            written += merged
            segments.append(Fake(-number, merged))
        most = max(most, len(segments))
    assert most <= 2 + math.log2(2000)
    assert written < added * math.log2(2000)
