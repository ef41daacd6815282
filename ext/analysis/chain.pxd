"""An analyzer ready to run: char filters, one tokenizer, token filters.

A chain and its parts never change after they are built: many threads may use one chain at the same time, each
with a TokenStream of its own, which holds all scratch memory. The parts run without the GIL; one that needs
Python takes the GIL itself.
"""

cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t

from lanner.ext.analysis.token_stream cimport TokenStream
from lanner.ext.types cimport uint8_t, uint32_t

cdef struct Correction:
    uint32_t offset  # from this offset of the filtered text on (UTF-16 units) ...
    int32_t difference  # ... add this to get the offset before filtering

@cython.final
cdef class FilteredText:
    """What a char filter made of a text, and where its pieces came from."""
    cdef uint8_t* data
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef Correction* corrections  # by ascending offset
    cdef Py_ssize_t n_corrections
    cdef Py_ssize_t corrections_capacity

    cdef void clear(self) noexcept nogil
    # Room for n more bytes at data + size; the caller then adds to size.
    cdef uint8_t* reserve(self, Py_ssize_t n) except NULL nogil
    cdef int correct(self, uint32_t offset, int32_t difference) except -1 nogil
    cdef uint32_t original(self, uint32_t offset) noexcept nogil

cdef class CharFilter:
    cdef readonly bint refuses  # there are texts that it raises an error for

    # Fill out, which is empty, from valid UTF-8.
    cdef int filter(self, const uint8_t* text, Py_ssize_t n, FilteredText out) except -1 nogil

cdef class Tokenizer:
    cdef readonly bint refuses
    cdef readonly bint bounded  # its terms have a limit that is far below what an index takes

    # Fill out, which is empty, from valid UTF-8: take_text, append, end_offset, trailing_increment.
    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil

cdef class TokenFilter:
    cdef readonly bint marks_keywords  # it reads or sets Token.keyword, which explain shows from here on
    cdef readonly bint has_payloads  # it reads or sets payloads, likewise
    cdef readonly bint disables_graph  # its tokens of several positions are no paths that queries may follow
    cdef readonly bint refuses
    cdef readonly bint grows  # it may make terms longer without limit

    # Rewrite the tokens in place. Bytes of stream.data may be overwritten only by what holds for every token
    # that shares them; else append the new bytes and move the token (TokenStream.move_term).
    cdef int apply(self, TokenStream stream) except -1 nogil

@cython.final
cdef class Chain:
    cdef readonly tuple char_filters
    cdef readonly Tokenizer tokenizer
    cdef readonly tuple token_filters
    cdef readonly bint refuses  # some part does
    cdef readonly bint graph  # no part disables graphs
    cdef readonly bint bounded  # no term is as long as an index refuses
    cdef PyObject** filters  # the same objects, for loops without the GIL
    cdef Py_ssize_t n_filters
    cdef Py_ssize_t n_char_filters

    # Analyse UTF-8 text into out, whatever it held before.
    cdef int analyze(self, const uint8_t* text, Py_ssize_t length, TokenStream out) except -1 nogil
    # The same for a text of Python; halves of surrogate pairs become U+FFFD.
    cdef int analyze_text(self, str text, TokenStream out) except -1
    cdef int analyze_filtered(self, const uint8_t* text, Py_ssize_t length, TokenStream out) except -1
