"""Doc values and points over mapped sections; layout in columns.py."""

from lanner.ext cimport simd
from lanner.ext.types cimport WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from lanner.ext.errors import CorruptIndexError


cdef class ColumnReader:
    """One column of doc values; keeps its sections alive.

    Raises CorruptIndexError if the sections are too small for what they should hold.
    """

    def __init__(
        self, uint32_t max_doc, dict about not None, const uint8_t[::1] cells not None, const uint8_t[::1] starts,
        const uint8_t[::1] present, const uint8_t[::1] zones not None
    ):
        cdef Py_ssize_t n
        self.owner = (cells, starts, present, zones)
        self.width = about["width"]
        self.minimum = about["minimum"]
        self.n_values = about["values"]
        self.n_docs = about["docs"]
        self.max_doc = max_doc
        n = self.n_values if starts is not None else max_doc
        if self.width not in (1, 2, 4, 8) or cells.shape[0] != n * self.width:
            raise CorruptIndexError("doc values are cut short")
        self.cells = &cells[0] if n else NULL
        self.starts = NULL
        self.present = NULL
        if starts is not None:
            if starts.shape[0] != 4 * (<Py_ssize_t>max_doc + 1):
                raise CorruptIndexError("starts of doc values are cut short")
            self.starts = <const uint32_t*>&starts[0]
            if self.starts[max_doc] != n:
                raise CorruptIndexError("starts of doc values do not fit the values")
        if present is not None:
            if present.shape[0] < (<Py_ssize_t>max_doc + 63) // 64 * 8:
                raise CorruptIndexError("presence of doc values is cut short")
            self.present = <const uint64_t*>&present[0] if present.shape[0] else NULL
        if zones.shape[0] != (<Py_ssize_t>max_doc + WINDOW_SIZE - 1) // WINDOW_SIZE * 16:
            raise CorruptIndexError("zones of doc values are cut short")
        self.zones = <const int64_t*>&zones[0] if zones.shape[0] else NULL

    cdef void set_range(self, doc_t lo, doc_t hi, int64_t least, int64_t greatest, uint64_t* out) noexcept nogil:
        """Set the bits of the documents in [lo, hi), a window, that have a value between least and greatest.

        Bit 0 of out is document lo, a multiple of the window's size.
        """
        cdef const int64_t* zone = self.zones + 2 * (lo // WINDOW_SIZE)
        cdef uint64_t low, high
        cdef int64_t top
        cdef Py_ssize_t i, j, n = hi - lo, whole
        cdef uint64_t[WINDOW_WORDS] present
        if least > greatest or zone[1] < least or zone[0] > greatest or zone[1] < zone[0]:
            return
        if self.starts != NULL:
            for i in range(n):
                for j in range(self.starts[lo + i], self.starts[lo + i + 1]):
                    if least <= self.cell(j) <= greatest:
                        out[i >> 6] |= <uint64_t>1 << (i & 63)
                        break
            return
        if zone[0] >= least and zone[1] <= greatest:  # all that have a value
            for i in range((n + 63) >> 6):
                out[i] |= self.present[(lo >> 6) + i] if self.present != NULL else ~<uint64_t>0
            if n & 63:
                out[n >> 6] &= (<uint64_t>1 << (n & 63)) - 1
            return
        # cells are offsets from the minimum, in the width of the column
        if least < zone[0]:
            least = zone[0]
        if greatest > zone[1]:
            greatest = zone[1]
        low = <uint64_t>least - <uint64_t>self.minimum
        high = <uint64_t>greatest - <uint64_t>self.minimum
        for i in range(WINDOW_WORDS):
            present[i] = 0
        whole = n // 64 * 64
        if self.width == 1:
            simd.range8(self.cells + lo, whole, low, high, present)
        elif self.width == 2:
            simd.range16(<const uint16_t*>self.cells + lo, whole, low, high, present)
        elif self.width == 4:
            simd.range32(<const uint32_t*>self.cells + lo, whole, low, high, present)
        else:
            simd.range64(<const uint64_t*>self.cells + lo, whole, low, high, present)
        for i in range(whole, n):
            if least <= self.cell(lo + i) <= greatest:
                present[i >> 6] |= <uint64_t>1 << (i & 63)
        for i in range((n + 63) >> 6):
            out[i] |= present[i] & (self.present[(lo >> 6) + i] if self.present != NULL else ~<uint64_t>0)

    def values(self, doc_t doc) -> list:
        """Return the values of a document, ascending."""
        cdef Py_ssize_t i, first = 0, end = 0
        if doc >= self.max_doc:
            raise ValueError(f"no document {doc}")
        if not self.bounds(doc, &first, &end):
            return []
        return [self.cell(i) for i in range(first, end)]


cdef class PointsReader:
    """All values of a field in ascending order; keeps its sections alive."""

    def __init__(self, uint32_t max_doc, dict about not None, const uint8_t[::1] cells not None, const uint8_t[::1] docs not None):
        self.owner = (cells, docs)
        self.width = about["width"]
        self.minimum = about["minimum"]
        self.n_values = about["values"]
        if self.width not in (1, 2, 4, 8) or cells.shape[0] != self.n_values * self.width or docs.shape[0] != 4 * self.n_values:
            raise CorruptIndexError("points are cut short")
        self.cells = &cells[0] if self.n_values else NULL
        self.docs = <const uint32_t*>&docs[0] if self.n_values else NULL

    cdef int64_t cell(self, Py_ssize_t i) noexcept nogil:
        if self.width == 1:
            return self.minimum + self.cells[i]
        if self.width == 2:
            return self.minimum + (<const uint16_t*>self.cells)[i]
        if self.width == 4:
            return self.minimum + (<const uint32_t*>self.cells)[i]
        return <int64_t>(<uint64_t>self.minimum + (<const uint64_t*>self.cells)[i])

    cdef Py_ssize_t lower(self, int64_t value) noexcept nogil:
        """How many values are less than the given one."""
        cdef Py_ssize_t lo = 0, hi = self.n_values, mid
        while lo < hi:
            mid = (lo + hi) >> 1
            if self.cell(mid) < value:
                lo = mid + 1
            else:
                hi = mid
        return lo
