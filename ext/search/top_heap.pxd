"""The best hits so far, over all segments of a search: a binary heap with the worst on top.

A hit is better than another if its score is greater, or equal with a lower (segment, document). Both stand in one number, the key:
the score in an order of bits that is the order of floats, and below it the complement of the document, counted through all
segments of the reader. threshold is a lower bound of the score that a hit must have to be among the best k; it may be known before
the heap is full (stored best impacts of a term), so candidates are those with score >= threshold. Hits may come in any order.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    SIGN_BIT = 31

cdef struct TopHeap:
    uint64_t* keys
    int size
    int capacity
    float threshold
    uint32_t base  # documents in the segments before the one whose documents come now
    const uint64_t* live  # of that segment, or NULL
    bint exhaustive  # hits must be counted, whatever their score
    int64_t counted
    int64_t track  # beyond so many hits nothing needs to be counted any more

cdef inline uint64_t hit_key(float score, uint32_t place) noexcept nogil:
    """The key of a hit. place: its document, counted through all segments."""
    cdef uint32_t bits
    score += 0  # there is but one zero
    memcpy(&bits, &score, 4)
    bits ^= <uint32_t>(<int32_t>bits >> SIGN_BIT) | <uint32_t>1 << SIGN_BIT
    return <uint64_t>bits << 32 | <uint32_t>~place

cdef inline float key_score(uint64_t key) noexcept nogil:
    """The score of a hit."""
    cdef uint32_t bits = <uint32_t>(key >> 32)
    cdef float score
    bits ^= ~<uint32_t>(<int32_t>bits >> SIGN_BIT) | <uint32_t>1 << SIGN_BIT
    memcpy(&score, &bits, 4)
    return score

cdef inline uint32_t key_place(uint64_t key) noexcept nogil:
    """The document of a hit, counted through all segments."""
    return ~<uint32_t>key

cdef inline void count_hit(TopHeap* heap, uint32_t doc) noexcept nogil:
    """Count a hit if it is live; stop counting once there are more than anybody asked for."""
    if heap.live == NULL or (heap.live[doc >> 6] >> (doc & 63)) & 1:
        heap.counted += 1
        if heap.counted > heap.track:
            heap.exhaustive = False

cdef inline void sift_down(uint64_t* keys, int n, uint64_t key) noexcept nogil:
    """Replace the top of a heap of n keys."""
    cdef int i = 0, child = 1
    while child < n:
        child += child + 1 < n and keys[child + 1] < keys[child]
        if keys[child] >= key:
            break
        keys[i] = keys[child]
        i = child
        child = 2 * i + 1
    keys[i] = key

cdef inline void offer(TopHeap* heap, float score, uint32_t doc) noexcept nogil:
    """Take a hit if it is live and among the best."""
    cdef uint64_t* keys = heap.keys
    cdef uint64_t key
    cdef float worst
    cdef int i
    if score < heap.threshold or heap.capacity == 0:
        return
    if heap.live != NULL and not (heap.live[doc >> 6] >> (doc & 63)) & 1:
        return
    key = hit_key(score, heap.base + doc)
    if heap.size < heap.capacity:
        i = heap.size
        heap.size += 1
        while i and key < keys[(i - 1) >> 1]:
            keys[i] = keys[(i - 1) >> 1]
            i = (i - 1) >> 1
        keys[i] = key
        if heap.size < heap.capacity:
            return
    elif key > keys[0]:
        sift_down(keys, heap.size, key)
    else:
        return
    worst = key_score(keys[0])
    if worst > heap.threshold:
        heap.threshold = worst

cdef inline void sort_hits(TopHeap* heap) noexcept nogil:
    """Order the hits, best first; the heap is one no longer."""
    cdef uint64_t* keys = heap.keys
    cdef uint64_t last
    cdef int n = heap.size
    while n > 1:
        n -= 1
        last = keys[n]
        keys[n] = keys[0]
        sift_down(keys, n, last)
