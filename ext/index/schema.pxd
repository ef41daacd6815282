"""What a column of a segment is; see schema.pyx."""

from lanner.ext.analysis.chain cimport Chain

cpdef enum Kind:
    TEXT = 0  # str, analysed
    TERM = 1  # bytes, as they are
    NUMBER = 2  # int64, encoded so that its order is the order of the values

cpdef enum Postings:
    NONE = 0
    DOCS = 1
    FREQS = 2
    POSITIONS = 3
    OFFSETS = 4

cdef class Field:
    cdef readonly str name
    cdef readonly int number
    cdef readonly int kind
    cdef readonly int postings
    cdef readonly bint norms
    cdef readonly bint doc_values
    cdef readonly bint points
    cdef readonly Chain chain
    cdef readonly int position_gap
