from lanner.ext.query.scorer import Scorer, Weight
from lanner.ext.search.reader import IndexReader

class ColumnRangeScorer(Scorer): ...

class NumberRangeWeight(Weight):
    def __init__(self, reader: IndexReader, field: str, lo: int, hi: int) -> None: ...
