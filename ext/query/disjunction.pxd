"""Documents that hold any of several terms; see disjunction.pyx."""

from lanner.ext.codec.postings_reader cimport Cursor
from lanner.ext.query.scorer cimport Scorer
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport doc_t, uint8_t, uint32_t, uint64_t

cdef class DisjunctionScorer(Scorer):
    cdef list weights  # TermWeights; they own what the cursors read
    cdef Cursor* cursors
    cdef int n
    cdef int n_windows
    cdef float* maxima  # per cursor and window: bound of the score; NULL until bounds are asked for
    cdef float* sums  # per window
    cdef float* tops  # bound of each cursor's scores; NULL where bounds tell nothing, or nobody asks
    cdef float* bounds  # scratch, one per cursor, in the memory of tops
    cdef float* running
    cdef int* order
    cdef int* per_window  # postings of each cursor in a window, on the average

    cdef bint all_score(self) noexcept nogil
    cdef int prepare(self) except -1
    cdef bint make_bounds(self) noexcept nogil
    cdef float window_bound(self, int i, int w) noexcept nogil
    cdef bint sweep_essential(self, TopHeap* heap, uint32_t* docs, float* scores) noexcept nogil
    cdef bint holds_any(self, int from_, doc_t doc) noexcept nogil
    cdef void sweep(self, int n, TopHeap* heap, uint32_t* docs, float* scores) noexcept nogil
    cdef int seek_block(self, Cursor* c, doc_t target) noexcept nogil
    cdef void collect_window(self, int window, TopHeap* heap, float* cells, uint32_t* docs, float* scores) noexcept nogil

cdef DisjunctionScorer disjunction(list weights, int segment, bint bounded)
