"""From nested rows to the rows around them.

The nested objects of a document are rows of their own directly before it (children before parents, see write_buffer.pyx), so the
row that a child belongs to is the next one of the wanted kind: a set bit to look for. Source: Lucene's ToParentBlockJoinQuery.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport INFINITY
from libc.string cimport memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.postings_reader cimport Cursor, Postings, block_count, close_cursor, load_docs, open_cursor
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint64_t

from lanner.ext.errors import CorruptIndexError

MODES = {"none": 0, "avg": 1, "max": 2, "min": 3, "sum": 4}
cdef enum:
    NONE = 0
    AVERAGE = 1
    MAX = 2
    MIN = 3
    SUM = 4


cdef class RowSet:
    """Some rows of a segment."""

    def __cinit__(self, doc_t max_doc):
        self.words = <uint64_t*>PyMem_Calloc((<Py_ssize_t>max_doc + WINDOW_SIZE - 1) // WINDOW_SIZE * WINDOW_WORDS + 1, 8)
        if self.words == NULL:
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.words)


cdef RowSet rows_of(SegmentReader segment, bytes path):
    cdef RowSet rows
    key = b"" if path is None else path
    found = segment.row_sets.get(key)
    if found is None:
        rows = RowSet(segment.max_doc)
        if path is None:
            take_documents(segment, rows)
        else:
            take_postings(segment, path, rows)
        rows.size = simd.popcount(rows.words, (<Py_ssize_t>segment.max_doc + 63) // 64)
        found = segment.row_sets[key] = rows
    return <RowSet>found


cdef int take_documents(SegmentReader segment, RowSet rows) except -1:
    cdef Py_ssize_t n = (<Py_ssize_t>segment.max_doc + 63) // 64
    if segment.documents != NULL:
        memcpy(rows.words, segment.documents, 8 * n)
        return 0
    memset(rows.words, 0xFF, 8 * n)
    if segment.max_doc & 63:
        rows.words[n - 1] = (<uint64_t>1 << (segment.max_doc & 63)) - 1
    return 0


cdef int take_postings(SegmentReader segment, bytes path, RowSet rows) except -1:
    cdef FieldReader field = segment.field("_nested_path")
    cdef Postings postings
    cdef Cursor cursor
    cdef doc_t doc
    cdef int block, i
    cdef int64_t ord = -1
    if field is not None:
        ord = field.terms.find(path, len(path))
    if ord < 0:
        return 0
    if field.open(<unsigned int>ord, &postings) < 0:
        raise CorruptIndexError(f"postings of _nested_path in segment [{segment.name}] are damaged")
    if postings.single:
        if postings.single_doc < segment.max_doc:
            rows.words[postings.single_doc >> 6] |= <uint64_t>1 << (postings.single_doc & 63)
        return 0
    if open_cursor(&cursor, &postings, False) < 0:
        raise MemoryError()
    for block in range(postings.n_blocks):
        load_docs(&cursor, block)
        for i in range(block_count(&cursor, block)):
            doc = cursor.docs[i]
            if doc < segment.max_doc:
                rows.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
    close_cursor(&cursor)
    return 0


cdef class RowsWeight(SetWeight):
    """The rows of a path; None: the documents. Score 1."""

    cdef bytes path

    def __init__(self, IndexReader reader not None, bytes path):
        self.reader = reader
        self.path = path

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer scorer = empty_set(reader.max_doc)
        memcpy(scorer.words, rows_of(reader, self.path).words, (<Py_ssize_t>reader.max_doc + 63) // 64 * 8)
        return scorer


cdef inline doc_t next_bit(const uint64_t* a, const uint64_t* b, doc_t doc, doc_t end) noexcept nogil:
    """The first row from doc on that is in a or b; end if there is none before it."""
    cdef doc_t w = doc >> 6, n = (end + 63) >> 6
    cdef uint64_t word
    if doc >= end:
        return end
    word = (a[w] | b[w]) >> (doc & 63)
    if word:
        return doc + simd.ctz(word)
    w += 1
    while w < n:
        word = a[w] | b[w]
        if word:
            return 64 * w + simd.ctz(word)
        w += 1
    return end


cdef class BlockJoinScorer(Scorer):
    cdef Scorer child
    cdef RowSet children
    cdef RowSet parents
    cdef RowSet documents  # none of whose blocks is left
    cdef int mode
    # the window of children that was filled last
    cdef int64_t at
    cdef bint scored
    cdef uint64_t[WINDOW_WORDS] bits
    cdef float[WINDOW_SIZE] cells

    cdef doc_t first_child(self, doc_t row) noexcept nogil:
        """The first row that may belong to a parent at or after a row."""
        cdef const uint64_t* a = self.parents.words
        cdef const uint64_t* b = self.documents.words
        cdef uint64_t word
        while row & 63:
            row -= 1
            if ((a[row >> 6] | b[row >> 6]) >> (row & 63)) & 1:
                return row + 1
        while row:
            word = a[(row >> 6) - 1] | b[(row >> 6) - 1]
            if word:
                return row - simd.clz(word)
            row -= 64
        return 0

    cdef void load(self, doc_t lo, bint scored) noexcept nogil:
        """Fill the window of children that begins at lo."""
        cdef doc_t hi = min(lo + WINDOW_SIZE, self.max_doc)
        cdef int i
        if self.at == lo and (self.scored or not scored):
            return
        memset(self.bits, 0, sizeof(self.bits))
        if scored:
            self.child.fill_dense(lo, hi, self.bits, self.cells)
        else:
            self.child.fill(lo, hi, self.bits, NULL)
        for i in range((hi - lo + 63) >> 6):
            self.bits[i] &= self.children.words[(lo >> 6) + i]
        self.at = lo
        self.scored = scored

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        cdef doc_t child, row
        if target >= self.max_doc:
            return NO_MORE_DOCS
        child = self.child.candidate(self.first_child(target))
        if child == NO_MORE_DOCS:
            return NO_MORE_DOCS
        if child <= target:
            return target
        row = next_bit(self.parents.words, self.parents.words, child, self.max_doc)
        return row if row < self.max_doc else NO_MORE_DOCS

    cdef float bound(self, doc_t lo, doc_t hi) noexcept nogil:
        cdef doc_t window
        cdef float most = 0, here
        if self.mode == NONE or self.mode == SUM:
            return self.max_score
        window = self.first_child(lo) // WINDOW_SIZE * WINDOW_SIZE
        while window < hi:
            here = self.child.bound(window, min(window + WINDOW_SIZE, self.max_doc))
            if here > most:
                most = here
            window += WINDOW_SIZE
        return most

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef bint scored = scores != NULL and self.mode != NONE
        cdef const uint64_t* parents = self.parents.words
        cdef doc_t start = self.first_child(lo), window, child, parent = 0
        cdef bint found = False  # whether parent has a matching child
        cdef uint64_t word
        cdef float score = 0
        cdef double total = 0
        cdef int n = 0, w
        window = start // WINDOW_SIZE * WINDOW_SIZE
        while window < hi:
            self.load(window, scored)
            for w in range(WINDOW_WORDS):
                word = self.bits[w]
                while word:
                    child = window + 64 * w + simd.ctz(word)
                    word &= word - 1
                    if child < start:
                        continue
                    if not found or child > parent:
                        if found:
                            self.add(bits, scores, parent - lo, total, n)
                        parent = next_bit(parents, self.documents.words, child + 1, self.max_doc)
                        found = False
                        if parent >= hi:
                            return
                        if not (parents[parent >> 6] >> (parent & 63)) & 1:
                            start = parent + 1  # no parent of that kind in its block
                            continue
                        found = True
                        n = 0
                    if scored:
                        score = self.cells[child - window]
                        if n == 0:
                            total = score
                        elif self.mode == MAX:
                            total = max(total, <double>score)
                        elif self.mode == MIN:
                            total = min(total, <double>score)
                        else:
                            total += score
                    n += 1
            window += WINDOW_SIZE
        if found:
            self.add(bits, scores, parent - lo, total, n)

    cdef inline void add(self, uint64_t* bits, float* scores, doc_t at, double total, int n) noexcept nogil:
        """Set the bit of a parent and add its score."""
        bits[at >> 6] |= <uint64_t>1 << (at & 63)
        if scores != NULL and self.mode != NONE:
            scores[at] += <float>(total / n if self.mode == AVERAGE else total)


cdef class BlockJoinWeight(Weight):
    """The rows around the nested rows of a path that a child matches.

    around: the path of the rows that are wanted; None: the documents. mode: what their score is made of: "avg", "max", "min" or "sum"
    of the matching children, or "none" for 0.
    """

    cdef Weight child
    cdef bytes path
    cdef bytes around
    cdef int mode

    def __init__(self, Weight child not None, bytes path not None, bytes around, str mode not None):
        if mode not in MODES:
            raise ValueError(f"unknown mode [{mode}]")
        self.child = child
        self.reader = child.reader
        self.path = path
        self.around = around
        self.mode = MODES[mode]
        self.scoring = child.scoring and self.mode != NONE

    cdef Scorer scorer(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef RowSet children
        cdef Scorer child
        cdef BlockJoinScorer scorer
        if reader.documents == NULL:
            return None
        children = rows_of(reader, self.path)
        child = self.child.scorer(segment) if children.size else None
        if child is None:
            return None
        scorer = BlockJoinScorer.__new__(BlockJoinScorer)
        scorer.child = child
        scorer.children = children
        scorer.parents = rows_of(reader, self.around)
        scorer.documents = rows_of(reader, None)
        scorer.mode = self.mode
        scorer.at = -1
        scorer.max_doc = reader.max_doc
        scorer.cost = min(child.cost, <int64_t>scorer.parents.size)
        if self.mode == NONE:
            scorer.max_score = 0
        elif self.mode == SUM:
            scorer.max_score = child.max_score * <float>children.size * <float>1.00001
        else:
            scorer.max_score = child.max_score * <float>1.00001
        return scorer


def first_row(SegmentReader segment not None, bytes around, doc_t doc) -> int:
    """Return the first of the rows that belong to a row of kind `around` (None: a document)."""
    cdef const uint64_t* kind = rows_of(segment, around).words
    cdef const uint64_t* documents = rows_of(segment, None).words
    if doc >= segment.max_doc:
        raise ValueError(f"no document {doc}")
    while doc and not ((kind[(doc - 1) >> 6] | documents[(doc - 1) >> 6]) >> ((doc - 1) & 63)) & 1:
        doc -= 1
    return doc


def rows_between(SegmentReader segment not None, bytes path, doc_t first, doc_t end) -> list:
    """Return the rows of a path from first to before end."""
    cdef const uint64_t* rows = rows_of(segment, path).words
    cdef doc_t doc
    if end > segment.max_doc:
        raise ValueError(f"no document {end}")
    return [doc for doc in range(first, end) if (rows[doc >> 6] >> (doc & 63)) & 1]
