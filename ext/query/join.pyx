"""From the documents that a query finds to those that share a term with them: children to parents, and parents to children.

Both sides hold a term in the same column, the id of the parent. The first side is searched once, over all segments of the reader, and
for each term are kept how many of its documents were found and what their scores come to. Then the other side's documents are taken
whose term was found often enough. Scores are added in single precision in the order of segments and documents, as the reference does.
Source: the join over global ordinals of Lucene's JoinUtil.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.query.scored_set cimport ScoredSet, empty_scores
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.ordinals cimport GlobalOrdinals, ordinals_of
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint32_t, uint64_t

MODES = {"none": 0, "avg": 1, "max": 2, "min": 3, "sum": 4}
cdef enum:
    NONE = 0
    AVERAGE = 1
    MAX = 2
    MIN = 3


cdef class Found:
    """How often each term was found, and what the scores come to."""

    cdef uint32_t* counts
    cdef float* scores  # NULL where nobody asks for them

    def __cinit__(self, Py_ssize_t size, bint scored):
        self.counts = <uint32_t*>PyMem_Calloc(size + 1, 4)
        if self.counts == NULL:
            raise MemoryError()
        if scored:
            self.scores = <float*>PyMem_Calloc(size + 1, 4)
            if self.scores == NULL:
                raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.counts)
        PyMem_Free(self.scores)

    cdef void add(self, uint32_t term, float score, int mode) noexcept nogil:
        cdef float before
        self.counts[term] += 1
        if self.scores == NULL:
            return
        before = self.scores[term]
        if self.counts[term] == 1:
            self.scores[term] = score
        elif mode == MAX:
            self.scores[term] = max(before, score)
        elif mode == MIN:
            self.scores[term] = min(before, score)
        else:
            self.scores[term] = before + score

    cdef float score(self, uint32_t term, int mode) noexcept nogil:
        return self.scores[term] / <float>self.counts[term] if mode == AVERAGE else self.scores[term]


cdef void gather(
    Scorer scorer, const uint64_t* live, ColumnReader column, const uint32_t* numbers, int mode, Found found
) noexcept nogil:
    """Add the live matches of a segment. numbers: of the ords of the segment; NULL where they number themselves."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef float[WINDOW_SIZE] cells
    cdef uint64_t word
    cdef doc_t lo = scorer.candidate(0), hi, at
    cdef Py_ssize_t first = 0, end = 0
    cdef uint32_t ord
    cdef int w
    while lo != NO_MORE_DOCS:
        lo = lo // WINDOW_SIZE * WINDOW_SIZE
        hi = min(lo + WINDOW_SIZE, scorer.max_doc)
        memset(bits, 0, sizeof(bits))
        if found.scores != NULL:
            scorer.fill_dense(lo, hi, bits, cells)
        else:
            scorer.fill(lo, hi, bits, NULL)
        for w in range((hi - lo + 63) >> 6):
            word = bits[w]
            if live != NULL:
                word &= live[(lo >> 6) + w]
            while word:
                at = 64 * w + simd.ctz(word)
                word &= word - 1
                if column.bounds(lo + at, &first, &end):
                    ord = <uint32_t>column.cell(first)
                    found.add(ord if numbers == NULL else numbers[ord], cells[at] if found.scores != NULL else 0, mode)
        lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS


cdef class JoinWeight(SetWeight):
    """The documents that a query wants, if as many that another finds share their term as are asked for.

    sought: finds the documents of the one side. wanted: those of the other side. column: of the terms, one for a document at most. mode: what
    a score is made of: "avg", "max", "min" or "sum" of those of the documents found, or "none": all score 1. least, most: how many
    must be found; one at least. boost: of the scores, if they are not all 1.
    """

    cdef Weight sought
    cdef Weight wanted
    cdef str column
    cdef int mode
    cdef int64_t least
    cdef int64_t most
    cdef float boost
    cdef Found found

    def __init__(
        self, Weight sought not None, Weight wanted not None, str column not None, str mode not None, *, int64_t least=1,
        int64_t most=0x7FFFFFFF, float boost=1.0
    ):
        if mode not in MODES:
            raise ValueError(f"unknown mode [{mode}]")
        self.reader = wanted.reader
        if len(sought.reader.segments) != len(self.reader.segments):
            raise ValueError("two weights of different readers")
        self.sought = sought
        self.wanted = wanted
        self.column = column
        self.mode = MODES[mode]
        self.scoring = self.mode != NONE
        self.least = max(least, <int64_t>1)
        self.most = most
        self.boost = boost

    cdef Found search(self, GlobalOrdinals ordinals):
        """Search the one side."""
        cdef Found found = Found(ordinals.size, self.mode != NONE)
        cdef SegmentReader segment
        cdef FieldReader field
        cdef Scorer scorer
        cdef const uint32_t* numbers
        cdef int i
        for i in range(len(self.reader.segments)):
            segment = <SegmentReader>self.reader.segments[i]
            field = segment.field(self.column)
            if field is None or field.column is None:
                continue
            scorer = self.sought.scorer(i)
            if scorer is None:
                continue
            numbers = ordinals.of(i)
            with nogil:
                gather(scorer, segment.live, field.column, numbers, self.mode, found)
        return found

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field = reader.field(self.column)
        cdef Scorer wanted = None if field is None or field.column is None else self.wanted.scorer(segment)
        cdef GlobalOrdinals ordinals
        cdef const uint32_t* numbers
        cdef SetScorer out
        if wanted is None:
            return empty_set(reader.max_doc)
        ordinals = ordinals_of(self.reader, self.column)
        if self.found is None:
            self.found = self.search(ordinals)
        out = empty_scores(reader.max_doc) if self.mode != NONE else empty_set(reader.max_doc)
        numbers = ordinals.of(segment)
        with nogil:
            self.take(wanted, field.column, numbers, out)
        return out

    cdef void take(self, Scorer wanted, ColumnReader column, const uint32_t* numbers, SetScorer out) noexcept nogil:
        """Put the documents of a segment whose term was found into a set."""
        cdef uint64_t[WINDOW_WORDS] bits
        cdef uint64_t word
        cdef doc_t lo = wanted.candidate(0), hi, doc
        cdef Py_ssize_t first = 0, end = 0
        cdef uint32_t term
        cdef int w
        while lo != NO_MORE_DOCS:
            lo = lo // WINDOW_SIZE * WINDOW_SIZE
            hi = min(lo + WINDOW_SIZE, wanted.max_doc)
            memset(bits, 0, sizeof(bits))
            wanted.fill(lo, hi, bits, NULL)
            for w in range((hi - lo + 63) >> 6):
                word = bits[w]
                while word:
                    doc = lo + 64 * w + simd.ctz(word)
                    word &= word - 1
                    if not column.bounds(doc, &first, &end):
                        continue
                    term = <uint32_t>column.cell(first)
                    if numbers != NULL:
                        term = numbers[term]
                    if not self.least <= self.found.counts[term] <= self.most:
                        continue
                    if self.mode == NONE:
                        out.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
                    else:
                        (<ScoredSet>out).put(doc, self.found.score(term, self.mode) * self.boost)
            lo = wanted.candidate(hi) if hi < wanted.max_doc else NO_MORE_DOCS
