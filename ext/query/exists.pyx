"""Documents that have a field: it has doc values there, or a length."""

from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport uint32_t, uint64_t


cdef class ExistsWeight(SetWeight):
    """Documents with the field; score 1."""

    cdef str field

    def __init__(self, IndexReader reader not None, str field not None):
        self.reader = reader
        self.field = field

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef uint32_t doc
        cdef Py_ssize_t first = 0, end = 0
        if field is None:
            return out
        if field.column is not None:
            for doc in range(reader.max_doc):
                if field.column.bounds(doc, &first, &end):
                    out.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
        elif field.norms != NULL:
            for doc in range(reader.max_doc):
                if field.norms[doc]:
                    out.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
        return out
