from lanner.ext.search.reader import IndexReader

class GlobalOrdinals:
    size: int

def numbers_of(reader: IndexReader, field: str, segment: int) -> list[int]: ...
