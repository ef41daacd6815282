from lanner.ext.query.doc_set import SetWeight
from lanner.ext.search.reader import IndexReader

class BoxesWeight(SetWeight):
    def __init__(
        self, reader: IndexReader, field: str, south: int, north: int, west: int, east: int
    ) -> None: ...
