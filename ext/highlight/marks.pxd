"""What is marked in the values of a field: terms, and where they stand."""

from lanner.ext.analysis.chain cimport Chain
from lanner.ext.analysis.token_stream cimport TokenStream
from lanner.ext.types cimport uint8_t, uint32_t

cdef struct Mark:
    Py_ssize_t start  # code points; values follow each other with one character between two
    Py_ssize_t end
    Py_ssize_t order  # in which marks came
    uint32_t term  # its number

cdef class Marks:
    cdef Mark* items
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef uint32_t n_terms  # numbers of terms are less
    cdef dict numbers  # of terms that Python names

    cdef int append(self, uint32_t term, Py_ssize_t start, Py_ssize_t end) except -1
    # In the order of starts, then of ends, then as they came.
    cdef void sort(self) noexcept

cdef enum:
    KEPT = 0xFFFFFFFE  # numbers of terms that were asked about
    DROPPED = 0xFFFFFFFF

cdef struct Slot:
    uint32_t start  # of a term in TermFinder.data
    uint32_t length
    uint32_t number  # plus one; 0: the slot is free

cdef class TermFinder:
    cdef Chain chain
    cdef TokenStream stream  # one finder serves one thread
    cdef object keeps
    cdef uint8_t* data  # the terms, one after the other
    cdef uint32_t size
    cdef uint32_t capacity
    cdef Slot* slots  # open addressing; the number of slots is a power of two
    cdef uint32_t mask
    cdef uint32_t n_slots_taken
    cdef uint32_t n_terms
    cdef unsigned long long lengths  # bit n: there is a term of n bytes; bit 63: of 63 or more

    # Mark the terms of a text that begins at base; none begins behind its own offset most.
    cdef int find_in(self, str text, Py_ssize_t base, Py_ssize_t most, Marks found) except -1
    # The number of a term plus one, KEPT or DROPPED, or 0 if it is not known.
    cdef uint32_t number_of(self, const uint8_t* term, uint32_t length) noexcept nogil
    cdef uint32_t ask(self, const uint8_t* term, uint32_t length) except 0
    cdef int learn(self, const uint8_t* term, uint32_t length, uint32_t number) except -1
