"""Documents that hold any of several terms, best first.

The documents of a segment are cut into windows of 2,048. Every term has an upper bound of its scores in every window (exact but for
rounding: it was stored with the postings, or is taken from the few postings of a rare term), so that the sum over the terms bounds
the window. The windows with the greatest sums come first and raise the threshold; of the rest, those below it are skipped. Inside a
window the terms are split as in MAXSCORE: those whose bounds together cannot reach the threshold are not merged but looked up, and
only for the documents that the others have brought close enough; where there are many such documents, adding a whole block is
cheaper than looking up.

Once the threshold says which terms are essential, and these are rarer than windows are wide, no bounds of windows are made: every
essential term leads once through its own blocks (sweep_essential).

Sources: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995 (MAXSCORE); Mallia, Suel and Tonellotto, "Faster
Learned Sparse Retrieval with Block-Max Pruning", 2024 (bounds of aligned ranges, best ranges first).
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport (
    Cursor,
    block_base,
    block_bound,
    block_count,
    close_cursor,
    find,
    load_docs,
    load_scores,
    seek,
)
from lanner.ext.index.segment_reader cimport SegmentReader
from lanner.ext.query.best_windows cimport FIRST_WINDOWS, best_windows
from lanner.ext.query.scorer cimport SPARSE, Scorer
from lanner.ext.query.term cimport TermWeight, add_cursor, fill_cursor, first_at_least, probe_cursor, term_bound, unit_bound
from lanner.ext.search.top_heap cimport TopHeap, offer
from lanner.ext.types cimport BLOCK_SIZE, NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, uint8_t, uint32_t, uint64_t

cdef enum:
    SPARSE_WINDOW = 256  # postings of a window up to which cells are marked one by one


cdef DisjunctionScorer disjunction(list weights, int segment, bint bounded):
    """The scorer of a segment; None if it has none of the terms. bounded: bounds of windows will be asked for."""
    cdef DisjunctionScorer scorer = DisjunctionScorer.__new__(DisjunctionScorer)
    cdef TermWeight weight
    cdef Py_ssize_t n = len(weights)
    scorer.weights = weights
    scorer.cursors = <Cursor*>PyMem_Malloc(n * sizeof(Cursor) + 1)
    if scorer.cursors == NULL:
        raise MemoryError()
    for weight in weights:
        if weight.open_cursor(segment, &scorer.cursors[scorer.n], False):
            scorer.cost += scorer.cursors[scorer.n].postings.df
            scorer.max_score += scorer.cursors[scorer.n].weight
            scorer.n += 1
    if scorer.n == 0:
        return None
    scorer.max_score *= <float>1.00001  # sums are rounded in any order
    scorer.max_doc = (<SegmentReader>weight.reader.segments[segment]).max_doc
    scorer.n_windows = <int>((scorer.max_doc + WINDOW_SIZE - 1) // WINDOW_SIZE)
    if bounded and scorer.all_score():
        scorer.prepare()
    return scorer


cdef class DisjunctionScorer(Scorer):
    def __dealloc__(self):
        cdef int i
        for i in range(self.n):
            close_cursor(&self.cursors[i])
        PyMem_Free(self.cursors)
        PyMem_Free(self.tops)
        free(self.maxima)

    cdef bint all_score(self) noexcept nogil:
        """Whether every match scores more than 0: only then do bounds tell where there are matches."""
        cdef int i
        for i in range(self.n):
            if not self.cursors[i].weight > 0:
                return False
        return True

    cdef int prepare(self) except -1:
        """Compute the bounds of every term."""
        cdef int i
        self.tops = <float*>PyMem_Malloc((3 * self.n + 2) * sizeof(float) + 2 * self.n * sizeof(int))
        if self.tops == NULL:
            raise MemoryError()
        self.bounds = self.tops + self.n
        self.running = self.bounds + self.n
        self.order = <int*>(self.running + self.n + 2)
        self.per_window = self.order + self.n
        self.max_score = 0
        for i in range(self.n):
            self.per_window[i] = <int>(self.cursors[i].postings.df // self.n_windows) + 1
            self.tops[i] = term_bound(&self.cursors[i])
            self.max_score += self.tops[i]
        self.max_score *= <float>1.00001
        return 0

    cdef bint make_bounds(self) noexcept nogil:
        """Compute the bounds of every window, once; False without memory, or where they tell nothing."""
        cdef Py_ssize_t cells = <Py_ssize_t>self.n * self.n_windows
        cdef Cursor* c
        cdef float* row
        cdef float unit
        cdef int i, j, w, block, count
        if self.maxima != NULL:
            return True
        if self.tops == NULL:
            return False
        self.maxima = <float*>malloc((cells + self.n_windows) * sizeof(float))
        if self.maxima == NULL:
            return False
        self.sums = self.maxima + cells
        for w in range(self.n_windows):
            self.sums[w] = 0
        for i in range(self.n):
            c = &self.cursors[i]
            row = self.maxima + <Py_ssize_t>i * self.n_windows
            if c.inverse != NULL and c.postings.n_windows:
                unit = unit_bound(c)
                for w in range(self.n_windows):
                    row[w] = unit * <float>c.postings.window_max[w]
                    self.sums[w] += row[w]
                continue
            memset(row, 0, self.n_windows * sizeof(float))
            if c.inverse == NULL and c.postings.n_windows:
                for w in range(self.n_windows):
                    if c.postings.window_max[w]:
                        row[w] = c.weight
            else:
                for block in range(c.postings.n_blocks):
                    load_scores(c, block)
                    count = block_count(c, block)
                    for j in range(count):
                        w = <int>(c.docs[j] // WINDOW_SIZE)
                        if c.scores[j] > row[w]:
                            row[w] = c.scores[j]
            for w in range(self.n_windows):
                self.sums[w] += row[w]
        for w in range(self.n_windows):
            self.sums[w] *= <float>1.00001
        return True

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef int i
        cdef doc_t best = NO_MORE_DOCS, at
        for i in range(self.n):
            if seek(&self.cursors[i], target):
                load_docs(&self.cursors[i], self.cursors[i].block)
                at = self.cursors[i].docs[0]
                if at <= target:
                    return target
                if at < best:
                    best = at
        return best

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        if not self.make_bounds():
            return self.max_score
        return self.sums[lo // WINDOW_SIZE]

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef int i
        for i in range(self.n):
            fill_cursor(&self.cursors[i], lo, hi, bits, scores)

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef uint8_t[WINDOW_SIZE] found
        cdef int i
        if <long>n * SPARSE > WINDOW_SIZE:
            Scorer.probe(self, docs, scores, hits, n)
            return
        memset(found, 0, n)
        for i in range(self.n):
            probe_cursor(&self.cursors[i], docs, scores, found, n)
        for i in range(n):
            hits[i] += found[i] != 0

    cdef bint collect_top(self, TopHeap* heap) noexcept nogil:
        cdef int[FIRST_WINDOWS] first
        cdef float[WINDOW_SIZE + 16] cells
        cdef uint32_t[WINDOW_SIZE + 16] docs
        cdef float[WINDOW_SIZE + 16] scores
        cdef float* sums
        cdef int n_first, w, i
        if self.tops == NULL or heap.exhaustive:
            return False
        if self.max_score < heap.threshold:
            return True
        if self.sweep_essential(heap, docs, scores):
            return True
        if not self.make_bounds():
            return False
        sums = self.sums
        memset(cells, 0, sizeof(cells))
        n_first = best_windows(sums, self.n_windows, first)
        for i in range(n_first):
            if sums[first[i]] >= heap.threshold:
                self.collect_window(first[i], heap, cells, docs, scores)
            sums[first[i]] = -1
        if self.sweep_essential(heap, docs, scores):
            return True
        for w in range(self.n_windows):
            if sums[w] > 0 and sums[w] >= heap.threshold:
                self.collect_window(w, heap, cells, docs, scores)
        return True

    cdef bint sweep_essential(self, TopHeap* heap, uint32_t* docs, float* scores) noexcept nogil:
        """Offer the hits of the windows not visited yet, one essential term after the other; False if that does not pay.

        Every hit holds an essential term: those of the first one come first, then those of the second that lack the first, ...
        """
        cdef float* running = self.running
        cdef int* order = self.order
        cdef int i, j, least
        for i in range(self.n):  # least first
            j = i
            while j and self.tops[order[j - 1]] > self.tops[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
        running[0] = 0
        for i in range(self.n):
            running[i + 1] = (running[i] + self.tops[order[i]]) * <float>1.000001
        least = 0
        while least < self.n and running[least + 1] < heap.threshold:
            least += 1
        if least == 0 and self.n > 1:
            return False
        for i in range(least, self.n):
            if self.per_window[order[i]] * 2 > BLOCK_SIZE:
                return False  # windows are as wide as its blocks
        i = self.n - 1
        while i >= 0 and running[i + 1] >= heap.threshold:
            self.sweep(i, heap, docs, scores)
            i -= 1
        return True

    cdef bint holds_any(self, int from_, doc_t doc) noexcept nogil:
        """Whether one of the terms, from place from_ of the order on, comes in a document."""
        cdef int i
        for i in range(from_, self.n):
            if seek(&self.cursors[self.order[i]], doc) and find(&self.cursors[self.order[i]], doc) >= 0:
                return True
        return False

    cdef void sweep(self, int n, TopHeap* heap, uint32_t* docs, float* scores) noexcept nogil:
        """Offer the hits that hold term order[n] and none after it, from windows not visited yet: block after block."""
        cdef Cursor* c = &self.cursors[self.order[n]]
        cdef float* running = self.running
        cdef int* order = self.order
        cdef float need, x
        cdef int i, j, m, kept, block, w
        for block in range(c.postings.n_blocks):
            need = heap.threshold - running[n]
            if block_bound(c, block) < need:
                continue
            load_scores(c, block)
            m = simd.keep(c.docs, c.scores, block_count(c, block), need, docs, scores)
            kept = 0
            for j in range(m):
                w = <int>(docs[j] // WINDOW_SIZE)
                if self.maxima != NULL and self.sums[w] < 0:
                    continue  # the window was among the first
                x = scores[j]
                for i in range(n):
                    x += self.window_bound(order[i], w)
                docs[kept] = docs[j]
                scores[kept] = scores[j]
                kept += x * <float>1.00001 >= heap.threshold
            m = kept
            i = n - 1
            while i >= 0 and m:
                add_cursor(&self.cursors[order[i]], docs, scores, m, running[i], heap.threshold)
                m = simd.keep(docs, scores, m, heap.threshold - running[i], docs, scores)
                i -= 1
            for j in range(m):
                if scores[j] >= heap.threshold and not self.holds_any(n + 1, docs[j]):
                    offer(heap, scores[j], docs[j])

    cdef float window_bound(self, int i, int w) noexcept nogil:
        """Upper bound of a term's scores in a window."""
        cdef Cursor* c = &self.cursors[i]
        if self.maxima != NULL:
            return self.maxima[<Py_ssize_t>i * self.n_windows + w]
        if c.postings.n_windows and c.inverse != NULL:
            return unit_bound(c) * <float>c.postings.window_max[w]
        return self.tops[i]

    cdef int seek_block(self, Cursor* c, doc_t target) noexcept nogil:
        """The first block that may hold a document >= target, or n_blocks."""
        if c.postings.n_full == 0:
            return 0
        return c.block if seek(c, target) else c.postings.n_blocks

    cdef void collect_window(self, int window, TopHeap* heap, float* cells, uint32_t* docs, float* scores) noexcept nogil:
        """Offer the documents of one window that may be among the best. cells: a window of zeros, and zeros again afterwards."""
        cdef uint64_t[WINDOW_WORDS] bits
        cdef doc_t w0 = <doc_t>window * WINDOW_SIZE, w1 = w0 + WINDOW_SIZE
        cdef float* bounds = self.bounds
        cdef float* running = self.running
        cdef int* order = self.order
        cdef int active = 0, i, j, k, essential, m = 0, block, n, lo, hi
        cdef float need, x
        cdef Cursor* c
        for i in range(self.n):
            x = self.maxima[<Py_ssize_t>i * self.n_windows + window]
            if x > 0:
                j = active
                while j and bounds[j - 1] > x:
                    bounds[j] = bounds[j - 1]
                    order[j] = order[j - 1]
                    j -= 1
                bounds[j] = x
                order[j] = i
                active += 1
        if active == 0:
            return
        running[0] = 0
        for i in range(active):
            running[i + 1] = (running[i] + bounds[i]) * <float>1.000001
        essential = 0
        while essential < active - 1 and running[essential + 1] < heap.threshold:
            essential += 1
        need = heap.threshold - running[essential]
        if essential == active - 1:
            c = &self.cursors[order[essential]]
            block = self.seek_block(c, w0)
            while block < c.postings.n_blocks and block_base(c, block) < w1:
                if block_bound(c, block) < need:
                    block += 1
                    continue
                load_scores(c, block)
                n = block_count(c, block)
                lo = first_at_least(c.docs, n, w0)
                hi = first_at_least(c.docs, n, w1)
                if hi > lo:
                    m += simd.keep(c.docs + lo, c.scores + lo, hi - lo, need, docs + m, scores + m)
                block += 1
        else:
            k = 0
            for i in range(essential, active):
                k += self.per_window[order[i]]
            if need <= 0:
                need = <float>1e-30  # cells that nobody has touched are 0
            if k < SPARSE_WINDOW:
                memset(bits, 0, sizeof(bits))
                for i in range(essential, active):
                    mark_window(&self.cursors[order[i]], w0, w1, cells, bits)
                m = take_marked(cells, bits, w0, need, docs, scores)
            else:
                for i in range(essential, active):
                    add_window(&self.cursors[order[i]], w0, w1, cells)
                m = simd.gather(cells, WINDOW_SIZE, need, w0, docs, scores)
                memset(cells, 0, WINDOW_SIZE * sizeof(float))
        i = essential - 1
        while i >= 0 and m:
            need = heap.threshold - running[i + 1]
            m = simd.keep(docs, scores, m, need, docs, scores)
            if m == 0:
                return
            c = &self.cursors[order[i]]
            n = window_postings(c, w0, w1)
            if m * SPARSE > n:
                for j in range(m):
                    cells[docs[j] - w0] = scores[j]
                add_window(c, w0, w1, cells)
                for j in range(m):
                    scores[j] = cells[docs[j] - w0]
                memset(cells, 0, WINDOW_SIZE * sizeof(float))
            else:
                add_cursor(c, docs, scores, m, running[i], heap.threshold)
            i -= 1
        for j in range(m):
            if scores[j] >= heap.threshold:
                offer(heap, scores[j], docs[j])


cdef void mark_window(Cursor* c, doc_t w0, doc_t w1, float* cells, uint64_t* bits) noexcept nogil:
    """As add_window, and set the bits of the cells."""
    cdef int block, n, i
    cdef doc_t x
    if not seek(c, w0):
        return
    block = c.block
    while block < c.postings.n_blocks and block_base(c, block) < w1:
        load_scores(c, block)
        n = block_count(c, block)
        i = first_at_least(c.docs, n, w0)
        while i < n and c.docs[i] < w1:
            x = c.docs[i] - w0
            cells[x] += c.scores[i]
            bits[x >> 6] |= <uint64_t>1 << (x & 63)
            i += 1
        block += 1


cdef int take_marked(float* cells, const uint64_t* bits, doc_t w0, float need, uint32_t* docs, float* scores) noexcept nogil:
    """Take the marked cells that reach need, and make all marked ones 0 again."""
    cdef int w, m = 0, x
    cdef uint64_t word
    for w in range(WINDOW_WORDS):
        word = bits[w]
        while word:
            x = 64 * w + simd.ctz(word)
            word &= word - 1
            docs[m] = w0 + x
            scores[m] = cells[x]
            m += cells[x] >= need
            cells[x] = 0
    return m


cdef void add_window(Cursor* c, doc_t w0, doc_t w1, float* cells) noexcept nogil:
    """Add the scores of the postings in [w0, w1) to their cells."""
    cdef int block, n, lo, hi, i
    if not seek(c, w0):
        return
    block = c.block
    while block < c.postings.n_blocks and block_base(c, block) < w1:
        load_scores(c, block)
        n = block_count(c, block)
        lo = first_at_least(c.docs, n, w0)
        hi = first_at_least(c.docs, n, w1)
        for i in range(lo, hi):
            cells[c.docs[i] - w0] += c.scores[i]
        block += 1


cdef int window_postings(Cursor* c, doc_t w0, doc_t w1) noexcept nogil:
    """Roughly how many postings lie in [w0, w1)."""
    cdef int block
    if c.postings.n_full == 0:
        return <int>c.postings.df
    if not seek(c, w0):
        return 0
    block = c.block
    while block < c.postings.n_full and c.postings.last[block] < w1:
        block += 1
    return (block - c.block + 1) * 128
