from lanner.ext.query.doc_set import SetWeight
from lanner.ext.search.reader import IndexReader

class ExistsWeight(SetWeight):
    def __init__(self, reader: IndexReader, field: str) -> None: ...
