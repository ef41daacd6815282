from pyroaring import BitMap

from lanner.ext.index.segment_reader import SegmentReader

def documents_of_part(segment: SegmentReader, field: str | None, number: int, parts: int) -> BitMap: ...
