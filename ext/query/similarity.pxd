"""Scoring formulas; see similarity.pyx."""

from lanner.ext.types cimport int64_t

cdef class FieldStatistics:
    cdef readonly int64_t doc_count
    cdef readonly int64_t sum_total_term_freq
    cdef float[256] inverse
    cdef bint flat  # every posting scores the weight
    cdef list slack  # per segment: factor from stored impacts to upper bounds
    cdef list shrink  # per segment: factor from stored impacts to lower bounds; 0 where there is none

cdef class Similarity:
    cdef float weight(self, FieldStatistics statistics, int64_t doc_freq, int64_t doc_count, float boost) except? -1
    cdef FieldStatistics bind(self, object reader, str field)

cdef class BM25(Similarity):
    cdef readonly float k1
    cdef readonly float b
    cdef readonly bint plain

cdef class BooleanSimilarity(Similarity):
    pass

cdef class RawFrequency(Similarity):
    pass
