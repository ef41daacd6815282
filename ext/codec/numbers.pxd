"""The numbers that cells of columns stand for: whole ones as they are, others by their sortable bits."""

from libc.string cimport memcpy

from lanner.ext.types cimport int64_t, uint32_t

cdef enum Numbers:
    LONGS
    DOUBLES
    FLOATS
    HALVES

cdef inline double decode_number(Numbers numbers, int64_t cell) noexcept nogil:
    """The number that a cell of a column stands for."""
    cdef int64_t bits = cell
    cdef uint32_t half
    cdef double wide
    cdef float narrow
    if numbers == LONGS:
        return <double>cell
    if numbers == DOUBLES:
        if bits < 0:
            bits ^= <int64_t>0x7FFFFFFF << 32 | <int64_t>0xFFFFFFFF
        memcpy(&wide, &bits, 8)
        return wide
    if numbers == FLOATS:
        half = <uint32_t>(cell if cell >= 0 else cell ^ 0x7FFFFFFF)
    else:
        half = <uint32_t>(cell if cell >= 0 else cell ^ 0x7FFF) & 0xFFFF
        if half & 0x7C00 == 0:  # small numbers have no hidden bit
            narrow = <float>(half & 0x3FF) * <float>5.9604644775390625e-08
            return -narrow if half & 0x8000 else narrow
        half = (half & 0x8000) << 16 | ((half & 0x7FFF) << 13) + (112 << 23)
    memcpy(&narrow, &half, 4)
    return narrow
