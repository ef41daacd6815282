"""Filters that change each term by itself: trim, truncate, reverse, the English possessive, keyword marks."""

cimport cython

from lanner.ext.analysis.chain cimport TokenFilter
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.analysis.unicode cimport SPACE, kinds, look_up
from lanner.ext.analysis.utf8 cimport decode_utf8, encode_utf8, units_of
from lanner.ext.analysis.word_set cimport WordSet
from lanner.ext.types cimport uint8_t, uint32_t


@cython.final
cdef class TrimFilter(TokenFilter):
    """Takes white space off both ends."""

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef const uint8_t* src
        cdef const uint8_t* end
        cdef const uint8_t* last
        cdef Py_ssize_t i
        cdef uint32_t point
        for i in range(stream.size):
            token = stream.tokens + i
            src = stream.data + token.start
            end = src + token.length
            while src < end:
                if not look_up(kinds, first_point(src, end)) & SPACE:
                    break
                src += decode_utf8(src, end, &point)
            while src < end:
                last = end - 1
                while last > src and (last[0] & 0xC0) == 0x80:
                    last -= 1
                if not look_up(kinds, first_point(last, end)) & SPACE:
                    break
                end = last
            token.start = <uint32_t>(src - stream.data)
            token.length = <uint32_t>(end - src)
        return 0


cdef inline uint32_t first_point(const uint8_t* src, const uint8_t* end) noexcept nogil:
    cdef uint32_t point
    decode_utf8(src, end, &point)
    return point


@cython.final
cdef class TruncateFilter(TokenFilter):
    """Cuts terms after so many UTF-16 units; keywords stay. Half a character becomes U+FFFD."""

    cdef readonly uint32_t most

    def __cinit__(self, uint32_t most):
        self.most = most
        self.marks_keywords = True

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef const uint8_t* src
        cdef const uint8_t* at
        cdef const uint8_t* end
        cdef uint8_t* out
        cdef Py_ssize_t i, j, n
        cdef uint32_t units, point
        cdef int n_bytes
        for i in range(stream.size):
            token = stream.tokens + i
            if token.keyword or token.length <= self.most:
                continue
            src = at = stream.data + token.start
            end = src + token.length
            units = 0
            while at < end and units < self.most:
                n_bytes = decode_utf8(at, end, &point)
                if units + units_of(n_bytes) > self.most:
                    break
                units += units_of(n_bytes)
                at += n_bytes
            n = at - src
            if at < end and units < self.most:
                stream.reserve_data(n + 3)
                src = stream.data + token.start
                out = stream.data + stream.data_size
                for j in range(n):
                    out[j] = src[j]
                stream.move_term(token, n + encode_utf8(0xFFFD, out + n))
            else:
                token.length = <uint32_t>n
        return 0


@cython.final
cdef class ReverseFilter(TokenFilter):
    """Turns terms around, character by character."""

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef const uint8_t* src
        cdef const uint8_t* end
        cdef uint8_t* out
        cdef Py_ssize_t i
        cdef uint32_t point
        cdef int n_bytes, j
        for i in range(stream.size):
            token = stream.tokens + i
            stream.reserve_data(token.length)
            src = stream.data + token.start
            end = src + token.length
            out = stream.data + stream.data_size + token.length
            while src < end:
                n_bytes = decode_utf8(src, end, &point)
                out -= n_bytes
                for j in range(n_bytes):
                    out[j] = src[j]
                src += n_bytes
            stream.move_term(token, token.length)
        return 0


@cython.final
cdef class PossessiveFilter(TokenFilter):
    """Takes the English 's off, with any of three apostrophes."""

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef const uint8_t* end
        cdef Py_ssize_t i
        for i in range(stream.size):
            token = stream.tokens + i
            end = stream.data + token.start + token.length
            if token.length < 2 or ((end - 1)[0] | 32) != 115:
                continue
            if (end - 2)[0] == 39:
                token.length -= 2
            elif token.length >= 4 and (
                ((end - 4)[0] == 0xE2 and (end - 3)[0] == 0x80 and (end - 2)[0] == 0x99)  # U+2019
                or ((end - 4)[0] == 0xEF and (end - 3)[0] == 0xBC and (end - 2)[0] == 0x87)  # U+FF07
            ):
                token.length -= 4
        return 0


@cython.final
cdef class KeywordMarkerFilter(TokenFilter):
    """Marks the words of a set, so that stemmers leave them alone."""

    cdef readonly WordSet words

    def __cinit__(self, WordSet words not None):
        self.words = words
        self.marks_keywords = True

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef Py_ssize_t i
        for i in range(stream.size):
            token = stream.tokens + i
            if self.words.contains(stream.data + token.start, token.length):
                token.keyword = 1
        return 0
