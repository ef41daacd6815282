"""How many documents match, and which, without scores."""

from cpython.ref cimport PyObject
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.limits cimport Limits
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint64_t

from array import array

from pyroaring import BitMap


cdef int64_t count_matches(Scorer scorer, const uint64_t* live, Limits limits) except -1:
    """Live matches of a segment; fewer when a limit ended it."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef int64_t total = 0
    cdef doc_t lo, hi
    cdef TopHeap heap
    cdef PyObject* stop = <PyObject*>limits if limits is not None else NULL
    memset(&heap, 0, sizeof(heap))
    heap.exhaustive = True
    heap.track = 0x7FFFFFFFFFFFFFFF
    heap.live = live
    with nogil:
        if stop == NULL and scorer.collect_top(&heap):
            with gil:
                return heap.counted
        lo = scorer.candidate(0)
        while lo != NO_MORE_DOCS:
            if stop != NULL and (<Limits>stop).reached():
                break
            lo = lo // WINDOW_SIZE * WINDOW_SIZE
            hi = min(lo + WINDOW_SIZE, scorer.max_doc)
            memset(bits, 0, sizeof(bits))
            scorer.fill(lo, hi, bits, NULL)
            if live != NULL:
                total += simd.popcount_and(bits, live + (lo >> 6), (hi - lo + 63) >> 6)
            else:
                total += simd.popcount(bits, WINDOW_WORDS)
            lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
    return total


cdef int64_t cheap_total(IndexReader reader, Weight weight, int64_t track) except -2:
    """The live matches, or any number above track if there are more; -1 where only a search can tell."""
    cdef int64_t total = 0, part
    cdef int i, n = len(reader.segments)
    for i in range(n):
        total += weight.at_least(i)
        if total > track:
            return total
    if weight.counts_along():
        return -1
    total = 0
    for i in range(n):
        part = weight.count(i)
        if part < 0:
            return -1
        total += part
    return total


def count(IndexReader reader not None, Weight weight not None, *, Limits limits=None) -> int:
    """Return the number of live documents that match."""
    cdef int64_t total = 0, part
    cdef Scorer scorer
    cdef int i
    for i in range(len(reader.segments)):
        part = weight.count(i)
        if part < 0:
            scorer = weight.scorer(i)
            part = 0 if scorer is None else count_matches(scorer, (<SegmentReader>reader.segments[i]).live, limits)
        total += part
    return total


def matching(IndexReader reader not None, Weight weight not None) -> list:
    """Return the live documents that match, one BitMap per segment."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef uint64_t word
    cdef Scorer scorer
    cdef doc_t lo, hi, doc
    cdef int i, w
    cdef SegmentReader segment
    cdef list found = []
    for i in range(len(reader.segments)):
        segment = <SegmentReader>reader.segments[i]
        docs = array("I")
        scorer = weight.scorer(i)
        lo = NO_MORE_DOCS if scorer is None else scorer.candidate(0)
        while lo != NO_MORE_DOCS:
            lo = lo // WINDOW_SIZE * WINDOW_SIZE
            hi = min(lo + WINDOW_SIZE, scorer.max_doc)
            memset(bits, 0, sizeof(bits))
            scorer.fill(lo, hi, bits, NULL)
            for w in range(WINDOW_WORDS):
                word = bits[w]
                while word:
                    doc = lo + 64 * w + simd.ctz(word)
                    word &= word - 1
                    if segment.is_live(doc):
                        docs.append(doc)
            lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
        found.append(BitMap(docs))
    return found
