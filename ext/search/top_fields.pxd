"""Sort keys of documents; see top_fields.pyx."""

from cpython.ref cimport PyObject

from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.types cimport doc_t, int64_t

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
cdef object value_of(object key, const Criterion* c, object field, int64_t compared)
