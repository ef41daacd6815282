"""Untrusted JSON, checked and taken apart by kernels; see scan.pyx."""

from libc.stdint cimport uint8_t

# Whether a text is one JSON value, at most max_depth deep, without a key twice in an object.
cdef bint is_json(const uint8_t* data, Py_ssize_t n, Py_ssize_t max_depth) noexcept nogil

# Undo the escapes of a string, n bytes between its quotes that is_json has accepted. out has room for n bytes. Returns the
# bytes written, or -1 if the string holds half of a surrogate pair.
cdef Py_ssize_t unescape(const uint8_t* src, Py_ssize_t n, uint8_t* out) noexcept nogil
