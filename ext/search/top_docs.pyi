from lanner.ext.query.scorer import Weight
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader

class TopDocs:
    total: int
    relation: str
    terminated_early: bool
    timed_out: bool
    def __len__(self) -> int: ...
    @property
    def segments(self) -> list[int]: ...
    @property
    def docs(self) -> list[int]: ...
    @property
    def scores(self) -> list[float]: ...
    @property
    def max_score(self) -> float | None: ...

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
