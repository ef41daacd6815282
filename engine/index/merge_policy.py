"""Which segments to merge.

Source: Lucene's TieredMergePolicy: segments of like size are merged, never more than a budget of them is
kept, and of all sets of neighbours in size the least lopsided one with the most deletes goes first.

That budget is made for a shard that is being written to. While nothing is written, every search still pays
for every segment, so a quiet shard goes on, by the logarithmic method of Bentley and Saxe (Decomposable
searching problems, 1980): a segment stays if it is larger than all smaller ones together. However often
writes and quiet take turns, what a document costs so grows with the logarithm of the index only.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar


class Mergeable(Protocol):
    """What the policy needs to know of a segment."""

    @property
    def live_bytes(self) -> int:
        """Bytes that a merge would write for it."""

    @property
    def size_in_bytes(self) -> int:
        """Bytes that it has."""

    @property
    def max_doc(self) -> int:
        """Documents including deleted ones."""

    @property
    def num_docs(self) -> int:
        """Live documents."""


S = TypeVar("S", bound=Mergeable)
_QUIET_AT_LEAST = 3  # two segments are cheap to search


@dataclass(frozen=True, slots=True)
class MergePolicy:
    """The settings ``index.merge.policy.*``."""

    segments_per_tier: float = 10.0
    max_merge_at_once: int = 10
    max_merged_segment: int = 5 << 30
    floor_segment: int = 2 << 20
    deletes_pct_allowed: float = 20.0
    expunge_deletes_allowed: float = 10.0

    def find_merge(self, segments: Sequence[S], merging: Collection[S] = ()) -> list[S]:
        """The best set of segments to merge now, or an empty list."""
        candidates = [segment for segment in segments if segment not in merging]
        candidates.sort(key=lambda segment: segment.live_bytes, reverse=True)
        total = sum(segment.live_bytes for segment in candidates)
        documents = sum(segment.max_doc for segment in candidates)
        deletes = documents - sum(segment.num_docs for segment in candidates)
        too_many_deletes = documents > 0 and 100 * deletes / documents > self.deletes_pct_allowed
        eligible = []
        for segment in candidates:
            lost = 100 * (segment.max_doc - segment.num_docs) / max(1, segment.max_doc)
            large = segment.live_bytes > self.max_merged_segment / 2
            if large and not (too_many_deletes and lost > self.deletes_pct_allowed):
                total -= segment.live_bytes
            else:
                eligible.append(segment)
        if not eligible:
            return []
        allowed = self._allowed(eligible, total)
        if len(eligible) > allowed or too_many_deletes:
            found = self._best(eligible)
            if len(eligible) > allowed or _reclaims(found):
                return found
        return []

    def find_quiet_merge(
        self, segments: Sequence[S], merging: Collection[S] = (), *, most: float = math.inf
    ) -> list[S]:
        """What to merge while nothing is written: up to the largest that the smaller ones outweigh.

        most: bytes that the merge may write, which it holds in memory until they are written.
        """
        most = min(most, self.max_merged_segment)
        candidates = [
            segment for segment in segments if segment not in merging and segment.live_bytes <= most / 2
        ]
        candidates.sort(key=lambda segment: segment.live_bytes)
        found = total = 0
        for count, segment in enumerate(candidates, 1):
            if total + segment.live_bytes > most:
                break
            if segment.live_bytes <= total:
                found = count
            total += segment.live_bytes
        return candidates[:found] if found >= _QUIET_AT_LEAST else []

    def find_forced_merge(self, segments: Sequence[S], max_num_segments: int) -> list[S]:
        """What a forced merge has to merge next to get down to `max_num_segments`, or an empty list."""
        if max_num_segments == 1:
            if len(segments) > 1 or any(segment.num_docs < segment.max_doc for segment in segments):
                return list(segments)
            return []
        excess = len(segments) - max_num_segments
        if excess <= 0:
            return []
        return sorted(segments, key=lambda segment: segment.live_bytes)[: excess + 1]

    def find_expunge(self, segments: Sequence[S]) -> list[S]:
        """The next segment with so many deletes that expunging them pays, alone, or an empty list."""
        for segment in segments:
            lost = segment.max_doc - segment.num_docs
            if lost and 100 * lost / segment.max_doc > self.expunge_deletes_allowed:
                return [segment]
        return []

    def _allowed(self, segments: Sequence[Mergeable], total: int) -> float:
        """How many segments of these sizes may stay."""
        level = max(float(self.floor_segment), float(segments[-1].live_bytes))
        left, allowed = float(max(total, 1)), 0.0
        factor = min(self.max_merge_at_once, self.segments_per_tier)
        while True:
            count = left / level
            if count < self.segments_per_tier or level >= self.max_merged_segment:
                return max(allowed + math.ceil(count), self.segments_per_tier)
            allowed += self.segments_per_tier
            left -= self.segments_per_tier * level
            level = min(float(self.max_merged_segment), level * factor)

    def _best(self, eligible: Sequence[S]) -> list[S]:
        """The set with the best score among neighbours in size."""
        best: list[S] = []
        best_score = math.inf
        for start in range(len(eligible)):
            chosen: list[S] = []
            after = 0
            for segment in eligible[start:]:
                if len(chosen) == self.max_merge_at_once:
                    break
                if chosen and after + segment.live_bytes > self.max_merged_segment:
                    continue
                chosen.append(segment)
                after += segment.live_bytes
            if len(chosen) < 2 and not _reclaims(chosen):
                continue
            score = self._score(chosen, after)
            if score < best_score:
                best, best_score = chosen, score
        return best

    def _score(self, chosen: Sequence[Mergeable], after: int) -> float:
        """Lower is better: balanced, small, many deletes."""
        before = sum(segment.size_in_bytes for segment in chosen)
        floored = [max(self.floor_segment, segment.live_bytes) for segment in chosen]
        full = len(chosen) >= self.max_merge_at_once and after >= self.max_merged_segment * 0.9
        skew = 1.0 / self.max_merge_at_once if full else floored[0] / sum(floored)
        kept = after / max(1, before)
        return float(skew * max(1, after) ** 0.05 * kept**2)


def _reclaims(chosen: Sequence[Mergeable]) -> bool:
    """Whether a merge would drop deleted documents."""
    return any(segment.num_docs < segment.max_doc for segment in chosen)
