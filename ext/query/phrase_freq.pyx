"""How often a phrase comes in a document: exactly at its places, or near them.

A slop above 0 counts, as Lucene's SloppyPhraseMatcher does, every narrowest stretch in which the terms lie at most slop moves from
their places, with weight 1 / (1 + moves).
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc, realloc

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport (
    SPARE,
    Cursor,
    find,
    gap_at,
    load_positions,
    position_base,
    positions_at,
    positions_from,
    read_positions,
    seek,
)
from lanner.ext.codec.unpacked_postings cimport number_of, unpacked_gap
from lanner.ext.query.conjunction cimport ConjunctionScorer
from lanner.ext.query.roaring cimport excludes
from lanner.ext.types cimport doc_t, uint8_t, uint32_t, uint64_t


cdef class PhraseFreqScorer(ConjunctionScorer):
    """Documents that hold all terms, with what counting the phrase in one of them needs."""

    def __dealloc__(self):
        cdef int i
        if self.scratch != NULL:
            for i in range(self.n):
                free(self.scratch[i])
        free(self.scratch)
        free(self.places)
        free(self.starts)

    cdef int prepare(self, list places, list groups, bint by_first) except -1:
        """Give memory to what a document needs.

        groups: the same number for terms of the phrase that share one. by_first: count by the first place, not by the rarest term.
        """
        cdef int i
        cdef Py_ssize_t n = self.n
        self.places = <int32_t*>malloc(n * (4 + 4 + 4 + 4 + 4 + 4 + 4 + 4))
        self.scratch = <uint32_t**>malloc(2 * n * sizeof(void*))
        if self.places == NULL or self.scratch == NULL:
            free(self.scratch)
            self.scratch = NULL
            raise MemoryError()
        self.where = <int*>(self.places + n)
        self.room = <uint32_t*>(self.where + n)
        self.counts = self.room + n
        self.at = self.counts + n
        self.groups = <int32_t*>(self.at + n)
        self.bases = <uint32_t*>(self.groups + n)
        self.dense = <int32_t*>(self.bases + n)
        self.found = self.scratch + n
        for i in range(n):
            self.places[i] = places[self.order[i]]
            self.groups[i] = groups[self.order[i]]
            if by_first and self.order[i] == 0:
                self.first = i
            self.scratch[i] = NULL
            self.room[i] = 0
            self.dense[i] = False
        return 0

    cdef bint locate(self, doc_t doc, int from_) noexcept nogil:
        """Whether all terms from number from_ on hold the document; remembers where."""
        cdef int i
        for i in range(from_, self.n):
            if self.bitmaps[i].n and excludes(&self.bitmaps[i], doc):
                return False
        for i in range(from_, self.n):
            if not seek(&self.cursors[i], doc):
                return False
            self.where[i] = find(&self.cursors[i], doc)
            if self.where[i] < 0:
                return False
        return True

    cdef uint32_t gap(self, int i) noexcept nogil:
        """freq - 1 of a cursor's term in the document at hand."""
        cdef Cursor* c = &self.cursors[i]
        if i < self.n_lists:
            return unpacked_gap(&self.lists[i], c, number_of(c, self.where[i]))
        return gap_at(c, self.where[i])

    cdef uint32_t least_freq(self) noexcept nogil:
        """How often the rarest term comes in the document at hand."""
        cdef uint32_t least = 0xFFFFFFFF, x
        cdef int i
        for i in range(self.n):
            x = self.gap(i) + 1
            if x < least:
                least = x
        return least

    cdef bint grow(self, int i, uint32_t need) noexcept nogil:
        """Have room for so many positions of a cursor; False without memory."""
        cdef void* grown
        if need <= self.room[i]:
            return True
        grown = realloc(self.scratch[i], (need + SPARE) * 4)
        if grown == NULL:
            return False
        self.scratch[i] = <uint32_t*>grown
        self.room[i] = need
        return True

    cdef bint read(self, int i) noexcept nogil:
        """Unpack the positions of a cursor; False without memory or if they are damaged."""
        cdef Cursor* c = &self.cursors[i]
        cdef uint32_t need
        cdef int at = self.where[i]
        cdef const uint8_t* gaps
        if self.dense[i]:
            load_positions(c, c.block)
        if c.all_block == c.block:
            self.found[i] = c.all_positions + c.starts[at]
            self.counts[i] = c.gaps[at] + 1
            self.bases[i] = position_base(c, at)
            return True
        self.bases[i] = 0
        need = self.gap(i) + 1
        if not self.grow(i, need):
            return False
        if i < self.n_lists and self.lists[i].exact:
            gaps = self.lists[i].gaps + number_of(c, 0)
            self.counts[i] = positions_from(c, c.block, simd.sum8(gaps, at) + at, need, &self.found[i], self.scratch[i])
            return self.counts[i] > 0
        self.counts[i] = read_positions(c, c.block, at, &self.found[i], self.scratch[i], need)
        return self.counts[i] > 0

    cdef uint32_t pairs(self, int place, uint64_t first, uint32_t n) noexcept nogil:
        """How often two terms stand at their places in a document: number place of the first one's block; first and n as in positions_at."""
        cdef uint32_t shift
        self.where[0] = place
        if not self.read(0) or not self.grow(1, n):
            return 0
        n = positions_at(&self.cursors[1], first, n, &self.found[1], self.scratch[1])
        shift = <uint32_t>self.places[1] - self.bases[0] - <uint32_t>self.places[0]
        return simd.shifted_pairs(self.found[0], self.counts[0], self.found[1], n, shift)

    cdef float frequency(self) noexcept nogil:
        """How often the phrase comes in the document at hand."""
        cdef uint32_t i, j, k, n, m, base
        cdef int c
        cdef int32_t want
        cdef const uint32_t* other
        cdef void* grown
        if self.slop:
            for c in range(self.n):
                if not self.read(c):
                    return 0
            return self.sloppy()
        if not self.read(self.first):
            return 0
        n = self.counts[self.first]
        if self.n == 2 and not self.often:
            if not self.read(1):
                return 0
            k = self.bases[1] + <uint32_t>self.places[1] - self.bases[0] - <uint32_t>self.places[0]
            return <float>simd.shifted_pairs(self.found[0], n, self.found[1], self.counts[1], k)
        if n > self.starts_room:
            grown = realloc(self.starts, (n + 32) * 4)
            if grown == NULL:
                return 0
            self.starts = <int32_t*>grown
            self.starts_room = n + 32
        for i in range(n):
            self.starts[i] = self.shift(self.first, i)
        for c in range(self.n):
            if c == self.first:
                continue
            if not self.read(c):
                return 0
            other = self.found[c]
            base = self.bases[c]
            m = self.counts[c]
            i = 0
            j = 0
            k = 0
            while i < n and j < m:
                want = self.starts[i] + self.places[c]
                if <int32_t>(other[j] - base) == want:
                    self.starts[k] = self.starts[i]
                    k += 1
                    i += 1
                    j += not self.often  # alternatives that stand on one position count each
                elif <int32_t>(other[j] - base) < want:
                    j += 1
                else:
                    i += 1
            n = k
            if n == 0:
                return 0
        return <float>n

    cdef bint settle(self, int c, int32_t* end) noexcept nogil:
        """Two cursors of one term must not stand on the same position: the later one moves on."""
        cdef int i
        cdef bint moved = True
        if not self.repeats:
            return True
        while moved:
            moved = False
            for i in range(self.n):
                if (
                    i != c and self.groups[i] == self.groups[c]
                    and self.shifted(i) + self.places[i] == self.shifted(c) + self.places[c]
                ):
                    if self.places[i] > self.places[c]:
                        c = i
                    self.at[c] += 1
                    if self.at[c] >= self.counts[c]:
                        return False
                    end[0] = max(end[0], self.shifted(c))
                    moved = True
        return True

    cdef float sloppy(self) noexcept nogil:
        cdef float freq = 0
        cdef int32_t end = -0x40000000, width, next_at, other
        cdef int i, low
        for i in range(self.n):
            self.at[i] = 0
        for i in range(self.n):
            if not self.settle(i, &end):
                return 0
        for i in range(self.n):
            if self.shifted(i) > end:
                end = self.shifted(i)
        while True:
            low = 0
            for i in range(1, self.n):
                if self.shifted(i) < self.shifted(low) or (
                    self.shifted(i) == self.shifted(low) and self.places[i] < self.places[low]
                ):
                    low = i
            next_at = 0x7FFFFFFF
            for i in range(self.n):
                if i != low and self.shifted(i) < next_at:
                    next_at = self.shifted(i)
            width = end - self.shifted(low)
            while True:
                self.at[low] += 1
                if self.at[low] < self.counts[low]:
                    end = max(end, self.shifted(low))
                if self.at[low] >= self.counts[low] or not self.settle(low, &end):
                    if width <= self.slop:
                        freq += <float>1.0 / (1 + width)
                    return freq
                other = self.shifted(low)
                if other > next_at:
                    break
                if end - other < width:
                    width = end - other
            if width <= self.slop:
                freq += <float>1.0 / (1 + width)
