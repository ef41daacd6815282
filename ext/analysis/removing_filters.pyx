"""Filters that take tokens away: stop words, lengths, duplicates, a limit.

Where a token goes, its positions are added to the increment of the next one, or to the trailing increment.
"""

cimport cython
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from lanner.ext.analysis.chain cimport TokenFilter
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.analysis.utf8 cimport utf16_length
from lanner.ext.analysis.word_set cimport WordSet
from lanner.ext.types cimport uint8_t, uint32_t


@cython.final
cdef class StopFilter(TokenFilter):
    """Removes the words of a set.

    remove_trailing False, for suggestions while somebody types: a last word that nothing follows, not even a
    space, stays and is marked as a keyword.
    """

    cdef readonly WordSet words
    cdef readonly bint remove_trailing

    def __cinit__(self, WordSet words not None, *, remove_trailing=True):
        self.words = words
        self.remove_trailing = remove_trailing
        self.marks_keywords = not remove_trailing

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef Py_ssize_t i, kept = 0, last = stream.size - 1
        cdef uint32_t skipped = 0
        for i in range(stream.size):
            token = stream.tokens + i
            if self.words.contains(stream.data + token.start, token.length):
                if self.remove_trailing or i < last or token.end_offset < stream.end_offset:
                    skipped += token.increment
                    continue
                token.keyword = 1
            token.increment += skipped
            skipped = 0
            if kept != i:
                stream.tokens[kept] = token[0]
            kept += 1
        stream.size = kept
        if self.remove_trailing:
            stream.trailing_increment += skipped
        return 0


@cython.final
cdef class LengthFilter(TokenFilter):
    """Keeps terms of at least and at most so many UTF-16 units."""

    cdef readonly uint32_t least
    cdef readonly uint32_t most

    def __cinit__(self, uint32_t least, uint32_t most):
        self.least = least
        self.most = most

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Token* token
        cdef Py_ssize_t i, kept = 0
        cdef uint32_t skipped = 0, units
        for i in range(stream.size):
            token = stream.tokens + i
            units = utf16_length(stream.data + token.start, token.length)
            if units < self.least or units > self.most:
                skipped += token.increment
                continue
            token.increment += skipped
            skipped = 0
            if kept != i:
                stream.tokens[kept] = token[0]
            kept += 1
        stream.size = kept
        stream.trailing_increment += skipped
        return 0


cdef inline uint32_t hash_term(const uint8_t* src, Py_ssize_t n) noexcept nogil:
    """FNV-1a, folded."""
    cdef unsigned long long value = <unsigned long long>0xCBF29CE484222325
    cdef Py_ssize_t i
    for i in range(n):
        value = (value ^ src[i]) * <unsigned long long>0x100000001B3
    return <uint32_t>(value ^ value >> 32)


cdef bint same_term(TokenStream stream, const Token* one, const Token* other) noexcept nogil:
    return one.length == other.length and memcmp(
        stream.data + one.start, stream.data + other.start, one.length
    ) == 0


@cython.final
cdef class UniqueFilter(TokenFilter):
    """Removes terms that came before; their positions vanish with them, as OpenSearch has it."""

    cdef readonly bint same_position  # only among tokens of one position

    def __cinit__(self, *, same_position=False):
        self.same_position = same_position

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef uint32_t* slots  # 1 + number of a kept token; 0: free
        cdef Py_ssize_t n_slots = 16, i, kept = 0, first = 0
        cdef uint32_t at
        cdef Token* token
        while n_slots < 2 * stream.size:
            n_slots *= 2
        slots = <uint32_t*>calloc(n_slots, sizeof(uint32_t))
        if slots == NULL:
            raise MemoryError()
        for i in range(stream.size):
            token = stream.tokens + i
            if self.same_position and token.increment > 0:
                first = kept  # what was kept before this position no longer counts
            at = hash_term(stream.data + token.start, token.length) & <uint32_t>(n_slots - 1)
            while slots[at] and not (
                <Py_ssize_t>slots[at] > first and same_term(stream, stream.tokens + slots[at] - 1, token)
            ):
                at = (at + 1) & <uint32_t>(n_slots - 1)
            if slots[at]:
                continue
            if kept != i:
                stream.tokens[kept] = token[0]
            kept += 1
            slots[at] = <uint32_t>kept
        free(slots)
        stream.size = kept
        return 0


@cython.final
cdef class LimitFilter(TokenFilter):
    """Keeps the first tokens. Unless consume_all, the text ends where the last of them does."""

    cdef readonly Py_ssize_t most
    cdef readonly bint consume_all

    def __cinit__(self, Py_ssize_t most, *, consume_all=False):
        self.most = most
        self.consume_all = consume_all

    cdef int apply(self, TokenStream stream) except -1 nogil:
        if stream.size < self.most or self.most < 1:
            return 0
        stream.size = self.most
        if not self.consume_all:
            stream.end_offset = stream.tokens[self.most - 1].end_offset
            stream.trailing_increment = 0
        return 0
