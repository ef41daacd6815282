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


cdef void best_impacts(const float* impacts, Py_ssize_t n, float* best) noexcept nogil:
    """The 100 best impacts of n >= 100, best first."""
    cdef int i, j
    cdef Py_ssize_t p
    cdef float x
    memset(best, 0, BEST * sizeof(float))
    for p in range(n):
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
        self.gaps = BytesWriter()
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

    cdef int add(self, const doc_t* docs, const freq_t* freqs, Py_ssize_t n, const uint32_t* positions) except -1 nogil:
        """Add a term: n > 0 ascending documents, their freqs, and all positions one after the other."""
        cdef uint64_t entry, total = 0
        cdef uint8_t head[2]
        cdef float impact, top = -1
        cdef Py_ssize_t i
        if self.with_freqs:
            for i in range(n):
                total += freqs[i]
        else:
            total = n
        self.sum_doc_freq += n
        self.sum_total_term_freq += total
        if total == 1 and (not self.with_positions or positions[0] < 1 << 30):
            entry = <uint64_t>1 << SINGLE_SHIFT | docs[0]
            if self.with_positions:
                entry |= <uint64_t>positions[0] << 32
            self.entries.append(&entry, 8)
            return 0
        if n >= LONG_FREQ:
            return self.add_long(docs, freqs, n, positions)
        entry = self.postings.size
        self.entries.append(&entry, 8)
        head[0] = <uint8_t>n
        for i in range(n):
            impact = self.impact(docs[i], freqs[i] if self.with_freqs else 1)
            if impact > top:
                top = impact
        head[1] = bound_of(top)
        self.postings.append(head, 2)
        return self.add_tight(docs, freqs, n, 0, positions if self.with_positions else NULL, total)

    cdef int add_tight(
        self, const doc_t* docs, const freq_t* freqs, Py_ssize_t n, doc_t base, const uint32_t* positions, uint64_t total
    ) except -1 nogil:
        """Append a tight run of n < 256 postings. positions: NULL, or all total of them."""
        cdef uint32_t gaps[LONG_FREQ]
        cdef uint32_t rest[LONG_FREQ]
        cdef uint32_t all_gaps = 0, all_rest = 0, before, j
        cdef Py_ssize_t i, p = 0
        cdef int gap_width, freq_width, position_width = 0
        cdef uint16_t widths
        for i in range(n):
            gaps[i] = docs[i] - base
            base = docs[i]
            rest[i] = freqs[i] - 1 if self.with_freqs else 0
            all_gaps |= gaps[i]
            all_rest |= rest[i]
        gap_width = simd.width(all_gaps)
        freq_width = simd.width(all_rest)
        if positions != NULL:
            self.gaps.size = 0
            self.gaps.reserve(4 * <Py_ssize_t>total)
            all_gaps = 0
            for i in range(n):
                before = 0
                for j in range(freqs[i]):
                    (<uint32_t*>self.gaps.data)[p] = positions[p] - before
                    all_gaps |= positions[p] - before
                    before = positions[p]
                    p += 1
            position_width = simd.width(all_gaps)
        widths = <uint16_t>(gap_width | freq_width << FREQ_SHIFT | position_width << POSITION_SHIFT)
        self.postings.append(&widths, 2)
        self.append_tight(gaps, gap_width, n)
        self.append_tight(rest, freq_width, n)
        if positions != NULL:
            self.append_tight(<const uint32_t*>self.gaps.data, position_width, <Py_ssize_t>total)
        return 0

    cdef int append_tight(self, const uint32_t* values, int bits, Py_ssize_t n) except -1 nogil:
        cdef Py_ssize_t size = simd.tight_size(n, bits)
        simd.tight_pack(values, bits, n, self.postings.reserve(size + OVERREAD))
        self.postings.size += size
        return 0

    cdef float impact(self, doc_t doc, freq_t freq) noexcept nogil:
        """The score of a posting at weight 1 under the segment's own statistics."""
        return 1 - 1 / (1 + <float>freq * self.inverse[self.norms[doc] if self.norms != NULL else 1])

    cdef dict sections(self):
        """End writing; return the sections."""
        cdef uint8_t padding[OVERREAD]
        memset(padding, 0, OVERREAD)
        self.postings.append(padding, OVERREAD)
        found = {"entries": [self.entries], "postings": [self.postings], "bitmaps": [self.bitmaps]}
        if self.with_positions:
            found["positions"] = [self.positions]
        return found

    cdef int add_long(self, const doc_t* docs, const freq_t* freqs, Py_ssize_t n, const uint32_t* positions) except -1 nogil:
        cdef LongHeader header
        cdef Py_ssize_t n_full = n // BLOCK_SIZE, b, i, data, start_at
        cdef uint64_t entry, total = 0
        cdef uint32_t gaps[BLOCK_SIZE]
        cdef uint32_t rest[BLOCK_SIZE]
        cdef uint32_t all_gaps, all_rest, offset, window
        cdef doc_t base = 0
        cdef float best[BEST]
        cdef float top
        cdef int w, r
        cdef uint8_t* out
        cdef void* grown
        if self.impacts_capacity < n:
            grown = realloc(self.impacts, (n + n // 2) * sizeof(float))
            if grown == NULL:
                with gil:
                    raise MemoryError()
            self.impacts = <float*>grown
            self.impacts_capacity = n + n // 2
        for i in range(n):
            self.impacts[i] = self.impact(docs[i], freqs[i] if self.with_freqs else 1)
            total += freqs[i] if self.with_freqs else 1
        best_impacts(self.impacts, n, best)
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
            header.positions = self.add_positions(freqs, n, positions, total)
        if n * BITMAP_SHARE >= self.max_doc:
            header.bitmap = self.bitmaps.size
            self.add_bitmap(docs, n)
            header.bitmap_length = <uint32_t>(self.bitmaps.size - header.bitmap)

        self.postings.align(16)
        entry = <uint64_t>self.postings.size | <uint64_t>1 << LONG_SHIFT
        self.entries.append(&entry, 8)
        start_at = self.postings.size
        self.postings.append(&header, sizeof(LongHeader))
        for b in range(n_full):
            self.postings.append(&docs[(b + 1) * BLOCK_SIZE - 1], 4)
        offset = 0
        base = 0
        for b in range(n_full + 1):
            self.postings.append(&offset, 4)
            if b == n_full:
                break
            all_gaps = 0
            all_rest = 0
            for i in range(b * BLOCK_SIZE, (b + 1) * BLOCK_SIZE):
                all_gaps |= docs[i] - base
                base = docs[i]
                if self.with_freqs:
                    all_rest |= freqs[i] - 1
            offset += 16 * (simd.width(all_gaps) + simd.width(all_rest))
        if self.with_positions:
            offset = 0
            for b in range(n_full + 1):
                self.postings.append(&offset, 4)
                if b < n_full:
                    for i in range(b * BLOCK_SIZE, (b + 1) * BLOCK_SIZE):
                        offset += freqs[i]
        # widths and bounds are filled in below; the space comes first
        out = self.postings.reserve(3 * n_full + 1 + header.n_windows)
        memset(out, 0, 3 * n_full + 1 + header.n_windows)
        i = self.postings.size
        self.postings.size += 3 * n_full + 1 + header.n_windows
        for b in range(n_full + 1):
            top = -1
            for r in range(BLOCK_SIZE):
                if b * BLOCK_SIZE + r < n and self.impacts[b * BLOCK_SIZE + r] > top:
                    top = self.impacts[b * BLOCK_SIZE + r]
            self.postings.data[i + 2 * n_full + b] = bound_of(top)
        if header.n_windows:
            window = 0
            top = -1
            for data in range(n):
                if docs[data] // WINDOW_SIZE != window:
                    self.postings.data[i + 3 * n_full + 1 + window] = bound_of(top)
                    window = docs[data] // WINDOW_SIZE
                    top = -1
                if self.impacts[data] > top:
                    top = self.impacts[data]
            self.postings.data[i + 3 * n_full + 1 + window] = bound_of(top)
        self.postings.align(16)
        data = self.postings.size
        base = 0
        for b in range(n_full):
            all_gaps = 0
            all_rest = 0
            for r in range(BLOCK_SIZE):
                gaps[r] = docs[b * BLOCK_SIZE + r] - base
                base = docs[b * BLOCK_SIZE + r]
                rest[r] = freqs[b * BLOCK_SIZE + r] - 1 if self.with_freqs else 0
                all_gaps |= gaps[r]
                all_rest |= rest[r]
            w = simd.width(all_gaps)
            r = simd.width(all_rest)
            out = self.postings.reserve(16 * (w + r) + 16)
            simd.pack(gaps, w, out)
            simd.pack(rest, r, out + 16 * w)
            self.postings.size += 16 * (w + r)
            self.postings.data[i + b] = <uint8_t>w
            self.postings.data[i + n_full + b] = <uint8_t>r
        if n > n_full * BLOCK_SIZE:
            self.add_tight(
                docs + n_full * BLOCK_SIZE, freqs + n_full * BLOCK_SIZE if self.with_freqs else NULL, n - n_full * BLOCK_SIZE, base,
                NULL, 0
            )
        (<LongHeader*>(self.postings.data + start_at)).data_length = <uint32_t>(self.postings.size - data)
        return 0

    cdef uint64_t add_positions(self, const freq_t* freqs, Py_ssize_t n, const uint32_t* positions, uint64_t total) except? 0 nogil:
        cdef Py_ssize_t n_blocks = (total + BLOCK_SIZE - 1) // BLOCK_SIZE, b, table, widths, p = 0, d = 0
        cdef uint32_t gaps[BLOCK_SIZE]
        cdef uint32_t left = freqs[0], before = 0, all_gaps, start = 0
        cdef uint64_t offset
        cdef int i, w
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
            all_gaps = 0
            for i in range(BLOCK_SIZE):
                gaps[i] = 0
                if <uint64_t>p < total:
                    if left == 0:
                        d += 1
                        left = freqs[d]
                        before = 0
                    gaps[i] = positions[p] - before
                    before = positions[p]
                    all_gaps |= gaps[i]
                    left -= 1
                    p += 1
            w = simd.width(all_gaps)
            out = self.positions.reserve(16 * w + 16)
            simd.pack(gaps, w, out)
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
