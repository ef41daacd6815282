from collections.abc import Sequence

from lanner.ext.index.segment_reader import SegmentReader

class IndexReader:
    segments: tuple[SegmentReader, ...]
    max_doc: int
    num_docs: int
    def __init__(self, segments: Sequence[SegmentReader]) -> None: ...
    def field_statistics(self, field: str) -> tuple[int, int, int]: ...
    def doc_freq(self, field: str, term: bytes) -> int: ...
