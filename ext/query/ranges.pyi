from lanner.ext.query.doc_set import SetWeight
from lanner.ext.search.reader import IndexReader

RELATIONS: dict[str, int]

class RangesWeight(SetWeight):
    def __init__(self, reader: IndexReader, field: str, lo: bytes, hi: bytes, relation: str) -> None: ...
