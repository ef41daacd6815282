"""How far the points of a document are from given ones; see distance.pyx."""

from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.types cimport int64_t

# Metres along a great circle between two places in degrees.
cdef double arc(double lat, double lon, double other_lat, double other_lon) noexcept nogil

# The same from a place to that of a cell.
cdef double arc_to(double lat, double lon, int64_t cell) noexcept nogil

cdef class Distance:
    cdef double[::1] lats  # in degrees
    cdef double[::1] lons
    cdef double unit
    cdef bint plane
    cdef double* sorted  # the distances of one document, for the median
    cdef Py_ssize_t capacity

    # The distance that stands for those of all pairs of a given point and a cell in [first, end), as the sortable bits of a double;
    # mode as in top_fields.pyx. One thread at a time.
    cdef int64_t key(self, ColumnReader column, Py_ssize_t first, Py_ssize_t end, int mode) noexcept nogil
