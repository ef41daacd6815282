"""Texts that a field proposes, the best ones of those that begin in some way: found without reading all of them.

A proposal is a term of a column: key, 0x00, what 2^31 - 1 exceeds the weight by (four bytes, high first), the text as it is shown.
The key is what the analyzer made of the text, behind its context if it has one; it holds no 0x00. So proposals that begin in one way
are one stretch of the dictionary, and those of one key are sorted by weight. Weights are read once per segment, with the greatest of
every 64 of them, of every 64 of those and so on; the best of a stretch is then the greatest of some 128 figures a level.
"""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from lanner.ext.analysis.utf8 cimport decode_utf8, encode_utf8
from lanner.ext.automaton.automaton cimport NO_CHAR
from lanner.ext.automaton.machine cimport Machine
from lanner.ext.codec.postings_reader cimport Cursor, Postings, block_count, close_cursor, load_docs, open_cursor
from lanner.ext.codec.terms cimport MAX_TERM, TermsCursor, TermsReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.types cimport uint8_t, uint32_t

from lanner.ext.errors import CorruptIndexError

cdef enum:
    SHIFT = 6
    FAN = 64
    MOST_LEVELS = 6
    HEAVIEST = 0x7FFFFFFF

cdef struct Stretch:
    uint32_t lo  # ords from lo to hi, hi not included
    uint32_t hi
    int shared  # bytes that they begin with and that the machine took


cdef class Stretches:
    """What a walk found."""

    cdef Stretch* items
    cdef Py_ssize_t n
    cdef Py_ssize_t room

    def __dealloc__(self):
        free(self.items)

    cdef bint add(self, uint32_t lo, uint32_t hi, int shared) noexcept nogil:
        """Note a stretch; False without memory."""
        cdef void* grown
        if self.n == self.room:
            grown = realloc(self.items, (2 * self.room + 16) * sizeof(Stretch))
            if grown == NULL:
                return False
            self.items = <Stretch*>grown
            self.room = 2 * self.room + 16
        self.items[self.n].lo = lo
        self.items[self.n].hi = hi
        self.items[self.n].shared = shared
        self.n += 1
        return True


cdef Py_ssize_t common(const uint8_t* a, Py_ssize_t n, const uint8_t* b, Py_ssize_t m) noexcept nogil:
    """How many leading bytes are the same."""
    cdef Py_ssize_t i = 0
    while i < n and i < m and a[i] == b[i]:
        i += 1
    return i


cdef class Completions:
    """The proposals of one column of a segment."""

    cdef FieldReader field
    cdef TermsReader terms
    cdef uint32_t* levels[MOST_LEVELS]  # level 0: the weight of each ord; above: the greatest of 64
    cdef uint32_t sizes[MOST_LEVELS]
    cdef int n_levels

    def __cinit__(self, FieldReader field not None):
        cdef TermsCursor cursor
        cdef uint32_t i, n, below
        cdef int level = 0
        cdef bint good
        self.field = field
        self.terms = field.terms
        n = self.terms.size
        memset(self.levels, 0, sizeof(self.levels))
        while True:
            self.sizes[level] = n
            self.levels[level] = <uint32_t*>malloc(n * 4 + 4)
            if self.levels[level] == NULL:
                raise MemoryError()
            level += 1
            if n <= FAN:
                break
            n = (n + FAN - 1) >> SHIFT
        self.n_levels = level
        cursor = TermsCursor(self.terms)
        with nogil:
            good = self.read_weights(cursor)
            for level in range(1, self.n_levels):
                for i in range(self.sizes[level]):
                    self.levels[level][i] = 0
                    for below in range(i << SHIFT, min((i + 1) << SHIFT, self.sizes[level - 1])):
                        self.levels[level][i] = max(self.levels[level][i], self.levels[level - 1][below])
        if not good:
            raise CorruptIndexError(f"[{field.name}] has a completion without a weight")

    def __dealloc__(self):
        cdef int level
        for level in range(MOST_LEVELS):
            free(self.levels[level])

    cdef bint read_weights(self, TermsCursor cursor) noexcept nogil:
        """Fill level 0; False for a term that is no proposal."""
        cdef uint32_t i
        cdef const uint8_t* end
        cdef uint32_t* weights = self.levels[0]
        if not cursor.seek(0):
            return self.terms.size == 0
        for i in range(self.terms.size):
            end = <const uint8_t*>memchr(cursor.data, 0, cursor.length)
            if end == NULL or cursor.data + cursor.length - end < 5:
                return False
            weights[i] = HEAVIEST - ((<uint32_t>end[1] << 24) | (<uint32_t>end[2] << 16) | (<uint32_t>end[3] << 8) | end[4])
            if not cursor.advance():
                return i + 1 == self.terms.size
        return True

    def best(self, uint32_t lo, uint32_t hi) -> tuple:
        """Return (ord, weight) of the greatest weight of a stretch that is not empty, the first of equal ones."""
        cdef uint32_t at, i, first, last
        cdef uint32_t value = 0
        cdef int level = 0, found_level = 0
        cdef uint32_t found = lo
        cdef bint fresh = True
        if not lo < hi <= self.terms.size:
            raise ValueError("no such stretch")
        with nogil:
            # what sticks out on the left of a level comes before all that is left for the levels above, on the right behind it
            value = self.levels[0][lo]
            first = lo
            last = hi
            while True:
                while first < last and (first & (FAN - 1) or level + 1 == self.n_levels):
                    self.weigh(level, first, &value, &found_level, &found)
                    first += 1
                while first < last and last & (FAN - 1):
                    last -= 1
                    self.weigh(level, last, &value, &found_level, &found)
                if first >= last:
                    break
                first >>= SHIFT
                last >>= SHIFT
                level += 1
            while found_level:
                found_level -= 1
                at = found << SHIFT
                i = at
                while self.levels[found_level][i] != value:
                    i += 1
                found = i
        return found, value

    cdef void weigh(self, int level, uint32_t i, uint32_t* value, int* found_level, uint32_t* found) noexcept nogil:
        """Take a figure if it is greater, or as great and before."""
        cdef uint32_t weight = self.levels[level][i]
        if weight > value[0] or (weight == value[0] and (i << (SHIFT * level)) < (found[0] << (SHIFT * found_level[0]))):
            value[0] = weight
            found_level[0] = level
            found[0] = i

    cdef uint32_t end_of(self, const uint8_t* prefix, Py_ssize_t length, uint8_t* scratch) noexcept nogil:
        """The ord behind the terms that begin with a prefix."""
        while length and prefix[length - 1] == 0xFF:
            length -= 1
        if length == 0:
            return self.terms.size
        memcpy(scratch, prefix, length)
        scratch[length - 1] += 1
        return self.terms.ceiling(scratch, length)

    def stretch(self, bytes prefix not None) -> tuple:
        """Return (lo, hi) of the proposals whose terms begin with bytes."""
        cdef Py_ssize_t n = len(prefix)
        cdef bytearray scratch = bytearray(n + 1)
        if n > MAX_TERM:
            return 0, 0
        return self.terms.ceiling(prefix, n), self.end_of(prefix, n, scratch)

    def contexts(self, bytes start not None, int separator) -> list:
        """Return the different beginnings up to a separator, which is part of them, that begin with bytes."""
        cdef list found = []
        cdef bytes term
        cdef uint32_t ord, end
        cdef Py_ssize_t at
        ord, end = self.stretch(start)
        while ord < end:
            term = self.terms.term(ord)
            at = term.find(separator, len(start)) + 1
            if at == 0:
                break
            found.append(term[:at])
            _, ord = self.stretch(term[:at])
        return found

    def stretches(self, Machine machine not None, bytes start not None, *, bint by_bytes) -> list:
        """Return (lo, hi, bytes) of the proposals whose keys begin with start and then with a text that the machine takes.

        The bytes are the shortest such text of the stretch. by_bytes: the machine reads bytes, not characters.
        """
        cdef Stretches found = Stretches()
        cdef TermsCursor cursor = TermsCursor(self.terms)
        cdef int* offsets = <int*>malloc((MAX_TERM + 2) * sizeof(int))
        cdef uint8_t* scratch = <uint8_t*>malloc(2 * MAX_TERM + 32)
        cdef const uint8_t* begin = start
        cdef Py_ssize_t n = len(start), i
        cdef bint good = True
        try:
            if offsets == NULL or scratch == NULL:
                raise MemoryError()
            if n <= MAX_TERM:
                with nogil:
                    good = self.walk(cursor, machine, begin, n, by_bytes, found, offsets, scratch)
            if not good:
                raise MemoryError()
        finally:
            free(offsets)
            free(scratch)
        return [
            (found.items[i].lo, found.items[i].hi, self.terms.term(found.items[i].lo)[n:found.items[i].shared])
            for i in range(found.n)
        ]

    cdef bint walk(
        self, TermsCursor cursor, Machine machine, const uint8_t* start, Py_ssize_t n_start, bint by_bytes, Stretches found,
        int* offsets, uint8_t* scratch
    ) noexcept nogil:
        """Find the stretches; False without memory. scratch: room for two terms."""
        cdef uint8_t* last = scratch + MAX_TERM + 16  # what the machine has read of the term before
        cdef Py_ssize_t n_last
        cdef uint32_t ord = self.terms.ceiling(start, n_start), end = self.end_of(start, n_start, scratch), next_ord
        cdef uint32_t c
        cdef int depth = 0, width
        cdef bint taken
        offsets[0] = <int>n_start
        if ord >= end or not cursor.seek(ord):
            return True
        while True:
            taken = machine.value(depth) >= 0
            c = 0
            while not taken:
                width = 1
                c = cursor.data[offsets[depth]]  # the key ends with 0x00, so there is one
                if c >= 0x80 and not by_bytes:
                    width = decode_utf8(cursor.data + offsets[depth], cursor.data + cursor.length, &c)
                if c == 0 or not machine.step(depth, c):
                    break
                offsets[depth + 1] = offsets[depth] + width
                depth += 1
                taken = machine.value(depth) >= 0
            if taken:
                next_ord = self.end_of(cursor.data, offsets[depth], scratch)
                if not found.add(ord, next_ord, offsets[depth]):
                    return False
                n_last = offsets[depth]
                memcpy(last, cursor.data, n_last)
            else:
                c = machine.after(depth, c)
                while c == NO_CHAR or (by_bytes and c > 0xFF):
                    if depth == 0:
                        return True
                    depth -= 1
                    c = cursor.data[offsets[depth]]
                    if c >= 0x80 and not by_bytes:
                        decode_utf8(cursor.data + offsets[depth], cursor.data + cursor.length, &c)
                    c = machine.after(depth, c)
                n_last = offsets[depth]
                memcpy(last, cursor.data, n_last)
                if by_bytes:
                    last[n_last] = <uint8_t>c
                    n_last += 1
                else:
                    n_last += encode_utf8(c, last + n_last)
                next_ord = self.terms.ceiling(last, n_last)
            ord = max(next_ord, ord + 1)
            if ord >= end or not cursor.seek(ord):
                return True
            n_last = common(last, n_last, cursor.data, cursor.length)
            while offsets[depth] > n_last:
                depth -= 1

    def proposal(self, uint32_t ord) -> tuple:
        """Return (key, text) of the term at ord."""
        cdef bytes term = self.terms.term(ord)
        cdef Py_ssize_t end = term.find(0)
        return term[:end], term[end + 5:]

    def docs(self, uint32_t ord) -> list:
        """Return the documents of the term at ord, deleted ones included."""
        cdef Postings postings
        cdef Cursor cursor
        cdef list found = []
        cdef int block, i
        if self.field.open(ord, &postings) < 0:
            raise CorruptIndexError(f"postings of [{self.field.name}] are damaged")
        if open_cursor(&cursor, &postings, False) < 0:
            raise MemoryError()
        try:
            for block in range(postings.n_blocks):
                load_docs(&cursor, block)
                found.extend([cursor.docs[i] for i in range(block_count(&cursor, block))])
        finally:
            close_cursor(&cursor)
        return found


def completions_of(SegmentReader segment not None, str field not None):
    """Return the proposals of a column, read once for all searches; None if the segment has none."""
    cdef FieldReader reader = segment.field(field)
    if reader is None or not reader.postings:
        return None
    if reader.completions is None:
        reader.completions = Completions(reader)
    return reader.completions
