"""A fixed set of words: open addressing over one string of bytes (see word_set.pxd)."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from lanner.ext.analysis.unicode cimport to_lower
from lanner.ext.analysis.utf8 cimport decode_utf8, encode_utf8
from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    LONGEST_LOWERED = 1024  # bytes; longer words are no words of a case-insensitive set


cdef inline uint32_t hash_bytes(const uint8_t* src, Py_ssize_t n) noexcept nogil:
    """FNV-1a of 64 bits, folded."""
    cdef unsigned long long value = <unsigned long long>0xCBF29CE484222325
    cdef Py_ssize_t i
    for i in range(n):
        value = (value ^ src[i]) * <unsigned long long>0x100000001B3
    return <uint32_t>(value ^ value >> 32)


cdef Py_ssize_t lower_into(const uint8_t* src, Py_ssize_t n, uint8_t* out, Py_ssize_t room) noexcept nogil:
    """Lower a word; return its bytes, or -1 if they may not fit."""
    cdef const uint8_t* end = src + n
    cdef uint32_t point
    cdef Py_ssize_t size = 0
    while src < end:
        if size + 4 > room:
            return -1
        src += decode_utf8(src, end, &point)
        size += encode_utf8(to_lower(point), out + size)
    return size


cdef class WordSet:
    """Words given as text; with ignore_case they and what is asked for are compared in lower case."""

    def __cinit__(self, words, *, ignore_case=False):
        cdef uint8_t lowered[LONGEST_LOWERED]
        cdef Py_ssize_t n
        cdef bytes encoded
        cdef set found = set()
        cdef uint32_t start = 0, n_slots = 8, at
        self.ignore_case = ignore_case
        for word in words:
            encoded = (<str?>word).encode("utf-8", "replace")
            if ignore_case:
                n = lower_into(<const uint8_t*><const char*>encoded, len(encoded), lowered, LONGEST_LOWERED)
                if n < 0:
                    continue
                encoded = (<const char*>lowered)[:n]
            found.add(encoded)
        self.has_empty = b"" in found
        found.discard(b"")
        ordered = sorted(found)
        self.data = b"".join(ordered)
        if len(self.data) > 0x7FFFFFFF:
            raise ValueError("too many words")
        self.bytes = <const uint8_t*><const char*>self.data
        while n_slots < 2 * len(ordered):
            n_slots *= 2
        self.slots = <Word*>calloc(n_slots, sizeof(Word))
        if self.slots == NULL:
            raise MemoryError()
        self.mask = n_slots - 1
        for encoded in ordered:
            n = len(encoded)
            self.lengths |= <unsigned long long>1 << min(n, 63)
            self.longest = max(self.longest, <uint32_t>n)
            at = hash_bytes(self.bytes + start, n) & self.mask
            while self.slots[at].length:
                at = (at + 1) & self.mask
            self.slots[at].start = start
            self.slots[at].length = <uint32_t>n
            start += <uint32_t>n

    def __dealloc__(self):
        free(self.slots)

    cdef bint contains(self, const uint8_t* term, Py_ssize_t n) noexcept nogil:
        """Is the term one of the words?"""
        cdef uint8_t lowered[LONGEST_LOWERED]
        cdef Word* slot
        cdef uint32_t at
        if self.ignore_case:
            n = lower_into(term, n, lowered, LONGEST_LOWERED)
            term = lowered
        if n <= 0:
            return n == 0 and self.has_empty
        if not self.lengths >> min(n, 63) & 1 or n > self.longest:
            return False
        at = hash_bytes(term, n) & self.mask
        while True:
            slot = self.slots + at
            if slot.length == 0:
                return False
            if slot.length == <uint32_t>n and memcmp(self.bytes + slot.start, term, n) == 0:
                return True
            at = (at + 1) & self.mask

    def __contains__(self, word):
        cdef bytes encoded = (<str?>word).encode("utf-8", "replace")
        return self.contains(<const uint8_t*><const char*>encoded, len(encoded))
