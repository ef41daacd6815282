"""Documents that as many of several queries match as a number of the document itself says. Source: Lucene's CoveringQuery."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.stdint cimport uint16_t
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint64_t


cdef class CoveringScorer(Scorer):
    cdef list children
    cdef PyObject** items  # the children again, for loops without the GIL
    cdef int n
    cdef ColumnReader column

    def __dealloc__(self):
        PyMem_Free(self.items)

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        return target if target < self.max_doc else NO_MORE_DOCS

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint16_t[WINDOW_SIZE] counts
        cdef float[WINDOW_SIZE] cells
        cdef uint64_t[WINDOW_WORDS] found
        cdef uint64_t word
        cdef Py_ssize_t first = 0, end = 0
        cdef int64_t needed
        cdef int i, j
        cdef doc_t doc
        memset(counts, 0, sizeof(counts))
        memset(cells, 0, sizeof(cells))
        for i in range(self.n):
            memset(found, 0, sizeof(found))
            (<Scorer>self.items[i]).fill(lo, hi, found, cells if scores != NULL else NULL)
            for j in range(WINDOW_WORDS):
                word = found[j]
                while word:
                    counts[64 * j + simd.ctz(word)] += 1
                    word &= word - 1
        for doc in range(hi - lo):
            if counts[doc] and self.column.bounds(lo + doc, &first, &end):
                needed = self.column.cell(first)
                if counts[doc] >= needed:
                    bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
                    if scores != NULL:
                        scores[doc] += cells[doc]


cdef class CoveringWeight(Weight):
    """children: at most 65,535; field: a column of whole numbers, of which a document's first one counts."""

    cdef list children
    cdef str field

    def __init__(self, children, str field not None):
        self.children = list(children)
        if not 0 < len(self.children) < 65536:
            raise ValueError("one to 65,535 queries")
        self.field = field
        self.reader = (<Weight>self.children[0]).reader
        self.scoring = any([(<Weight>child).scoring for child in self.children])

    cdef Scorer scorer(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field = reader.field(self.field)
        cdef CoveringScorer scorer
        if field is None or field.column is None:
            return None
        found = [child for child in [(<Weight>weight).scorer(segment) for weight in self.children] if child is not None]
        if not found:
            return None
        scorer = CoveringScorer.__new__(CoveringScorer)
        scorer.items = <PyObject**>PyMem_Malloc(len(found) * sizeof(PyObject*))
        if scorer.items == NULL:
            raise MemoryError()
        scorer.children = found
        for child in found:
            scorer.items[scorer.n] = <PyObject*>child
            scorer.n += 1
        scorer.column = field.column
        scorer.max_doc = reader.max_doc
        scorer.cost = sum([(<Scorer>child).cost for child in found])
        scorer.max_score = sum([(<Scorer>child).max_score for child in found]) * 1.00001
        return scorer
