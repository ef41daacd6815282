"""Reading integers of variable length (see bytes_writer.pyx for the layout)."""

from lanner.ext.types cimport uint8_t, uint64_t

cdef inline const uint8_t* read_vint(const uint8_t* src, const uint8_t* end, uint64_t* out) noexcept nogil:
    """Decode one integer; return the byte after it, or NULL if src runs past end."""
    cdef uint64_t value = 0
    cdef int shift = 0
    if src < end and src[0] < 128:
        out[0] = src[0]
        return src + 1
    while src < end and shift < 64:
        value |= <uint64_t>(src[0] & 127) << shift
        if src[0] < 128:
            out[0] = value
            return src + 1
        src += 1
        shift += 7
    return NULL
