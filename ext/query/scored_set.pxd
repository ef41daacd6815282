"""Documents whose scores are known beforehand; see scored_set.pyx."""

from lanner.ext.query.scorer cimport Scorer
from lanner.ext.types cimport doc_t, uint64_t

cdef class ScoredSet(Scorer):
    cdef uint64_t* words
    cdef float* scores

    # Add a document; the one who adds all of them counts them in cost.
    cdef void put(self, doc_t doc, float score) noexcept nogil

# A set without documents; raises MemoryError.
cdef ScoredSet empty_scores(doc_t max_doc)
