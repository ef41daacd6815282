from lanner.ext.query.scorer import Scorer, Weight
from lanner.ext.query.similarity import Similarity
from lanner.ext.search.reader import IndexReader

class TermWeight(Weight):
    field: str
    term: bytes
    doc_freq: int
    weight: float
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        term: bytes,
        similarity: Similarity | None = None,
        boost: float = 1.0,
        *,
        statistics: tuple[int, int] | None = None,
    ) -> None: ...
    def freq(self, segment: int, doc: int) -> int: ...

class TermScorer(Scorer): ...
