"""Documents with a number between two others.

Where few values lie in the range, the sorted points give the documents; otherwise the column of doc values is compared window by
window, only where somebody looks, and whole windows are decided by their least and greatest value.
"""

from lanner.ext.codec.column_reader cimport ColumnReader, PointsReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, empty_set
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint32_t, uint64_t

from lanner.ext cimport simd

cdef enum:
    FEW = 64  # one document in so many: then a set is made of the points


cdef class ColumnRangeScorer(Scorer):
    cdef ColumnReader column
    cdef int64_t lo
    cdef int64_t hi

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef const int64_t* zone
        while target < self.max_doc:
            zone = self.column.zones + 2 * (target // WINDOW_SIZE)
            if zone[0] <= self.hi and zone[1] >= self.lo:
                return target
            target = (target // WINDOW_SIZE + 1) * WINDOW_SIZE
        return NO_MORE_DOCS

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint64_t[WINDOW_WORDS] found
        cdef uint64_t word
        cdef int i
        if scores == NULL:
            self.column.set_range(lo, hi, self.lo, self.hi, bits)
            return
        for i in range(WINDOW_WORDS):
            found[i] = 0
        self.column.set_range(lo, hi, self.lo, self.hi, found)
        for i in range(WINDOW_WORDS):
            word = found[i]
            bits[i] |= word
            while word:
                scores[64 * i + simd.ctz(word)] += 1
                word &= word - 1

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef Py_ssize_t first = 0, end = 0, j
        cdef int i
        cdef int64_t value
        for i in range(n):
            if not self.column.bounds(docs[i], &first, &end):
                continue
            for j in range(first, end):
                value = self.column.cell(j)
                if self.lo <= value <= self.hi:
                    hits[i] += 1
                    if scores != NULL:
                        scores[i] += 1
                    break


cdef class NumberRangeWeight(Weight):
    """Numbers from lo to hi, both included, in their encoded form; score 1."""

    cdef str field
    cdef int64_t lo
    cdef int64_t hi

    def __init__(self, IndexReader reader not None, str field not None, int64_t lo, int64_t hi):
        self.reader = reader
        self.field = field
        self.lo = lo
        self.hi = hi

    cdef Scorer scorer(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field = reader.field(self.field)
        cdef ColumnRangeScorer scorer
        cdef SetScorer some
        cdef PointsReader points
        cdef Py_ssize_t first = 0, end = 0, i
        cdef doc_t doc
        if field is None or self.lo > self.hi:
            return None
        points = field.points
        if points is not None:
            first = points.lower(self.lo)
            end = points.lower(self.hi + 1) if self.hi < <int64_t>0x7FFFFFFFFFFFFFFF else points.n_values
            if first == end:
                return None
            if field.column is None or (end - first) * FEW < reader.max_doc:
                some = empty_set(reader.max_doc)
                for i in range(first, end):
                    doc = points.docs[i]
                    if doc < reader.max_doc:
                        some.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
                some.cost = end - first
                return some
        if field.column is None:
            return None
        scorer = ColumnRangeScorer.__new__(ColumnRangeScorer)
        scorer.column = field.column
        scorer.lo = self.lo
        scorer.hi = self.hi
        scorer.max_doc = reader.max_doc
        scorer.max_score = 1
        scorer.cost = end - first if points is not None else field.column.n_docs
        return scorer

    cdef int64_t count(self, int segment) except -2:
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field = reader.field(self.field)
        if field is None or self.lo > self.hi:
            return 0
        if field.points is None or reader.num_deleted or field.points.n_values != field.doc_count:
            return -1
        return (
            field.points.lower(self.hi + 1) if self.hi < <int64_t>0x7FFFFFFFFFFFFFFF else field.points.n_values
        ) - field.points.lower(self.lo)
