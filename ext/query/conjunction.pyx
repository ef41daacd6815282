"""Documents that hold all of several terms, best first.

The rarest term leads, block by block. A block, and then each of its documents, must reach the threshold with the bounds that the
other terms have thereabouts; what is left is looked up in the other terms, the rarer first, where a stored bitmap sorts out most
documents of frequent terms before their postings are touched. When the leader is frequent, the windows whose bounds promise most
come first.

Terms of less than a sixteenth of the documents are taken unpacked (unpacked_postings.pyx), two at least: all that they have in common
is cheaper to find than bounds are to compare, and a total comes with it.

Sources: Ding and Suel, "Faster Top-k Document Retrieval Using Block-Max Indexes", 2011.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdlib cimport calloc, free
from libc.string cimport memmove, memset

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport (
    Cursor,
    block_base,
    block_bound,
    block_count,
    close_cursor,
    cursor_room,
    load_docs,
    gap_at,
    load_scores,
    score_many,
    run_end,
    score_one,
    seek,
)
from lanner.ext.codec.unpacked_postings cimport GROUP_SHIFT, Unpacked, group_size, n_groups_of, unpacked_gap
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.best_windows cimport FIRST_WINDOWS, best_windows
from lanner.ext.query.roaring cimport Bitmap, excludes, open_bitmap
from lanner.ext.query.scorer cimport Scorer
from lanner.ext.query.term cimport TermWeight, all_below, cursor_bound, first_at_least, term_bound, unit_bound
from lanner.ext.search.top_heap cimport TopHeap, count_hit, offer
from lanner.ext.types cimport BLOCK_SIZE, NO_MORE_DOCS, WINDOW_SIZE, doc_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    FREQUENT = 24  # postings per window from which it is
    WIDE = 24  # blocks beyond which the bound of the whole term will do
    PIECE = 256  # documents of a leader handled at once
    RARE = 16  # one document in so many has a term that is taken unpacked, at most
    MOST_COUNTED = 8  # terms counted without a scorer


cdef int open_conjunction(ConjunctionScorer scorer, list weights, int segment, bint for_positions) except -1:
    """Open the cursors of a segment, rarest first; 0 if one of the terms is missing."""
    cdef TermWeight weight
    cdef Py_ssize_t n = len(weights), room, scratch
    cdef Cursor* c
    cdef int i, j
    for weight in weights:
        if not weight.states[segment].found:
            return 0
    scorer.weights = weights
    room = n * (sizeof(Cursor) + sizeof(Bitmap) + sizeof(Unpacked) + sizeof(float) + sizeof(int)) + sizeof(float)
    scratch = room = (room + 63) // 64 * 64
    for weight in weights:
        room += cursor_room(&weight.states[segment].postings, for_positions)
    scorer.cursors = <Cursor*>PyMem_Malloc(room + (n + 1) * MOST_MET * sizeof(uint32_t))
    if scorer.cursors == NULL:
        raise MemoryError()
    scorer.bitmaps = <Bitmap*>(scorer.cursors + n)
    scorer.lists = <Unpacked*>(scorer.bitmaps + n)
    scorer.bounds = <float*>(scorer.lists + n)
    scorer.order = <int*>(scorer.bounds + n + 1)
    scorer.met_docs = <doc_t*>(<uint8_t*>scorer.cursors + room)
    scorer.met = scorer.met_docs + MOST_MET
    for i in range(<int>n):
        j = i
        while j and df_in(weights, scorer.order[j - 1], segment) > df_in(weights, i, segment):
            scorer.order[j] = scorer.order[j - 1]
            j -= 1
        scorer.order[j] = i
    for i in range(<int>n):
        weight = <TermWeight>weights[scorer.order[i]]
        c = &scorer.cursors[i]
        weight.open_cursor(segment, c, for_positions, <uint8_t*>scorer.cursors + scratch)
        scratch += cursor_room(&c.postings, for_positions)
        scorer.n += 1
        open_bitmap(&scorer.bitmaps[i], c.postings.bitmap, c.postings.bitmap_length)
        scorer.max_score += term_bound(c)
    scorer.max_score *= <float>1.00001
    scorer.cost = scorer.cursors[0].postings.df
    scorer.max_doc = (<SegmentReader>weight.reader.segments[segment]).max_doc
    scorer.n_windows = <int>((scorer.max_doc + WINDOW_SIZE - 1) // WINDOW_SIZE)
    if n > 1 and scorer.cursors[1].postings.df <= scorer.max_doc // RARE:
        while scorer.n_lists < scorer.n and scorer.cursors[scorer.n_lists].postings.df <= scorer.max_doc // RARE:
            weight = <TermWeight>weights[scorer.order[scorer.n_lists]]
            scorer.lists[scorer.n_lists] = weight.unpacked(segment)[0]
            scorer.n_lists += 1
    return 1


cdef bint meets_all(list weights, int part=RARE):
    """Whether all matches are met anyhow, so that a total comes with them: two terms are rare, and one in at most one of part documents."""
    cdef TermWeight weight
    cdef int rare = 0, rarest = 0
    for weight in weights:
        rare += weight.doc_freq * RARE <= weight.reader.max_doc
        rarest += weight.doc_freq * part <= weight.reader.max_doc
    return rare > 1 and rarest


cdef int64_t count_met(list weights, int segment) except -2:
    """How many documents of a segment without deletions hold all of the terms; -1 where one is too frequent to be unpacked."""
    cdef (Unpacked*)[MOST_COUNTED] lists
    cdef uint16_t[PIECE] lows
    cdef uint8_t[PIECE] mine
    cdef uint16_t[PIECE] theirs
    cdef TermWeight weight
    cdef uint32_t max_doc = 0, group, start, stop
    cdef const uint16_t* values
    cdef int64_t total = 0
    cdef int i = 0, k, m, n = <int>len(weights)
    if n > MOST_COUNTED:
        return -1
    for weight in weights:
        if not weight.states[segment].found:
            return 0
    for weight in weights:
        max_doc = (<SegmentReader>weight.reader.segments[segment]).max_doc
        if weight.states[segment].postings.df > max_doc // RARE:
            return -1
    for weight in weights:
        lists[i] = weight.unpacked(segment)
        if df_in(weights, i, segment) < df_in(weights, 0, segment):
            lists[0], lists[i] = lists[i], lists[0]
        i += 1
    for group in range(n_groups_of(max_doc)):
        start = lists[0].first[group]
        stop = lists[0].first[group + 1]
        for i in range(1, n):
            if group_size(lists[i], group) == 0:
                stop = start
        while start < stop:
            values = lists[0].lows + start
            m = min(<int>(stop - start), PIECE)
            start += m
            for i in range(1, n):
                m = simd.meet16(values, m, lists[i].lows + lists[i].first[group], <int>group_size(lists[i], group), mine, theirs)
                for k in range(m):
                    lows[k] = values[mine[k]]
                values = lows
            total += m
    return total


cdef inline uint32_t df_in(list weights, int i, int segment):
    """In how many documents of a segment a term comes."""
    return (<TermWeight>weights[i]).states[segment].postings.df


cdef ConjunctionScorer conjunction(list weights, int segment):
    """The scorer of a segment; None if one of the terms is missing."""
    cdef ConjunctionScorer scorer = ConjunctionScorer.__new__(ConjunctionScorer)
    if not open_conjunction(scorer, weights, segment, False):
        return None
    return scorer


cdef class ConjunctionScorer(Scorer):
    def __dealloc__(self):
        cdef int i
        for i in range(self.n):
            close_cursor(&self.cursors[i])
        PyMem_Free(self.cursors)

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        """Where all terms have a block that may hold the document."""
        cdef int i = 0
        cdef doc_t at
        cdef Cursor* c
        while i < self.n:
            c = &self.cursors[i]
            if not seek(c, target):
                return NO_MORE_DOCS
            load_docs(c, c.block)
            at = c.docs[0]
            if at > target:
                target = at
                i = 0 if i else 1
            else:
                i += 1
        return target

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        cdef float total = 0
        cdef int i
        for i in range(self.n):
            total += cursor_bound(&self.cursors[i], lo, hi)
        return total * <float>1.00001

    cdef int intersect(self, doc_t* docs, float* scores, int m, int from_, float* rest, float threshold) noexcept nogil:
        """Keep, of m ascending documents (at most 256), those that the terms from number from_ on all hold.

        scores: sums to add to, or NULL. rest: NULL, or bounds of what the terms from each number on may still add: then only documents
        that can reach the threshold are kept.
        """
        cdef uint8_t[PIECE] mine
        cdef uint8_t[PIECE] theirs
        cdef int i, j, k, stop, hits, kept
        cdef Cursor* c
        cdef Bitmap* bitmap
        for i in range(from_, self.n):
            c = &self.cursors[i]
            bitmap = &self.bitmaps[i]
            if bitmap.n:
                kept = 0
                for j in range(m):
                    docs[kept] = docs[j]
                    if scores != NULL:
                        scores[kept] = scores[j]
                    kept += not excludes(bitmap, docs[j])
                m = kept
            kept = 0
            j = 0
            while j < m and seek(c, docs[j]):
                stop = run_end(c, docs, j, m)
                # what the whole block may add decides before it is unpacked
                if rest != NULL and all_below(scores, j, stop, threshold - rest[i + 1] - block_bound(c, c.block)):
                    j = stop
                    continue
                load_docs(c, c.block)
                hits = simd.meet(docs + j, stop - j, c.docs, block_count(c, c.block), mine, theirs)
                for k in range(hits):
                    docs[kept] = docs[j + mine[k]]
                    if scores != NULL:
                        scores[kept] = scores[j + mine[k]] + score_one(c, docs[kept], gap_at(c, theirs[k]))
                        if rest != NULL and scores[kept] + rest[i + 1] < threshold:
                            continue
                    kept += 1
                j = stop
            m = kept
            if m == 0:
                return 0
        return m

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint32_t[PIECE] docs
        cdef float[PIECE] found
        cdef Cursor* c = &self.cursors[0]
        cdef int block, i = 0, n, m, j
        cdef doc_t doc
        if not seek(c, lo):
            return
        block = c.block
        while block < c.postings.n_blocks and block_base(c, block) < hi:
            if scores != NULL:
                load_scores(c, block)
            else:
                load_docs(c, block)
            n = block_count(c, block)
            i = 0
            while i < n and c.docs[i] < lo:
                i += 1
            while i < n and c.docs[i] < hi:
                m = 0
                while i < n and c.docs[i] < hi and m < PIECE:
                    docs[m] = c.docs[i]
                    found[m] = c.scores[i] if scores != NULL else 0
                    m += 1
                    i += 1
                m = self.intersect(docs, found if scores != NULL else NULL, m, 1, NULL, 0)
                for j in range(m):
                    doc = docs[j] - lo
                    bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
                    if scores != NULL:
                        scores[doc] += found[j]
            block += 1

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef uint32_t[PIECE] some
        cdef float[PIECE] found
        cdef int i, j = 0, m, at = 0
        while at < n:
            m = 0
            j = at
            while at < n and m < PIECE:
                some[m] = docs[at]
                found[m] = 0
                m += 1
                at += 1
            m = self.intersect(some, found if scores != NULL else NULL, m, 0, NULL, 0)
            for i in range(m):
                while docs[j] != some[i]:
                    j += 1
                hits[j] += 1
                if scores != NULL:
                    scores[j] += found[i]

    cdef float range_bound(self, int i, doc_t lo, doc_t hi) noexcept nogil:
        """Upper bound of a term's scores in [lo, hi]; negative if it has no posting from lo on."""
        cdef Cursor* c = &self.cursors[i]
        cdef int block, w, stop
        cdef uint8_t top = 0
        cdef float bound
        if not seek(c, lo):
            return -1
        if c.inverse == NULL or c.postings.single:
            return c.weight
        block = c.block
        if c.postings.n_windows and hi - lo >= WINDOW_SIZE and hi // WINDOW_SIZE - lo // WINDOW_SIZE < WIDE // 2 and (
            c.postings.df // c.postings.n_windows > 2 * BLOCK_SIZE
        ):
            # blocks are narrower than windows: few windows need fewer steps
            for w in range(<int>(lo // WINDOW_SIZE), <int>(hi // WINDOW_SIZE) + 1):
                if c.postings.window_max[w] > top:
                    top = c.postings.window_max[w]
        else:
            stop = block + WIDE
            while block < c.postings.n_blocks:
                if c.postings.block_max[block] > top:
                    top = c.postings.block_max[block]
                if block < c.postings.n_full and c.postings.last[block] >= hi:
                    break
                block += 1
                if block == stop:
                    return term_bound(c)
        bound = unit_bound(c) * <float>top
        return bound if bound < c.weight else c.weight

    cdef bint collect_top(self, TopHeap* heap) noexcept nogil:
        cdef int[FIRST_WINDOWS] first
        cdef float* bounds
        cdef int w, i, n_first
        if self.n_lists:
            self.collect_unpacked(heap)
            return True
        if heap.exhaustive:
            return False
        bounds = self.window_bounds()
        if bounds == NULL:
            self.collect_range(0, self.max_doc, heap)
            return True
        n_first = best_windows(bounds, self.n_windows, first)
        for i in range(n_first):
            self.collect_window(first[i], heap)
            bounds[first[i]] = -1
        for w in range(self.n_windows):
            if bounds[w] >= 0 and bounds[w] * <float>1.00001 >= heap.threshold:
                self.collect_window(w, heap)
        free(bounds)
        return True

    cdef float* window_bounds(self) noexcept nogil:
        """The bound of each window, to be freed; NULL where the leader is not frequent enough for windows, or without memory."""
        cdef float* bounds
        cdef float unit
        cdef int i, w
        for i in range(self.n):
            if self.cursors[i].postings.n_windows == 0 or self.cursors[i].inverse == NULL:
                return NULL
        if self.cursors[0].postings.df < <uint32_t>(FREQUENT * self.n_windows):
            return NULL
        bounds = <float*>calloc(self.n_windows, sizeof(float))
        if bounds != NULL:
            for i in range(self.n):
                unit = unit_bound(&self.cursors[i])
                for w in range(self.n_windows):
                    bounds[w] += unit * <float>self.cursors[i].postings.window_max[w]
        return bounds

    cdef void collect_window(self, int w, TopHeap* heap) noexcept nogil:
        cdef doc_t lo = <doc_t>w * WINDOW_SIZE
        self.collect_range(lo, min(lo + WINDOW_SIZE, self.max_doc), heap)

    cdef void collect_range(self, doc_t lo, doc_t hi, TopHeap* heap) noexcept nogil:
        """Offer what the threshold lets through in [lo, hi)."""
        cdef Cursor* c = &self.cursors[0]
        cdef uint32_t[PIECE + 16] docs
        cdef float[PIECE + 16] scores
        cdef float* rest = self.bounds  # rest[i]: bound of the terms from number i on
        cdef int block, n, start, end, stop, size, m, i, j
        cdef doc_t first, last
        cdef float need, others = 0, threshold
        for i in range(1, self.n):
            others += term_bound(&self.cursors[i])
        if not seek(c, lo):
            return
        block = c.block
        while block < c.postings.n_blocks and block_base(c, block) < hi:
            threshold = heap.threshold
            if (block_bound(c, block) + others) * <float>1.00001 < threshold:
                block += 1
                continue
            load_docs(c, block)
            n = block_count(c, block)
            start = first_at_least(c.docs, n, lo)
            end = first_at_least(c.docs, n, hi)
            while start < end:
                stop = min(end, start + BLOCK_SIZE)
                first = c.docs[start]
                last = c.docs[stop - 1]
                size = stop - start
                rest[self.n] = 0
                for i in range(self.n - 1, 0, -1):
                    need = self.range_bound(i, first, last)
                    if need < 0:  # no posting from here on
                        return
                    rest[i] = (rest[i + 1] + need) * <float>1.000001
                if block_bound(c, block) + rest[1] < threshold:
                    start = stop
                    continue
                load_scores(c, block)
                m = simd.keep(c.docs + start, c.scores + start, size, threshold - rest[1], docs, scores)
                m = self.intersect(docs, scores, m, 1, rest, threshold)
                for j in range(m):
                    offer(heap, scores[j], docs[j])
                start = stop
            block += 1

    cdef void collect_unpacked(self, TopHeap* heap) noexcept nogil:
        """Judge all documents that the unpacked terms have in common."""
        cdef uint32_t group, start, stop
        cdef int i
        self.n_met = 0
        for group in range(n_groups_of(self.max_doc)):
            i = 0
            while i < self.n_lists and group_size(&self.lists[i], group):
                i += 1
            if i < self.n_lists:
                continue
            start = self.lists[0].first[group]
            stop = self.lists[0].first[group + 1]
            while start < stop:
                self.n_met += self.meet_unpacked(group, start, min(<int>(stop - start), PIECE))
                if self.n_met > PIECE:
                    self.judge_met(heap)
                    self.n_met = 0
                start += PIECE
        if self.n_met:
            self.judge_met(heap)

    cdef int meet_unpacked(self, uint32_t group, uint32_t start, int m) noexcept nogil:
        """Find which of m (at most 256) postings of the rarest term, all of one group, the other unpacked terms have too.

        Adds to met, for each term and document found, the number of its posting, and to met_docs the document. Returns how many.
        """
        cdef uint16_t[PIECE] lows
        cdef uint8_t[PIECE] mine
        cdef uint16_t[PIECE] theirs
        cdef const uint16_t* values = self.lists[0].lows + start
        cdef uint32_t first
        cdef uint32_t* met
        cdef int i, j, k
        for i in range(1, self.n_lists):
            first = self.lists[i].first[group]
            m = simd.meet16(values, m, self.lists[i].lows + first, <int>group_size(&self.lists[i], group), mine, theirs)
            if m == 0:
                return 0
            for j in range(1, i):
                met = self.met + MOST_MET * j + self.n_met
                for k in range(m):
                    met[k] = met[mine[k]]
            met = self.met + self.n_met
            for k in range(m):
                met[k] = met[mine[k]] if i > 1 else start + mine[k]
            met = self.met + MOST_MET * i + self.n_met
            for k in range(m):
                met[k] = first + theirs[k]
                lows[k] = self.lists[i].lows[met[k]]
            values = lows
        for k in range(m):
            self.met_docs[self.n_met + k] = group << GROUP_SHIFT | lows[k]
        return m

    cdef void judge_met(self, TopHeap* heap) noexcept nogil:
        """Count and offer those of the documents met which the other terms have too."""
        cdef float[MOST_MET] scores
        cdef uint32_t[BLOCK_SIZE] gaps
        cdef float[BLOCK_SIZE] part
        cdef doc_t* docs
        cdef Cursor* c
        cdef uint32_t* met
        cdef int i, j, k, n, m = self.n_met
        if heap.capacity:
            memset(scores, 0, m * sizeof(float))
            for i in range(self.n_lists):
                c = &self.cursors[i]
                j = 0
                while j < m:
                    n = min(m - j, BLOCK_SIZE)
                    docs = self.met_docs + j
                    met = self.met + MOST_MET * i + j
                    for k in range(n):
                        gaps[k] = unpacked_gap(&self.lists[i], c, met[k])
                    score_many(c, docs, gaps, n, part)
                    for k in range(n):
                        scores[j + k] += part[k]
                    j += n
        docs = self.met_docs
        if self.n_lists < self.n:
            i = 0
            n = 0
            while i < m:
                j = min(m - i, PIECE)
                k = self.intersect(docs + i, scores + i if heap.capacity else NULL, j, self.n_lists, NULL, 0)
                if heap.capacity:
                    memmove(scores + n, scores + i, k * sizeof(float))
                memmove(docs + n, docs + i, k * sizeof(doc_t))
                n += k
                i += j
            m = n
        if heap.capacity == 0 and heap.live == NULL:
            heap.counted += m
            return
        for k in range(m):
            if heap.exhaustive:
                count_hit(heap, docs[k])
            offer(heap, scores[k], docs[k])
