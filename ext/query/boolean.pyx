"""Combinations: all of some, none of others, some of the rest.

A combination of terms alone has its own loops (disjunction.pyx, conjunction.pyx). Everything else goes window by window: the
required child that promises the fewest documents fills the window, the others are asked about what is left.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.stdint cimport uint16_t
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.conjunction cimport conjunction, count_met, meets_all
from lanner.ext.query.disjunction cimport disjunction
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.query.term cimport TermWeight, seed_from
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint32_t, uint64_t

from pyroaring import BitMap


cdef enum:
    BITMAP_BETTER = 1024  # one document in so many has the rarest term, from which bitmaps beat meeting all matches

cdef list NO_WEIGHTS = []


cdef class Clauses:
    """The scorers of one kind of clause, ready for loops without the GIL; cheapest first."""

    cdef list scorers
    cdef list flags
    cdef PyObject** items
    cdef bint* scoring
    cdef int n

    def __cinit__(self, list pairs not None):
        cdef int i
        pairs = sorted(pairs, key=cost_of)
        self.n = len(pairs)
        self.scorers = [scorer for scorer, _ in pairs]
        self.items = <PyObject**>PyMem_Malloc((self.n + 1) * sizeof(PyObject*))
        self.scoring = <bint*>PyMem_Malloc((self.n + 1) * sizeof(bint))
        if self.items == NULL or self.scoring == NULL:
            raise MemoryError()
        for i in range(self.n):
            self.items[i] = <PyObject*>self.scorers[i]
            self.scoring[i] = pairs[i][1]

    def __dealloc__(self):
        PyMem_Free(self.items)
        PyMem_Free(self.scoring)


def cost_of(pair):
    """Return what orders clauses."""
    return (<Scorer>pair[0]).cost


cdef class BooleanScorer(Scorer):
    cdef Clauses required
    cdef Clauses optional
    cdef Clauses prohibited
    cdef int least  # optional clauses that must match

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef int i = 0
        cdef doc_t at, best = NO_MORE_DOCS
        if self.required.n == 0:
            for i in range(self.optional.n):
                at = (<Scorer>self.optional.items[i]).candidate(target)
                if at < best:
                    best = at
            return best
        while i < self.required.n:
            at = (<Scorer>self.required.items[i]).candidate(target)
            if at == NO_MORE_DOCS:
                return NO_MORE_DOCS
            if at > target:
                target = at
                i = 0 if i else 1
            else:
                i += 1
        return target

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        cdef float total = 0
        cdef int i
        for i in range(self.required.n):
            if self.required.scoring[i]:
                total += (<Scorer>self.required.items[i]).bound(lo, hi)
        for i in range(self.optional.n):
            if self.optional.scoring[i]:
                total += (<Scorer>self.optional.items[i]).bound(lo, hi)
        return total * <float>1.00001

    cdef int narrow(self, doc_t* docs, float* scores, int m, int first) noexcept nogil:
        """Keep, of m ascending documents of a window, those that match; the required clauses before number first are known to."""
        cdef uint8_t[WINDOW_SIZE] hits
        cdef int i, j, kept
        cdef bint scoring
        for i in range(first, self.required.n):
            if m == 0:
                return 0
            memset(hits, 0, m)
            scoring = self.required.scoring[i] and scores != NULL
            (<Scorer>self.required.items[i]).probe(docs, scores if scoring else NULL, hits, m)
            kept = 0
            for j in range(m):
                docs[kept] = docs[j]
                if scores != NULL:
                    scores[kept] = scores[j]
                kept += hits[j] != 0
            m = kept
        for i in range(self.prohibited.n):
            if m == 0:
                return 0
            memset(hits, 0, m)
            (<Scorer>self.prohibited.items[i]).probe(docs, NULL, hits, m)
            kept = 0
            for j in range(m):
                docs[kept] = docs[j]
                if scores != NULL:
                    scores[kept] = scores[j]
                kept += hits[j] == 0
            m = kept
        return m

    cdef int choose(self, doc_t* docs, float* scores, int m) noexcept nogil:
        """Add what the optional clauses give; keep the documents that enough of them match."""
        cdef uint8_t[WINDOW_SIZE] hits
        cdef uint16_t[WINDOW_SIZE] counts
        cdef int i, j, kept
        cdef bint scoring
        if m == 0 or (scores == NULL and self.least == 0):
            return m
        memset(counts, 0, m * 2)
        for i in range(self.optional.n):
            scoring = self.optional.scoring[i] and scores != NULL
            if not scoring and self.least == 0:
                continue
            memset(hits, 0, m)
            (<Scorer>self.optional.items[i]).probe(docs, scores if scoring else NULL, hits, m)
            for j in range(m):
                counts[j] += hits[j] != 0
        if self.least == 0:
            return m
        kept = 0
        for j in range(m):
            docs[kept] = docs[j]
            if scores != NULL:
                scores[kept] = scores[j]
            kept += counts[j] >= self.least
        return kept

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint64_t[WINDOW_WORDS] found
        cdef float[WINDOW_SIZE] cells
        cdef doc_t[WINDOW_SIZE] docs
        cdef float[WINDOW_SIZE] sums
        cdef int i, m = 0
        cdef uint64_t word
        cdef doc_t doc
        cdef bint lead_scores
        cdef float need = 0  # what a document must have from the first step on to reach the threshold
        memset(found, 0, sizeof(found))
        if self.required.n:
            lead_scores = self.required.scoring[0] and scores != NULL
            if lead_scores:
                memset(cells, 0, sizeof(cells))
            (<Scorer>self.required.items[0]).fill(lo, hi, found, cells if lead_scores else NULL)
        else:
            lead_scores = scores != NULL
            if lead_scores:
                memset(cells, 0, sizeof(cells))
            if self.least <= 1:
                for i in range(self.optional.n):
                    (<Scorer>self.optional.items[i]).fill(
                        lo, hi, found, cells if lead_scores and self.optional.scoring[i] else NULL
                    )
            else:
                self.fill_least(lo, hi, found, cells if lead_scores else NULL)
        if self.threshold > 0 and lead_scores:
            need = self.threshold
            if self.required.n:
                need -= (self.bound(lo, hi) - (<Scorer>self.required.items[0]).bound(lo, hi)) * <float>1.00001
        for i in range(WINDOW_WORDS):
            word = found[i]
            while word:
                doc = 64 * i + simd.ctz(word)
                word &= word - 1
                docs[m] = lo + doc
                sums[m] = cells[doc] if lead_scores else 0
                m += need <= 0 or sums[m] >= need
        m = self.narrow(docs, sums if scores != NULL else NULL, m, 1)
        if self.required.n:
            m = self.choose(docs, sums if scores != NULL else NULL, m)
        for i in range(m):
            doc = docs[i] - lo
            bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
            if scores != NULL:
                scores[doc] += sums[i]

    cdef void fill_least(self, doc_t lo, doc_t hi, uint64_t* bits, float* cells) noexcept nogil:
        """Documents that at least two, or more, of the optional clauses match."""
        cdef uint16_t[WINDOW_SIZE] counts
        cdef uint64_t[WINDOW_WORDS] found
        cdef uint64_t word
        cdef int i, j
        memset(counts, 0, sizeof(counts))
        for i in range(self.optional.n):
            memset(found, 0, sizeof(found))
            (<Scorer>self.optional.items[i]).fill(lo, hi, found, cells if self.optional.scoring[i] else NULL)
            for j in range(WINDOW_WORDS):
                word = found[j]
                while word:
                    counts[64 * j + simd.ctz(word)] += 1
                    word &= word - 1
        for j in range(WINDOW_SIZE):
            if counts[j] >= self.least:
                bits[j >> 6] |= <uint64_t>1 << (j & 63)

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef doc_t[WINDOW_SIZE] kept
        cdef float[WINDOW_SIZE] sums
        cdef int i, j = 0, m
        if self.required.n == 0:
            Scorer.probe(self, docs, scores, hits, n)
            return
        for i in range(n):
            kept[i] = docs[i]
            sums[i] = 0
        m = self.narrow(kept, sums if scores != NULL else NULL, n, 0)
        m = self.choose(kept, sums if scores != NULL else NULL, m)
        for i in range(m):
            while docs[j] != kept[i]:
                j += 1
            hits[j] += 1
            if scores != NULL:
                scores[j] += sums[i]


cdef class BooleanWeight(Weight):
    """must and filter: all of them; must_not: none; should: minimum_should_match of them. must and should are summed.

    Without must and filter at least one should clause has to match. Raises ValueError without any clause but must_not.
    """

    cdef list must
    cdef list should
    cdef list filter
    cdef list must_not
    cdef list rarest_first  # the terms of either of these, once something was counted
    cdef int least
    cdef bint all_should  # nothing but should clauses of terms, one of which must match
    cdef bint all_must  # nothing but must clauses of terms
    cdef int met  # whether a count of all_must meets the matches instead of bitmaps; -1 until something was counted

    def __init__(self, *, must=(), should=(), filter=(), must_not=(), int minimum_should_match=0):
        cdef Weight weight
        self.must = listed(must)
        self.should = listed(should)
        self.filter = listed(filter)
        self.must_not = listed(must_not)
        if not (self.must or self.should or self.filter):
            raise ValueError("a combination needs a clause that matches")
        weight = (self.must or self.should or self.filter)[0]
        self.reader = weight.reader
        self.met = -1
        self.least = minimum_should_match
        if not (self.must or self.filter) and self.least < 1:
            self.least = 1
        for weight in self.must:
            self.scoring |= weight.scoring
        for weight in self.should:
            self.scoring |= weight.scoring
        self.all_should = (
            self.least == 1 and not (self.must or self.filter or self.must_not) and are_terms(self.should)
        )
        self.all_must = self.least == 0 and not (self.should or self.filter or self.must_not) and are_terms(self.must)

    cdef Scorer scorer(self, int segment):
        cdef BooleanScorer scorer
        cdef Weight weight
        cdef Scorer child
        cdef list required = [], optional = [], prohibited = []
        if self.all_should:
            return disjunction(self.should, segment, self.scoring)
        if self.all_must:
            return conjunction(self.must, segment)
        for weight in self.must:
            child = weight.scorer(segment)
            if child is None:
                return None
            required.append((child, weight.scoring))
        for weight in self.filter:
            child = weight.scorer(segment)
            if child is None:
                return None
            required.append((child, False))
        for weight in self.should:
            child = weight.scorer(segment)
            if child is not None:
                optional.append((child, weight.scoring))
        if len(optional) < self.least:
            return None
        for weight in self.must_not:
            child = weight.scorer(segment)
            if child is not None:
                prohibited.append((child, False))
        scorer = BooleanScorer.__new__(BooleanScorer)
        scorer.required = Clauses(required)
        scorer.optional = Clauses(optional)
        scorer.prohibited = Clauses(prohibited)
        scorer.least = self.least
        scorer.max_doc = (<SegmentReader>self.reader.segments[segment]).max_doc
        if required:
            scorer.cost = (<Scorer>scorer.required.scorers[0]).cost
        else:
            scorer.cost = sum([(<Scorer>child).cost for child, _ in optional])
        scorer.max_score = sum([(<Scorer>child).max_score for child, scoring in required + optional if scoring]) * 1.00001
        return scorer

    cdef object bitmap(self, int segment):
        cdef Weight weight
        if self.least > 1 or (self.should and self.least == 0 and not (self.must or self.filter)):
            return None
        matches = None
        parts = []
        for weight in self.must + self.filter:
            part = weight.bitmap(segment)
            if part is None:
                return None
            parts.append(part)
        if self.least == 1:
            if not self.should:
                return BitMap()
            union = [(<Weight>w).bitmap(segment) for w in self.should]
            if any([part is None for part in union]):
                return None
            parts.append(union[0] if len(union) == 1 else BitMap.union(*union))
        parts.sort(key=len)
        for part in parts:
            matches = part if matches is None else matches & part
        for weight in self.must_not:
            part = weight.bitmap(segment)
            if part is None:
                return None
            matches = matches - part
        return matches

    cdef bint counts_along(self) except -1:
        return self.all_must and meets_all(self.must)

    cdef int64_t count(self, int segment) except -2:
        cdef bint changed = (<SegmentReader>self.reader.segments[segment]).num_deleted != 0
        cdef TermWeight term
        cdef list maps
        if self.all_must and self.met < 0:
            self.met = meets_all(self.must, BITMAP_BETTER)
        if self.all_must and self.met:
            return -1 if changed else count_met(self.must, segment)
        if changed or not (self.all_must or (self.all_should and len(self.should) <= 3)):
            return Weight.count(self, segment)
        if self.rarest_first is None:
            self.rarest_first = sorted(self.must or self.should, key=doc_freq_of)
        maps = []
        for term in self.rarest_first:
            if term.states[segment].found:
                maps.append(term.bitmap(segment))
            elif self.all_must:
                return 0
        return count_all(maps) if self.all_must else count_any(maps)

    cdef int seed(self, TopHeap* heap) except -1:
        cdef Weight weight
        if self.all_should and self.scoring:
            for weight in self.should:
                seed_from(<TermWeight>weight, heap)
        return 0


cdef list listed(object weights):
    """The weights as a list, which nobody changes."""
    if type(weights) is list:
        return <list>weights
    return list(weights) if weights else NO_WEIGHTS


cdef bint are_terms(list weights):
    """Whether there are weights and each is that of a term."""
    cdef bint found = False
    for weight in weights:
        if not isinstance(weight, TermWeight):
            return False
        found = True
    return found


def doc_freq_of(weight):
    """Return what orders terms."""
    return (<TermWeight>weight).doc_freq


cdef int64_t count_all(list maps):
    """Documents in all of the bitmaps, the smallest first if possible."""
    cdef Py_ssize_t i, n = len(maps)
    if n == 1:
        return len(maps[0])
    both = maps[0]
    for i in range(1, n - 1):
        if not both:
            return 0
        both = both & maps[i]
    return both.intersection_cardinality(maps[n - 1])


cdef int64_t count_any(list maps):
    """Documents in any of up to three bitmaps, by inclusion and exclusion; the two smallest should come first."""
    cdef int64_t total = 0
    for part in maps:
        total += len(part)
    if len(maps) <= 1:
        return total
    if len(maps) == 2:
        return total - maps[0].intersection_cardinality(maps[1])
    both = maps[0] & maps[1]
    return (
        total - len(both) - maps[0].intersection_cardinality(maps[2]) - maps[1].intersection_cardinality(maps[2])
        + both.intersection_cardinality(maps[2])
    )
