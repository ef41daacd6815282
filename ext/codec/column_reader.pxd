"""Doc values and points over mapped sections; layout in columns.py."""

from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef class ColumnReader:
    cdef object owner
    cdef const uint8_t* cells
    cdef readonly int width
    cdef readonly int64_t minimum
    cdef readonly Py_ssize_t n_values
    cdef readonly Py_ssize_t n_docs  # documents with a value
    cdef readonly uint32_t max_doc
    cdef const uint32_t* starts  # NULL: one value at most per document
    cdef const uint64_t* present  # NULL: every document has a value
    cdef const int64_t* zones  # least and greatest per window

    cdef void set_range(self, doc_t lo, doc_t hi, int64_t least, int64_t greatest, uint64_t* out) noexcept nogil

    cdef inline int64_t cell(self, Py_ssize_t i) noexcept nogil:
        """The i-th value."""
        if self.width == 1:
            return self.minimum + self.cells[i]
        if self.width == 2:
            return self.minimum + (<const uint16_t*>self.cells)[i]
        if self.width == 4:
            return self.minimum + (<const uint32_t*>self.cells)[i]
        return <int64_t>(<uint64_t>self.minimum + (<const uint64_t*>self.cells)[i])

    cdef inline bint bounds(self, doc_t doc, Py_ssize_t* first, Py_ssize_t* end) noexcept nogil:
        """Where the values of a document lie; False if it has none."""
        if self.starts != NULL:
            first[0] = self.starts[doc]
            end[0] = self.starts[doc + 1]
            return end[0] > first[0]
        if self.present != NULL and not (self.present[doc >> 6] >> (doc & 63)) & 1:
            return False
        first[0] = doc
        end[0] = doc + 1
        return True

cdef class PointsReader:
    cdef object owner
    cdef const uint8_t* cells
    cdef int width
    cdef readonly int64_t minimum
    cdef readonly Py_ssize_t n_values
    cdef const uint32_t* docs

    cdef Py_ssize_t lower(self, int64_t value) noexcept nogil
    cdef int64_t cell(self, Py_ssize_t i) noexcept nogil
