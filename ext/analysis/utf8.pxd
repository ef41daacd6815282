"""UTF-8 as analysis reads and writes it. Text is valid, but no function trusts that beyond the given end."""

from lanner.ext.types cimport uint8_t, uint32_t

cdef inline int decode_utf8(const uint8_t* src, const uint8_t* end, uint32_t* out) noexcept nogil:
    """Read one code point, src < end; return its bytes, 1 to 4. A cut or stray byte reads as U+FFFD of one byte."""
    cdef uint32_t lead = src[0]
    if lead < 0x80:
        out[0] = lead
        return 1
    if lead >= 0xC2 and lead < 0xE0 and end - src >= 2:
        out[0] = (lead & 0x1F) << 6 | (src[1] & 0x3F)
        return 2
    if lead >= 0xE0 and lead < 0xF0 and end - src >= 3:
        out[0] = (lead & 0x0F) << 12 | <uint32_t>(src[1] & 0x3F) << 6 | (src[2] & 0x3F)
        return 3
    if lead >= 0xF0 and lead < 0xF5 and end - src >= 4:
        # five-bit overflow of F4 90.. and above stays below 2 ** 21; tables are asked only below N_CODE_POINTS
        out[0] = ((lead & 0x07) << 18 | <uint32_t>(src[1] & 0x3F) << 12 | <uint32_t>(src[2] & 0x3F) << 6
                  | (src[3] & 0x3F))
        if out[0] < 0x110000:
            return 4
    out[0] = 0xFFFD
    return 1

cdef inline int encode_utf8(uint32_t point, uint8_t* out) noexcept nogil:
    """Write one code point; return its bytes, 1 to 4."""
    if point < 0x80:
        out[0] = <uint8_t>point
        return 1
    if point < 0x800:
        out[0] = <uint8_t>(0xC0 | point >> 6)
        out[1] = <uint8_t>(0x80 | (point & 0x3F))
        return 2
    if point < 0x10000:
        out[0] = <uint8_t>(0xE0 | point >> 12)
        out[1] = <uint8_t>(0x80 | (point >> 6 & 0x3F))
        out[2] = <uint8_t>(0x80 | (point & 0x3F))
        return 3
    out[0] = <uint8_t>(0xF0 | point >> 18)
    out[1] = <uint8_t>(0x80 | (point >> 12 & 0x3F))
    out[2] = <uint8_t>(0x80 | (point >> 6 & 0x3F))
    out[3] = <uint8_t>(0x80 | (point & 0x3F))
    return 4

cdef inline uint32_t units_of(int n_bytes) noexcept nogil:
    """UTF-16 code units of a code point that takes n_bytes in UTF-8."""
    return 2 if n_bytes == 4 else 1

cdef inline uint32_t utf16_length(const uint8_t* src, Py_ssize_t n) noexcept nogil:
    """UTF-16 code units of n bytes."""
    cdef uint32_t units = 0
    cdef Py_ssize_t i
    for i in range(n):
        # every byte but those that continue a character; twice for leads of four
        units += ((src[i] & 0xC0) != 0x80) + (src[i] >= 0xF0)
    return units
