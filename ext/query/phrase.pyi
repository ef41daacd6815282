from collections.abc import Sequence

from lanner.ext.query.conjunction import ConjunctionScorer
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import Similarity
from lanner.ext.search.reader import IndexReader

class PhraseScorer(ConjunctionScorer): ...

class PhraseWeight(Weight):
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        terms: Sequence[Sequence[bytes]],
        positions: Sequence[int],
        *,
        slop: int = 0,
        boost: float = 1.0,
        similarity: Similarity | None = None,
    ) -> None: ...
    def freq(self, segment: int, doc: int) -> float: ...
