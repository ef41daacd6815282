"""Documents that hold any term of a set of terms; see multi_term.pyx."""

from lanner.ext.index.segment_reader cimport FieldReader
from lanner.ext.query.doc_set cimport SetScorer
from lanner.ext.types cimport uint32_t

# Add the documents of a term to a set.
cdef int add_term(FieldReader field, uint32_t ord, SetScorer out) except -1
