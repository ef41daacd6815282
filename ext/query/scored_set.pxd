"""Documents whose scores are known beforehand; see scored_set.pyx."""

from lanner.ext.query.doc_set cimport SetScorer
from lanner.ext.types cimport doc_t

cdef class ScoredSet(SetScorer):
    cdef float* scores

    # Add a document; the one who adds all of them counts them in cost.
    cdef void put(self, doc_t doc, float score) noexcept nogil

# A set without documents; raises MemoryError.
cdef ScoredSet empty_scores(doc_t max_doc)
