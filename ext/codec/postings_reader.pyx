"""Reading the postings of one term; layout in postings.pxd, contract in postings_reader.pxd."""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.postings cimport FREQ_SHIFT, LONG_FREQ, LONG_SHIFT, LongHeader, OVERREAD, POSITION_SHIFT, SINGLE_SHIFT
from lanner.ext.types cimport BLOCK_SIZE, NO_MORE_DOCS, doc_t, uint8_t, uint32_t, uint64_t


cdef int open_postings(
    const uint8_t* blob, Py_ssize_t blob_length, const uint8_t* positions, Py_ssize_t positions_length,
    const uint8_t* bitmaps, Py_ssize_t bitmaps_length, uint64_t entry, bint with_freqs, bint with_positions,
    Postings* out) noexcept nogil:
    """Fill out from a term's entry. Return 0, or -1 if the record does not lie inside its sections."""
    cdef const LongHeader* header
    cdef const uint8_t* p
    cdef uint64_t offset, n, size, blocks
    memset(out, 0, sizeof(Postings))
    out.with_freqs = with_freqs
    out.with_positions = with_positions
    out.n_blocks = 1
    if entry >> SINGLE_SHIFT:
        out.df = 1
        out.single = True
        out.single_doc = <doc_t>entry
        out.single_position = <uint32_t>(entry >> 32) & 0x3FFFFFFF
        out.max_impact = 1
        return 0
    offset = record_offset(entry)
    if offset + 4 > <uint64_t>blob_length:
        return -1
    out.end = blob + blob_length
    if not (entry >> LONG_SHIFT) & 1:
        p = blob + offset
        out.df = p[0]
        out.block_max = p + 1
        out.max_impact = <float>p[1] * <float>(1.0 / 255)
        out.gap_width_short = gap_width(p + 2)
        out.freq_width_short = freq_width(p + 2)
        out.position_width_short = p[3] >> (POSITION_SHIFT - 8)
        out.data = p + 4
        return 0 if p[0] and fits(out.data, out.end, out.df, out.gap_width_short, out.freq_width_short) else -1
    if offset % 16 or offset + sizeof(LongHeader) > <uint64_t>blob_length:
        return -1
    header = <const LongHeader*>(blob + offset)
    out.df = header.doc_freq
    out.total = header.total_term_freq
    out.n_windows = <int>header.n_windows
    out.max_impact = header.max_impact
    out.seeds = header.seeds
    if out.df < LONG_FREQ or out.df > 0x7FFFFFFF:
        return -1
    n = out.df // BLOCK_SIZE
    out.n_full = <int>n
    out.n_blocks = <int>n + (1 if out.df % BLOCK_SIZE else 0)
    size = 4 * n + 4 * (n + 1) + (4 * (n + 1) if with_positions else 0) + 3 * n + 1 + header.n_windows
    offset += sizeof(LongHeader)
    if offset + size > <uint64_t>blob_length:
        return -1
    p = blob + offset
    out.last = <const uint32_t*>p
    p += 4 * n
    out.start = <const uint32_t*>p
    p += 4 * (n + 1)
    if with_positions:
        out.before = <const uint32_t*>p
        p += 4 * (n + 1)
    out.doc_width = p
    out.freq_width = p + n
    out.block_max = p + 2 * n
    out.window_max = p + 3 * n + 1
    offset = (offset + size + 15) // 16 * 16
    if offset + header.data_length > <uint64_t>blob_length:
        return -1
    out.data = blob + offset
    out.data_length = header.data_length
    if header.bitmap_length:
        if header.bitmap + header.bitmap_length > <uint64_t>bitmaps_length:
            return -1
        out.bitmap = bitmaps + header.bitmap
        out.bitmap_length = header.bitmap_length
    if with_positions:
        blocks = (out.total + BLOCK_SIZE - 1) // BLOCK_SIZE
        offset = header.positions
        if offset % 16 or offset + 5 * blocks > <uint64_t>positions_length:
            return -1
        out.position_start = <const uint32_t*>(positions + offset)
        out.position_width = positions + offset + 4 * blocks
        offset = (offset + 5 * blocks + 15) // 16 * 16
        out.position_data = positions + offset
        if blocks and (
            out.position_width[blocks - 1] > 32
            or offset + 16 * (<uint64_t>out.position_start[blocks - 1] + out.position_width[blocks - 1]) > <uint64_t>positions_length
        ):
            return -1
    return 0


cdef inline uint8_t gap_width(const uint8_t* widths) noexcept nogil:
    return widths[0] & ((1 << FREQ_SHIFT) - 1)


cdef inline uint8_t freq_width(const uint8_t* widths) noexcept nogil:
    return (widths[0] >> FREQ_SHIFT) | (widths[1] & ((1 << (POSITION_SHIFT - 8)) - 1)) << (8 - FREQ_SHIFT)


cdef inline bint fits(const uint8_t* p, const uint8_t* end, int n, int gap_bits, int freq_bits) noexcept nogil:
    """Whether the gaps and freqs of a tight run lie before end."""
    return simd.tight_size(n, gap_bits) + simd.tight_size(n, freq_bits) + OVERREAD <= end - p


cdef inline Py_ssize_t block_room(const Postings* postings) noexcept nogil:
    """Postings that an unpacked block of a cursor has room for."""
    return ((BLOCK_SIZE if postings.n_full else postings.df) + 31) // 16 * 16


cdef Py_ssize_t cursor_room(const Postings* postings, bint for_positions) noexcept nogil:
    """Bytes that place_cursor needs."""
    cdef Py_ssize_t room = block_room(postings)
    return room * (16 if for_positions else 12) + 64


cdef int open_cursor(Cursor* c, const Postings* postings, bint for_positions) noexcept nogil:
    """Give c memory and its first state; norms, inverse, weight and slack are the caller's. Return -1 without memory."""
    cdef uint8_t* memory = <uint8_t*>malloc(cursor_room(postings, for_positions))
    if memory == NULL:
        c.memory = NULL
        c.all_positions = NULL
        return -1
    place_cursor(c, postings, for_positions, memory)
    c.memory = memory
    return 0


cdef void place_cursor(Cursor* c, const Postings* postings, bint for_positions, uint8_t* memory) noexcept nogil:
    """As open_cursor, in memory that stays the caller's."""
    cdef Py_ssize_t room = block_room(postings)
    memcpy(&c.postings, postings, sizeof(Postings))
    c.block = 0
    c.loaded = -1
    c.loaded_freqs = -1
    c.scored = -1
    c.place = 0
    c.all_block = -1
    c.all_positions = NULL
    c.all_room = 0
    c.starts = NULL
    c.memory = NULL
    c.docs = <doc_t*>memory
    c.gaps = <uint32_t*>(memory + room * 4)
    c.scores = <float*>(memory + room * 8)
    if for_positions:
        c.starts = <uint32_t*>(memory + room * 12)
    if postings.single:
        c.docs[0] = postings.single_doc
        c.gaps[0] = 0
        c.loaded = 0
        c.loaded_freqs = 0
        pad(c.docs + 1)
    elif postings.n_full:
        pad(c.docs + BLOCK_SIZE)


cdef void pad(doc_t* docs) noexcept nogil:
    """End a block with greatest values, which simd.meet relies on."""
    cdef int i
    for i in range(16):
        docs[i] = NO_MORE_DOCS


cdef void close_cursor(Cursor* c) noexcept nogil:
    free(c.memory)
    free(c.all_positions)
    c.memory = NULL
    c.all_positions = NULL


cdef void damaged(Cursor* c, int block, doc_t base) noexcept nogil:
    """Stand for a block that does not lie inside its section."""
    cdef int i, n = block_count(c, block)
    for i in range(n):
        c.docs[i] = base
        c.gaps[i] = 0
    pad(c.docs + n)
    c.loaded_freqs = block


cdef void load_rest(Cursor* c, int block) noexcept nogil:
    """Unpack a short record or the rest of a long one."""
    cdef const Postings* postings = &c.postings
    cdef const uint8_t* p = postings.data
    cdef doc_t base = 0
    cdef int n = block_count(c, block), gap_bits = postings.gap_width_short, freq_bits = postings.freq_width_short
    if postings.n_full:
        base = postings.last[block - 1]
        p += postings.start[block] + 2
        if p > postings.end:
            damaged(c, block, base)
            return
        gap_bits = gap_width(p - 2)
        freq_bits = freq_width(p - 2)
        if not fits(p, postings.end, n, gap_bits, freq_bits):
            damaged(c, block, base)
            return
    c.loaded_freqs = block
    simd.tight_sums(p, gap_bits, n, base, c.docs)
    if freq_bits:
        simd.tight_unpack(p + simd.tight_size(n, gap_bits), freq_bits, n, c.gaps)
    else:
        memset(c.gaps, 0, 4 * n)
    pad(c.docs + n)


cdef void load_docs(Cursor* c, int block) noexcept nogil:
    """Unpack the documents of a block (and of a rest the freqs too)."""
    cdef doc_t base
    if c.loaded == block:
        return
    c.loaded = block
    c.place = 0
    if block < c.postings.n_full:
        base = c.postings.last[block - 1] if block else 0
        if whole(c, block):
            simd.unpack_sums(c.postings.data + c.postings.start[block], c.postings.doc_width[block], base, c.docs)
        else:
            damaged(c, block, base)
        return
    load_rest(c, block)


cdef inline bint whole(const Cursor* c, int block) noexcept nogil:
    """Whether a full block lies inside its record."""
    cdef int bits = c.postings.doc_width[block] + c.postings.freq_width[block]
    return bits <= 64 and c.postings.start[block] + 16 * <uint64_t>bits <= c.postings.data_length


cdef void load_freqs(Cursor* c, int block) noexcept nogil:
    """Unpack freq - 1 of a block."""
    if c.loaded_freqs == block:
        return
    if block >= c.postings.n_full:
        c.loaded = -1
        load_docs(c, block)
        return
    c.loaded_freqs = block
    simd.unpack(
        c.postings.data + c.postings.start[block] + 16 * c.postings.doc_width[block],
        c.postings.freq_width[block], c.gaps
    )


cdef void load_scores(Cursor* c, int block) noexcept nogil:
    """Score every posting of a block."""
    cdef int n, i
    if c.scored == block and c.loaded == block:
        return
    load_docs(c, block)
    load_freqs(c, block)
    c.scored = block
    n = block_count(c, block)
    i = 0
    while i < n:
        score_many(c, c.docs + i, c.gaps + i, min(n - i, BLOCK_SIZE), c.scores + i)
        i += BLOCK_SIZE


cdef void score_many(const Cursor* c, const doc_t* docs, const uint32_t* gaps, int n, float* out) noexcept nogil:
    """The scores of n (at most 128) postings; gaps and out hold a multiple of 16."""
    cdef int i
    if c.inverse == NULL or c.norms == NULL:
        for i in range(n):
            out[i] = score_one(c, docs[i], gaps[i])
        return
    simd.score_block(docs, gaps, c.norms, c.inverse, c.weight, n, out)


cdef bint seek(Cursor* c, doc_t target) noexcept nogil:
    """Set c.block to the first block that may hold a document >= target; False if there is none. Any order of targets will do."""
    cdef int n_full = c.postings.n_full, n = c.postings.n_blocks, lo, hi, step, mid
    cdef const uint32_t* last = c.postings.last
    if n_full == 0:
        c.block = 0
        return block_last(c, 0) >= target
    if c.block and (c.block > n_full or last[c.block - 1] >= target):
        c.block = 0 if last[n_full - 1] >= target else n_full
    if c.block < n_full and last[c.block] >= target:
        return True
    if c.block < n_full:
        lo = c.block + 1
        step = 1
        while lo + step < n_full and last[lo + step - 1] < target:
            lo += step
            step <<= 1
        hi = lo + step
        if hi > n_full:
            hi = n_full
        while lo < hi:
            mid = (lo + hi) >> 1
            if last[mid] < target:
                lo = mid + 1
            else:
                hi = mid
        c.block = lo
        if lo < n_full:
            return True
    if c.block >= n:
        return False
    if block_last(c, c.block) < target:
        c.block = n
        return False
    return True


cdef int find(Cursor* c, doc_t target) noexcept nogil:
    """Index in block c.block of target, or -1; seek(target) came before. Targets ascend within a block."""
    cdef const doc_t* p
    cdef int n, half
    load_docs(c, c.block)
    n = block_count(c, c.block)
    if c.place >= n or c.docs[c.place] > target:
        c.place = 0
    p = c.docs + c.place
    n -= c.place
    while n > 1:
        half = n >> 1
        p += half if p[half - 1] < target else 0
        n -= half
    c.place = <int>(p - c.docs)
    return c.place if p[0] == target else -1


cdef int load_positions(Cursor* c, int block) noexcept nogil:
    """Unpack the positions of all postings of a block, as sums that run on; see position_base. 0 if they are damaged, -1 without memory."""
    cdef const Postings* postings = &c.postings
    cdef const uint8_t* p = postings.data
    cdef uint64_t first = 0, end = 0
    cdef void* grown
    cdef int i, b, n = block_count(c, block)
    if c.all_block == block:
        return 1
    c.all_block = -1
    load_docs(c, block)
    load_freqs(c, block)
    if postings.n_full:
        first = postings.before[block] >> 7
        end = postings.before[block] & 127
    for i in range(n):
        c.starts[i] = <uint32_t>end
        end += c.gaps[i] + <uint64_t>1
    if postings.n_full:
        if 128 * first + end > postings.total:
            return 0
    else:
        p += simd.tight_size(postings.df, postings.gap_width_short) + simd.tight_size(postings.df, postings.freq_width_short)
        if simd.tight_size(end, postings.position_width_short) + OVERREAD > postings.end - p:
            return 0
    if end + 128 > c.all_room:
        grown = realloc(c.all_positions, (2 * end + 256) * sizeof(uint32_t))
        if grown == NULL:
            return -1
        c.all_positions = <uint32_t*>grown
        c.all_room = 2 * end + 256
    if postings.n_full:
        for b in range(<int>((end + 127) >> 7)):
            simd.unpack_sums(
                postings.position_data + 16 * <uint64_t>postings.position_start[first + b], postings.position_width[first + b],
                c.all_positions[128 * b - 1] if b else 0, c.all_positions + 128 * b
            )
    else:
        simd.tight_sums(p, postings.position_width_short, <int>end, 0, c.all_positions)
    c.all_block = block
    return 1


cdef int read_all(const Postings* postings, doc_t base, doc_t* docs, uint32_t* rest) noexcept nogil:
    """Unpack the documents, base added, and freq - 1 of all df postings. Return 0, or -1 if they are damaged."""
    cdef const uint8_t* p = postings.data
    cdef int b, n = <int>postings.df, gap_bits = postings.gap_width_short, freq_bits = postings.freq_width_short
    cdef doc_t before = base
    if postings.single:
        docs[0] = base + postings.single_doc
        rest[0] = 0
        return 0
    for b in range(postings.n_full):
        gap_bits = postings.doc_width[b]
        freq_bits = postings.freq_width[b]
        p = postings.data + postings.start[b]
        if gap_bits + freq_bits > 64 or postings.start[b] + 16 * <uint64_t>(gap_bits + freq_bits) > postings.data_length:
            return -1
        simd.unpack_sums(p, gap_bits, before, docs + BLOCK_SIZE * b)
        simd.unpack(p + 16 * gap_bits, freq_bits, rest + BLOCK_SIZE * b)
        before = docs[BLOCK_SIZE * b + BLOCK_SIZE - 1]
    if postings.n_full:
        n = <int>(postings.df % BLOCK_SIZE)
        if n == 0:
            return 0
        docs += BLOCK_SIZE * postings.n_full
        rest += BLOCK_SIZE * postings.n_full
        p = postings.data + postings.start[postings.n_full] + 2
        if p > postings.end:
            return -1
        gap_bits = gap_width(p - 2)
        freq_bits = freq_width(p - 2)
    if not fits(p, postings.end, n, gap_bits, freq_bits):
        return -1
    simd.tight_sums(p, gap_bits, n, before, docs)
    simd.tight_unpack(p + simd.tight_size(n, gap_bits), freq_bits, n, rest)
    return 0


cdef int read_all_positions(const Postings* postings, uint64_t total, uint32_t* gaps) noexcept nogil:
    """Unpack all total position gaps; the first of a document is its own, and gaps has room for whole blocks.

    Return 0, or -1 if they are damaged. total: the sum of all frequencies.
    """
    cdef const uint8_t* p = postings.data
    cdef uint64_t b, n_blocks = (total + BLOCK_SIZE - 1) // BLOCK_SIZE, end
    cdef int bits = postings.position_width_short
    if postings.single:
        gaps[0] = postings.single_position
        return 0
    if postings.n_full == 0:
        p += simd.tight_size(postings.df, postings.gap_width_short) + simd.tight_size(postings.df, postings.freq_width_short)
        if p > postings.end or simd.tight_size(total, bits) + OVERREAD > postings.end - p:
            return -1
        simd.tight_unpack(p, bits, <int>total, gaps)
        return 0
    if total != postings.total:
        return -1
    end = postings.position_start[n_blocks - 1] + <uint64_t>postings.position_width[n_blocks - 1]
    for b in range(n_blocks):
        if postings.position_width[b] > 32 or postings.position_start[b] + <uint64_t>postings.position_width[b] > end:
            return -1
        simd.unpack(postings.position_data + 16 * <uint64_t>postings.position_start[b], postings.position_width[b], gaps + BLOCK_SIZE * b)
    return 0


cdef uint32_t read_positions(
    Cursor* c, int block, int index, const uint32_t** out, uint32_t* scratch, uint32_t room) noexcept nogil:
    """Point out at the positions of a posting; return how many (at most room), 0 if they are damaged. scratch: where to unpack them."""
    cdef uint32_t n
    if c.postings.single:
        out[0] = &c.postings.single_position
        return 1
    load_docs(c, block)
    load_freqs(c, block)
    n = c.gaps[index] + 1
    return positions_from(c, block, simd.sum(c.gaps, index) + index, min(n, room), out, scratch)


cdef uint32_t positions_from(Cursor* c, int block, uint64_t first, uint32_t n, const uint32_t** out, uint32_t* scratch) noexcept nogil:
    """As read_positions, for the n positions of a posting before which others of its block have first; nothing is unpacked."""
    cdef uint32_t i, value = 0
    cdef const uint8_t* p
    cdef int bits
    if c.postings.single:
        out[0] = &c.postings.single_position
        return 1
    out[0] = scratch
    if c.postings.n_full == 0:
        bits = c.postings.position_width_short
        p = c.postings.data + simd.tight_size(c.postings.df, c.postings.gap_width_short)
        p += simd.tight_size(c.postings.df, c.postings.freq_width_short)
        if simd.tight_size(first + n, bits) + OVERREAD > c.postings.end - p:
            return 0
        for i in range(n):
            value += simd.tight_at(p, bits, first + i)
            scratch[i] = value
        return n
    return positions_at(c, c.postings.before[block] + first, n, out, scratch)


cdef uint32_t positions_at(Cursor* c, uint64_t first, uint32_t n, const uint32_t** out, uint32_t* scratch) noexcept nogil:
    """As read_positions, for n positions of a long record before which others have first; nothing is unpacked."""
    cdef uint32_t i = 0, stop, value = 0
    cdef int b
    out[0] = scratch
    if first + n > c.postings.total:
        return 0
    while True:
        b = <int>(first >> 7)
        stop = min(n - i, 128 - <uint32_t>(first & 127))
        simd.some_sums(
            c.postings.position_data + 16 * <uint64_t>c.postings.position_start[b], c.postings.position_width[b],
            <int>(first & 127), <int>stop, value, scratch + i
        )
        i += stop
        if i == n:
            return n
        value = scratch[i - 1]
        first += stop


cdef void prefetch_positions(const Cursor* c, uint64_t first) noexcept nogil:
    """Fetch what positions_at reads first, but for the place of its block."""
    cdef uint64_t b = first >> 7
    cdef const uint8_t* p
    if first < c.postings.total:
        p = c.postings.position_data + 16 * <uint64_t>c.postings.position_start[b]
        p += ((first & 127) >> 4) * 4 * c.postings.position_width[b] // 32 * 16
        simd.prefetch(p)
        simd.prefetch(p + 32)
