"""Hash and equality of short byte strings.

The hash is a multiply-and-fold over eight bytes at a time, after Wang Yi's wyhash; it need not resist an adversary who
floods one segment, because a dictionary is looked up, never grown, and a probe sequence is bounded by its size.
"""

from libc.string cimport memcmp, memcpy

from lanner.ext.types cimport uint8_t, uint32_t, uint64_t

cdef extern from * nogil:
    """
    static inline unsigned long long lanner_fold(unsigned long long a, unsigned long long b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (unsigned long long)product ^ (unsigned long long)(product >> 64);
    }
    #define LANNER_SEED 0x9E3779B97F4A7C15ULL
    #define LANNER_EIGHT 0xA0761D6478BD642FULL
    #define LANNER_TAIL 0xE7037ED1A0B428DBULL
    #define LANNER_LAST 0x8EBC6AF09C88C6E3ULL
    """
    uint64_t fold "lanner_fold"(uint64_t a, uint64_t b) noexcept
    const uint64_t SEED "LANNER_SEED"
    const uint64_t EIGHT "LANNER_EIGHT"
    const uint64_t TAIL "LANNER_TAIL"
    const uint64_t LAST "LANNER_LAST"


cdef inline uint64_t hash_bytes(const uint8_t* data, Py_ssize_t length) noexcept nogil:
    cdef uint64_t h = SEED ^ <uint64_t>length, x
    cdef uint32_t lo, hi
    while length >= 8:
        memcpy(&x, data, 8)
        h = fold(h ^ x, EIGHT)
        data += 8
        length -= 8
    if length:
        # the rest, of one to seven bytes, without a call
        if length >= 4:
            memcpy(&lo, data, 4)
            memcpy(&hi, data + length - 4, 4)
            x = <uint64_t>hi << 32 | lo
        else:
            x = <uint64_t>data[0] << 16 | <uint64_t>data[length >> 1] << 8 | data[length - 1]
        h = fold(h ^ x, TAIL)
    return fold(h, LAST)


cdef inline bint same_bytes(const uint8_t* a, const uint8_t* b, Py_ssize_t n) noexcept nogil:
    """Whether n bytes are the same; most strings are too short for a call of memcmp to pay."""
    cdef uint64_t a_head, b_head, a_tail, b_tail
    cdef uint32_t a_low, b_low, a_high, b_high
    if n > 16:
        return memcmp(a, b, n) == 0
    if n >= 8:
        memcpy(&a_head, a, 8)
        memcpy(&b_head, b, 8)
        memcpy(&a_tail, a + n - 8, 8)
        memcpy(&b_tail, b + n - 8, 8)
        return ((a_head ^ b_head) | (a_tail ^ b_tail)) == 0
    if n >= 4:
        memcpy(&a_low, a, 4)
        memcpy(&b_low, b, 4)
        memcpy(&a_high, a + n - 4, 4)
        memcpy(&b_high, b + n - 4, 4)
        return ((a_low ^ b_low) | (a_high ^ b_high)) == 0
    return n == 0 or (a[0] == b[0] and a[n >> 1] == b[n >> 1] and a[n - 1] == b[n - 1])
