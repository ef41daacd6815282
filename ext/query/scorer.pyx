"""Weights and scorers: what all have in common. The contract stands in scorer.pxd."""

from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint64_t

SPARSE = 12


cdef class Scorer:
    """Matches everything without a score, until a subclass says better."""

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        return target if target < self.max_doc else NO_MORE_DOCS

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        return self.max_score

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        pass

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        """By filling the window of the documents."""
        cdef uint64_t[WINDOW_WORDS] bits
        cdef float[WINDOW_SIZE] window
        cdef doc_t lo, hi
        cdef int i
        if n == 0:
            return
        lo = docs[0] // WINDOW_SIZE * WINDOW_SIZE
        hi = lo + WINDOW_SIZE
        if hi > self.max_doc:
            hi = self.max_doc
        for i in range(WINDOW_WORDS):
            bits[i] = 0
        if scores != NULL:
            for i in range(n):
                window[docs[i] - lo] = 0
            self.fill_dense(lo, hi, bits, window)
        else:
            self.fill(lo, hi, bits, NULL)
        for i in range(n):
            if (bits[(docs[i] - lo) >> 6] >> ((docs[i] - lo) & 63)) & 1:
                hits[i] += 1
                if scores != NULL:
                    scores[i] += window[docs[i] - lo]

    cdef void fill_dense(self, doc_t lo, doc_t hi, uint64_t* bits, float* window) noexcept nogil:
        """Fill a window whose cells hold anything."""
        cdef int i
        for i in range(WINDOW_SIZE):
            window[i] = 0
        self.fill(lo, hi, bits, window)

    cdef bint collect_top(self, TopHeap* heap) noexcept nogil:
        return False


cdef class Weight:
    """Base of the weights."""

    cdef Scorer scorer(self, int segment):
        raise NotImplementedError

    cdef object bitmap(self, int segment):
        return None

    cdef int64_t count(self, int segment) except -2:
        cdef SegmentReader reader = self.reader.segments[segment]
        matches = self.bitmap(segment)
        if matches is None:
            return -1
        if reader.num_deleted:
            return len(matches) - matches.intersection_cardinality(reader.deleted)
        return len(matches)

    cdef bint counts_along(self) except -1:
        return False

    cdef int64_t at_least(self, int segment) except -1:
        return 0

    cdef int seed(self, TopHeap* heap) except -1:
        return 0

    cdef bint collect_top(self, int segment, TopHeap* heap) except -1:
        return False
