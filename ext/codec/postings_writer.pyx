"""Writes the postings of one field, term by term in the order of the dictionary.

Layout: postings.pxd. Both a flush and a merge end here, so that there is one place that lays postings out.
"""

from libc.math cimport ceilf
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.norms cimport fill_inverse
from lanner.ext.codec.postings cimport (
    FREQ_SHIFT,
    LONG_FREQ,
    LONG_SHIFT,
    LongHeader,
    N_SEEDS,
    OVERREAD,
    POSITION_SHIFT,
    SINGLE_SHIFT,
    PER_WINDOW,
    WINDOW_FREQ,
)
from lanner.ext.types cimport (
    BLOCK_SIZE,
    WINDOW_SIZE,
    doc_t,
    freq_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)

cdef int[N_SEEDS] RANKS
RANKS[:] = [1, 2, 3, 5, 10, 20, 50, 100]
SEED_RANKS = tuple(RANKS)

cdef enum:
    BEST = 100  # the last rank
    BITMAP_SHARE = 64  # a term in one of so many documents has a bitmap
    COOKIE = 12346  # portable Roaring format without run containers
    ARRAY_MOST = 4096  # documents up to which a container is an array

# 1 - 1 / (1 + x) in floats errs by up to 6e-8, and so does the score that a reader computes with another weight: bounds keep away by more
cdef float ROUNDING = <float>3e-7


cdef void sift(float* heap, int n, float value) noexcept nogil:
    """Replace the least of a binary heap of n by a greater value."""
    cdef int i = 0, child
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        if child + 1 < n and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = value


cdef void best_impacts(const float* impacts, const float* tops, Py_ssize_t n, float* best) noexcept nogil:
    """The 100 best impacts of n >= 100, best first; tops: the best of each block."""
    cdef int i, j
    cdef Py_ssize_t b, p
    cdef float x
    memset(best, 0, BEST * sizeof(float))
    for b in range((n + BLOCK_SIZE - 1) // BLOCK_SIZE):
        if tops[b] <= best[0]:
            continue
        for p in range(b * BLOCK_SIZE, min(n, (b + 1) * BLOCK_SIZE)):
            if impacts[p] > best[0]:
                sift(best, BEST, impacts[p])
    for i in range(1, BEST):  # insertion sort, descending
        x = best[i]
        j = i
        while j and best[j - 1] < x:
            best[j] = best[j - 1]
            j -= 1
        best[j] = x


cdef uint8_t bound_of(float impact) noexcept nogil:
    """The impact in 255ths, rounded up; 0 only for no posting at all."""
    cdef float x = ceilf((impact + ROUNDING) * <float>255.0001) if impact >= 0 else <float>0
    return <uint8_t>(255 if x > 255 else x)


cdef void window_bounds(const doc_t* docs, const float* impacts, Py_ssize_t n, uint8_t* bounds) noexcept nogil:
    """Fill in the bound of each window with postings."""
    cdef Py_ssize_t i
    cdef doc_t window = docs[0] // WINDOW_SIZE
    cdef float top = -1
    for i in range(n):
        if docs[i] // WINDOW_SIZE != window:
            bounds[window] = bound_of(top)
            window = docs[i] // WINDOW_SIZE
            top = -1
        if impacts[i] > top:
            top = impacts[i]
    bounds[window] = bound_of(top)


cdef void position_gaps(uint32_t* positions, const uint32_t* rest, Py_ssize_t n) noexcept nogil:
    """Turn the positions of n documents, freq - 1 of each in rest, into gaps; the first position of a document stays."""
    cdef Py_ssize_t i, at = 0
    cdef uint32_t j, before, position
    for i in range(n):
        before = 0
        for j in range(rest[i] + 1):
            position = positions[at]
            positions[at] = position - before
            before = position
            at += 1


cdef class PostingsWriter:
    """Collects the sections of one field.

    norms: uint8, one per document, or None when the field has none; read while terms are added.
    """

    def __cinit__(self):
        self.impacts = NULL
        self.impacts_capacity = 0

    def __init__(self, uint32_t max_doc, const uint8_t[::1] norms, float average, bint with_freqs, bint with_positions):
        self.entries = BytesWriter()
        self.postings = BytesWriter()
        self.positions = BytesWriter()
        self.bitmaps = BytesWriter()
        self.norms = NULL
        if norms is not None:
            if norms.shape[0] < max_doc:
                raise ValueError("norms do not cover all documents")
            if max_doc:
                self.norms = &norms[0]
        self.max_doc = max_doc
        self.with_freqs = with_freqs
        self.with_positions = with_positions
        self.average = average if average > 0 else <float>1.0
        fill_inverse(<float>1.2, <float>0.75, self.average, self.inverse)

    def __dealloc__(self):
        free(self.impacts)

    cdef int add(self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n, const uint32_t* gaps) except -1 nogil:
        """Add a term: n > 0 documents, freq - 1 of each (NULL: not kept), and the position gaps of all one after the other.

        The first position of a document is its own gap. Return 0, or -2 and add nothing if the documents do not ascend below max_doc.
        """
        cdef uint64_t entry, total = n
        cdef uint8_t head[2]
        cdef float impact, top = -1
        cdef Py_ssize_t i
        if docs[n - 1] >= self.max_doc or not simd.ascend(docs, n):
            return -2
        if rest != NULL:
            total += simd.sum64(rest, n)
        self.sum_doc_freq += n
        self.sum_total_term_freq += total
        if total == 1 and (not self.with_positions or gaps[0] < 1 << 30):
            entry = <uint64_t>1 << SINGLE_SHIFT | docs[0]
            if self.with_positions:
                entry |= <uint64_t>gaps[0] << 32
            self.entries.append(&entry, 8)
            return 0
        if n >= LONG_FREQ:
            return self.add_long(docs, rest, n, gaps, total)
        entry = self.postings.size
        self.entries.append(&entry, 8)
        head[0] = <uint8_t>n
        for i in range(n):
            impact = self.impact(docs[i], rest[i] + 1 if rest != NULL else 1)
            if impact > top:
                top = impact
        head[1] = bound_of(top)
        self.postings.append(head, 2)
        return self.add_tight(docs, rest, n, 0, gaps if self.with_positions else NULL, <Py_ssize_t>total)

    cdef int add_tight(
        self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n, doc_t base, const uint32_t* gaps, Py_ssize_t total
    ) except -1 nogil:
        """Append a tight run of n < 256 postings. gaps: NULL, or all total of them."""
        cdef uint32_t doc_gaps[LONG_FREQ]
        cdef int gap_width = simd.width(simd.gaps(docs, <int>n, base, doc_gaps))
        cdef int freq_width = simd.width(simd.any(rest, n)) if rest != NULL else 0
        cdef int position_width = simd.width(simd.any(gaps, total)) if gaps != NULL else 0
        cdef uint16_t widths = <uint16_t>(gap_width | freq_width << FREQ_SHIFT | position_width << POSITION_SHIFT)
        self.postings.append(&widths, 2)
        self.append_tight(doc_gaps, gap_width, n)
        if freq_width:
            self.append_tight(rest, freq_width, n)
        if position_width:
            self.append_tight(gaps, position_width, total)
        return 0

    cdef int append_tight(self, const uint32_t* values, int bits, Py_ssize_t n) except -1 nogil:
        cdef Py_ssize_t size = simd.tight_size(n, bits)
        simd.tight_pack(values, bits, n, self.postings.reserve(size + OVERREAD))
        self.postings.size += size
        return 0

    cdef float impact(self, doc_t doc, freq_t freq) noexcept nogil:
        """The score of a posting at weight 1 under the segment's own statistics."""
        return <float>1 - <float>1 / (<float>1 + <float>freq * self.inverse[self.norms[doc] if self.norms != NULL else 1])

    cdef dict sections(self):
        """End writing; return the sections."""
        cdef uint8_t padding[OVERREAD]
        memset(padding, 0, OVERREAD)
        self.postings.append(padding, OVERREAD)
        found = {"entries": [self.entries], "postings": [self.postings], "bitmaps": [self.bitmaps]}
        if self.with_positions:
            found["positions"] = [self.positions]
        return found

    cdef int room_for_impacts(self, Py_ssize_t n) except -1 nogil:
        """Let impacts hold n postings, rounded up to whole blocks, and the best of each block behind them."""
        cdef void* grown
        cdef Py_ssize_t n_blocks = (n + BLOCK_SIZE - 1) // BLOCK_SIZE
        if self.impacts_capacity < n_blocks:
            n_blocks += n_blocks // 2
            grown = realloc(self.impacts, n_blocks * (BLOCK_SIZE + 1) * sizeof(float))
            if grown == NULL:
                with gil:
                    raise MemoryError()
            self.impacts = <float*>grown
            self.impacts_capacity = n_blocks
        return 0

    cdef float* fill_impacts(self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n) except NULL nogil:
        """Compute the impacts of all postings; return the best of each block."""
        cdef Py_ssize_t b, i, n_blocks = (n + BLOCK_SIZE - 1) // BLOCK_SIZE
        cdef int count
        cdef float* tops
        self.room_for_impacts(n)
        tops = self.impacts + n_blocks * BLOCK_SIZE
        for b in range(n_blocks):
            i = b * BLOCK_SIZE
            count = <int>min(n - i, <Py_ssize_t>BLOCK_SIZE)
            simd.impacts(docs + i, rest + i if rest != NULL else NULL, self.norms, self.inverse, count, self.impacts + i)
            tops[b] = simd.max_float(self.impacts + i, count)
        return tops

    cdef int add_long(
        self, const doc_t* docs, const uint32_t* rest, Py_ssize_t n, const uint32_t* gaps, uint64_t total
    ) except -1 nogil:
        cdef LongHeader header
        cdef Py_ssize_t n_full = n // BLOCK_SIZE, b, i, data, start_at, last, start, before, widths
        cdef uint64_t entry
        cdef uint32_t doc_gaps[BLOCK_SIZE]
        cdef uint32_t offset = 0, counted = 0
        cdef doc_t base = 0
        cdef float best[BEST]
        cdef int doc_width, freq_width = 0, r
        cdef float* tops = self.fill_impacts(docs, rest, n)
        cdef uint8_t* out
        best_impacts(self.impacts, tops, n, best)
        memset(&header, 0, sizeof(LongHeader))
        header.doc_freq = <uint32_t>n
        header.n_windows = (self.max_doc + WINDOW_SIZE - 1) // WINDOW_SIZE
        if n < WINDOW_FREQ and n < PER_WINDOW * header.n_windows:
            header.n_windows = 0
        header.total_term_freq = total
        header.max_impact = best[0] + ROUNDING
        for r in range(N_SEEDS):
            header.seeds[r] = max(best[RANKS[r] - 1] - ROUNDING, <float>0)
        if self.with_positions:
            header.positions = self.add_positions(gaps, total)
        if n * BITMAP_SHARE >= self.max_doc:
            header.bitmap = self.bitmaps.size
            self.add_bitmap(docs, n)
            header.bitmap_length = <uint32_t>(self.bitmaps.size - header.bitmap)

        self.postings.align(16)
        entry = <uint64_t>self.postings.size | <uint64_t>1 << LONG_SHIFT
        self.entries.append(&entry, 8)
        start_at = self.postings.size
        self.postings.append(&header, sizeof(LongHeader))
        # the tables come before the data that fill them
        last = self.postings.size
        start = last + 4 * n_full
        before = start + 4 * (n_full + 1)
        widths = before + (4 * (n_full + 1) if self.with_positions else 0)
        i = widths + 3 * n_full + 1 + header.n_windows
        memset(self.postings.reserve(i - last), 0, i - last)
        self.postings.size = i
        for b in range(n_full + 1):
            self.postings.data[widths + 2 * n_full + b] = bound_of(tops[b] if b * BLOCK_SIZE < n else <float>-1)
        if header.n_windows:
            window_bounds(docs, self.impacts, n, self.postings.data + widths + 3 * n_full + 1)
        self.postings.align(16)
        data = self.postings.size
        for b in range(n_full + 1):
            (<uint32_t*>(self.postings.data + start))[b] = offset
            if self.with_positions:
                (<uint32_t*>(self.postings.data + before))[b] = counted
            if b == n_full:
                break
            i = b * BLOCK_SIZE
            doc_width = simd.width(simd.gaps(docs + i, BLOCK_SIZE, base, doc_gaps))
            base = docs[i + BLOCK_SIZE - 1]
            if rest != NULL:
                freq_width = simd.width(simd.any(rest + i, BLOCK_SIZE))
                counted += simd.sum(rest + i, BLOCK_SIZE)
            counted += BLOCK_SIZE
            out = self.postings.reserve(16 * (doc_width + freq_width) + 16)
            simd.pack(doc_gaps, doc_width, out)
            if freq_width:
                simd.pack(rest + i, freq_width, out + 16 * doc_width)
            self.postings.size += 16 * (doc_width + freq_width)
            offset += 16 * (doc_width + freq_width)
            (<uint32_t*>(self.postings.data + last))[b] = base
            self.postings.data[widths + b] = <uint8_t>doc_width
            self.postings.data[widths + n_full + b] = <uint8_t>freq_width
        if n > n_full * BLOCK_SIZE:
            i = n_full * BLOCK_SIZE
            self.add_tight(docs + i, rest + i if rest != NULL else NULL, n - i, base, NULL, 0)
        (<LongHeader*>(self.postings.data + start_at)).data_length = <uint32_t>(self.postings.size - data)
        return 0

    cdef uint64_t add_positions(self, const uint32_t* gaps, uint64_t total) except? 0 nogil:
        cdef Py_ssize_t n_blocks = <Py_ssize_t>((total + BLOCK_SIZE - 1) // BLOCK_SIZE), b, table, widths
        cdef uint32_t rest[BLOCK_SIZE]
        cdef const uint32_t* block
        cdef uint32_t start = 0
        cdef uint64_t offset
        cdef int w
        cdef uint8_t* out
        self.positions.align(16)
        offset = self.positions.size
        table = self.positions.size
        self.positions.reserve(5 * n_blocks + 16)
        memset(self.positions.data + table, 0, 5 * n_blocks)
        self.positions.size += 5 * n_blocks
        widths = table + 4 * n_blocks
        self.positions.align(16)
        for b in range(n_blocks):
            block = gaps + b * BLOCK_SIZE
            if (b + 1) * BLOCK_SIZE > <Py_ssize_t>total:
                memset(rest, 0, sizeof(rest))
                memcpy(rest, block, 4 * (total - b * BLOCK_SIZE))
                block = rest
            w = simd.width(simd.any(block, BLOCK_SIZE))
            out = self.positions.reserve(16 * w + 16)
            simd.pack(block, w, out)
            self.positions.size += 16 * w
            (<uint32_t*>(self.positions.data + table))[b] = start
            self.positions.data[widths + b] = <uint8_t>w
            start += w
        return offset

    cdef int add_bitmap(self, const doc_t* docs, Py_ssize_t n) except -1 nogil:
        cdef Py_ssize_t i = 0, j, k, table
        cdef uint32_t header[2]
        cdef uint16_t key[2]
        cdef uint16_t low
        cdef uint32_t n_containers = 0
        cdef uint8_t* out
        cdef uint64_t* words
        while i < n:
            n_containers += 1
            j = i
            while j < n and docs[j] >> 16 == docs[i] >> 16:
                j += 1
            i = j
        self.bitmaps.align(16)
        # the caller took the offset before: align there is a no-op because every bitmap is padded at its end
        j = self.bitmaps.size
        header[0] = COOKIE
        header[1] = n_containers
        self.bitmaps.append(header, 8)
        i = 0
        while i < n:
            k = i
            while k < n and docs[k] >> 16 == docs[i] >> 16:
                k += 1
            key[0] = <uint16_t>(docs[i] >> 16)
            key[1] = <uint16_t>(k - i - 1)
            self.bitmaps.append(key, 4)
            i = k
        table = self.bitmaps.size
        self.bitmaps.reserve(4 * n_containers)
        self.bitmaps.size += 4 * n_containers
        i = 0
        n_containers = 0
        while i < n:
            k = i
            while k < n and docs[k] >> 16 == docs[i] >> 16:
                k += 1
            (<uint32_t*>(self.bitmaps.data + table))[n_containers] = <uint32_t>(self.bitmaps.size - j)
            n_containers += 1
            if k - i <= ARRAY_MOST:
                out = self.bitmaps.reserve(2 * (k - i))
                while i < k:
                    low = <uint16_t>docs[i]
                    memcpy(out, &low, 2)
                    out += 2
                    self.bitmaps.size += 2
                    i += 1
            else:
                out = self.bitmaps.reserve(8192)
                memset(out, 0, 8192)
                while i < k:
                    low = <uint16_t>docs[i]
                    out[low >> 3] |= <uint8_t>(1 << (low & 7))
                    i += 1
                self.bitmaps.size += 8192
        self.bitmaps.align(16)
        return 0
