"""Documents in which terms stand in some order, near, inside, beside or far from each other.

What is wanted is a program: a list of operations (stretches.pyx), each over the results of earlier ones. For a document that an
approximation offers, every operation makes the list of its stretches; the document matches if the last list is not empty.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport SPARE, Cursor, close_cursor, find, load_freqs, read_positions, seek
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.query.similarity cimport BooleanSimilarity, FieldStatistics, RawFrequency, Similarity
from lanner.ext.query.stretches cimport (
    AFTER,
    ANY,
    BEFORE,
    BLOCK,
    CONTAINED_BY,
    CONTAINING,
    EXTEND,
    GAP,
    MOST_GAPS,
    NOT_CONTAINED_BY,
    NOT_CONTAINING,
    NOT_OVERLAPPING,
    ORDERED,
    ORDERED_NEAR,
    OVERLAPPING,
    REPEAT,
    SPAN_CONTAINING,
    SPAN_FIRST,
    SPAN_NOT,
    SPAN_OR,
    SPAN_WITHIN,
    TERM,
    UNORDERED,
    UNORDERED_NEAR,
    Operation,
    Step,
    Stretch,
    push,
    run_step,
)
from lanner.ext.query.term cimport TermWeight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint32_t, uint64_t

OPERATIONS = {
    "term": TERM, "gap": GAP, "span_or": SPAN_OR, "ordered_near": ORDERED_NEAR, "unordered_near": UNORDERED_NEAR,
    "span_not": SPAN_NOT, "span_first": SPAN_FIRST, "span_containing": SPAN_CONTAINING, "span_within": SPAN_WITHIN, "any": ANY,
    "block": BLOCK, "ordered": ORDERED, "unordered": UNORDERED, "repeat": REPEAT, "extend": EXTEND, "most_gaps": MOST_GAPS,
    "containing": CONTAINING, "contained_by": CONTAINED_BY, "not_containing": NOT_CONTAINING, "not_contained_by": NOT_CONTAINED_BY,
    "overlapping": OVERLAPPING, "not_overlapping": NOT_OVERLAPPING, "before": BEFORE, "after": AFTER
}


cdef class PositionsScorer(Scorer):
    cdef Scorer approximation
    cdef list kept  # own what the cursors read
    cdef Cursor* cursors
    cdef uint8_t* open  # which cursors are
    cdef int n_terms
    cdef Step* steps
    cdef int n
    cdef bint spans
    cdef uint32_t* scratch
    cdef uint32_t room
    cdef float weight
    cdef const float* inverse  # NULL: every match scores the weight
    cdef const uint8_t* norms
    cdef int least  # intervals: the shortest that there can be
    cdef bint raw  # spans: how often they come is the score

    def __dealloc__(self):
        cdef int i
        if self.cursors != NULL:
            for i in range(self.n_terms):
                if self.open[i]:
                    close_cursor(&self.cursors[i])
        if self.steps != NULL:
            for i in range(self.n):
                PyMem_Free(self.steps[i].children)
                free(self.steps[i].list)
        PyMem_Free(self.cursors)
        PyMem_Free(self.open)
        PyMem_Free(self.steps)
        free(self.scratch)

    cdef bint term(self, Step* step, doc_t doc) noexcept nogil:
        """List the positions of a term; False without memory or if they are damaged."""
        cdef Cursor* c = &self.cursors[step.a]
        cdef uint32_t* found = NULL
        cdef uint32_t need, count, i
        cdef void* grown
        cdef int at
        step.size = 0
        if not self.open[step.a] or not seek(c, doc):
            return True
        at = find(c, doc)
        if at < 0:
            return True
        load_freqs(c, c.block)
        need = c.gaps[at] + 1
        if need > self.room:
            grown = realloc(self.scratch, (need + SPARE) * 4)
            if grown == NULL:
                return False
            self.scratch = <uint32_t*>grown
            self.room = need
        count = read_positions(c, c.block, at, &found, self.scratch, need)
        for i in range(count):
            if not push(step, <int>found[i], <int>found[i] + self.spans, 0):
                return False
        return count > 0

    cdef bint run(self, doc_t doc, float* score) noexcept nogil:
        """Whether a document matches, and its score."""
        cdef float freq
        if not self.find(doc):
            return False
        if self.spans and self.inverse == NULL and not self.raw:
            score[0] = self.weight
            return True
        freq = self.freq()
        if self.raw:
            score[0] = freq
        elif self.spans:
            score[0] = self.weight - self.weight / (
                <float>1 + freq * self.inverse[self.norms[doc] if self.norms != NULL else 1]
            )
        else:
            score[0] = self.weight * (<float>1.0 - <float>1.0 / (<float>1.0 + freq))
        return True

    cdef bint find(self, doc_t doc) noexcept nogil:
        """Whether a document matches; the list of the last step then says where."""
        cdef int i
        for i in range(self.n):
            if self.steps[i].operation == TERM:
                if not self.term(&self.steps[i], doc):
                    return False
            elif self.steps[i].operation != GAP and not run_step(self.steps, &self.steps[i]):
                return False
        return self.steps[self.n - 1].size > 0

    cdef float freq(self) noexcept nogil:
        """What the matches that were found count together: narrow ones more."""
        cdef Step* last = &self.steps[self.n - 1]
        cdef double total = 0
        cdef float freq = 0
        cdef int i, length
        if self.spans:
            for i in range(last.size):
                freq += <float>1.0 / (<float>1.0 + last.list[i].rest)
            return freq
        for i in range(last.size):
            length = last.list[i].end - last.list[i].start + 1 - self.least + 1
            total += 1.0 / max(length, 1)
        return <float>total

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        return self.approximation.candidate(target)

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint64_t[WINDOW_WORDS] found
        cdef uint64_t word
        cdef doc_t doc
        cdef float score = 0
        cdef int i
        memset(found, 0, sizeof(found))
        self.approximation.fill(lo, hi, found, NULL)
        for i in range(WINDOW_WORDS):
            word = found[i]
            while word:
                doc = 64 * i + simd.ctz(word)
                word &= word - 1
                if self.run(lo + doc, &score):
                    bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
                    if scores != NULL:
                        scores[doc] += score

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef uint8_t[WINDOW_SIZE] found
        cdef float score = 0
        cdef int i
        memset(found, 0, n)
        self.approximation.probe(docs, NULL, found, n)
        for i in range(n):
            if found[i] and self.run(docs[i], &score):
                hits[i] += 1
                if scores != NULL:
                    scores[i] += score


cdef class PositionsWeight(Weight):
    """A program over terms. approximation: offers every document that may match; program: (operation, a, b, children).

    With scored, the terms whose weights are summed, the program is one of spans and scores as a phrase of a field does; without, one
    of intervals, and least is the shortest that its last operation can give.
    """

    cdef Weight approximation
    cdef list terms
    cdef list program
    cdef bint spans
    cdef int least
    cdef float weight
    cdef FieldStatistics statistics
    cdef tuple parts  # of the field whose norms count
    cdef bint raw

    def __init__(
        self, Weight approximation not None, terms, program, *, float boost=1.0, int least=0, scored=None, str field=None,
        Similarity similarity=None
    ):
        cdef IndexReader reader = approximation.reader
        cdef TermWeight term
        cdef int number = 0
        self.approximation = approximation
        self.reader = reader
        self.terms = list(terms)
        self.program = [(OPERATIONS[operation], a, b, tuple(children)) for operation, a, b, children in program]
        if not self.program:
            raise ValueError("a program needs an operation")
        for operation, a, b, children in self.program:
            if any([not 0 <= child < number for child in children]) or (operation == TERM and not 0 <= a < len(self.terms)):
                raise ValueError(f"operation {number} reads what is not there")
            if not children and operation not in (TERM, GAP, SPAN_OR, ANY):
                raise ValueError(f"operation {number} has nothing to work on")
            number += 1
        self.spans = scored is not None
        self.least = least
        self.weight = boost
        self.scoring = scored is None or similarity is not None
        self.raw = isinstance(similarity, RawFrequency)
        if similarity is not None and scored is not None:
            self.statistics = reader.bind(similarity, field)
            self.parts = reader.parts(field)
            if not isinstance(similarity, BooleanSimilarity):
                self.weight = 0
                for term in scored:
                    if term.doc_freq:
                        self.weight += similarity.weight(
                            self.statistics, reader.doc_freq(term.field, term.term), self.statistics.doc_count, boost
                        )

    cdef Scorer scorer(self, int segment):
        cdef Scorer approximation = self.approximation.scorer(segment)
        cdef PositionsScorer scorer
        cdef TermWeight term
        cdef FieldReader part
        cdef Step* step
        cdef int i, j
        if approximation is None:
            return None
        scorer = PositionsScorer.__new__(PositionsScorer)
        scorer.approximation = approximation
        scorer.kept = self.terms
        scorer.cost = approximation.cost
        scorer.max_doc = approximation.max_doc
        scorer.max_score = self.weight
        scorer.weight = self.weight
        scorer.spans = self.spans
        scorer.least = self.least
        scorer.raw = self.raw
        if self.statistics is not None and not self.statistics.flat:
            scorer.inverse = self.statistics.inverse
            if self.parts[segment] is not None:
                scorer.norms = (<FieldReader>self.parts[segment]).norms
        scorer.n_terms = len(self.terms)
        scorer.open = <uint8_t*>PyMem_Calloc(scorer.n_terms + 1, 1)
        scorer.cursors = <Cursor*>PyMem_Calloc(scorer.n_terms + 1, sizeof(Cursor))
        if scorer.open == NULL or scorer.cursors == NULL:
            raise MemoryError()
        for i in range(scorer.n_terms):
            term = self.terms[i]
            scorer.open[i] = term.open_cursor(segment, &scorer.cursors[i], True)
        scorer.steps = <Step*>PyMem_Calloc(len(self.program), sizeof(Step))
        if scorer.steps == NULL:
            raise MemoryError()
        scorer.n = len(self.program)
        for i in range(scorer.n):
            step = &scorer.steps[i]
            operation, step.a, step.b, children = self.program[i]
            step.operation = <Operation><int>operation
            step.children = <int*>PyMem_Calloc(2 * len(children) + 1, sizeof(int))
            if step.children == NULL:
                raise MemoryError()
            step.n = len(children)
            step.at = step.children + step.n
            for j in range(step.n):
                step.children[j] = children[j]
        return scorer

    def freq(self, int segment, doc_t doc) -> float:
        """Return what the matches in a document of a segment count together; 0 for none. For explanations."""
        cdef PositionsScorer scorer = self.scorer(segment)
        return scorer.freq() if scorer is not None and scorer.find(doc) else 0.0
