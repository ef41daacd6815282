"""The sorted terms of one field: written in blocks with shared prefixes, found by hash or by order.

Sections: "terms" holds blocks of 16 terms, each block vint(length) term, then vint(shared prefix) vint(rest) rest;
"starts" uint32 per block (n_blocks + 1); "slots" uint32 ord + 1 by hash (0 is empty) in a table of a power of two, linear
probing; "tags" one byte of the hash per slot.
"""

from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.types cimport int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    TERMS_PER_BLOCK = 16
    MAX_TERM = 32766  # bytes, as in Lucene

cdef class TermsWriter:
    cdef readonly BytesWriter terms
    cdef readonly BytesWriter starts
    cdef BytesWriter hashes
    cdef BytesWriter previous
    cdef readonly uint32_t size

    cdef int add(self, const uint8_t* term, Py_ssize_t length) except -1 nogil

cdef class TermsReader:
    cdef object owner
    cdef const uint8_t* terms
    cdef Py_ssize_t terms_length
    cdef const uint32_t* starts
    cdef const uint32_t* slots
    cdef const uint8_t* tags
    cdef uint64_t mask
    cdef readonly uint32_t size
    cdef uint32_t n_blocks

    cdef int64_t find(self, const uint8_t* term, Py_ssize_t length) noexcept nogil
    cdef void prefetch(self, uint64_t h) noexcept nogil
    cdef int64_t find_hashed(self, uint64_t h, const uint8_t* term, Py_ssize_t length) noexcept nogil
    cdef uint32_t candidate(self, uint64_t h) noexcept nogil
    cdef void prefetch_text(self, uint32_t ord) noexcept nogil
    cdef bint equals(self, uint32_t ord, const uint8_t* term, Py_ssize_t length) noexcept nogil
    cdef uint32_t ceiling(self, const uint8_t* term, Py_ssize_t length) noexcept nogil
    cdef bint starts_after(self, uint32_t block, const uint8_t* term, Py_ssize_t length) noexcept nogil
    cdef uint32_t block_from(self, uint32_t block, const uint8_t* term, Py_ssize_t length) noexcept nogil
    cdef Py_ssize_t read(self, uint32_t ord, uint8_t* out) noexcept nogil

cdef class TermsCursor:
    """Walks the terms of a dictionary in order."""
    cdef TermsReader reader
    cdef const uint8_t* place
    cdef uint32_t ord  # of the term in data
    cdef uint8_t* data
    cdef Py_ssize_t length
    cdef Py_ssize_t shared  # leading bytes that are known to be those of the term before

    cdef bint seek(self, uint32_t ord) noexcept nogil
    cdef bint step(self) noexcept nogil
    cdef bint advance(self) noexcept nogil

