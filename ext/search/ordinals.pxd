"""The terms of a column, numbered over all segments; see ordinals.pyx."""

from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport uint32_t

cdef class GlobalOrdinals:
    cdef readonly Py_ssize_t size  # distinct terms
    cdef list maps

    # The number of each ord of a segment; NULL where an ord is its own number.
    cdef const uint32_t* of(self, int segment)

# The numbers of the terms of a column, made once for a reader.
cdef GlobalOrdinals ordinals_of(IndexReader reader, str field)
