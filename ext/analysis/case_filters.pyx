"""Lower and upper case, code point by code point."""

cimport cython
from libc.stdint cimport int64_t

from lanner.ext.analysis.chain cimport TokenFilter
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.analysis.unicode cimport to_lower, to_upper
from lanner.ext.analysis.utf8 cimport decode_utf8, encode_utf8
from lanner.ext.types cimport uint8_t, uint32_t

cdef extern from "analysis/ascii_blocks.h":
    uint8_t lower_ascii "lanner_lower"(uint8_t* data, int64_t n) noexcept nogil
    uint8_t upper_ascii "lanner_upper"(uint8_t* data, int64_t n) noexcept nogil

ctypedef uint32_t (*convert_t)(uint32_t) noexcept nogil


cdef int convert_term(TokenStream stream, Token* token, convert_t convert) except -1 nogil:
    """Change a term that has bytes beyond ASCII: in place while no character changes its length."""
    cdef uint8_t* data = stream.data + token.start
    cdef const uint8_t* end = data + token.length
    cdef const uint8_t* src = data
    cdef uint8_t changed[4]
    cdef uint32_t point, converted
    cdef uint8_t* out
    cdef int n_read, n_written, i
    cdef Py_ssize_t n
    while src < end:
        if src[0] < 128:
            src += 1
            continue
        n_read = decode_utf8(src, end, &point)
        converted = convert(point)
        if converted != point:
            n_written = encode_utf8(converted, changed)
            if n_written != n_read:
                break
            for i in range(n_written):
                data[src - data + i] = changed[i]
        src += n_read
    if src == end:
        return 0
    # a character grows at most from two bytes to three, a stray byte from one to three
    stream.reserve_data(3 * <Py_ssize_t>token.length)
    src = stream.data + token.start
    end = src + token.length
    out = stream.data + stream.data_size
    n = 0
    while src < end:
        src += decode_utf8(src, end, &point)
        n += encode_utf8(convert(point), out + n)
    stream.move_term(token, n)
    return 0


cdef int convert_terms(TokenStream stream, convert_t convert) except -1 nogil:
    """Change the terms that have bytes beyond ASCII."""
    cdef Py_ssize_t i, j
    cdef uint8_t seen
    cdef Token* token
    cdef const uint8_t* term
    for i in range(stream.size):
        token = stream.tokens + i
        term = stream.data + token.start
        seen = 0
        for j in range(<Py_ssize_t>token.length):
            seen |= term[j]
        if seen >= 128:
            convert_term(stream, token, convert)
    return 0


@cython.final
cdef class LowercaseFilter(TokenFilter):
    """Lower case as Java's Character.toLowerCase gives it."""

    cdef int apply(self, TokenStream stream) except -1 nogil:
        # all bytes of the stream belong to terms or to nothing
        if lower_ascii(stream.data, stream.data_size) >= 128:
            convert_terms(stream, to_lower)
        return 0


@cython.final
cdef class UppercaseFilter(TokenFilter):
    """Upper case as Java's Character.toUpperCase gives it."""

    cdef int apply(self, TokenStream stream) except -1 nogil:
        if upper_ascii(stream.data, stream.data_size) >= 128:
            convert_terms(stream, to_upper)
        return 0
