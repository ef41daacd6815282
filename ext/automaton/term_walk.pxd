"""The terms of a dictionary that a machine takes; see term_walk.pyx."""

from lanner.ext.automaton.machine cimport Machine
from lanner.ext.codec.terms cimport TermsReader
from lanner.ext.types cimport uint8_t, uint32_t

cdef class TermWalk:
    cdef uint32_t* ords  # ascending
    cdef uint8_t* values
    cdef Py_ssize_t n
    cdef Py_ssize_t room

cdef TermWalk walk(TermsReader terms, Machine machine, Py_ssize_t most)
