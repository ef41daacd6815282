"""Finite automata over code points; see automaton.pyx."""

from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    LAST_CODE_POINT = 0x10FFFF
    NO_CHAR = 0xFFFFFFFF

cdef struct Arc:
    int src
    int dst
    uint32_t lo  # code points from lo to hi, both included
    uint32_t hi

cdef class Automaton:
    """State 0 is where it starts. Arcs are sorted by source, then by code point, once first is there."""

    cdef Arc* arcs
    cdef readonly Py_ssize_t n_arcs
    cdef Py_ssize_t arcs_room
    cdef uint8_t* accept
    cdef readonly int n_states
    cdef int states_room
    cdef int* first  # of each state the number of its first arc, then n_arcs
    cdef readonly bint deterministic

    cdef int add_state(self, bint accept) except -1
    cdef int add_arc(self, int src, int dst, uint32_t lo, uint32_t hi) except -1
    cdef int copy(self, Automaton other) except -1
    cdef int link(self, int src, Automaton other, int offset) except -1
    cdef Automaton finish(self)

cdef Automaton without_dead(Automaton part)
