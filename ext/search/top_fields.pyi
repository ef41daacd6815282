from collections.abc import Callable, Sequence
from typing import Any

from lanner.ext.codec.column_reader import ColumnReader
from lanner.ext.query.scorer import Weight
from lanner.ext.search.distance import Distance
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader

KINDS: dict[str, int]
MODES: dict[str, int]
NUMBERS: dict[str, int]

class SortKey:
    kind: str
    field: str
    reverse: bool
    missing_first: bool
    missing_value: int | bytes | None
    mode: str
    numbers: str
    columns: list[ColumnReader | None] | None
    distance: Distance | None
    def __init__(
        self,
        kind: str,
        field: str = "",
        *,
        reverse: bool = False,
        missing_first: bool = False,
        missing_value: int | bytes | None = None,
        mode: str | None = None,
        numbers: str = "long",
        distance: Distance | None = None,
    ) -> None: ...

class TopFields:
    total: int
    relation: str
    segments: list[int]
    docs: list[int]
    scores: list[float | None]
    values: list[list[int | bytes | float | None]]
    max_score: float | None
    terminated_early: bool
    timed_out: bool
    def __len__(self) -> int: ...

def order_of(keys: Sequence[SortKey]) -> Callable[[Any, Any], int]: ...
def search_sorted(
    reader: IndexReader,
    weight: Weight,
    k: int,
    keys: Sequence[SortKey],
    *,
    track: int = 10000,
    after: list[int | bytes | float | None] | None = None,
    track_scores: bool = False,
    min_score: float | None = None,
    terminate_after: int = 0,
    limits: Limits | None = None,
) -> TopFields: ...
