"""A growing run of bytes that kernels append to without the GIL."""

from lanner.ext.types cimport uint8_t, uint32_t, uint64_t

cdef class BytesWriter:
    cdef uint8_t* data
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    cdef uint8_t* reserve(self, Py_ssize_t n) except NULL nogil
    cdef int append(self, const void* src, Py_ssize_t n) except -1 nogil
    cdef int append_vint(self, uint64_t value) except -1 nogil
    cdef int align(self, Py_ssize_t n) except -1 nogil
