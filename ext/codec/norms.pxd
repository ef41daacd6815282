"""One byte per document for the length of a field, and what BM25 makes of it; 0 where the document does not have the field.

Source: SmallFloat.intToByte4 and byte4ToInt of Lucene; BM25Similarity of Lucene.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef inline int bits_of(uint32_t value) noexcept nogil:
    cdef int n = 0
    while value:
        n += 1
        value >>= 1
    return n

cdef inline int encode4(uint32_t value) noexcept nogil:
    """Four significant bits: the value itself up to 7, then mantissa and exponent."""
    cdef int n = bits_of(value)
    if n < 4:
        return <int>value
    return <int>((value >> (n - 4)) & 7) | ((n - 3) << 3)

cdef inline int64_t decode4(int code) noexcept nogil:
    if code < 8:
        return code
    return <int64_t>((code & 7) | 8) << ((code >> 3) - 1)

cdef enum:
    EXACT_LENGTHS = 24  # 255 - encode4(2**31 - 1): lengths below are kept as they are
    NO_TOKENS = 255  # the document has the field, without a single token; lengths end below, at 2**30 or so

cdef inline uint8_t encode_length(uint32_t length) noexcept nogil:
    if length < EXACT_LENGTHS:
        return <uint8_t>length
    return <uint8_t>(EXACT_LENGTHS + encode4(length - EXACT_LENGTHS))

cdef inline int64_t decode_length(int code) noexcept nogil:
    if code < EXACT_LENGTHS:
        return code
    return EXACT_LENGTHS + decode4(code - EXACT_LENGTHS)

cdef inline void fill_inverse(float k1, float b, float average, float* inverse) noexcept nogil:
    """inverse[norm] = 1 / (k1 * (1 - b + b * length / average)), in Lucene's order of operations.

    With k1 = 0 the frequency plays no part; infinity keeps w - w / (1 + freq * inverse) equal to w.
    """
    cdef int i
    for i in range(256):
        inverse[i] = <float>1.0 / (k1 * ((<float>1.0 - b) + b * <float>decode_length(i) / average))
