"""A fixed set of words, for stop words and the like."""

cimport cython

from lanner.ext.types cimport uint8_t, uint32_t

cdef struct Word:
    uint32_t start  # first byte in WordSet.data
    uint32_t length  # 0: the slot is free (the empty word is kept apart)

@cython.final
cdef class WordSet:
    cdef readonly bint ignore_case
    cdef bytes data  # all words, one after the other
    cdef const uint8_t* bytes
    cdef Word* slots  # open addressing; the number of slots is a power of two
    cdef uint32_t mask
    cdef uint32_t longest
    cdef unsigned long long lengths  # bit n: there is a word of n bytes; bit 63: of 63 or more
    cdef bint has_empty

    # Is the term one of the words? With ignore_case the term is lowered first.
    cdef bint contains(self, const uint8_t* term, Py_ssize_t n) noexcept nogil
