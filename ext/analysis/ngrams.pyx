"""Pieces of terms and of texts: all of some lengths, or those at an edge. Lengths count characters.

Source: NGramTokenFilter, EdgeNGramTokenFilter, NGramTokenizer of Lucene 9.12 for order, positions and offsets.
"""

cimport cython
from libc.stdlib cimport free, malloc, realloc

from lanner.ext.analysis.chain cimport TokenFilter, Tokenizer
from lanner.ext.analysis.token_stream cimport WORD, Token, TokenStream
from lanner.ext.analysis.unicode cimport kinds, look_up
from lanner.ext.analysis.utf8 cimport decode_utf8, units_of
from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    FRONT = 0
    BACK = 1
    EVERYWHERE = 2


cdef class Places:
    """Where the characters of a term or text begin; one place more than characters."""

    cdef uint32_t* items
    cdef Py_ssize_t capacity

    def __dealloc__(self):
        free(self.items)

    cdef int reserve(self, Py_ssize_t n) except -1 nogil:
        cdef void* moved
        if n > self.capacity:
            moved = realloc(self.items, (2 * n + 64) * sizeof(uint32_t))
            if moved == NULL:
                with gil:
                    raise MemoryError()
            self.items = <uint32_t*>moved
            self.capacity = 2 * n + 64
        return 0

    cdef Py_ssize_t fill(self, const uint8_t* src, Py_ssize_t n) except -1 nogil:
        """Find the characters of n bytes; return how many there are."""
        cdef const uint8_t* at = src
        cdef const uint8_t* end = src + n
        cdef Py_ssize_t count = 0
        cdef uint32_t point
        self.reserve(n + 1)
        while at < end:
            self.items[count] = <uint32_t>(at - src)
            count += 1
            at += decode_utf8(at, end, &point)
        self.items[count] = <uint32_t>n
        return count


cdef int check_lengths(least, most) except -1:
    if not 1 <= least <= most:
        raise ValueError(f"no lengths of pieces: {least} to {most}")
    return 0


@cython.final
cdef class NGramFilter(TokenFilter):
    """Pieces of each term, which stay at its place. side: `front`, `back`, or None for all pieces.

    preserve_original: terms that are shorter or longer than every piece are kept too.
    """

    cdef readonly Py_ssize_t least
    cdef readonly Py_ssize_t most
    cdef readonly bint preserve_original
    cdef int side

    def __cinit__(self, Py_ssize_t least, Py_ssize_t most, *, side=None, preserve_original=False):
        check_lengths(least, most)
        self.least = least
        self.most = most
        self.side = {"front": FRONT, "back": BACK, None: EVERYWHERE}[side]
        self.preserve_original = preserve_original

    cdef int apply(self, TokenStream stream) except -1 nogil:
        with gil:
            self.rewrite(stream)
        return 0

    cdef int rewrite(self, TokenStream stream) except -1:
        cdef Places places = Places()
        with nogil:
            self.split(stream, places)
        return 0

    cdef int split(self, TokenStream stream, Places places) except -1 nogil:
        cdef Py_ssize_t i, n, start, length, first, last
        cdef uint32_t increment = 0
        cdef const Token* source
        stream.begin_rewrite()
        for i in range(stream.source_size):
            source = stream.source + i
            increment += source.increment
            n = places.fill(stream.data + source.start, source.length)
            if self.preserve_original and n < self.least:
                increment = self.add(stream, source, increment, 0, source.length)
                continue
            last = n - self.least + 1 if self.side == EVERYWHERE else min(<Py_ssize_t>1, n - self.least + 1)
            for first in range(last):
                for length in range(self.least, min(self.most, n - first) + 1):
                    start = n - length if self.side == BACK else first
                    increment = self.add(
                        stream, source, increment, places.items[start],
                        places.items[start + length] - places.items[start],
                    )
            if self.preserve_original and n > self.most:
                increment = self.add(stream, source, increment, 0, source.length)
        stream.trailing_increment += increment
        return 0

    cdef uint32_t add(
        self, TokenStream stream, const Token* source, uint32_t increment, uint32_t start, uint32_t length
    ) except? 1 nogil:
        """Append a piece; return the increment of the next one."""
        cdef Token* token = stream.append_copy(source)
        token.start += start
        token.length = length
        token.increment = increment
        return 0


@cython.final
cdef class NGramTokenizer(Tokenizer):
    """Pieces of a text; each has a position of its own.

    edges: only those that begin a word. kind_bits: bits of kinds (unicode.pxd) of the characters that belong to
    words; others: code points that do as well. With neither all characters belong to words.
    """

    cdef readonly Py_ssize_t least
    cdef readonly Py_ssize_t most
    cdef readonly bint edges
    cdef uint8_t kind_bits
    cdef uint32_t* others
    cdef Py_ssize_t n_others

    def __cinit__(self, Py_ssize_t least, Py_ssize_t most, *, edges=False, uint8_t kind_bits=0, others=()):
        cdef Py_ssize_t i
        check_lengths(least, most)
        self.least = least
        self.most = most
        self.edges = edges
        self.bounded = most <= 4096
        self.kind_bits = kind_bits
        ordered = sorted(set(others))
        self.others = <uint32_t*>malloc((len(ordered) + 1) * sizeof(uint32_t))
        if self.others == NULL:
            raise MemoryError()
        for i in range(len(ordered)):
            self.others[i] = ordered[i]
        self.n_others = len(ordered)

    def __dealloc__(self):
        free(self.others)

    cdef bint belongs(self, uint32_t point) noexcept nogil:
        """Is the character part of a word?"""
        cdef Py_ssize_t lo = 0, hi = self.n_others, mid
        if look_up(kinds, point) & self.kind_bits or not (self.kind_bits or self.n_others):
            return True
        while lo < hi:
            mid = (lo + hi) >> 1
            if self.others[mid] < point:
                lo = mid + 1
            else:
                hi = mid
        return lo < self.n_others and self.others[lo] == point

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        with gil:
            self.rewrite(text, n, out)
        return 0

    cdef int rewrite(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1:
        cdef Places places = Places()
        cdef Places offsets = Places()
        with nogil:
            self.split(text, n, out, places, offsets)
        return 0

    cdef int split(
        self, const uint8_t* text, Py_ssize_t n, TokenStream out, Places places, Places offsets
    ) except -1 nogil:
        cdef uint8_t* data = out.take_text(text, n)
        cdef Py_ssize_t count = places.fill(data, n), at, first = 0
        cdef uint32_t point, offset = 0
        cdef int n_bytes
        offsets.reserve(count + 1)
        for at in range(count):
            offsets.items[at] = offset
            n_bytes = decode_utf8(data + places.items[at], data + n, &point)
            offset += units_of(n_bytes)
            if not self.belongs(point):
                self.add_word(out, places, offsets, first, at)
                first = at + 1
        offsets.items[count] = offset
        self.add_word(out, places, offsets, first, count)
        out.end_offset = offset
        return 0

    cdef int add_word(
        self, TokenStream out, Places places, Places offsets, Py_ssize_t first, Py_ssize_t end
    ) except -1 nogil:
        """Append the pieces of one word."""
        cdef Py_ssize_t start, length
        cdef Py_ssize_t last = end - self.least + 1
        cdef Token* token
        if self.edges:
            last = min(last, first + 1)
        for start in range(first, last):
            for length in range(self.least, min(self.most, end - start) + 1):
                token = out.append(places.items[start], places.items[start + length] - places.items[start])
                token.start_offset = offsets.items[start]
                token.end_offset = offsets.items[start + length]
                token.type = WORD
        return 0
