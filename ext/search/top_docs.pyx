"""The best hits by score.

The total comes first where it is cheap (bitmaps, document frequencies): then nothing needs to be visited that cannot be among the
best. Where it is not, windows are visited in full until the total is known as far as it was asked for, and skipped by their
bounds from there on.
"""

from bisect import bisect_right

from cython cimport freelist
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.best_windows cimport FIRST_WINDOWS, best_windows
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.count cimport cheap_total
from lanner.ext.search.limits cimport Limits
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap, hit_key, key_place, key_score, offer, sort_hits
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint32_t, uint64_t

cdef enum:
    FEW_PER_WINDOW = 4  # matches in a window below which going from match to match is better
    QUICK = 20000  # cost up to which giving the GIL away costs more than it brings


@freelist(8)
cdef class TopDocs:
    """The best hits, best first: three lists of one length. total is -1 when it was not asked for."""

    cdef uint64_t* keys
    cdef Py_ssize_t size
    cdef tuple bases  # documents in the segments before each
    cdef readonly int64_t total
    cdef readonly str relation
    cdef readonly bint terminated_early
    cdef readonly bint timed_out

    def __dealloc__(self):
        PyMem_Free(self.keys)

    def __len__(self):
        return self.size

    @property
    def segments(self) -> list:
        """Segment of each hit."""
        cdef Py_ssize_t i
        return [bisect_right(self.bases, key_place(self.keys[i])) - 1 for i in range(self.size)]

    @property
    def docs(self) -> list:
        """Document of each hit, in its segment."""
        cdef Py_ssize_t i
        cdef list segments = self.segments
        return [key_place(self.keys[i]) - <uint32_t>self.bases[segments[i]] for i in range(self.size)]

    @property
    def scores(self) -> list:
        """Score of each hit."""
        cdef Py_ssize_t i
        return [key_score(self.keys[i]) for i in range(self.size)]

    @property
    def max_score(self):
        """The best score, or None."""
        return key_score(self.keys[0]) if self.size else None


cdef struct Task:
    int64_t most  # stop after so many hits; 0 for no limit
    float least  # min_score
    bint with_after
    uint64_t after


cdef void collect_window(Scorer scorer, TopHeap* heap, doc_t lo, doc_t hi) noexcept nogil:
    """Offer the hits of one window."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef float[WINDOW_SIZE] scores
    cdef uint64_t word
    cdef doc_t doc
    cdef int w
    memset(bits, 0, sizeof(bits))
    memset(scores, 0, sizeof(scores))
    scorer.threshold = heap.threshold if heap.threshold > 0 else 0
    scorer.fill(lo, hi, bits, scores)
    for w in range(WINDOW_WORDS):
        word = bits[w]
        while word:
            doc = 64 * w + simd.ctz(word)
            word &= word - 1
            if scores[doc] >= heap.threshold:
                offer(heap, scores[doc], lo + doc)


cdef bint collect_best_first(Scorer scorer, TopHeap* heap) noexcept nogil:
    """Visit the windows that promise most before the others; False, with nothing done, where their bounds do not differ."""
    cdef doc_t n_windows = (scorer.max_doc + WINDOW_SIZE - 1) // WINDOW_SIZE, w
    cdef float* bounds
    cdef int[FIRST_WINDOWS] first
    cdef int n_first, i
    cdef float least
    if scorer.cost < FEW_PER_WINDOW * <int64_t>n_windows or n_windows <= FIRST_WINDOWS or heap.capacity == 0:
        return False
    bounds = <float*>malloc(n_windows * sizeof(float))
    if bounds == NULL:
        return False
    least = INFINITY
    for w in range(n_windows):
        bounds[w] = scorer.bound(w * WINDOW_SIZE, min((w + 1) * WINDOW_SIZE, scorer.max_doc))
        if bounds[w] < least:
            least = bounds[w]
    n_first = best_windows(bounds, <int>n_windows, first)
    if n_first == 0 or bounds[first[0]] <= least:
        free(bounds)
        return False
    for i in range(n_first):
        w = <doc_t>first[i]
        if bounds[w] >= heap.threshold:
            collect_window(scorer, heap, w * WINDOW_SIZE, min((w + 1) * WINDOW_SIZE, scorer.max_doc))
        bounds[w] = -INFINITY
    for w in range(n_windows):
        if bounds[w] > -INFINITY and bounds[w] >= heap.threshold:
            collect_window(scorer, heap, w * WINDOW_SIZE, min((w + 1) * WINDOW_SIZE, scorer.max_doc))
    free(bounds)
    return True


cdef int collect_windows(Scorer scorer, TopHeap* heap, Task* task, PyObject* limits) noexcept nogil:
    """Window after window; -1 when a limit ended it."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef float[WINDOW_SIZE] scores
    cdef float bound = INFINITY
    cdef uint64_t word
    cdef doc_t lo, hi, doc
    cdef int i, w
    lo = scorer.candidate(0)
    while lo != NO_MORE_DOCS:
        lo = lo // WINDOW_SIZE * WINDOW_SIZE
        hi = min(lo + WINDOW_SIZE, scorer.max_doc)
        if limits != NULL and (<Limits>limits).reached():
            return -1
        if heap.counted > heap.track and task.most == 0:
            heap.exhaustive = False
        if not heap.exhaustive:
            bound = scorer.bound(lo, hi)
            if not may_compete(heap, bound):
                lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
                continue
        for i in range(WINDOW_WORDS):
            bits[i] = 0
        for i in range(WINDOW_SIZE):
            scores[i] = 0
        scorer.threshold = heap.threshold if heap.threshold > 0 and not heap.exhaustive and not task.with_after else 0
        scorer.fill(lo, hi, bits, scores)
        if heap.live != NULL:
            for w in range(((hi - lo) + 63) >> 6):
                bits[w] &= heap.live[(lo >> 6) + w]
        for w in range(WINDOW_WORDS):
            if not heap.exhaustive and not may_compete(heap, bound):
                break  # as soon as the heap is full when all hits score the same
            word = bits[w]
            while word:
                doc = 64 * w + simd.ctz(word)
                word &= word - 1
                if scores[doc] < task.least:
                    continue
                heap.counted += 1
                if task.with_after:
                    if hit_key(scores[doc], heap.base + lo + doc) >= task.after:
                        continue
                if scores[doc] >= heap.threshold:
                    offer(heap, scores[doc], lo + doc)
                if task.most and heap.counted >= task.most:
                    return -2
        lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
    return 0


cdef bint may_compete(TopHeap* heap, float bound) noexcept nogil:
    """Whether a hit of that score, which comes after all others, can still be among the best."""
    if heap.capacity == 0 or bound < heap.threshold:
        return False
    return heap.size < heap.capacity or bound > key_score(heap.keys[0])


def search_top(
    IndexReader reader not None, Weight weight not None, int k, *, int64_t track=10000, min_score=None, after=None,
    int64_t terminate_after=0, Limits limits=None
) -> TopDocs:
    """Return the k best hits by score, ties in order of segment and document.

    track: the total is exact up to this number; 0 leaves it out. min_score: hits below do not count. after: (score, segment, doc) of
    the last hit of the page before. terminate_after: hits after which the search ends.
    """
    cdef TopHeap heap
    cdef Task task
    cdef Scorer scorer
    cdef SegmentReader segment
    cdef TopDocs top = TopDocs.__new__(TopDocs)
    cdef int i, n = len(reader.segments), ended = 0
    cdef int64_t known = 0
    cdef bint plain = min_score is None and after is None and terminate_after == 0
    cdef PyObject* stop = <PyObject*>limits if limits is not None else NULL
    if k < 0:
        raise ValueError("k is negative")
    heap.counted = 0
    heap.track = track
    task.most = terminate_after
    task.least = -INFINITY if min_score is None else min_score
    task.with_after = after is not None
    if after is not None:
        task.after = hit_key(after[0], <uint32_t>(<int64_t>reader.bases[after[1]] + <int64_t>after[2]))
    heap.exhaustive = not plain and (track > 0 or terminate_after > 0)
    if plain and track > 0:
        known = cheap_total(reader, weight, track)
        heap.exhaustive = known < 0
    heap.size = 0
    heap.capacity = min(k, reader.max_doc)
    heap.threshold = -INFINITY if min_score is None else min_score
    heap.keys = <uint64_t*>PyMem_Malloc((heap.capacity + 1) * sizeof(uint64_t))
    if heap.keys == NULL:
        raise MemoryError()
    top.keys = heap.keys
    top.bases = reader.bases
    if heap.capacity or heap.exhaustive:
        if plain and not heap.exhaustive:
            weight.seed(&heap)
        for i in range(n):
            segment = <SegmentReader>reader.segments[i]
            heap.base = <uint32_t>reader.bases[i]
            heap.live = segment.live
            if plain and stop == NULL and weight.collect_top(i, &heap):
                continue
            scorer = weight.scorer(i)
            if scorer is None:
                continue
            if plain and stop == NULL:
                if scorer.cost < QUICK:
                    if scorer.collect_top(&heap):
                        continue
                else:
                    with nogil:
                        ended = scorer.collect_top(&heap)
                    if ended:
                        ended = 0
                        continue
            with nogil:
                if heap.exhaustive or not plain or stop != NULL or not collect_best_first(scorer, &heap):
                    ended = collect_windows(scorer, &heap, &task, stop)
            if ended:
                break
    sort_hits(&heap)
    top.size = heap.size
    top.terminated_early = ended == -2
    top.timed_out = limits is not None and limits.timed_out
    top.relation = "eq"
    if track <= 0:
        top.total = -1
    else:
        top.total = known if plain and known >= 0 else heap.counted
        if top.total > track and not top.terminated_early:
            top.total = track
            top.relation = "gte"
    return top
