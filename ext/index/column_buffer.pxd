"""One column of the write buffer; see column_buffer.pyx."""

from lanner.ext.analysis.token_stream cimport TokenStream
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.index.schema cimport Field
from lanner.ext.types cimport int64_t, uint8_t, uint32_t

cdef struct Slot:
    uint32_t hash
    uint32_t term  # term + 1; 0 is empty
    uint32_t start  # of its bytes
    uint32_t length

cdef class Column:
    cdef readonly Field field
    # dictionary: open addressing over terms numbered in order of arrival
    cdef Slot* slots
    cdef uint32_t mask
    cdef uint32_t n_terms
    cdef BytesWriter bytes  # the terms, one after the other
    cdef BytesWriter starts  # uint32 per term and the end
    cdef BytesWriter counts  # uint32 tokens per term
    # tokens in order of arrival
    cdef BytesWriter terms  # uint32
    cdef BytesWriter positions  # uint32, only when the field keeps them
    cdef BytesWriter offsets  # uint32 start, uint32 end, only when the field keeps them
    # documents that have the field, ascending
    cdef BytesWriter docs  # uint32
    cdef BytesWriter first  # uint32: first token or value of each
    cdef BytesWriter lengths  # uint32: for the norm; tokens that share a position count once
    cdef BytesWriter values  # int64
    cdef uint32_t last_doc
    cdef int64_t position
    cdef uint32_t length

    # Bytes held, roughly.
    cdef Py_ssize_t memory(self) noexcept nogil
    cdef int begin(self, uint32_t doc) except -1 nogil
    # The number of a term with this hash (upper half), a new one if it has none.
    cdef uint32_t term(self, const uint8_t* data, uint32_t length, uint32_t hash) except? 0xFFFFFFFF nogil
    cdef int grow(self) except -1 nogil
    cdef int add_text(self, uint32_t doc, TokenStream stream) except -1 nogil
    cdef int add_term(self, uint32_t doc, const uint8_t* data, Py_ssize_t length) except -1 nogil
    cdef int add_number(self, uint32_t doc, int64_t value) except -1 nogil
