"""Documents that hold a range which stands in some relation to a given one.

A range is a term of two halves of equal width, its least and its greatest value, each written so that bytes compare as the values
do. The dictionary is then sorted by the least values: what begins too late, or too early, is not looked at.
"""

from libc.string cimport memcmp

from lanner.ext.codec.terms cimport TermsCursor, TermsReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.query.multi_term cimport add_term
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport uint8_t, uint32_t

RELATIONS = {"intersects": 0, "contains": 1, "within": 2}
cdef enum:
    INTERSECTS = 0
    CONTAINS = 1


cdef class RangesWeight(SetWeight):
    """Ranges that intersect the one from lo to hi, contain it or lie within it, all ends included; score 1.

    lo, hi: of the width of a half.
    """

    cdef str field
    cdef bytes lo
    cdef bytes hi
    cdef int relation

    def __init__(self, IndexReader reader not None, str field not None, bytes lo not None, bytes hi not None, str relation not None):
        if len(lo) != len(hi) or not lo:
            raise ValueError("the ends of a range need the same width")
        self.reader = reader
        self.field = field
        self.lo = lo
        self.hi = hi
        self.relation = RELATIONS[relation]

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef Py_ssize_t width = len(self.lo)
        cdef const uint8_t* lo = <const uint8_t*>self.lo
        cdef const uint8_t* hi = <const uint8_t*>self.hi
        cdef const uint8_t* latest  # the greatest least value of a range that counts
        cdef TermsCursor cursor
        cdef TermsReader terms
        cdef bint fits
        if field is None or not field.postings:
            return out
        terms = field.terms
        cursor = TermsCursor(terms)
        latest = lo if self.relation == CONTAINS else hi
        fits = cursor.seek(0 if self.relation != 2 else terms.ceiling(lo, width))
        while fits and memcmp(cursor.data, latest, width) <= 0:
            if cursor.length == 2 * width and fitting(cursor.data + width, lo, hi, width, self.relation):
                add_term(field, cursor.ord, out)
            fits = cursor.advance()
        return out


cdef bint fitting(const uint8_t* greatest, const uint8_t* lo, const uint8_t* hi, Py_ssize_t width, int relation) noexcept nogil:
    """Whether a range fits by its greatest value; by its least one it does."""
    if relation == INTERSECTS:
        return memcmp(greatest, lo, width) >= 0
    if relation == CONTAINS:
        return memcmp(greatest, hi, width) >= 0
    return memcmp(greatest, hi, width) <= 0
