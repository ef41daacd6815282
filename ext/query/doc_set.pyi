from collections.abc import Iterable

from pyroaring import BitMap

from lanner.ext.query.scorer import Scorer, Weight
from lanner.ext.search.reader import IndexReader

class SetScorer(Scorer): ...
class SetWeight(Weight): ...

class DocSetWeight(SetWeight):
    def __init__(self, reader: IndexReader, sets: Iterable[BitMap]) -> None: ...
