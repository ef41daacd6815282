"""Reading the postings of one term: a view of its record, and a cursor that unpacks it block by block.

A Postings is filled by open_postings and points into the mapped file. A Cursor owns room for one unpacked block (or, for a
short record, for all of it, as its only block). Block numbers run from 0 to n_blocks - 1; the cursor never goes beyond the
sizes that open_postings has checked.
"""

from lanner.ext cimport simd
from lanner.ext.codec.postings cimport LONG_SHIFT, LongHeader, SINGLE_SHIFT
from lanner.ext.types cimport doc_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef struct Postings:
    uint32_t df
    int n_blocks  # blocks of 128, the rest included; 1 for short records
    int n_full  # full blocks of 128; 0 for short records
    int n_windows  # entries of window_max, or 0
    bint with_freqs
    bint with_positions
    uint64_t total  # positions in all; long records only
    uint32_t data_length  # long records
    uint8_t freq_width_short  # short records: widths of their tight run
    uint8_t gap_width_short
    uint8_t position_width_short
    const uint32_t* last  # long records
    const uint32_t* start
    const uint32_t* before
    const uint8_t* doc_width
    const uint8_t* freq_width
    const uint8_t* block_max  # short records: their one bound
    const uint8_t* window_max
    const uint8_t* data  # short records: the packed gaps
    const uint8_t* end  # end of the record's section
    float max_impact
    const float* seeds  # long records
    const uint8_t* bitmap  # portable Roaring bitmap, or NULL
    uint32_t bitmap_length
    doc_t single_doc  # when df is 1 and the entry holds it all
    uint32_t single_position
    bint single
    const uint32_t* position_start  # long records
    const uint8_t* position_width
    const uint8_t* position_data

cdef enum:
    SPARE = 32  # numbers that the scratch of read_positions must have room for beyond those asked for

cdef struct Cursor:
    Postings postings
    const uint8_t* norms  # NULL: every length counts as 1
    const float* inverse  # 256 entries, see norms.pxd; NULL: the score is always weight
    float weight
    float slack  # factor that makes stored impacts upper bounds under these statistics
    int block  # the block that seek found last
    int loaded  # block in docs, or -1
    int loaded_freqs
    int scored
    int place  # where in the block the last probe ended
    doc_t* docs  # of the loaded block, and 16 greatest values after them
    uint32_t* gaps  # freq - 1
    float* scores
    uint32_t* starts  # where each document of all_block begins in all_positions; phrases only
    void* memory
    uint32_t* all_positions  # of all_block: each plus position_base of its document
    uint64_t all_room  # numbers; 128 more than are used
    int all_block  # block in all_positions, or -1

cdef int open_postings(
    const uint8_t* blob, Py_ssize_t blob_length, const uint8_t* positions, Py_ssize_t positions_length,
    const uint8_t* bitmaps, Py_ssize_t bitmaps_length, uint64_t entry, bint with_freqs, bint with_positions,
    Postings* out) noexcept nogil
cdef int open_cursor(Cursor* c, const Postings* postings, bint for_positions) noexcept nogil
cdef Py_ssize_t cursor_room(const Postings* postings, bint for_positions) noexcept nogil
cdef void place_cursor(Cursor* c, const Postings* postings, bint for_positions, uint8_t* memory) noexcept nogil
cdef void close_cursor(Cursor* c) noexcept nogil
cdef void load_docs(Cursor* c, int block) noexcept nogil
cdef void load_freqs(Cursor* c, int block) noexcept nogil
cdef void load_scores(Cursor* c, int block) noexcept nogil
cdef void score_many(const Cursor* c, const doc_t* docs, const uint32_t* gaps, int n, float* out) noexcept nogil
cdef bint seek(Cursor* c, doc_t target) noexcept nogil
cdef int find(Cursor* c, doc_t target) noexcept nogil
cdef int load_positions(Cursor* c, int block) noexcept nogil
cdef uint32_t positions_from(Cursor* c, int block, uint64_t first, uint32_t n, const uint32_t** out, uint32_t* scratch) noexcept nogil
cdef uint32_t positions_at(Cursor* c, uint64_t first, uint32_t n, const uint32_t** out, uint32_t* scratch) noexcept nogil
cdef void prefetch_positions(const Cursor* c, uint64_t first) noexcept nogil
cdef int read_all(const Postings* postings, doc_t base, doc_t* docs, uint32_t* rest) noexcept nogil
cdef int read_all_positions(const Postings* postings, uint64_t total, uint32_t* gaps) noexcept nogil
cdef uint32_t read_positions(Cursor* c, int block, int index, const uint32_t** out, uint32_t* scratch, uint32_t room) noexcept nogil

cdef inline uint64_t record_offset(uint64_t entry) noexcept nogil:
    """Where the record of an entry begins; beyond any section if the entry holds it all."""
    return <uint64_t>-1 if entry >> SINGLE_SHIFT else entry & ((<uint64_t>1 << LONG_SHIFT) - 1)

cdef inline uint32_t gap_at(Cursor* c, int index) noexcept nogil:
    """freq - 1 of a posting of block c.block, whose documents are loaded."""
    if c.loaded_freqs == c.block:
        return c.gaps[index]
    return simd.extract(
        c.postings.data + c.postings.start[c.block] + 16 * c.postings.doc_width[c.block], c.postings.freq_width[c.block], index
    )

cdef inline uint32_t position_base(const Cursor* c, int index) noexcept nogil:
    """What to take from the positions of a document of all_block, which are sums that run on from document to document."""
    return c.all_positions[c.starts[index] - 1] if c.starts[index] else 0

cdef inline int block_count(const Cursor* c, int block) noexcept nogil:
    """Postings in a block."""
    if block < c.postings.n_full:
        return 128
    return <int>(c.postings.df - 128 * <uint32_t>c.postings.n_full)

cdef inline doc_t block_last(Cursor* c, int block) noexcept nogil:
    """Last document of a block."""
    if block < c.postings.n_full:
        return c.postings.last[block]
    load_docs(c, block)
    return c.docs[block_count(c, block) - 1]

cdef inline doc_t block_base(const Cursor* c, int block) noexcept nogil:
    """Lower bound of the documents of a block."""
    return c.postings.last[block - 1] + 1 if block else 0

cdef inline float score_one(const Cursor* c, doc_t doc, uint32_t gap) noexcept nogil:
    """The score of a posting; gap is freq - 1."""
    cdef float inverse
    if c.inverse == NULL:
        return c.weight
    inverse = c.inverse[c.norms[doc] if c.norms != NULL else 1]
    return c.weight - c.weight / (<float>1 + (<float>gap + <float>1) * inverse)

cdef inline float block_bound(Cursor* c, int block) noexcept nogil:
    """Upper bound of the scores in a block."""
    cdef float bound
    if c.inverse == NULL:
        return c.weight
    if c.postings.single:
        load_scores(c, 0)
        return c.scores[0]
    bound = c.weight * c.slack * <float>c.postings.block_max[block] * <float>(1.0 / 255)
    return bound if bound < c.weight else c.weight

cdef inline int run_end(const Cursor* c, const doc_t* docs, int j, int n) noexcept nogil:
    """The end of the run, from document j of n ascending ones on, that block c.block decides; seek(docs[j]) came before."""
    cdef int stop = j + 1
    cdef doc_t last
    if c.block >= c.postings.n_full:
        return n
    last = c.postings.last[c.block]
    if docs[n - 1] <= last:
        return n
    while stop + 8 < n and docs[stop + 7] <= last:
        stop += 8
    while stop < n and docs[stop] <= last:
        stop += 1
    return stop
