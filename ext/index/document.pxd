"""Documents and operations on their way into a shard; see document.pyx."""

cdef class Document:
    cdef readonly bytes id
    cdef readonly bytes source
    cdef readonly bytes routing
    cdef readonly long long seq_no
    cdef readonly long long primary_term
    cdef readonly long long version
    cdef readonly object values

cdef class Operation(Document):
    cdef readonly int kind
    cdef readonly object condition
    cdef readonly bint auto_id
