"""Sort keys of documents; see sort_keys.pyx."""

from cpython.ref cimport PyObject

from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.search.distance cimport Distance
from lanner.ext.types cimport doc_t, int64_t

cdef enum:
    NUMBER = 0
    TERM = 1
    SCORE = 2
    DOC = 3
    DISTANCE = 4

cdef enum:
    MOST_KEYS = 64

cdef class SortKey:
    cdef readonly str kind
    cdef readonly str field
    cdef readonly bint reverse
    cdef readonly bint missing_first
    cdef readonly object missing_value
    cdef readonly str mode
    cdef readonly str numbers
    cdef public list columns
    cdef readonly Distance distance

cdef struct Criterion:
    int kind
    bint reverse
    int mode
    int numbers
    PyObject* column  # ColumnReader, or NULL: no document of the segment has a value
    PyObject* distance  # Distance, of kind DISTANCE
    int64_t missing  # as it compares
    int64_t base  # of the segment's documents, for DOC

# Fill criteria with the keys over a segment, number i of its reader, whose documents begin at base; return its fields.
cdef list bind_criteria(list keys, SegmentReader segment, int i, int64_t base, Criterion* criteria)
# What a document's key is, as it compares.
cdef int64_t key_of(const Criterion* c, doc_t doc, float score) noexcept nogil
cdef int compare(const int64_t* a, const int64_t* b, int n) noexcept nogil
# What the caller gets for a key.
cdef object value_of(SortKey key, const Criterion* c, FieldReader field, int64_t compared)
# A value that a caller gives as it compares in a segment; None is a missing one.
cdef int64_t comparable(SortKey key, FieldReader field, value) except? -1
