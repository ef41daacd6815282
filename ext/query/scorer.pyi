from lanner.ext.search.reader import IndexReader

class Scorer: ...

class Weight:
    reader: IndexReader
