"""Documents that are known beforehand; see doc_set.pyx."""

from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.types cimport doc_t, int64_t, uint32_t, uint64_t

cdef class SetScorer(Scorer):
    cdef uint64_t* words  # a bit per document

    cdef int64_t live_count(self, const uint64_t* live) noexcept nogil

cdef int allocate(SetScorer scorer, doc_t max_doc) except -1
cdef SetScorer empty_set(doc_t max_doc)

cdef class SetWeight(Weight):
    """Base of the weights that make the set of a segment first; score 1."""

    cdef dict made

    cdef SetScorer make(self, int segment)
