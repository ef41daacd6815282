"""Weights and scorers: the contract between a way of matching and the loops that collect.

A Weight is a query bound to the statistics of one IndexReader. It gives a Scorer for each of its segments. A scorer works on
windows of documents, never on one document at a time: a call through the table of methods is paid once for up to 2,048 documents.
"""

from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint64_t

cdef class Scorer:
    """Matches of one segment; used by one thread."""

    cdef int64_t cost  # upper bound of the documents that match
    cdef doc_t max_doc
    cdef float max_score  # upper bound of every score
    cdef float threshold  # fill may leave out matches whose score is below; 0 for none

    cdef doc_t candidate(self, doc_t target) noexcept nogil
    # A lower bound, >= target, of the next matching document; NO_MORE_DOCS when there is none.

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil
    # An upper bound of the scores in [lo, hi), which lie in one window.

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil
    # Set bit (doc - lo) of bits for every match in [lo, hi) and add its score to scores[doc - lo]; scores may be NULL. lo is a
    # multiple of the window's size and hi lies in the same window or at its end. Bits that are set stay set.

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil
    # For each of the n ascending documents, of one window, that matches: add 1 to hits[i] and its score to scores[i], which may be
    # NULL.

    cdef void fill_dense(self, doc_t lo, doc_t hi, uint64_t* bits, float* window) noexcept nogil
    # As fill, over cells that hold anything.

    cdef bint collect_top(self, TopHeap* heap) noexcept nogil
    # Offer all hits that may be among the best; while heap.exhaustive, call count_hit for every match as well. False, with nothing
    # done, if this scorer has no better way than window after window.

cdef class Weight:
    cdef readonly IndexReader reader
    cdef bint scoring

    cdef Scorer scorer(self, int segment)
    # None when nothing matches.

    cdef bint collect_top(self, int segment, TopHeap* heap) except -1
    # As Scorer.collect_top, where so little matches that making a scorer would cost more than the hits; False, with nothing done,
    # if not.

    cdef object bitmap(self, int segment)
    # The matches of a segment, deleted ones included, as a BitMap if that is cheap to have, else None. Never changed by anyone.

    cdef int64_t count(self, int segment) except -2
    # The live matches of a segment if they are cheap to count, else -1.

    cdef bint counts_along(self) except -1
    # Whether its scorers count, while they collect, at less cost than count has; count is then only for who wants nothing else.

    cdef int64_t at_least(self, int segment) except -1
    # A lower bound of the live matches of a segment, at next to no cost.

    cdef int seed(self, TopHeap* heap) except -1
    # Raise the threshold by what is known beforehand.

cdef int SPARSE  # candidates per posting of a window from which probing beats filling: one in so many
