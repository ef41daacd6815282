"""Documents that are known beforehand: one bit each. What cannot be walked in order (many terms, a range of points, a set that somebody
hands in) is put into such a set first.
"""

from array import array

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memcpy

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint32_t, uint64_t


cdef int allocate(SetScorer scorer, doc_t max_doc) except -1:
    """Give a new set of a segment its memory; nothing is in it."""
    cdef Py_ssize_t n = (<Py_ssize_t>max_doc + 2047) // 2048 * WINDOW_WORDS
    scorer.words = <uint64_t*>PyMem_Calloc(n + 1, 8)
    if scorer.words == NULL:
        raise MemoryError()
    scorer.max_doc = max_doc
    return 0


cdef SetScorer empty_set(doc_t max_doc):
    """A set without documents, to be filled by its maker."""
    cdef SetScorer scorer = SetScorer.__new__(SetScorer)
    allocate(scorer, max_doc)
    scorer.max_score = 1
    return scorer


cdef class SetScorer(Scorer):
    """Score 1 for every document of the set; it has no cursor and may be used again."""

    def __dealloc__(self):
        PyMem_Free(self.words)

    cdef int64_t live_count(self, const uint64_t* live) noexcept nogil:
        cdef Py_ssize_t n = (<Py_ssize_t>self.max_doc + 63) // 64
        if live == NULL:
            return simd.popcount(self.words, n)
        return simd.popcount_and(self.words, live, n)

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef doc_t w = target >> 6, n = (self.max_doc + 63) >> 6
        cdef uint64_t word
        if target >= self.max_doc:
            return NO_MORE_DOCS
        word = self.words[w] >> (target & 63)
        if word:
            return target + simd.ctz(word)
        w += 1
        while w < n:
            if self.words[w]:
                return 64 * w + simd.ctz(self.words[w])
            w += 1
        return NO_MORE_DOCS

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef doc_t i, n = (hi - lo + 63) >> 6
        cdef uint64_t word
        for i in range(n):
            word = self.words[(lo >> 6) + i]
            bits[i] |= word
            if scores != NULL:
                while word:
                    scores[64 * i + simd.ctz(word)] += 1
                    word &= word - 1

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef int i
        for i in range(n):
            if (self.words[docs[i] >> 6] >> (docs[i] & 63)) & 1:
                hits[i] += 1
                if scores != NULL:
                    scores[i] += 1


cdef class SetWeight(Weight):
    cdef SetScorer make(self, int segment):
        raise NotImplementedError

    cdef Scorer scorer(self, int segment):
        found = None if self.made is None else self.made.get(segment)
        if found is None:
            found = self.make(segment)
            if self.made is None:
                self.made = {}
            self.made[segment] = found
            (<SetScorer>found).cost = (<SetScorer>found).live_count(NULL)
        return <Scorer>found if (<SetScorer>found).cost else None

    cdef int64_t count(self, int segment) except -2:
        cdef Scorer scorer = self.scorer(segment)
        if scorer is None:
            return 0
        return (<SetScorer>scorer).live_count((<SegmentReader>self.reader.segments[segment]).live)


cdef class DocSetWeight(SetWeight):
    """Given documents. sets: one BitMap per segment; documents beyond a segment raise ValueError."""

    cdef list sets

    def __init__(self, IndexReader reader not None, sets):
        self.reader = reader
        self.sets = list(sets)
        if len(self.sets) != len(reader.segments):
            raise ValueError("a set for each segment is needed")
        for documents, segment in zip(self.sets, reader.segments):
            if documents and documents.max() >= segment.max_doc:
                raise ValueError("a set goes beyond its segment")

    cdef Scorer scorer(self, int segment):
        return SetWeight.scorer(self, segment) if self.sets[segment] else None

    cdef SetScorer make(self, int segment):
        cdef SetScorer scorer = empty_set((<SegmentReader>self.reader.segments[segment]).max_doc)
        cdef uint32_t doc
        for doc in self.sets[segment]:
            scorer.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
        return scorer

    cdef object bitmap(self, int segment):
        return self.sets[segment]
