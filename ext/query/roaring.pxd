"""Asking a stored bitmap for single documents, without building anything (layout: RoaringFormatSpec, portable, no runs)."""

from lanner.ext.types cimport doc_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef struct Bitmap:
    const uint8_t* data
    uint32_t length
    int n  # containers; 0: no bitmap
    const uint16_t* keys  # key, cardinality - 1
    const uint32_t* offsets
    int last  # container asked for last

cdef inline void open_bitmap(Bitmap* out, const uint8_t* data, uint32_t length) noexcept nogil:
    """Make out ready; without data, or if it does not fit its length, it answers nothing."""
    cdef uint32_t n
    out.n = 0
    out.last = 0
    if data == NULL or length < 8:
        return
    n = (<const uint32_t*>data)[1]
    if n > 65536 or 8 + 8 * n > length:
        return
    out.data = data
    out.length = length
    out.keys = <const uint16_t*>(data + 8)
    out.offsets = <const uint32_t*>(data + 8 + 4 * n)
    out.n = <int>n

cdef inline bint excludes(Bitmap* b, doc_t doc) noexcept nogil:
    """Whether the document is certainly not in the bitmap; False where telling would cost a search."""
    cdef uint16_t key = <uint16_t>(doc >> 16)
    cdef int i = b.last
    cdef uint32_t offset, low
    if b.n == 0:
        return False
    if b.keys[2 * i] != key:
        if b.keys[2 * i] > key:
            i = 0
        while i < b.n and b.keys[2 * i] < key:
            i += 1
        if i == b.n or b.keys[2 * i] != key:
            return True
        b.last = i
    if b.keys[2 * i + 1] < 4096:
        return False
    offset = b.offsets[i]
    if offset + 8192 > b.length:
        return False
    low = doc & 0xFFFF
    return not (b.data[offset + (low >> 3)] >> (low & 7)) & 1
