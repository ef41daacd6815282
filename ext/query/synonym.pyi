from lanner.ext.query.similarity import Similarity
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader

class SynonymWeight(TermWeight):
    alternatives: list[TermWeight]
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        terms: list[bytes],
        *,
        boost: float = 1.0,
        similarity: Similarity | None = None,
        positions: bool = False,
    ) -> None: ...
