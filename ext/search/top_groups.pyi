from collections.abc import Sequence
from typing import Any

from lanner.ext.query.scorer import Weight
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey

class SeveralValuesError(ValueError): ...

class TopGroups:
    total: int
    relation: str
    segments: list[int]
    docs: list[int]
    scores: list[float | None]
    values: list[list[int | bytes | float | None]]
    groups: list[int | bytes | None]
    max_score: float | None
    terminated_early: bool
    timed_out: bool
    def __len__(self) -> int: ...

def search_groups(
    reader: IndexReader,
    weight: Weight,
    k: int,
    keys: Sequence[SortKey],
    group: str,
    *,
    track: int = 10000,
    track_scores: bool = False,
    min_score: float | None = None,
    terminate_after: int = 0,
    limits: Limits | None = None,
) -> TopGroups: ...
def best_of_groups(hits: list[Any], at: int, k: int) -> list[Any]: ...
