"""The best hits so far, over all segments of a search: a binary heap with the worst on top.

A hit is better than another if its score is greater, or equal with a lower (segment, document). threshold is a lower bound of the
score that a hit must have to be among the best k; it may be known before the heap is full (stored best impacts of a term), so
candidates are those with score >= threshold. Hits may come in any order.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef struct Hit:
    float score
    uint32_t segment
    uint32_t doc

cdef struct TopHeap:
    Hit* hits
    int size
    int capacity
    float threshold
    uint32_t segment  # of the documents that come now
    const uint64_t* live  # of that segment, or NULL
    bint exhaustive  # hits must be counted, whatever their score
    int64_t counted
    int64_t track  # beyond so many hits nothing needs to be counted any more

cdef inline bint worse(const Hit* a, const Hit* b) noexcept nogil:
    """Whether a loses against b."""
    if a.score != b.score:
        return a.score < b.score
    if a.segment != b.segment:
        return a.segment > b.segment
    return a.doc > b.doc

cdef inline void count_hit(TopHeap* heap, uint32_t doc) noexcept nogil:
    """Count a hit if it is live; stop counting once there are more than anybody asked for."""
    if heap.live == NULL or (heap.live[doc >> 6] >> (doc & 63)) & 1:
        heap.counted += 1
        if heap.counted > heap.track:
            heap.exhaustive = False

cdef inline void offer(TopHeap* heap, float score, uint32_t doc) noexcept nogil:
    """Take a hit if it is live and among the best."""
    cdef Hit hit
    cdef Hit* hits = heap.hits
    cdef int i, child
    if score < heap.threshold or heap.capacity == 0:
        return
    if heap.live != NULL and not (heap.live[doc >> 6] >> (doc & 63)) & 1:
        return
    hit.score = score
    hit.segment = heap.segment
    hit.doc = doc
    if heap.size < heap.capacity:
        i = heap.size
        heap.size += 1
        while i and worse(&hit, &hits[(i - 1) >> 1]):
            hits[i] = hits[(i - 1) >> 1]
            i = (i - 1) >> 1
        hits[i] = hit
    else:
        if not worse(&hits[0], &hit):
            return
        i = 0
        while True:
            child = 2 * i + 1
            if child >= heap.size:
                break
            if child + 1 < heap.size and worse(&hits[child + 1], &hits[child]):
                child += 1
            if not worse(&hits[child], &hit):
                break
            hits[i] = hits[child]
            i = child
        hits[i] = hit
    if heap.size == heap.capacity and hits[0].score > heap.threshold:
        heap.threshold = hits[0].score

cdef inline void sort_hits(TopHeap* heap) noexcept nogil:
    """Order the hits, best first; the heap is one no longer."""
    cdef Hit* hits = heap.hits
    cdef Hit last
    cdef int n = heap.size, i, child
    while n > 1:
        n -= 1
        last = hits[n]
        hits[n] = hits[0]
        i = 0
        while True:
            child = 2 * i + 1
            if child >= n:
                break
            if child + 1 < n and worse(&hits[child + 1], &hits[child]):
                child += 1
            if not worse(&hits[child], &last):
                break
            hits[i] = hits[child]
            i = child
        hits[i] = last
