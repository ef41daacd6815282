"""What a column of a segment is; see schema.pyx."""

from lanner.ext.analysis.chain cimport Chain

cdef enum:
    KEEPS_FREQS = 2  # values of Field.postings; their Python names are in schema.pyx
    KEEPS_POSITIONS = 3
    KEEPS_OFFSETS = 4

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
