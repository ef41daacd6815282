"""Documents that hold a term.

A single term with a known threshold (the stored best impacts give one) reads only the blocks whose bound reaches it.
"""

from array import array

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memcpy

from pyroaring import BitMap

from lanner.ext cimport simd
from lanner.ext.codec.postings cimport LONG_FREQ, N_SEEDS
from lanner.ext.codec.hashing cimport hash_bytes
from lanner.ext.codec.postings_reader cimport (
    Cursor,
    block_base,
    block_bound,
    block_count,
    close_cursor,
    find,
    load_docs,
    load_freqs,
    load_scores,
    open_cursor,
    place_cursor,
    run_end,
    score_one,
    gap_at,
    seek,
)
from lanner.ext.codec.postings_writer cimport RANKS
from lanner.ext.codec.unpacked_postings cimport Unpacked, UnpackedPostings
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.query.similarity cimport FieldStatistics, Similarity
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap, hit_key, offer
from lanner.ext.types cimport BLOCK_SIZE, NO_MORE_DOCS, WINDOW_SIZE, doc_t, int64_t, uint8_t, uint32_t, uint64_t

from lanner.ext.errors import CorruptIndexError

cdef enum:
    MOST_CACHED = 4096  # bitmaps kept per segment
    RUN = 128  # documents looked up at once
    SHORT_ROOM = ((LONG_FREQ + 31) * 12 + 64) // 8  # words of cursor_room for postings in a short record


cdef void fill_cursor(Cursor* c, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
    """Scorer.fill over a cursor."""
    cdef int n, i, block
    cdef doc_t doc
    if not seek(c, lo):
        return
    block = c.block
    while True:
        if scores != NULL:
            load_scores(c, block)
        else:
            load_docs(c, block)
        n = block_count(c, block)
        i = first_at_least(c.docs, n, lo)
        if c.docs[n - 1] < hi:
            if scores != NULL:
                while i < n:
                    doc = c.docs[i] - lo
                    bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
                    scores[doc] += c.scores[i]
                    i += 1
            else:
                while i < n:
                    doc = c.docs[i] - lo
                    bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
                    i += 1
        else:
            while i < n and c.docs[i] < hi:
                doc = c.docs[i] - lo
                bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
                if scores != NULL:
                    scores[doc] += c.scores[i]
                i += 1
            return
        block += 1
        if block >= c.postings.n_blocks or block_base(c, block) >= hi:
            return


cdef void probe_cursor(Cursor* c, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
    """Scorer.probe over a cursor, a block of postings at a time."""
    cdef uint8_t[RUN] mine
    cdef uint8_t[RUN] theirs
    cdef int j = 0, k, stop, found
    while j < n:
        if not seek(c, docs[j]):
            return
        stop = run_end(c, docs, j, min(n, j + RUN))
        load_docs(c, c.block)
        found = simd.meet(docs + j, stop - j, c.docs, block_count(c, c.block), mine, theirs)
        for k in range(found):
            hits[j + mine[k]] += 1
            if scores != NULL:
                scores[j + mine[k]] += score_one(c, docs[j + mine[k]], gap_at(c, theirs[k]))
        j = stop


cdef void add_cursor(Cursor* c, const doc_t* docs, float* scores, int m, float rest, float threshold) noexcept nogil:
    """Add the scores of a term to m ascending documents, except to those that cannot reach the threshold even with rest more."""
    cdef uint8_t[RUN] mine
    cdef uint8_t[RUN] theirs
    cdef int j = 0, k, stop, hits
    while j < m:
        if not seek(c, docs[j]):
            return
        stop = run_end(c, docs, j, min(m, j + RUN))
        if c.inverse != NULL and all_below(scores, j, stop, threshold - rest - block_bound(c, c.block)):
            j = stop
            continue
        load_docs(c, c.block)
        hits = simd.meet(docs + j, stop - j, c.docs, block_count(c, c.block), mine, theirs)
        for k in range(hits):
            scores[j + mine[k]] += score_one(c, docs[j + mine[k]], gap_at(c, theirs[k]))
        j = stop


cdef float cursor_bound(Cursor* c, doc_t lo, doc_t hi) noexcept nogil:
    """Scorer.bound over a cursor; 0 where a rare term has no posting."""
    cdef float bound
    if c.postings.n_windows:
        if c.inverse == NULL:
            return c.weight if c.postings.window_max[lo // WINDOW_SIZE] else 0
        bound = unit_bound(c) * <float>c.postings.window_max[lo // WINDOW_SIZE]
        return bound if bound < c.weight else c.weight
    if not seek(c, lo):
        return 0
    load_docs(c, c.block)
    if c.docs[first_at_least(c.docs, block_count(c, c.block), lo)] >= hi:
        return 0
    return term_bound(c)


cdef void seed_from(TermWeight weight, TopHeap* heap):
    """Raise the threshold to the k-th best score that the stored impacts of a term guarantee."""
    cdef float[64] values
    cdef int[64] ranks
    cdef int[64] segments
    cdef int n = 0, i, best, known = 0
    cdef float value = 0
    cdef SegmentReader segment
    if heap.capacity > 100 or weight.statistics is None or weight.statistics.flat or weight.n_segments > 64:
        return
    for i in range(weight.n_segments):
        segment = <SegmentReader>weight.reader.segments[i]
        if weight.states[i].found and weight.states[i].postings.n_full and segment.num_deleted == 0:
            segments[n] = i
            ranks[n] = 0
            values[n] = weight.states[i].postings.seeds[0] * weight.weight * <float>weight.statistics.shrink[i]
            n += 1
    while n:
        best = 0
        for i in range(1, n):
            if values[i] > values[best]:
                best = i
        value = values[best]
        known += RANKS[ranks[best]] - (RANKS[ranks[best] - 1] if ranks[best] else 0)
        if known >= heap.capacity:
            if value > heap.threshold:
                heap.threshold = value
            return
        ranks[best] += 1
        if ranks[best] == N_SEEDS:
            n -= 1
            values[best] = values[n]
            ranks[best] = ranks[n]
            segments[best] = segments[n]
        else:
            i = segments[best]
            values[best] = (
                weight.states[i].postings.seeds[ranks[best]] * weight.weight * <float>weight.statistics.shrink[i]
            )


cdef int allocate_states(TermWeight weight, IndexReader reader, str field) except -1:
    """Bind a new weight to a field of a reader; nothing is found yet."""
    PyMem_Free(weight.states)
    weight.reader = reader
    weight.field = field
    weight.parts = reader.parts(field)
    weight.n_segments = len(weight.parts)
    weight.states = <TermState*>PyMem_Calloc(weight.n_segments + 1, sizeof(TermState))
    if weight.states == NULL:
        raise MemoryError()
    return 0


cdef object damaged(str field, SegmentReader segment):
    return CorruptIndexError(f"[idx] postings of a term of [{field}] in segment [{segment.name}] are damaged")


cdef class TermWeight(Weight):
    """One term of one field.

    similarity: None for matching alone. statistics: (doc_freq, doc_count) to score with instead of the field's own.
    """

    def __init__(
        self, IndexReader reader not None, str field not None, bytes term not None, Similarity similarity=None,
        float boost=1.0, *, tuple statistics=None
    ):
        cdef FieldReader part
        cdef int i
        cdef int64_t ord, doc_count
        cdef tuple parts
        cdef uint64_t h = hash_bytes(<const uint8_t*>term, len(term))
        allocate_states(self, reader, field)
        parts = self.parts
        self.term = term
        # every step of a look-up waits for memory: the segments take each step together
        for i in range(self.n_segments):
            if parts[i] is not None:
                (<FieldReader>parts[i]).terms.prefetch(h)
        for i in range(self.n_segments):
            if parts[i] is not None:
                self.states[i].ord = (<FieldReader>parts[i]).candidate(h)
        for i in range(self.n_segments):
            if parts[i] is not None:
                (<FieldReader>parts[i]).prefetch(self.states[i].ord)
        for i in range(self.n_segments):
            if parts[i] is None:
                continue
            part = <FieldReader>parts[i]
            ord = part.terms.find_hashed(h, <const uint8_t*>term, len(term))
            if ord >= 0:
                self.states[i].found = True
                self.states[i].ord = <uint32_t>ord
        for i in range(self.n_segments):
            if not self.states[i].found:
                continue
            if (<FieldReader>parts[i]).open(self.states[i].ord, &self.states[i].postings) < 0:
                raise damaged(field, <SegmentReader>reader.segments[i])
            self.doc_freq += self.states[i].postings.df
        self.scoring = similarity is not None
        if similarity is not None and self.doc_freq:
            self.statistics = reader.bind(similarity, field)
            doc_count = self.statistics.doc_count
            ord = self.doc_freq
            if statistics is not None:
                ord, doc_count = statistics
            elif type(reader) is not IndexReader:  # one that knows other shards too
                ord = reader.doc_freq(field, term)
            self.weight = similarity.weight(self.statistics, ord, doc_count, boost)

    def __dealloc__(self):
        PyMem_Free(self.states)

    cdef int open_cursor(self, int segment, Cursor* out, bint for_positions, uint8_t* memory=NULL) except -1:
        """Open a cursor over a segment that has the term; 0 if it has not. The weight must outlive it.

        memory: where it keeps what it unpacks (cursor_room bytes, the caller's), or NULL.
        """
        cdef FieldReader part
        if not self.states[segment].found:
            return 0
        if memory != NULL:
            place_cursor(out, &self.states[segment].postings, for_positions, memory)
        elif open_cursor(out, &self.states[segment].postings, for_positions) < 0:
            raise MemoryError()
        out.weight = self.weight
        out.slack = 1
        out.norms = NULL
        out.inverse = NULL
        if self.statistics is not None and not self.statistics.flat:
            part = <FieldReader>self.parts[segment]
            out.norms = part.norms
            out.inverse = self.statistics.inverse
            out.slack = <float>self.statistics.slack[segment]
        return 1

    cdef Unpacked* unpacked(self, int segment) except NULL:
        """The postings of a segment that has the term; they stay as long as the weight."""
        cdef UnpackedPostings postings = self.unpack(segment)
        if postings is None:
            raise damaged(self.field, <SegmentReader>self.reader.segments[segment])
        if self.kept is None:
            self.kept = []
        self.kept.append(postings)
        return &postings.view

    cdef UnpackedPostings unpack(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        return reader.unpacked.get(self.key(segment), &self.states[segment].postings, reader.max_doc)

    cdef uint64_t key(self, int segment) noexcept:
        """What the caches of a segment know the term by."""
        return <uint64_t>(<FieldReader>self.parts[segment]).number << 32 | self.states[segment].ord

    cdef Scorer scorer(self, int segment):
        cdef TermScorer scorer
        if not self.states[segment].found:
            return None
        scorer = TermScorer.__new__(TermScorer)
        self.open_cursor(segment, &scorer.cursor, False)
        scorer.weight = self
        scorer.cost = self.states[segment].postings.df
        scorer.max_doc = (<SegmentReader>self.reader.segments[segment]).max_doc
        scorer.max_score = term_bound(&scorer.cursor)
        return scorer

    def freq(self, int segment, doc_t doc) -> int:
        """Return how often the term comes in a document of a segment; 0 where it does not. For explanations."""
        cdef Cursor cursor
        cdef int at
        if not self.open_cursor(segment, &cursor, False):
            return 0
        try:
            if not seek(&cursor, doc):
                return 0
            at = find(&cursor, doc)
            if at < 0:
                return 0
            load_freqs(&cursor, cursor.block)
            return cursor.gaps[at] + 1
        finally:
            close_cursor(&cursor)

    cdef object bitmap(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef TermState* state = &self.states[segment]
        cdef Cursor cursor
        cdef int block
        if not state.found:
            return BitMap()
        key = self.key(segment)
        found = reader.bitmap_cache.get(key)
        if found is not None:
            return found
        if state.postings.bitmap != NULL:
            found = BitMap.deserialize(state.postings.bitmap[:state.postings.bitmap_length])
        else:
            docs = array("I")
            if open_cursor(&cursor, &state.postings, False) < 0:
                raise MemoryError()
            try:
                for block in range(state.postings.n_blocks):
                    load_docs(&cursor, block)
                    docs.frombytes((<const char*>cursor.docs)[:4 * block_count(&cursor, block)])
            finally:
                close_cursor(&cursor)
            found = BitMap(docs)
        if len(reader.bitmap_cache) >= MOST_CACHED:
            reader.bitmap_cache.clear()
        reader.bitmap_cache[key] = found
        return found

    cdef int64_t count(self, int segment) except -2:
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        if not self.states[segment].found:
            return 0
        if reader.num_deleted == 0:
            return self.states[segment].postings.df
        if self.states[segment].postings.single:
            return 1 if reader.is_live(self.states[segment].postings.single_doc) else 0
        matches = self.bitmap(segment)
        return len(matches) - matches.intersection_cardinality(reader.deleted)

    cdef int64_t at_least(self, int segment) except -1:
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef int64_t live
        if not self.states[segment].found:
            return 0
        live = <int64_t>self.states[segment].postings.df - reader.num_deleted
        return live if live > 0 else 0

    cdef int seed(self, TopHeap* heap) except -1:
        seed_from(self, heap)
        return 0

    cdef bint collect_top(self, int segment, TopHeap* heap) except -1:
        cdef Cursor cursor
        cdef uint64_t[SHORT_ROOM] memory
        if not self.states[segment].found:
            return True
        if heap.exhaustive or self.states[segment].postings.n_full:
            return False
        self.open_cursor(segment, &cursor, False, <uint8_t*>memory)
        if cursor.inverse == NULL or term_bound(&cursor) >= heap.threshold:
            offer_all(&cursor, heap)
        return True


cdef void offer_all(Cursor* c, TopHeap* heap) noexcept nogil:
    """Offer all hits, as long as one that comes later may be better than those held."""
    cdef int block, i
    for block in range(c.postings.n_blocks):
        if c.inverse == NULL and heap.size == heap.capacity and heap.keys[0] > hit_key(c.weight, heap.base + block_base(c, block)):
            return  # the hits held are as good and come first
        load_scores(c, block)
        for i in range(block_count(c, block)):
            if c.scores[i] >= heap.threshold:
                offer(heap, c.scores[i], c.docs[i])


cdef class TermScorer(Scorer):
    def __dealloc__(self):
        close_cursor(&self.cursor)

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef doc_t first
        if not seek(&self.cursor, target):
            return NO_MORE_DOCS
        if self.cursor.postings.n_full == 0:
            load_docs(&self.cursor, 0)
        first = self.cursor.docs[0] if self.cursor.loaded == self.cursor.block else block_base(&self.cursor, self.cursor.block)
        return first if first > target else target

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        return cursor_bound(&self.cursor, lo, hi)

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        fill_cursor(&self.cursor, lo, hi, bits, scores)

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        probe_cursor(&self.cursor, docs, scores, hits, n)

    cdef bint collect_top(self, TopHeap* heap) noexcept nogil:
        """Block after block, skipping those whose bound is below the threshold."""
        cdef Cursor* c = &self.cursor
        cdef int block, n_blocks = c.postings.n_blocks, i, n, m
        cdef float unit = unit_bound(c)
        cdef uint32_t[BLOCK_SIZE + 16] docs
        cdef float[BLOCK_SIZE + 16] scores
        if heap.exhaustive:
            return False
        if c.inverse != NULL and term_bound(c) < heap.threshold:
            return True
        if c.postings.n_full == 0 or c.inverse == NULL:
            offer_all(c, heap)
            return True
        block = 0
        while block < n_blocks:
            if unit * <float>c.postings.block_max[block] < heap.threshold:
                block = next_block(c, block + 1, heap.threshold / unit)
                continue
            load_scores(c, block)
            n = block_count(c, block)
            m = simd.keep(c.docs, c.scores, n, heap.threshold, docs, scores)
            for i in range(m):
                offer(heap, scores[i], docs[i])
            block += 1
        return True


cdef int next_block(Cursor* c, int block, float least) noexcept nogil:
    """The first block, from the given one on, whose stored bound is at least least (in 255ths)."""
    cdef int n = c.postings.n_blocks, i
    cdef const uint8_t* bounds = c.postings.block_max
    cdef uint8_t floor
    cdef uint8_t any_of
    if least > 255:
        return n
    floor = <uint8_t>least
    if <float>floor < least:
        if floor == 255:
            return n
        floor += 1
    while block + 32 <= n:
        any_of = 0
        for i in range(32):
            any_of |= bounds[block + i] >= floor
        if any_of:
            break
        block += 32
    while block < n and bounds[block] < floor:
        block += 1
    return block
