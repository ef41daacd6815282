"""A segment, open for reading; see segment_reader.pyx."""

from lanner.ext.codec.column_reader cimport ColumnReader, PointsReader
from lanner.ext.codec.postings_reader cimport Postings
from lanner.ext.codec.terms cimport TermsReader
from lanner.ext.codec.unpacked_postings cimport UnpackedCache
from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint32_t, uint64_t

cdef class FieldReader:
    cdef readonly str name
    cdef readonly int number
    cdef readonly int kind
    cdef readonly int postings
    cdef readonly dict about
    cdef readonly uint32_t max_doc
    cdef readonly int64_t doc_count
    cdef readonly int64_t sum_total_term_freq
    cdef readonly int64_t sum_doc_freq
    cdef readonly TermsReader terms
    cdef readonly dict owner  # name -> bytes of its sections
    cdef const uint64_t* entries
    cdef const uint8_t* blob
    cdef Py_ssize_t blob_length
    cdef const uint8_t* positions
    cdef Py_ssize_t positions_length
    cdef const uint8_t* bitmaps
    cdef Py_ssize_t bitmaps_length
    cdef const uint8_t* norms  # one per document, or NULL
    cdef float[256] inverse  # of the impacts in the postings
    cdef readonly ColumnReader column
    cdef readonly PointsReader points
    cdef object completions  # what automaton/completions.pyx reads of it, once somebody asks

    cdef uint32_t candidate(self, uint64_t h) noexcept nogil
    cdef void prefetch(self, uint32_t ord) noexcept nogil
    cdef int open(self, uint32_t ord, Postings* out) noexcept nogil
    cdef uint32_t doc_freq(self, uint32_t ord) noexcept nogil

cdef class SegmentReader:
    cdef readonly str name
    cdef readonly uint32_t max_doc
    cdef readonly dict fields_by_name
    cdef object sections
    cdef object buffers
    cdef readonly object stored
    cdef const uint32_t[::1] block_starts  # the first document of each block of stored rows, then max_doc
    cdef readonly object deleted  # BitMap; never changed
    cdef readonly uint32_t num_deleted
    cdef object live_owner
    cdef const uint64_t* live  # a bit per document, or NULL when none is deleted
    cdef FieldReader ids
    cdef ColumnReader seq_no
    cdef ColumnReader primary_term
    cdef ColumnReader version
    cdef readonly dict bitmap_cache  # field number << 32 | ord of a term -> BitMap of its documents
    cdef readonly UnpackedCache unpacked
    cdef const uint64_t* documents  # a bit per row that is a document, or NULL when there are no nested rows
    cdef readonly dict row_sets  # path -> RowSet of ext/query/nested.pyx
    cdef SegmentReader searched  # what `searchable` gave
    cdef readonly SegmentReader whole  # of what `searchable` gave: the segment with its nested rows alive; else None

    cdef int64_t find_live(self, bytes id) except -2
    cdef FieldReader field(self, str name)
    cdef SegmentReader copy(self)
    cdef object nested_rows(self)
    # The first row of the block that ends with a document.
    cdef doc_t first_of(self, doc_t doc) noexcept nogil
    cdef inline bint is_live(self, doc_t doc) noexcept nogil:
        return self.live == NULL or (self.live[doc >> 6] >> (doc & 63)) & 1
