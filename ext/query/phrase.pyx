"""Documents that hold terms one after the other.

The terms are intersected first (conjunction.pyx); the positions of a document are unpacked only if the document can still compete:
a phrase occurs at most as often as its rarest term does there, which bounds the score before any position is read. How often a phrase comes in a document is counted in phrase_freq.pyx.
"""

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport (
    Cursor,
    block_base,
    block_bound,
    block_count,
    find,
    gap_at,
    load_docs,
    load_freqs,
    load_positions,
    prefetch_positions,
    run_end,
    seek,
)
from lanner.ext.codec.unpacked_postings cimport point_at
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.conjunction cimport MOST_MET, open_conjunction
from lanner.ext.query.phrase_freq cimport PhraseFreqScorer
from lanner.ext.query.roaring cimport excludes
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.query.similarity cimport BooleanSimilarity, RawFrequency, Similarity
from lanner.ext.query.synonym cimport SynonymWeight
from lanner.ext.query.term cimport TermWeight, first_at_least
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap, count_hit, offer
from lanner.ext.types cimport BLOCK_SIZE, doc_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    MOST_TERMS = 1024
    PIECE = 256  # documents of one block, at most
    DENSE = 12  # candidates in a block of postings from which its positions are unpacked together


cdef struct Window:
    doc_t lo
    uint64_t* bits
    float* scores


cdef struct Waiting:
    doc_t doc  # holds both terms of a phrase
    int place  # in the block of the first
    uint64_t first  # positions of the second before those of the document
    uint32_t n  # of those


cdef class PhraseScorer(PhraseFreqScorer):
    cdef float weight  # of the whole phrase
    cdef bint raw  # the score is the frequency

    cdef float score(self, doc_t doc, float freq) noexcept nogil:
        cdef Cursor* c = &self.cursors[0]
        if c.inverse == NULL:
            return freq if self.raw else self.weight
        return self.weight - self.weight / (<float>1 + freq * c.inverse[c.norms[doc] if c.norms != NULL else 1])

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        return self.weight

    cdef void visit(self, int block, doc_t lo, doc_t hi, Window* window, TopHeap* heap) noexcept nogil:
        """Judge the documents of one block of the leader that lie in [lo, hi)."""
        cdef Cursor* c = &self.cursors[0]
        cdef Cursor* second = &self.cursors[1]
        cdef uint32_t[PIECE] docs
        cdef uint8_t[PIECE] places
        cdef uint8_t[PIECE] mine
        cdef uint8_t[PIECE] theirs
        cdef uint8_t[PIECE] at
        cdef uint32_t[PIECE] freqs
        cdef Waiting[PIECE] waiting
        cdef uint32_t delta
        cdef uint64_t first
        cdef float freq
        cdef int i, j, k, m, n, stop, hits, w = 0
        c.block = block
        load_docs(c, block)
        n = block_count(c, block)
        j = first_at_least(c.docs, n, lo)
        m = first_at_least(c.docs, n, hi)
        if self.n == 1:
            for i in range(j, m):
                self.where[0] = i
                self.judge(c.docs[i], window, heap)
            return
        k = 0
        if self.bitmaps[1].n:
            for i in range(j, m):
                docs[k] = c.docs[i]
                places[k] = <uint8_t>i
                k += not excludes(&self.bitmaps[1], docs[k])
        else:
            for i in range(j, m):
                docs[k] = c.docs[i]
                places[k] = <uint8_t>i
                k += 1
        m = k
        if self.bitmaps[1].n and m > DENSE:
            load_positions(c, block)
        j = 0
        while j < m and seek(second, docs[j]):
            stop = run_end(second, docs, j, m)
            load_docs(second, second.block)
            hits = simd.meet(docs + j, stop - j, second.docs, block_count(second, second.block), mine, theirs)
            for k in range(hits):
                mine[k] += <uint8_t>j
            if heap != NULL and not heap.exhaustive and heap.threshold > 0 and not self.often:
                hits = self.compete(docs, places, mine, theirs, hits, heap.threshold)
            if hits > DENSE and load_positions(c, block) > 0 and load_positions(second, second.block) > 0 and self.n == 2 and not (
                self.often or self.slop
            ):
                delta = <uint32_t>(self.places[1] - self.places[0])
                for k in range(hits):
                    at[k] = places[mine[k]]
                simd.phrase_freqs(
                    at, theirs, hits, c.starts, c.gaps, c.all_positions, second.starts, second.gaps, second.all_positions, delta, freqs
                )
                for k in range(hits):
                    if freqs[k]:
                        self.take(docs[mine[k]], <float>freqs[k], window, heap)
                j = stop
                continue
            if self.n == 2 and second.postings.n_full and not (self.often or self.slop):
                # positions of a frequent term lie far apart: they are fetched together
                load_freqs(second, second.block)
                first = second.postings.before[second.block]
                i = 0
                for k in range(hits):
                    first += simd.sum(second.gaps + i, theirs[k] - i) + theirs[k] - i
                    i = theirs[k]
                    waiting[w].doc = docs[mine[k]]
                    waiting[w].place = places[mine[k]]
                    waiting[w].first = first
                    waiting[w].n = second.gaps[i] + 1
                    simd.prefetch(second.postings.position_start + (first >> 7))
                    simd.prefetch(second.postings.position_width + (first >> 7))
                    w += 1
                j = stop
                continue
            for k in range(hits):
                i = mine[k]
                self.where[0] = places[i]
                self.where[1] = theirs[k]
                if self.n == 2:
                    freq = self.frequency()
                    if freq > 0:
                        self.take(docs[i], freq, window, heap)
                elif self.locate(docs[i], 2):
                    self.judge(docs[i], window, heap)
            j = stop
        for k in range(w):
            prefetch_positions(second, waiting[k].first)
        for k in range(w):
            freq = <float>self.pairs(waiting[k].place, waiting[k].first, waiting[k].n)
            if freq > 0:
                self.take(waiting[k].doc, freq, window, heap)

    cdef int compete(
        self, const uint32_t* docs, const uint8_t* places, uint8_t* mine, uint8_t* theirs, int hits, float threshold
    ) noexcept nogil:
        """Keep the hits that could reach the threshold if the phrase came as often as the rarer of its first two terms."""
        cdef Cursor* c = &self.cursors[0]
        cdef Cursor* second = &self.cursors[1]
        cdef int k, kept = 0
        if hits > DENSE:
            load_freqs(c, c.block)
            load_freqs(second, second.block)
        for k in range(hits):
            mine[kept] = mine[k]
            theirs[kept] = theirs[k]
            kept += self.score(
                docs[mine[k]], <float>(min(gap_at(c, places[mine[k]]), gap_at(second, theirs[k])) + <uint32_t>1)
            ) >= threshold
        return kept

    cdef void judge(self, doc_t doc, Window* window, TopHeap* heap) noexcept nogil:
        """Read the positions of a document that has all terms, if it can still matter."""
        cdef float freq
        if (
            heap != NULL and not heap.exhaustive and heap.threshold > 0 and not self.often
            and self.score(doc, <float>self.least_freq()) < heap.threshold
        ):
            return
        freq = self.frequency()
        if freq > 0:
            self.take(doc, freq, window, heap)

    cdef void judge_met(self, TopHeap* heap) noexcept nogil:
        cdef uint32_t* met
        cdef int i, k
        for i in range(self.n_lists):
            met = self.met + MOST_MET * i
            self.dense[i] = self.n_met > DENSE * (1 + <int>(met[self.n_met - 1] - met[0]) // BLOCK_SIZE)
        for k in range(self.n_met):
            for i in range(self.n_lists):
                point_at(&self.cursors[i], self.met[MOST_MET * i + k], &self.where[i])
            if self.locate(self.met_docs[k], self.n_lists):
                self.judge(self.met_docs[k], NULL, heap)

    cdef void take(self, doc_t doc, float freq, Window* window, TopHeap* heap) noexcept nogil:
        """Count and offer a match, or note it in the window."""
        if heap == NULL:
            window.bits[(doc - window.lo) >> 6] |= <uint64_t>1 << ((doc - window.lo) & 63)
            if window.scores != NULL:
                window.scores[doc - window.lo] += self.score(doc, freq)
            return
        if heap.exhaustive:
            count_hit(heap, doc)
        if heap.capacity:
            offer(heap, self.score(doc, freq), doc)

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef Cursor* c = &self.cursors[0]
        cdef Window window
        cdef int block
        if not seek(c, lo):
            return
        window.lo = lo
        window.bits = bits
        window.scores = scores
        block = c.block
        while block < c.postings.n_blocks and block_base(c, block) < hi:
            self.visit(block, lo, hi, &window, NULL)
            block += 1

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef Cursor* c = &self.cursors[0]
        cdef int i
        cdef float freq
        for i in range(n):
            if not seek(c, docs[i]):
                return
            self.where[0] = find(c, docs[i])
            if self.where[0] < 0 or not self.locate(docs[i], 1):
                continue
            freq = self.frequency()
            if freq > 0:
                hits[i] += 1
                if scores != NULL:
                    scores[i] += self.score(docs[i], freq)

    cdef bint collect_top(self, TopHeap* heap) noexcept nogil:
        """The leader's blocks in order; its stored impacts bound a phrase as well as a term."""
        cdef Cursor* c = &self.cursors[0]
        cdef int block
        cdef float ratio = self.weight / c.weight if c.weight > 0 else 1
        if self.n_lists:
            self.collect_unpacked(heap)
            return True
        for block in range(c.postings.n_blocks):
            if (
                not heap.exhaustive and c.inverse != NULL and not self.often
                and block_bound(c, block) * ratio * <float>1.00001 < heap.threshold
            ):
                continue
            self.visit(block, 0, self.max_doc, NULL, heap)
        return True


cdef class PhraseWeight(Weight):
    """Terms at given places. terms: the alternatives of each place; positions: the places, ascending from any number.

    Raises ValueError for more than 1,024 places, or alternatives of one place.
    """

    cdef list weights
    cdef list places
    cdef list groups
    cdef int slop
    cdef float weight
    cdef bint possible
    cdef bint raw
    cdef bint repeats  # two places share a term
    cdef bint by_first  # the first place has alternatives, each of which counts

    def __init__(
        self, IndexReader reader not None, str field not None, terms, positions, *, int slop=0, float boost=1.0,
        Similarity similarity=None
    ):
        cdef TermWeight weight
        cdef list alternatives
        cdef list given = list(terms)
        cdef tuple parts = reader.parts(field)
        cdef Py_ssize_t i, n = len(given)
        cdef bint shared = False  # a term, or alternatives, at several places
        cdef set seen = set()
        self.reader = reader
        self.places = list(positions)
        self.slop = slop if n > 1 else 0
        if not 0 < n <= MOST_TERMS or n != len(self.places) or slop < 0:
            raise ValueError("a phrase needs one to 1,024 terms, a place for each, and a slop that is not negative")
        for i in range(len(parts)):
            if parts[i] is not None and (<FieldReader>parts[i]).postings < 3:
                raise ValueError(f"field [{field}] was indexed without position data")
        self.weights = []
        self.groups = []
        self.possible = True
        for i in range(n):
            alternatives = given[i]
            if len(alternatives) == 1:
                weight = TermWeight(reader, field, alternatives[0], similarity, boost)
                self.weight += weight.weight
                shared |= weight.term in seen
                seen.add(weight.term)
            else:
                shared = True
                weight = SynonymWeight(reader, field, alternatives, boost=boost, similarity=similarity, positions=True)
                for each in (<SynonymWeight>weight).alternatives:  # every one counts
                    self.weight += (<TermWeight>each).weight
            self.weights.append(weight)
            self.groups.append(i)
            self.possible &= weight.doc_freq > 0
        if shared:
            self.groups = sharing(given)
            self.repeats = len(set(self.groups)) < n
        self.by_first = isinstance(self.weights[0], SynonymWeight)
        self.scoring = similarity is not None
        if isinstance(similarity, BooleanSimilarity):
            self.weight = boost
        self.raw = isinstance(similarity, RawFrequency)

    cdef Scorer scorer(self, int segment):
        cdef PhraseScorer scorer
        cdef TermWeight weight
        if not self.possible:
            return None
        scorer = PhraseScorer.__new__(PhraseScorer)
        if not open_conjunction(scorer, self.weights, segment, True):
            return None
        scorer.prepare(self.places, self.groups, self.by_first)
        scorer.slop = self.slop
        scorer.weight = self.weight
        scorer.raw = self.raw
        scorer.repeats = self.repeats
        scorer.often = self.slop > 0 or self.by_first
        scorer.max_score = self.weight
        return scorer

    def freq(self, int segment, doc_t doc) -> float:
        """Return how often the phrase comes in a document of a segment; 0 where it does not. For explanations."""
        cdef PhraseScorer scorer = self.scorer(segment)
        cdef Cursor* c
        if scorer is None:
            return 0.0
        c = &scorer.cursors[0]
        if not seek(c, doc):
            return 0.0
        scorer.where[0] = find(c, doc)
        return scorer.frequency() if scorer.where[0] >= 0 and scorer.locate(doc, 1) else 0.0

    cdef object bitmap(self, int segment):
        return (<TermWeight>self.weights[0]).bitmap(segment) if len(self.weights) == 1 else None


cdef list sharing(list terms):
    """For each place the first place that it shares a term with, directly or by way of others."""
    cdef Py_ssize_t i, j
    groups = list(range(len(terms)))
    for i in range(len(terms)):
        for j in range(i):
            if groups[i] != groups[j] and not set(terms[i]).isdisjoint(terms[j]):
                low, high = sorted((groups[i], groups[j]))
                groups = [low if group == high else group for group in groups]
    return groups
