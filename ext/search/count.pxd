"""Totals of a search, where they are cheap; see count.pyx."""

from lanner.ext.query.scorer cimport Weight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport int64_t

cdef int64_t cheap_total(IndexReader reader, Weight weight, int64_t track) except -2
