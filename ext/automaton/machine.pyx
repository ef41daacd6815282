"""Sets of terms that are read character by character: those an automaton accepts, and those spelled like a word.

The distance of spellings is that of Levenshtein, with swaps of neighbours as one edit if wanted (optimal string alignment: no part is
edited twice), as Lucene's automata have it. A row of the table of distances has only the cells within the allowed edits of the
diagonal. Source: Ukkonen, "Algorithms for approximate string matching", 1985.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memset

from lanner.ext.analysis.utf8 cimport decode_utf8
from lanner.ext.automaton.automaton cimport LAST_CODE_POINT, NO_CHAR, Arc, Automaton
from lanner.ext.codec.terms cimport MAX_TERM
from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    MOST_WIDTH = 5
    MOST_TABLED = 64  # states of an automaton that gets a table
    FAR = 100  # further than any allowed distance

MOST_EDITS = 2


cdef class Machine:
    """Base of the machines; accepts nothing."""

    cdef bint step(self, int depth, uint32_t c) noexcept nogil:
        return False

    cdef int read_on(self, int depth, const uint8_t* data, Py_ssize_t length, int* offsets, uint32_t* c) noexcept nogil:
        cdef int at = offsets[depth], n
        while at < length:
            n = decode_utf8(data + at, data + length, c)
            if not self.step(depth, c[0]):
                break
            depth += 1
            at += n
            offsets[depth] = at
        return depth

    cdef int value(self, int depth) noexcept nogil:
        return -1

    cdef uint32_t after(self, int depth, uint32_t c) noexcept nogil:
        return NO_CHAR

    def value_of(self, str text not None) -> int:
        """Return what a text is worth, -1 if it does not belong to the set."""
        cdef int depth = 0
        if len(text) > MAX_TERM:
            return -1
        for c in text:
            if not self.step(depth, <uint32_t>ord(c)):
                return -1
            depth += 1
        return self.value(depth)


cdef class AutomatonMachine(Machine):
    """Terms that an automaton accepts, which must be deterministic and have no dead states."""

    def __init__(self, Automaton automaton not None):
        if not automaton.deterministic:
            raise ValueError("the automaton is not deterministic")
        self.automaton = automaton
        self.states = <int*>malloc((MAX_TERM + 2) * sizeof(int))
        if self.states == NULL:
            raise MemoryError()
        self.states[0] = 0
        if automaton.n_states <= MOST_TABLED:
            self.make_table()

    def __dealloc__(self):
        free(self.states)
        free(self.table)

    cdef int make_table(self) except -1:
        """Write the table. The bytes that continue a character stay in the state that its first byte leads to."""
        cdef Automaton automaton = self.automaton
        cdef Arc* arc
        cdef Py_ssize_t j
        cdef uint32_t c
        cdef int state
        self.table = <uint8_t*>malloc(automaton.n_states * 256 + 1)
        if self.table == NULL:
            raise MemoryError()
        memset(self.table, DEAD, automaton.n_states * 256)
        for j in range(automaton.n_arcs):
            arc = automaton.arcs + j
            for c in range(arc.lo, min(arc.hi, <uint32_t>127) + 1):
                self.table[arc.src * 256 + c] = <uint8_t>arc.dst
            if arc.lo <= 128 and arc.hi == LAST_CODE_POINT:
                memset(self.table + arc.src * 256 + 128, arc.src, 64)
                memset(self.table + arc.src * 256 + 192, arc.dst, 64)
        self.total = memchr(self.table, DEAD, automaton.n_states * 256) == NULL and automaton.n_states > 0
        return 0

    cdef int read_on(self, int depth, const uint8_t* data, Py_ssize_t length, int* offsets, uint32_t* c) noexcept nogil:
        cdef int at, state
        if self.table != NULL and self.automaton.n_states:
            at = offsets[depth]
            state = self.states[depth]
            while at < length and data[at] < 128:
                state = self.table[state * 256 + data[at]]
                if state == DEAD:
                    c[0] = data[at]
                    return depth
                at += 1
                depth += 1
                offsets[depth] = at
                self.states[depth] = state
            if at == length:
                return depth
        return Machine.read_on(self, depth, data, length, offsets, c)

    cdef bint step(self, int depth, uint32_t c) noexcept nogil:
        cdef int i
        if self.automaton.n_states == 0:
            return False
        i = find_arc(self.automaton, self.states[depth], c)
        if i < 0 or self.automaton.arcs[i].lo > c:
            return False
        self.states[depth + 1] = self.automaton.arcs[i].dst
        return True

    cdef int value(self, int depth) noexcept nogil:
        return 0 if self.automaton.n_states and self.automaton.accept[self.states[depth]] else -1

    cdef uint32_t after(self, int depth, uint32_t c) noexcept nogil:
        cdef int i
        if self.automaton.n_states == 0 or c >= LAST_CODE_POINT:
            return NO_CHAR
        i = find_arc(self.automaton, self.states[depth], c + 1)
        if i < 0:
            return NO_CHAR
        return max(self.automaton.arcs[i].lo, c + 1)


cdef int find_arc(Automaton automaton, int state, uint32_t c) noexcept nogil:
    """The first arc of a state that ends at c or later, or -1."""
    cdef int lo = automaton.first[state], end = automaton.first[state + 1], hi = end, mid
    while lo < hi:
        mid = (lo + hi) >> 1
        if automaton.arcs[mid].hi < c:
            lo = mid + 1
        else:
            hi = mid
    return lo if lo < end else -1


cdef class SpellingMachine(Machine):
    """Terms at most so many edits away from a word; their value is the distance.

    prefix: how many leading characters must be the word's own. swaps: two neighbours in the wrong order are one edit, not two.
    """

    def __init__(self, str word not None, int edits, *, int prefix=0, bint swaps=True):
        cdef int i
        if not 0 <= edits <= MOST_EDITS or prefix < 0:
            raise ValueError("0 to 2 edits, and a prefix that is not negative")
        self.length = <int>len(word)
        self.prefix = min(prefix, self.length)
        self.edits = edits
        self.width = 2 * edits + 1
        self.swaps = swaps
        self.word = <uint32_t*>malloc((self.length + 1) * 4)
        # a longer term is refused before it is read to its end
        self.read = <uint32_t*>malloc((self.length + edits + 2) * 4)
        self.rows = <uint8_t*>malloc((self.length + edits + 3) * MOST_WIDTH)
        if self.word == NULL or self.read == NULL or self.rows == NULL:
            raise MemoryError()
        for i in range(self.length):
            self.word[i] = <uint32_t>ord(word[i])
        # cell k of the row after d characters is the distance to the first d + k - edits characters of the word
        for i in range(self.width):
            self.rows[i] = FAR if i < edits or i - edits > self.length else <uint8_t>(i - edits)

    def __dealloc__(self):
        free(self.word)
        free(self.read)
        free(self.rows)

    cdef int row(self, int depth, uint32_t c, uint8_t* out) noexcept nogil:
        """Compute the row after the character that follows the first depth ones; return its least cell."""
        cdef const uint8_t* above = self.rows + depth * MOST_WIDTH
        cdef int k, j, best, least = FAR
        for k in range(self.width):
            j = depth + 1 + k - self.edits  # characters of the word
            best = FAR
            if 0 <= j <= self.length:
                if k + 1 < self.width:
                    best = above[k + 1] + 1
                if j:
                    if k and out[k - 1] + 1 < best:
                        best = out[k - 1] + 1
                    if above[k] + (self.word[j - 1] != c) < best:
                        best = above[k] + (self.word[j - 1] != c)
                if (
                    self.swaps and j > 1 and depth and c == self.word[j - 2] and self.read[depth - 1] == self.word[j - 1]
                    and (above - MOST_WIDTH)[k] + 1 < best
                ):
                    best = (above - MOST_WIDTH)[k] + 1
            if best > self.edits:
                best = FAR
            out[k] = <uint8_t>best
            if best < least:
                least = best
        return least

    cdef bint step(self, int depth, uint32_t c) noexcept nogil:
        if depth < self.prefix and c != self.word[depth]:
            return False
        self.read[depth] = c
        # a swap that is half read has spent its edit on the row between
        return self.row(depth, c, self.rows + (depth + 1) * MOST_WIDTH) <= self.edits

    cdef int value(self, int depth) noexcept nogil:
        cdef int k = self.length - depth + self.edits
        if depth < self.prefix or k < 0 or k >= self.width or self.rows[depth * MOST_WIDTH + k] > self.edits:
            return -1
        return self.rows[depth * MOST_WIDTH + k]

    cdef uint32_t after(self, int depth, uint32_t c) noexcept nogil:
        cdef const uint8_t* above = self.rows + depth * MOST_WIDTH
        cdef uint8_t[MOST_WIDTH] next_row
        cdef uint32_t best = NO_CHAR, tried
        cdef int k, j
        if c >= LAST_CODE_POINT:
            return NO_CHAR
        if depth < self.prefix:
            return self.word[depth] if self.word[depth] > c else NO_CHAR
        for k in range(self.width):
            if above[k] < self.edits:  # an edit is left: any character may come
                return c + 1
        for k in range(-1, self.width + 1):
            j = depth + k - self.edits
            if 0 <= j < self.length:
                tried = self.word[j]
                if c < tried < best and self.row(depth, tried, next_row) <= self.edits:
                    best = tried
        return best
