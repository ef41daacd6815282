"""Scoring formulas other than BM25; see formulas.pyx."""

from lanner.ext.query.similarity cimport Similarity

cdef class RawFrequency(Similarity):
    pass
