"""The best of several queries: its score plus a share of the others'."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint64_t

from pyroaring import BitMap


cdef class DisMaxScorer(Scorer):
    cdef list children
    cdef PyObject** items  # the children again, for loops without the GIL
    cdef int n
    cdef float tie_breaker

    def __dealloc__(self):
        PyMem_Free(self.items)

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef doc_t best = NO_MORE_DOCS, at
        cdef int i
        for i in range(self.n):
            at = (<Scorer>self.items[i]).candidate(target)
            if at < best:
                best = at
        return best

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        cdef float best = 0, total = 0, x
        cdef int i
        for i in range(self.n):
            x = (<Scorer>self.items[i]).bound(lo, hi)
            total += x
            if x > best:
                best = x
        return (best + self.tie_breaker * (total - best)) * <float>1.00001

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint64_t[WINDOW_WORDS] found
        cdef uint64_t[WINDOW_WORDS] every
        cdef float[WINDOW_SIZE] cells
        cdef float[WINDOW_SIZE] best
        cdef float[WINDOW_SIZE] total
        cdef uint64_t word
        cdef int i, w, at
        if scores == NULL:
            for i in range(self.n):
                (<Scorer>self.items[i]).fill(lo, hi, bits, NULL)
            return
        memset(best, 0, sizeof(best))
        memset(total, 0, sizeof(total))
        memset(every, 0, sizeof(every))
        for i in range(self.n):
            memset(found, 0, sizeof(found))
            memset(cells, 0, sizeof(cells))
            (<Scorer>self.items[i]).fill(lo, hi, found, cells)
            for w in range(WINDOW_WORDS):
                word = found[w]
                every[w] |= word
                while word:
                    at = 64 * w + simd.ctz(word)
                    word &= word - 1
                    total[at] += cells[at]
                    if cells[at] > best[at]:
                        best[at] = cells[at]
        for w in range(WINDOW_WORDS):
            word = every[w]
            bits[w] |= word
            while word:
                at = 64 * w + simd.ctz(word)
                word &= word - 1
                scores[at] += best[at] + self.tie_breaker * (total[at] - best[at])

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef uint8_t[WINDOW_SIZE] found
        cdef uint8_t[WINDOW_SIZE] every
        cdef float[WINDOW_SIZE] cells
        cdef float[WINDOW_SIZE] best
        cdef float[WINDOW_SIZE] total
        cdef int i, j
        memset(every, 0, n)
        for j in range(n):
            best[j] = 0
            total[j] = 0
        for i in range(self.n):
            memset(found, 0, n)
            for j in range(n):
                cells[j] = 0
            (<Scorer>self.items[i]).probe(docs, cells if scores != NULL else NULL, found, n)
            for j in range(n):
                if found[j]:
                    every[j] = 1
                    total[j] += cells[j]
                    if cells[j] > best[j]:
                        best[j] = cells[j]
        for j in range(n):
            if every[j]:
                hits[j] += 1
                if scores != NULL:
                    scores[j] += best[j] + self.tie_breaker * (total[j] - best[j])


cdef class DisMaxWeight(Weight):
    """children: at least one. Raises ValueError without."""

    cdef list children
    cdef float tie_breaker

    def __init__(self, children, float tie_breaker=0.0):
        self.children = list(children)
        if not self.children:
            raise ValueError("dis_max needs a query")
        self.reader = (<Weight>self.children[0]).reader
        self.scoring = any([(<Weight>child).scoring for child in self.children])
        self.tie_breaker = tie_breaker

    cdef Scorer scorer(self, int segment):
        cdef DisMaxScorer scorer
        cdef int i
        cdef list found = [
            child for child in [(<Weight>weight).scorer(segment) for weight in self.children] if child is not None
        ]
        if not found:
            return None
        scorer = DisMaxScorer.__new__(DisMaxScorer)
        scorer.items = <PyObject**>PyMem_Malloc(len(found) * sizeof(PyObject*))
        if scorer.items == NULL:
            raise MemoryError()
        scorer.children = found
        scorer.n = len(found)
        for i in range(scorer.n):
            scorer.items[i] = <PyObject*>scorer.children[i]
        scorer.tie_breaker = self.tie_breaker
        scorer.max_doc = (<SegmentReader>self.reader.segments[segment]).max_doc
        scorer.cost = sum([(<Scorer>child).cost for child in found])
        scorer.max_score = sum([(<Scorer>child).max_score for child in found])
        return scorer

    cdef object bitmap(self, int segment):
        parts = [(<Weight>weight).bitmap(segment) for weight in self.children]
        if any([part is None for part in parts]):
            return None
        return parts[0] if len(parts) == 1 else BitMap.union(*parts)
