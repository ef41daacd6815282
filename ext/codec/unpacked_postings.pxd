"""Postings of a term kept unpacked; see unpacked_postings.pyx."""

from lanner.ext.codec.postings_reader cimport Cursor, Postings
from lanner.ext.types cimport BLOCK_SIZE, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    GROUP_SHIFT = 16  # documents of a group share what stands above the low 16 bits
    MOST_GAP = 255  # stands for frequencies that a byte cannot hold

cdef struct Unpacked:
    const uint32_t* first  # of each group: where it begins in lows; then their number
    const uint16_t* lows  # of each posting; 64 more can be read
    const uint8_t* gaps  # freq - 1 of each posting, or MOST_GAP
    bint exact  # no posting has MOST_GAP

cdef class UnpackedPostings:
    cdef Unpacked view
    cdef int64_t size  # bytes
    cdef void* memory

cdef class UnpackedCache:
    cdef dict held  # field number << 32 | ord of a term -> UnpackedPostings, oldest first
    cdef readonly int64_t size  # bytes
    cdef readonly int64_t most

    cdef UnpackedPostings get(self, uint64_t key, const Postings* postings, uint32_t max_doc)

cdef inline uint32_t n_groups_of(uint32_t max_doc) noexcept nogil:
    return ((max_doc - 1) >> GROUP_SHIFT) + 1

cdef inline uint32_t group_size(const Unpacked* view, uint32_t group) noexcept nogil:
    return view.first[group + 1] - view.first[group]

cdef inline uint32_t number_of(const Cursor* c, int index) noexcept nogil:
    """The number of a posting, of number index in block c.block."""
    return <uint32_t>BLOCK_SIZE * <uint32_t>c.block + <uint32_t>index

cdef uint32_t unpacked_gap(const Unpacked* view, Cursor* c, uint32_t at) noexcept nogil
cdef void point_at(Cursor* c, uint32_t at, int* index) noexcept nogil
cdef UnpackedPostings unpack_postings(const Postings* postings, uint32_t max_doc)
