"""ASCII in place of accented and similar characters, by the table of ascii_folding_data.py."""

cimport cython
from libc.string cimport memcpy

from lanner.ext.analysis.chain cimport TokenFilter
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.analysis.utf8 cimport decode_utf8
from lanner.ext.types cimport uint8_t, uint32_t

from lanner.ext.analysis.ascii_folding_data import FOLDINGS

cdef enum:
    LONGEST = 4  # letters of a replacement
    N_BLOCKS = 512  # of 128 code points: the table ends at U+FFFF

cdef uint8_t block_numbers[N_BLOCKS]  # 0: nothing in that block is replaced
cdef uint8_t replacement_numbers[256 * 128]  # by block number and point & 127; 0: not replaced
cdef uint8_t replacements[256][LONGEST]
cdef uint8_t lengths[256]


cdef void fill_tables():
    cdef int number, n_blocks = 1
    cdef uint32_t point
    for number, (replacement, characters) in enumerate(FOLDINGS.items(), 1):
        encoded = replacement.encode()
        lengths[number] = <uint8_t>len(encoded)
        for i in range(len(encoded)):
            replacements[number][<int>i] = encoded[i]
        for character in characters:
            point = ord(character)
            if block_numbers[point >> 7] == 0:
                block_numbers[point >> 7] = <uint8_t>n_blocks
                n_blocks += 1
            replacement_numbers[block_numbers[point >> 7] * 128 + (point & 127)] = <uint8_t>number


fill_tables()


cdef int fold_term(TokenStream stream, Token* token) except -1 nogil:
    """Give the token its folded term; return whether that is another one."""
    cdef Py_ssize_t n = token.length, size = 0
    cdef const uint8_t* src
    cdef const uint8_t* end
    cdef uint8_t* out
    cdef uint32_t point
    cdef uint8_t number
    cdef int n_bytes
    cdef bint changed = False
    # two bytes become four letters at most
    stream.reserve_data(2 * n + LONGEST)
    src = stream.data + token.start
    end = src + n
    out = stream.data + stream.data_size
    while src < end:
        n_bytes = decode_utf8(src, end, &point)
        number = 0
        if point < 0x10000:
            number = replacement_numbers[block_numbers[point >> 7] * 128 + (point & 127)]
        if number:
            changed = True
            memcpy(out + size, replacements[number], lengths[number])
            size += lengths[number]
        else:
            memcpy(out + size, src, n_bytes)
            size += n_bytes
        src += n_bytes
    if changed:
        stream.move_term(token, size)
    return changed


cdef bint is_ascii(const uint8_t* src, Py_ssize_t n) noexcept nogil:
    cdef uint8_t seen = 0
    cdef Py_ssize_t i
    for i in range(n):
        seen |= src[i]
    return seen < 128


@cython.final
cdef class AsciiFoldingFilter(TokenFilter):
    """Folds each term; preserve_original keeps the term itself behind the folded one, at the same position."""

    cdef readonly bint preserve_original

    def __cinit__(self, *, preserve_original=False):
        self.preserve_original = preserve_original

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Py_ssize_t i
        cdef Token* token
        if is_ascii(stream.data, stream.data_size):
            return 0
        if not self.preserve_original:
            for i in range(stream.size):
                token = stream.tokens + i
                if not is_ascii(stream.data + token.start, token.length):
                    fold_term(stream, token)
            return 0
        stream.begin_rewrite()
        for i in range(stream.source_size):
            token = stream.append_copy(stream.source + i)
            if not is_ascii(stream.data + token.start, token.length) and fold_term(stream, token):
                stream.append_copy(stream.source + i).increment = 0
        return 0
