"""Postings of a term kept unpacked, for the loops that ask for any of them by its number.

To intersect packed postings most blocks of both terms have to be unpacked, by every query again. Terms of middling frequency are
worth two bytes and a half for each document instead: their lists meet without a block, and a document's frequency stands at the
number of its posting. A segment keeps what its queries asked for, up to a share of its size; the oldest goes first.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport (
    Cursor,
    Postings,
    block_count,
    close_cursor,
    gap_at,
    load_docs,
    load_freqs,
    open_cursor,
)
from lanner.ext.types cimport BLOCK_SIZE, doc_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    PADDING = 64  # postings that may be read beyond the last
    LEAST_ROOM = 1 << 18
    ROOM_PER_DOC = 16  # bytes of cache for each document of a segment


cdef class UnpackedPostings:
    """The postings of one term."""

    def __dealloc__(self):
        PyMem_Free(self.memory)


cdef UnpackedPostings unpack_postings(const Postings* postings, uint32_t max_doc):
    """Unpack all postings; None if the documents do not ascend below max_doc."""
    cdef UnpackedPostings out = UnpackedPostings.__new__(UnpackedPostings)
    cdef uint32_t n_groups = n_groups_of(max_doc), group = 0, at = 0
    cdef Py_ssize_t room = postings.df + PADDING
    cdef Cursor c
    cdef uint32_t* first
    cdef uint16_t* lows
    cdef uint8_t* gaps
    cdef int64_t before = -1
    cdef int block, i, n, flags
    out.size = 4 * (n_groups + 1) + 3 * room
    out.memory = PyMem_Malloc(out.size)
    if out.memory == NULL or open_cursor(&c, postings, False) < 0:
        raise MemoryError()
    first = <uint32_t*>out.memory
    lows = <uint16_t*>(first + n_groups + 1)
    gaps = <uint8_t*>(lows + room)
    out.view.first = first
    out.view.lows = lows
    out.view.gaps = gaps
    out.view.exact = True
    first[0] = 0
    for block in range(postings.n_blocks):
        load_docs(&c, block)
        load_freqs(&c, block)
        n = block_count(&c, block)
        flags = simd.narrow(c.docs, c.gaps, n, lows + at, gaps + at)
        if not flags & simd.ASCEND or <int64_t>c.docs[0] <= before or c.docs[n - 1] >= max_doc:
            close_cursor(&c)
            return None
        out.view.exact &= flags & simd.SMALL != 0
        before = c.docs[n - 1]
        i = 0
        while group < before >> GROUP_SHIFT:
            while c.docs[i] >> GROUP_SHIFT <= group:
                i += 1
            group += 1
            first[group] = at + i
        at += n
    close_cursor(&c)
    while group < n_groups:
        group += 1
        first[group] = at
    memset(lows + at, 0, 2 * PADDING)
    memset(gaps + at, 0, PADDING)
    return out


cdef class UnpackedCache:
    """What a segment keeps unpacked."""

    def __cinit__(self, uint32_t max_doc):
        self.held = {}
        self.most = LEAST_ROOM + ROOM_PER_DOC * <int64_t>max_doc

    def __len__(self):
        return len(self.held)

    cdef UnpackedPostings get(self, uint64_t key, const Postings* postings, uint32_t max_doc):
        """The postings of a term, unpacked now if they are not held; None if they are damaged."""
        cdef UnpackedPostings oldest
        found = self.held.get(key)
        if found is None:
            found = unpack_postings(postings, max_doc)
            if found is None:
                return None
            self.held[key] = found
            self.size += (<UnpackedPostings>found).size
            while self.size > self.most:
                oldest = self.held.pop(next(iter(self.held)))
                self.size -= oldest.size
        return <UnpackedPostings>found


cdef void point_at(Cursor* c, uint32_t at, int* index) noexcept nogil:
    """Set c.block to the block of a posting, index to its number there."""
    c.block = <int>(at // BLOCK_SIZE) if c.postings.n_full else 0
    index[0] = <int>(at - <uint32_t>BLOCK_SIZE * <uint32_t>c.block)


cdef uint32_t unpacked_gap(const Unpacked* view, Cursor* c, uint32_t at) noexcept nogil:
    """freq - 1 of a posting that a byte may not hold."""
    cdef int index
    if view.gaps[at] < MOST_GAP:
        return view.gaps[at]
    point_at(c, at, &index)
    load_docs(c, c.block)
    return gap_at(c, index)
