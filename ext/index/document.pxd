"""One document on its way into the write buffer; see document.pyx."""

cdef class Document:
    cdef readonly bytes id
    cdef readonly bytes source
    cdef readonly bytes routing
    cdef readonly long long seq_no
    cdef readonly long long primary_term
    cdef readonly long long version
    cdef readonly object values
