"""A growing run of bytes that kernels append to without the GIL.

Integers of variable length hold seven bits a byte, low bits first, the high bit set on all but the last.
Source: the VInt of Lucene's index file formats.
"""

from cpython.buffer cimport PyBUF_FORMAT, PyBuffer_FillInfo
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from lanner.ext.types cimport uint8_t, uint32_t, uint64_t


cdef extern from *:
    """
    #include <stdlib.h>
    #ifdef __GLIBC__
    #include <malloc.h>
    #define LANNER_RELEASE() malloc_trim(0)
    #else
    #define LANNER_RELEASE() 0
    #endif
    """
    int LANNER_RELEASE() nogil


def release_free_memory() -> None:
    """Give the system back what large buffers have left behind in the allocator."""
    with nogil:
        LANNER_RELEASE()


cdef class BytesWriter:
    """Bytes in the making; exports them by the buffer protocol once writing has ended."""

    def __cinit__(self):
        self.data = NULL
        self.size = 0
        self.capacity = 0

    def __dealloc__(self):
        free(self.data)

    cdef uint8_t* reserve(self, Py_ssize_t n) except NULL nogil:
        """Room for n bytes at the end; the caller adds to size what it used."""
        cdef Py_ssize_t capacity
        cdef void* grown
        if self.data == NULL or self.size + n > self.capacity:
            capacity = self.capacity + (self.capacity >> 1) + n + 256
            grown = realloc(self.data, capacity)
            if grown == NULL:
                with gil:
                    raise MemoryError()
            self.data = <uint8_t*>grown
            self.capacity = capacity
        return self.data + self.size

    cdef int append(self, const void* src, Py_ssize_t n) except -1 nogil:
        cdef uint8_t* out = self.reserve(n)
        if n > 0:
            memcpy(out, src, n)
        self.size += n
        return 0

    cdef int append_vint(self, uint64_t value) except -1 nogil:
        cdef uint8_t* out = self.reserve(10)
        cdef Py_ssize_t n = 0
        while value >= 128:
            out[n] = <uint8_t>(value | 128)
            value >>= 7
            n += 1
        out[n] = <uint8_t>value
        self.size += n + 1
        return 0

    cdef int align(self, Py_ssize_t n) except -1 nogil:
        """Fill with zeros up to a multiple of n."""
        cdef Py_ssize_t more = -self.size % n
        if more < 0:
            more += n
        memset(self.reserve(more + 1), 0, more)
        self.size += more
        return 0

    def __len__(self):
        return self.size

    def __getbuffer__(self, Py_buffer* view, int flags):
        if self.data == NULL:
            self.reserve(1)
        PyBuffer_FillInfo(view, self, self.data, self.size, 1, flags)
