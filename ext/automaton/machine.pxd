"""What tells, character by character, whether a term belongs to a set; see machine.pyx."""

from lanner.ext.automaton.automaton cimport Automaton
from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    DEAD = 255

cdef class Machine:
    """Reads terms that share their beginnings: what it knew after so many characters, it still knows."""

    cdef bint step(self, int depth, uint32_t c) noexcept nogil
    # Read the character after the first depth ones; False if no term that begins so belongs to the set.

    cdef int read_on(self, int depth, const uint8_t* data, Py_ssize_t length, int* offsets, uint32_t* c) noexcept nogil
    # Read a term on from its first depth characters, which end at offsets[depth]; return how many it took then, and note where each
    # ends. If it refused one, it is in c, and the last offset is less than length.

    cdef int value(self, int depth) noexcept nogil
    # What the first depth characters are worth as a term: 0 or more, or -1 if they do not belong to the set.

    cdef uint32_t after(self, int depth, uint32_t c) noexcept nogil
    # The least character greater than c for which step may be true, or NO_CHAR.

cdef class AutomatonMachine(Machine):
    cdef Automaton automaton
    cdef int* states  # by depth
    cdef uint8_t* table  # of a small automaton, by state and byte: the next state, or DEAD; beyond ASCII only if total
    cdef bint total  # there is a table, nothing is refused, and all characters beyond ASCII lead to one state each

    cdef int make_table(self) except -1

cdef class SpellingMachine(Machine):
    cdef uint32_t* word
    cdef int length  # of the word
    cdef int prefix  # characters that must be the same
    cdef int edits
    cdef int width  # 2 * edits + 1
    cdef bint swaps
    cdef uint32_t* read  # the characters read, by depth
    cdef uint8_t* rows  # width cells by depth

    cdef int row(self, int depth, uint32_t c, uint8_t* out) noexcept nogil
