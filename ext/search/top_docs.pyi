from lanner.ext.query.scorer import Weight
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader

class TopDocs:
    total: int
    relation: str
    segments: list[int]
    docs: list[int]
    scores: list[float]
    max_score: float | None
    terminated_early: bool
    timed_out: bool
    def __len__(self) -> int: ...

def search_top(
    reader: IndexReader,
    weight: Weight,
    k: int,
    *,
    track: int = 10000,
    min_score: float | None = None,
    after: tuple[float, int, int] | None = None,
    terminate_after: int = 0,
    limits: Limits | None = None,
) -> TopDocs: ...
