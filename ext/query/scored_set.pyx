"""Documents whose scores are known beforehand: a set with a float each."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, allocate
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport doc_t, uint8_t, uint32_t, uint64_t


cdef ScoredSet empty_scores(doc_t max_doc):
    """A set without documents, to be filled by its maker."""
    cdef ScoredSet made = ScoredSet.__new__(ScoredSet)
    allocate(made, max_doc)
    made.scores = <float*>PyMem_Calloc(<Py_ssize_t>max_doc + 1, 4)
    if made.scores == NULL:
        raise MemoryError()
    return made


cdef class ScoredSet(SetScorer):
    """Scores of the documents of one segment."""

    def __dealloc__(self):
        PyMem_Free(self.scores)

    cdef void put(self, doc_t doc, float score) noexcept nogil:
        if doc < self.max_doc:
            self.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
            self.scores[doc] = score
            if score > self.max_score:
                self.max_score = score

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef doc_t i, n = (hi - lo + 63) >> 6, doc
        cdef uint64_t word
        for i in range(n):
            word = self.words[(lo >> 6) + i]
            bits[i] |= word
            if scores != NULL:
                while word:
                    doc = 64 * i + simd.ctz(word)
                    scores[doc] += self.scores[lo + doc]
                    word &= word - 1

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef int i
        for i in range(n):
            if (self.words[docs[i] >> 6] >> (docs[i] & 63)) & 1:
                hits[i] += 1
                if scores != NULL:
                    scores[i] += self.scores[docs[i]]


cdef class ScoredDocsWeight(SetWeight):
    """Given documents with their scores. scored: a dict {document: score} per segment; others than its own raise ValueError."""

    cdef list scored

    def __init__(self, IndexReader reader not None, scored):
        self.reader = reader
        self.scoring = True
        self.scored = list(scored)
        if len(self.scored) != len(reader.segments):
            raise ValueError("scores for each segment are needed")
        for documents, segment in zip(self.scored, reader.segments):
            if documents and max(documents) >= segment.max_doc:
                raise ValueError("a document is beyond its segment")

    cdef SetScorer make(self, int segment):
        cdef ScoredSet out = empty_scores((<SegmentReader>self.reader.segments[segment]).max_doc)
        cdef uint32_t doc
        cdef float score
        for doc, score in self.scored[segment].items():
            out.put(doc, score)
        return out
