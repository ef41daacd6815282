from collections.abc import Iterable

from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import Similarity
from lanner.ext.query.term import TermWeight

OPERATIONS: dict[str, int]

class PositionsWeight(Weight):
    def __init__(
        self,
        approximation: Weight,
        terms: Iterable[TermWeight],
        program: Iterable[tuple[str, int, int, tuple[int, ...]]],
        *,
        boost: float = 1.0,
        least: int = 0,
        scored: Iterable[TermWeight] | None = None,
        field: str | None = None,
        similarity: Similarity | None = None,
    ) -> None: ...
    def freq(self, segment: int, doc: int) -> float: ...
