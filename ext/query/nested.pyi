from lanner.ext.query.doc_set import SetWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.search.reader import IndexReader

class RowsWeight(SetWeight):
    def __init__(self, reader: IndexReader, path: bytes | None) -> None: ...

class BlockJoinWeight(Weight):
    def __init__(self, child: Weight, path: bytes, around: bytes | None, mode: str) -> None: ...
