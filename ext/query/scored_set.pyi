from collections.abc import Iterable, Mapping

from lanner.ext.query.doc_set import SetScorer, SetWeight
from lanner.ext.search.reader import IndexReader

class ScoredSet(SetScorer): ...

class ScoredDocsWeight(SetWeight):
    def __init__(self, reader: IndexReader, scored: Iterable[Mapping[int, float]]) -> None: ...
