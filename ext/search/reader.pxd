"""A point in time of one shard; see reader.pyx."""

from lanner.ext.query.similarity cimport FieldStatistics, Similarity
from lanner.ext.types cimport int64_t

cdef class IndexReader:
    cdef readonly tuple segments
    cdef readonly tuple bases
    cdef readonly int64_t max_doc
    cdef readonly int64_t num_docs
    cdef dict statistics
    cdef dict bound
    cdef dict indexed
    cdef dict ordinals  # column -> GlobalOrdinals of ordinals.pyx
    cdef Similarity last_similarity  # what bind was asked for last; the terms of a query mostly ask alike
    cdef str last_field
    cdef FieldStatistics last_bound

    cdef tuple parts(self, str field)
    cdef FieldStatistics bind(self, Similarity similarity, str field)
