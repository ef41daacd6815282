"""How often a phrase comes in a document; see phrase_freq.pyx."""

from libc.stdint cimport int32_t

from lanner.ext.query.conjunction cimport ConjunctionScorer
from lanner.ext.types cimport doc_t, uint32_t, uint64_t

cdef class PhraseFreqScorer(ConjunctionScorer):
    cdef int32_t* places  # of each cursor in the phrase
    cdef int32_t* groups  # the same number for cursors of the same term
    cdef int* where  # index in its block of the document at hand
    cdef uint32_t** scratch  # positions of each cursor
    cdef uint32_t* room
    cdef uint32_t** found  # as read_positions or load_positions gave them
    cdef uint32_t* bases  # what to take from found
    cdef int32_t* dense  # unpacked terms: whether whole blocks of positions are worth it
    cdef uint32_t* counts
    cdef uint32_t* at  # sloppy: the position each cursor stands on
    cdef int32_t* starts  # positions where the phrase would begin
    cdef uint32_t starts_room
    cdef int slop
    cdef bint repeats  # a term comes twice
    cdef int first  # the cursor whose positions the phrase is counted by
    cdef bint often  # it may come more often than its rarest term

    cdef int prepare(self, list places, list groups, bint by_first) except -1
    cdef bint locate(self, doc_t doc, int from_) noexcept nogil
    cdef uint32_t gap(self, int i) noexcept nogil
    cdef uint32_t least_freq(self) noexcept nogil
    cdef bint grow(self, int i, uint32_t need) noexcept nogil
    cdef bint read(self, int i) noexcept nogil
    cdef uint32_t pairs(self, int place, uint64_t first, uint32_t n) noexcept nogil
    cdef float frequency(self) noexcept nogil
    cdef float sloppy(self) noexcept nogil
    cdef bint settle(self, int c, int32_t* end) noexcept nogil

    cdef inline int32_t shift(self, int c, uint32_t i) noexcept nogil:
        """Where the phrase would begin for a position of a cursor."""
        return <int32_t>(self.found[c][i] - self.bases[c]) - self.places[c]

    cdef inline int32_t shifted(self, int c) noexcept nogil:
        """Where the phrase would begin for the position a cursor stands on."""
        return self.shift(c, self.at[c])
