"""Where a text may be cut: the ends of sentences, of words, or only those of the whole.

Offsets are code points. 0 and the length of the text are among the boundaries.
"""

from lanner.ext.types cimport uint32_t

cdef enum:
    DONE = -1  # there is no such boundary

cdef struct Text:
    const void* data
    int kind  # bytes of a code point, as Python keeps them
    Py_ssize_t length

cdef struct Listed:
    Py_ssize_t* at  # ascending
    Py_ssize_t size
    Py_ssize_t capacity

cdef class Breaks:
    cdef Py_ssize_t before(self, Py_ssize_t offset) except -2
    # The last boundary before an offset, or DONE.

    cdef Py_ssize_t after(self, Py_ssize_t offset) except -2
    # The first boundary after an offset, or DONE.

cdef class WholeText(Breaks):
    cdef Py_ssize_t length

cdef class SentenceBreaks(Breaks):
    cdef str given
    cdef Text text
    cdef Listed found  # those up to scanned
    cdef Py_ssize_t scanned

    cdef int reach(self, Py_ssize_t offset) except -1

cdef class WordBreaks(Breaks):
    cdef str given
    cdef Text text
    cdef Listed every  # empty until somebody needs all of them

    cdef Py_ssize_t near(self, Py_ssize_t offset)
    cdef int list_every(self) except -1

cdef class BoundedSentences(Breaks):
    # Sentences, several together up to a length, and parts of those that are longer. Asked in pairs, before and then after, for
    # offsets that only grow.
    cdef SentenceBreaks sentences
    cdef WordBreaks words
    cdef Py_ssize_t most
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef Py_ssize_t inner_start
    cdef Py_ssize_t inner_end
