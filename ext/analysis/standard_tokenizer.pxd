"""Words by the rules of UAX #29."""

cimport cython

from lanner.ext.analysis.chain cimport Tokenizer
from lanner.ext.analysis.token_stream cimport TokenStream
from lanner.ext.types cimport uint8_t, uint32_t

@cython.final
cdef class StandardTokenizer(Tokenizer):
    cdef readonly uint32_t max_token_length  # UTF-16 units; what is longer is cut
    cdef readonly bint split_blocks  # False: every run goes through the automaton (to test the short way against)

    cdef int tokenize_run(
        self, TokenStream out, Py_ssize_t start, Py_ssize_t end, uint32_t* shift
    ) except -1 nogil
