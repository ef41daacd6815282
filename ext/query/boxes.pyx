"""Documents with a shape whose bounding box touches a given box: who may lie in a relation to another shape.

The terms of such a column begin with the box of a shape: least latitude and longitude, then greatest, in steps of 32 bits, each
written so that bytes compare as the numbers do. The dictionary is sorted by the least latitude: it is walked as far as that reaches.
"""

from lanner.ext.codec.terms cimport TermsCursor
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.query.multi_term cimport add_term
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport int64_t, uint8_t, uint32_t

cdef enum:
    BOX_BYTES = 16
cdef int64_t MIDDLE = <int64_t>1 << 31


cdef int64_t step(const uint8_t* data) noexcept nogil:
    """The number of steps that four bytes stand for."""
    return <int64_t>(<uint32_t>data[0] << 24 | <uint32_t>data[1] << 16 | <uint32_t>data[2] << 8 | data[3]) - MIDDLE


cdef class BoxesWeight(SetWeight):
    """Shapes whose box touches the one between the given latitudes and longitudes, in steps, all included; score 1."""

    cdef str field
    cdef int64_t south
    cdef int64_t north
    cdef int64_t west
    cdef int64_t east

    def __init__(self, IndexReader reader not None, str field not None, int64_t south, int64_t north, int64_t west, int64_t east):
        self.reader = reader
        self.field = field
        self.south = south
        self.north = north
        self.west = west
        self.east = east

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef TermsCursor cursor
        cdef const uint8_t* box
        cdef bint found
        if field is None or not field.postings:
            return out
        cursor = TermsCursor(field.terms)
        found = cursor.seek(0)
        while found:
            box = cursor.data
            if cursor.length >= BOX_BYTES:
                if step(box) > self.north:
                    break
                if step(box + 8) >= self.south and step(box + 4) <= self.east and step(box + 12) >= self.west:
                    add_term(field, cursor.ord, out)
            found = cursor.advance()
        return out
