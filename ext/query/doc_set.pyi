from collections.abc import Iterable

from lanner.ext.query.scorer import Scorer, Weight
from lanner.ext.search.reader import IndexReader
from pyroaring import BitMap

class SetScorer(Scorer): ...
class SetWeight(Weight): ...

class DocSetWeight(SetWeight):
    def __init__(self, reader: IndexReader, sets: Iterable[BitMap]) -> None: ...
