"""Matches that all score the same: everything, nothing, and any other query without its own scores."""

from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint64_t

from pyroaring import BitMap


cdef class MatchAllScorer(Scorer):
    cdef float score

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef doc_t i, n = hi - lo
        for i in range(n >> 6):
            bits[i] = ~<uint64_t>0
        if n & 63:
            bits[n >> 6] |= (<uint64_t>1 << (n & 63)) - 1
        if scores != NULL:
            for i in range(n):
                scores[i] += self.score

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef int i
        for i in range(n):
            hits[i] += 1
            if scores != NULL:
                scores[i] += self.score


cdef class MatchAllWeight(Weight):
    """Every document."""

    cdef float score

    def __init__(self, IndexReader reader not None, float score=1.0):
        self.reader = reader
        self.score = score
        self.scoring = score != 0

    cdef Scorer scorer(self, int segment):
        cdef MatchAllScorer scorer = MatchAllScorer.__new__(MatchAllScorer)
        scorer.max_doc = (<SegmentReader>self.reader.segments[segment]).max_doc
        scorer.cost = scorer.max_doc
        scorer.score = self.score
        scorer.max_score = self.score
        return scorer if scorer.max_doc else None

    cdef object bitmap(self, int segment):
        return BitMap(range((<SegmentReader>self.reader.segments[segment]).max_doc))

    cdef int64_t count(self, int segment) except -2:
        cdef SegmentReader segment_reader = <SegmentReader>self.reader.segments[segment]
        return segment_reader.max_doc - segment_reader.num_deleted


cdef class MatchNoneWeight(Weight):
    """No document."""

    def __init__(self, IndexReader reader not None):
        self.reader = reader

    cdef Scorer scorer(self, int segment):
        return None

    cdef object bitmap(self, int segment):
        return BitMap()

    cdef int64_t count(self, int segment) except -2:
        return 0


cdef class ConstantScorer(Scorer):
    cdef Scorer child
    cdef float score

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        return self.child.candidate(target)

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint64_t[WINDOW_WORDS] found
        cdef uint64_t word
        cdef int i
        if scores == NULL or self.score == 0:
            self.child.fill(lo, hi, bits, NULL)
            return
        for i in range(WINDOW_WORDS):
            found[i] = 0
        self.child.fill(lo, hi, found, NULL)
        for i in range(WINDOW_WORDS):
            word = found[i]
            bits[i] |= word
            while word:
                scores[64 * i + simd.ctz(word)] += self.score
                word &= word - 1

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef int i
        cdef uint8_t[WINDOW_SIZE] found
        if scores == NULL or self.score == 0:
            self.child.probe(docs, NULL, hits, n)
            return
        memset(found, 0, n)
        self.child.probe(docs, NULL, found, n)
        for i in range(n):
            if found[i]:
                hits[i] += 1
                scores[i] += self.score


cdef class ConstantWeight(Weight):
    """The matches of a child, each with the same score."""

    cdef Weight child
    cdef float score

    def __init__(self, Weight child not None, float score):
        self.child = child
        self.reader = child.reader
        self.score = score
        self.scoring = score != 0

    cdef Scorer scorer(self, int segment):
        cdef ConstantScorer scorer
        cdef Scorer child = self.child.scorer(segment)
        if child is None:
            return None
        scorer = ConstantScorer.__new__(ConstantScorer)
        scorer.child = child
        scorer.cost = child.cost
        scorer.max_doc = child.max_doc
        scorer.score = self.score
        scorer.max_score = self.score
        return scorer

    cdef object bitmap(self, int segment):
        return self.child.bitmap(segment)

    cdef int64_t count(self, int segment) except -2:
        return self.child.count(segment)
