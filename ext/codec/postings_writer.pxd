"""Writes the postings of one field, term by term (layout in postings.pxd)."""

from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.postings cimport N_SEEDS
from lanner.ext.types cimport doc_t, freq_t, uint8_t, uint32_t, uint64_t

cdef int[N_SEEDS] RANKS  # the k of each seed

cdef class PostingsWriter:
    cdef readonly BytesWriter entries  # uint64 per term
    cdef readonly BytesWriter postings
    cdef readonly BytesWriter positions
    cdef readonly BytesWriter bitmaps
    cdef readonly uint64_t sum_doc_freq
    cdef readonly uint64_t sum_total_term_freq
    cdef readonly float average  # length that the stored impacts were computed with
    cdef const uint8_t* norms  # one per document, or NULL
    cdef float inverse[256]
    cdef uint32_t max_doc
    cdef bint with_freqs
    cdef bint with_positions
    cdef float* impacts  # of a long record, then the best of each of its blocks
    cdef Py_ssize_t impacts_capacity  # in blocks

    cdef int add(self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n, const uint32_t* gaps) except -1 nogil
    cdef int add_long(
        self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n, const uint32_t* gaps, uint64_t total
    ) except -1 nogil
    cdef int add_tight(
        self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n, doc_t base, const uint32_t* gaps, Py_ssize_t total
    ) except -1 nogil
    cdef int append_tight(self, const uint32_t* values, int bits, Py_ssize_t n) except -1 nogil
    cdef int room_for_impacts(self, Py_ssize_t n) except -1 nogil
    cdef float* fill_impacts(self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n) except NULL nogil
    cdef float impact(self, doc_t doc, freq_t freq) noexcept nogil
    cdef dict sections(self)
    cdef int add_bitmap(self, const doc_t* docs, Py_ssize_t n) except -1 nogil
    cdef uint64_t add_positions(self, const uint32_t* gaps, uint64_t total) except? 0 nogil

cdef void position_gaps(uint32_t* positions, const uint32_t* rest, Py_ssize_t n) noexcept nogil
