"""Scores changed by functions of a document; see function_score.pyx."""

from cpython.ref cimport PyObject
from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.codec.numbers cimport Numbers
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum Kind:
    CONSTANT
    FIELD_VALUE
    DECAY
    NEARNESS
    RANDOM

cdef class ScoreFunction:
    """A number for a document. Its parameters mean what the kind makes of them."""

    cdef Kind kind
    cdef str field
    cdef Numbers numbers
    cdef int choice  # of modifier, curve or mode
    cdef int mode  # DECAY: which of several distances
    cdef double a
    cdef double b
    cdef double c
    cdef double d
    cdef bint on_earth  # DECAY, NEARNESS: of cells of places, whose distances are metres
    cdef bint has_missing
    cdef uint32_t seed
    cdef readonly double weight  # what the value is multiplied by, and counts in an average

    cdef int random_values(self, object reader, int segment, uint32_t* out) except -1

cdef struct Bound:
    PyObject* function
    PyObject* filter  # a Scorer, or NULL
    PyObject* column  # a ColumnReader, or NULL
    uint32_t* hashes  # RANDOM: one per document

cdef class FunctionScorer(Scorer):
    cdef Scorer child
    cdef FunctionScoreWeight owner
    cdef list kept  # alive what the table points to
    cdef Bound* table
    cdef int n
    cdef doc_t base

    cdef int score(self, doc_t* docs, float* scores, int n) noexcept nogil
    cdef bint value(self, Bound* bound, doc_t doc, double* out) noexcept nogil

cdef class FunctionScoreWeight(Weight):
    cdef Weight child
    cdef list functions  # (filter or None, ScoreFunction)
    cdef int score_mode
    cdef int boost_mode
    cdef double max_boost
    cdef double min_score
    cdef bint has_min_score
    cdef readonly int fault  # 0: none; else which, of the first document that has one
    cdef readonly int64_t faulty_doc
    cdef readonly int faulty_function
    cdef readonly double faulty_value
    cdef readonly double faulty_source

    cdef void note(self, int fault, int64_t doc, int function, double value, double source) noexcept nogil
