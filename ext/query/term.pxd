"""Documents that hold a term; see term.pyx. Other ways of matching open their cursors through TermWeight."""

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport Cursor, Postings
from lanner.ext.codec.unpacked_postings cimport Unpacked, UnpackedPostings
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.query.similarity cimport FieldStatistics
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.top_heap cimport TopHeap
from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint32_t, uint64_t

cdef struct TermState:
    bint found
    uint32_t ord
    Postings postings

cdef class TermWeight(Weight):
    cdef tuple parts  # of the field, per segment
    cdef readonly str field
    cdef readonly bytes term
    cdef FieldStatistics statistics
    cdef TermState* states  # per segment
    cdef list kept  # what unpacked gave
    cdef int n_segments
    cdef readonly int64_t doc_freq
    cdef readonly float weight

    cdef uint64_t key(self, int segment) noexcept
    cdef Unpacked* unpacked(self, int segment) except NULL
    cdef UnpackedPostings unpack(self, int segment)
    cdef int open_cursor(self, int segment, Cursor* out, bint for_positions, uint8_t* memory=*) except -1

cdef int allocate_states(TermWeight weight, IndexReader reader, str field) except -1

cdef class TermScorer(Scorer):
    cdef Cursor cursor
    cdef TermWeight weight

cdef void fill_cursor(Cursor* c, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil
cdef void probe_cursor(Cursor* c, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil
cdef void add_cursor(Cursor* c, const doc_t* docs, float* scores, int m, float rest, float threshold) noexcept nogil
cdef float cursor_bound(Cursor* c, doc_t lo, doc_t hi) noexcept nogil
cdef void seed_from(TermWeight weight, TopHeap* heap)

cdef inline int first_at_least(const doc_t* docs, int n, doc_t target) noexcept nogil:
    """Index of the first of n ascending documents that is not less than target, or n."""
    if n == 0 or docs[0] >= target:
        return 0
    if docs[n - 1] < target:
        return n
    return simd.below(docs, n, target)

cdef inline bint all_below(const float* scores, int first, int stop, float need) noexcept nogil:
    """Whether none of the scores from first to stop reaches need."""
    while first < stop and scores[first] < need:
        first += 1
    return first == stop

cdef inline float term_bound(Cursor* c) noexcept nogil:
    """Upper bound of all scores."""
    if c.inverse == NULL:
        return c.weight
    return min(c.weight, c.weight * c.slack * c.postings.max_impact)

cdef inline float unit_bound(const Cursor* c) noexcept nogil:
    """What one 255th of a stored impact is worth."""
    return c.weight * c.slack * <float>(1.0 / 255)
