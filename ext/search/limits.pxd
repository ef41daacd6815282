"""When a search must stop early; see limits.pyx."""

from lanner.ext.types cimport int64_t

cdef class Limits:
    cdef int64_t deadline  # monotonic nanoseconds, or 0
    cdef bint cancelled
    cdef readonly bint timed_out

    cdef bint reached(self) noexcept nogil
