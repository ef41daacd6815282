"""Documents that hold all of several terms; see conjunction.pyx."""

from lanner.ext.codec.postings_reader cimport Cursor
from lanner.ext.codec.unpacked_postings cimport Unpacked
from lanner.ext.query.roaring cimport Bitmap
from lanner.ext.query.scorer cimport Scorer
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    MOST_MET = 512  # documents judged together

cdef class ConjunctionScorer(Scorer):
    cdef list weights  # TermWeights, as given; they own what the cursors read
    cdef int* order  # the number in weights of each cursor
    cdef Cursor* cursors  # rarest first
    cdef Bitmap* bitmaps
    cdef int n
    cdef Unpacked* lists  # of the first n_lists cursors; the rest are frequent
    cdef int n_lists  # none, or two at least
    cdef doc_t* met_docs  # documents that the lists have in common
    cdef uint32_t* met  # for each list (MOST_MET apart) the numbers of their postings
    cdef int n_met
    cdef int n_windows
    cdef float* bounds  # scratch, n + 1; like bitmaps, lists, order and met in the memory of cursors

    cdef int intersect(self, doc_t* docs, float* scores, int m, int from_, float* rest, float threshold) noexcept nogil
    cdef float range_bound(self, int i, doc_t lo, doc_t hi) noexcept nogil
    cdef float* window_bounds(self) noexcept nogil
    cdef void collect_window(self, int w, TopHeap* heap) noexcept nogil
    cdef void collect_range(self, doc_t lo, doc_t hi, TopHeap* heap) noexcept nogil
    cdef void collect_unpacked(self, TopHeap* heap) noexcept nogil
    cdef int meet_unpacked(self, uint32_t group, uint32_t start, int m) noexcept nogil
    cdef void judge_met(self, TopHeap* heap) noexcept nogil

cdef int open_conjunction(ConjunctionScorer scorer, list weights, int segment, bint for_positions) except -1
cdef int64_t count_met(list weights, int segment) except -2
cdef bint meets_all(list weights, int part=*)
cdef ConjunctionScorer conjunction(list weights, int segment)
