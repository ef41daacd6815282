"""Rows of nested objects; see nested.pyx."""

from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.types cimport uint64_t

cdef class RowSet:
    cdef uint64_t* words  # a bit per row; whole windows of them
    cdef readonly Py_ssize_t size

# The rows of a path in a segment, kept with it; path None: the documents.
cdef RowSet rows_of(SegmentReader segment, bytes path)
