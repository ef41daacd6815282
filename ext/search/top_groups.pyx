"""The best hit of each group, and of these the best groups: hits that share the value of a column are one group.

A segment keeps its best groups in a heap with the worst on top, and finds the group of a document by hash. The best groups of all are
among those of the segments, because whatever is better in one segment is better altogether. Source: Lucene's grouping collectors.
"""

from functools import cmp_to_key

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.math cimport INFINITY
from libc.string cimport memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.limits cimport Limits
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.sort_keys cimport MOST_KEYS, Criterion, bind_criteria, compare, key_of, value_of
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint32_t, uint64_t

from lanner.ext.search.sort_keys import order_of

class SeveralValuesError(ValueError):
    """A document has more than one value of the column that makes groups; its number is the argument."""


cdef class TopGroups:
    """The best hit of each of the best groups, best first. groups: the value of each, as the column has it; None for none."""

    cdef readonly int64_t total
    cdef readonly str relation
    cdef readonly list segments
    cdef readonly list docs
    cdef readonly list scores
    cdef readonly list values
    cdef readonly list groups
    cdef readonly object max_score
    cdef readonly bint terminated_early
    cdef readonly bint timed_out

    def __len__(self):
        return len(self.docs)


cdef struct Slot:
    int64_t group
    bint empty  # the group of documents without a value
    doc_t doc
    float score
    int place  # in the heap


cdef struct Groups:
    int64_t* keys  # n_keys per slot
    Slot* slots
    int* heap  # slots, the worst on top
    int* table  # slot + 1 by hash of the group
    uint32_t mask
    int size
    int capacity
    int n_keys


cdef uint32_t bucket(const Groups* g, int64_t group, bint empty) noexcept nogil:
    cdef uint64_t h = (<uint64_t>group + empty) * <uint64_t>0x9E3779B97F4A7C15
    return <uint32_t>(h >> 32) & g.mask


cdef int find(const Groups* g, int64_t group, bint empty) noexcept nogil:
    """The slot of a group, or -1."""
    cdef uint32_t at = bucket(g, group, empty)
    cdef Slot* slot
    while g.table[at]:
        slot = g.slots + g.table[at] - 1
        if slot.group == group and slot.empty == empty:
            return g.table[at] - 1
        at = (at + 1) & g.mask
    return -1


cdef void enter(Groups* g, int slot) noexcept nogil:
    cdef uint32_t at = bucket(g, g.slots[slot].group, g.slots[slot].empty)
    while g.table[at]:
        at = (at + 1) & g.mask
    g.table[at] = slot + 1


cdef void remove(Groups* g, int slot) noexcept nogil:
    """Take a group out of the table; those behind it move up."""
    cdef uint32_t at = bucket(g, g.slots[slot].group, g.slots[slot].empty), hole, home
    while g.table[at] != slot + 1:
        at = (at + 1) & g.mask
    hole = at
    while True:
        at = (at + 1) & g.mask
        if g.table[at] == 0:
            break
        home = bucket(g, g.slots[g.table[at] - 1].group, g.slots[g.table[at] - 1].empty)
        if ((at - home) & g.mask) >= ((at - hole) & g.mask):
            g.table[hole] = g.table[at]
            hole = at
    g.table[hole] = 0


cdef bint loses(const Groups* g, int a, int b) noexcept nogil:
    """Whether slot a comes after slot b."""
    cdef int order = compare(g.keys + a * g.n_keys, g.keys + b * g.n_keys, g.n_keys)
    return order > 0 if order else g.slots[a].doc > g.slots[b].doc


cdef void put(Groups* g, int place, int slot) noexcept nogil:
    g.heap[place] = slot
    g.slots[slot].place = place


cdef void sift_down(Groups* g, int place) noexcept nogil:
    cdef int child, slot = g.heap[place]
    while True:
        child = 2 * place + 1
        if child >= g.size:
            break
        if child + 1 < g.size and loses(g, g.heap[child + 1], g.heap[child]):
            child += 1
        if not loses(g, g.heap[child], slot):
            break
        put(g, place, g.heap[child])
        place = child
    put(g, place, slot)


cdef void sift_up(Groups* g, int place) noexcept nogil:
    cdef int slot = g.heap[place]
    while place and loses(g, slot, g.heap[(place - 1) >> 1]):
        put(g, place, g.heap[(place - 1) >> 1])
        place = (place - 1) >> 1
    put(g, place, slot)


cdef void set_hit(Groups* g, int slot, const int64_t* keys, doc_t doc, float score) noexcept nogil:
    memcpy(g.keys + slot * g.n_keys, keys, g.n_keys * 8)
    g.slots[slot].doc = doc
    g.slots[slot].score = score


cdef void offer(Groups* g, int64_t group, bint empty, const int64_t* keys, doc_t doc, float score) noexcept nogil:
    """Take a hit if it is the best of its group and the group among the best; documents come ascending."""
    cdef int slot
    if g.capacity == 0:
        return
    slot = find(g, group, empty)
    if slot >= 0:
        if compare(keys, g.keys + slot * g.n_keys, g.n_keys) < 0:
            set_hit(g, slot, keys, doc, score)
            sift_down(g, g.slots[slot].place)
        return
    if g.size < g.capacity:
        slot = g.size
        g.size += 1
        put(g, slot, slot)
    else:
        slot = g.heap[0]
        if compare(keys, g.keys + slot * g.n_keys, g.n_keys) >= 0:
            return
        remove(g, slot)
    g.slots[slot].group = group
    g.slots[slot].empty = empty
    set_hit(g, slot, keys, doc, score)
    enter(g, slot)
    sift_up(g, g.slots[slot].place)
    sift_down(g, g.slots[slot].place)


cdef struct Walk:
    int64_t counted
    int64_t most
    bint scoring
    float least
    float max_score
    doc_t several  # the document that has more than one value


cdef int collect(
    Scorer scorer, const uint64_t* live, Groups* g, Criterion* criteria, PyObject* column, Walk* walk, PyObject* limits
) noexcept nogil:
    """Visit the windows of a segment; -1 when time ended it, -2 when enough hits were seen, -3 for a document with several values."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef float[WINDOW_SIZE] scores
    cdef int64_t[MOST_KEYS] keys
    cdef Py_ssize_t first = 0, end = 0
    cdef int64_t group
    cdef uint64_t word
    cdef doc_t lo, hi, doc
    cdef bint empty
    cdef float score = 0
    cdef int w, k
    lo = scorer.candidate(0)
    while lo != NO_MORE_DOCS:
        lo = lo // WINDOW_SIZE * WINDOW_SIZE
        hi = min(lo + WINDOW_SIZE, scorer.max_doc)
        if limits != NULL and (<Limits>limits).reached():
            return -1
        memset(bits, 0, sizeof(bits))
        if walk.scoring:
            memset(scores, 0, sizeof(scores))
        scorer.fill(lo, hi, bits, scores if walk.scoring else NULL)
        for w in range(WINDOW_WORDS):
            word = bits[w]
            if live != NULL and word:
                word &= live[(lo >> 6) + w]
            while word:
                doc = 64 * w + simd.ctz(word)
                word &= word - 1
                if walk.scoring:
                    score = scores[doc]
                    if score < walk.least:
                        continue
                    if score > walk.max_score:
                        walk.max_score = score
                walk.counted += 1
                empty = column == NULL or not (<ColumnReader>column).bounds(lo + doc, &first, &end)
                if not empty and end - first > 1:
                    walk.several = lo + doc
                    return -3
                group = 0 if empty else (<ColumnReader>column).cell(first)
                for k in range(g.n_keys):
                    keys[k] = key_of(&criteria[k], lo + doc, score)
                offer(g, group, empty, keys, lo + doc, score)
                if walk.most and walk.counted >= walk.most:
                    return -2
        lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
    return 0


cdef int reserve(Groups* g, int capacity, int n_keys) except -1:
    cdef uint32_t size = 16
    while size < 4 * <uint32_t>capacity:
        size *= 2
    memset(g, 0, sizeof(Groups))
    g.mask = size - 1
    g.capacity = capacity
    g.n_keys = n_keys
    g.keys = <int64_t*>PyMem_Malloc((capacity + 1) * n_keys * 8)
    g.slots = <Slot*>PyMem_Malloc((capacity + 1) * sizeof(Slot))
    g.heap = <int*>PyMem_Malloc((capacity + 1) * sizeof(int))
    g.table = <int*>PyMem_Calloc(size, sizeof(int))
    if g.keys == NULL or g.slots == NULL or g.heap == NULL or g.table == NULL:
        release(g)
        raise MemoryError()
    return 0


cdef void release(Groups* g) noexcept:
    PyMem_Free(g.keys)
    PyMem_Free(g.slots)
    PyMem_Free(g.heap)
    PyMem_Free(g.table)


def search_groups(
    IndexReader reader not None, Weight weight not None, int k, keys, str group not None, *, int64_t track=10000, bint track_scores=False,
    min_score=None, int64_t terminate_after=0, Limits limits=None
) -> TopGroups:
    """Return the best hits of the k best groups in the order of the keys, ties in order of segment and document.

    group: the column whose values make groups. The other arguments are those of search_sorted; the total counts hits, not groups.
    Raises SeveralValuesError.
    """
    cdef TopGroups top = TopGroups.__new__(TopGroups)
    cdef Groups g
    cdef Walk walk
    cdef Criterion[MOST_KEYS] criteria
    cdef SegmentReader segment
    cdef FieldReader field
    cdef Scorer scorer
    cdef PyObject* column
    cdef PyObject* stop = <PyObject*>limits if limits is not None else NULL
    cdef int i, j, slot, n, ended = 0
    cdef int64_t base = 0
    cdef list sort = list(keys)
    n = len(sort)
    if k < 0 or not 0 < n <= MOST_KEYS:
        raise ValueError("a sort needs 1 to 64 keys")
    walk.counted = 0
    walk.most = terminate_after
    walk.least = -INFINITY if min_score is None else min_score
    walk.max_score = -INFINITY
    walk.scoring = track_scores or min_score is not None or any([key.kind == "score" for key in sort])
    found = []
    reserve(&g, min(k, reader.max_doc), n)
    try:
        for i in range(len(reader.segments)):
            segment = <SegmentReader>reader.segments[i]
            scorer = weight.scorer(i)
            if scorer is not None:
                field = segment.field(group)
                column = NULL if field is None or field.column is None else <PyObject*>field.column
                fields = bind_criteria(sort, segment, i, base, criteria)
                with nogil:
                    ended = collect(scorer, segment.live, &g, criteria, column, &walk, stop)
                if ended == -3:
                    raise SeveralValuesError(walk.several)
                for j in range(g.size):
                    slot = g.heap[j]
                    found.append((
                        [value_of(sort[m], &criteria[m], fields[m], g.keys[slot * n + m]) for m in range(n)], i, g.slots[slot].doc,
                        g.slots[slot].score, group_value(field, &g.slots[slot])
                    ))
                g.size = 0
                memset(g.table, 0, (<size_t>g.mask + 1) * sizeof(int))
            base += segment.max_doc
            if ended:
                break
    finally:
        release(&g)
    found.sort(key=cmp_to_key(order_of(sort)))
    kept = best_of_groups(found, 4, k)
    top.values = [hit[0] for hit in kept]
    top.segments = [hit[1] for hit in kept]
    top.docs = [hit[2] for hit in kept]
    top.scores = [hit[3] if walk.scoring else None for hit in kept]
    top.groups = [hit[4] for hit in kept]
    top.max_score = walk.max_score if walk.scoring and walk.max_score > -INFINITY else None
    top.terminated_early = ended == -2
    top.timed_out = limits is not None and limits.timed_out
    top.relation = "eq"
    top.total = -1 if track <= 0 else walk.counted
    if top.total > track > 0 and not top.terminated_early:
        top.total = track
        top.relation = "gte"
    return top


cdef object group_value(FieldReader field, const Slot* slot):
    if slot.empty:
        return None
    if field.terms is not None:
        return field.terms.term(<uint32_t>slot.group)
    return slot.group


def best_of_groups(list hits not None, int at, Py_ssize_t k) -> list:
    """Return the first k of sorted hits, leaving out those whose value at a place of the tuple came before."""
    seen = set()
    kept = []
    for hit in hits:
        if len(kept) == k:
            break
        if hit[at] not in seen:
            seen.add(hit[at])
            kept.append(hit)
    return kept
