"""Several terms that count as one; see synonym.pyx."""

from lanner.ext.query.term cimport TermWeight

cdef class SynonymWeight(TermWeight):
    cdef readonly list alternatives  # the TermWeight of each term
    cdef list writers  # keep the united postings alive

    cdef int unite(self, int segment, bint positions) except -1
