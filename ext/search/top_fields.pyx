"""The best hits by values of fields.

A segment keeps its best hits in a heap over their keys (sort_keys.pyx); the segments are then merged by the real values.
"""

from functools import cmp_to_key

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.math cimport INFINITY
from libc.string cimport memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.count cimport cheap_total
from lanner.ext.search.limits cimport Limits
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.search.sort_keys cimport (
    DOC,
    MOST_KEYS,
    NUMBER,
    Criterion,
    SortKey,
    bind_criteria,
    comparable,
    compare,
    key_of,
    value_of,
)
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint32_t, uint64_t

from lanner.ext.search.sort_keys import order_of

cdef int64_t GREATEST = 0x7FFFFFFFFFFFFFFF

cdef class TopFields:
    """The best hits, best first. values: per hit one value per key; None where a document has none."""

    cdef readonly int64_t total
    cdef readonly str relation
    cdef readonly list segments
    cdef readonly list docs
    cdef readonly list scores
    cdef readonly list values
    cdef readonly object max_score
    cdef readonly bint terminated_early
    cdef readonly bint timed_out

    def __len__(self):
        return len(self.docs)


cdef struct Queue:
    int64_t* keys  # n_keys per slot
    doc_t* docs
    uint32_t* segments
    float* scores
    int* heap  # slots, the worst on top
    uint32_t segment  # of the documents that come now
    int size
    int capacity
    int n_keys


cdef PyObject* single_number(const Criterion* c) noexcept nogil:
    """The column of a criterion if each document has one number in it, else NULL: the short way to its keys."""
    cdef PyObject* column = c.column
    if c.kind != NUMBER or column == NULL:
        return NULL
    return column if (<ColumnReader>column).starts == NULL and (<ColumnReader>column).present == NULL else NULL


cdef int64_t worst_key(const Queue* q) noexcept nogil:
    """The greatest first key that can still be among the best."""
    return q.keys[q.heap[0] * q.n_keys] if q.capacity and q.size == q.capacity else GREATEST


cdef bint loses(const Queue* q, int a, int b) noexcept nogil:
    """Whether slot a comes after slot b."""
    cdef int order = compare(q.keys + a * q.n_keys, q.keys + b * q.n_keys, q.n_keys)
    if order:
        return order > 0
    if q.segments[a] != q.segments[b]:
        return q.segments[a] > q.segments[b]
    return q.docs[a] > q.docs[b]


cdef void sift_down(Queue* q) noexcept nogil:
    cdef int i = 0, child, slot = q.heap[0]
    while True:
        child = 2 * i + 1
        if child >= q.size:
            break
        if child + 1 < q.size and loses(q, q.heap[child + 1], q.heap[child]):
            child += 1
        if not loses(q, q.heap[child], slot):
            break
        q.heap[i] = q.heap[child]
        i = child
    q.heap[i] = slot


cdef void offer(Queue* q, const int64_t* keys, doc_t doc, float score) noexcept nogil:
    cdef int i, slot
    if q.size < q.capacity:
        slot = q.size
        i = q.size
        q.size += 1
        memcpy(q.keys + slot * q.n_keys, keys, q.n_keys * 8)
        q.docs[slot] = doc
        q.segments[slot] = q.segment
        q.scores[slot] = score
        while i and loses(q, slot, q.heap[(i - 1) >> 1]):
            q.heap[i] = q.heap[(i - 1) >> 1]
            i = (i - 1) >> 1
        q.heap[i] = slot
        return
    slot = q.heap[0]
    if compare(keys, q.keys + slot * q.n_keys, q.n_keys) >= 0:
        return  # segments and documents ascend: of equals the one held comes first
    memcpy(q.keys + slot * q.n_keys, keys, q.n_keys * 8)
    q.docs[slot] = doc
    q.segments[slot] = q.segment
    q.scores[slot] = score
    sift_down(q)


cdef bint window_competes(const Queue* q, const Criterion* c, const int64_t* after, doc_t lo) noexcept nogil:
    """Whether the first key of a document of the window can be good enough and is not before after, by its least and greatest value."""
    cdef const int64_t* zone
    cdef int64_t least, greatest
    if q.capacity == 0:
        return False
    if q.size < q.capacity and after == NULL:
        return True
    if c.kind == DOC:
        least = c.base + lo
        greatest = least + WINDOW_SIZE - 1
    elif c.kind == NUMBER and c.column != NULL and (<ColumnReader>c.column).starts == NULL:
        zone = (<ColumnReader>c.column).zones + 2 * (lo // WINDOW_SIZE)
        least, greatest = zone[0], zone[1]
    else:
        return True
    if c.reverse:
        least, greatest = ~greatest, ~least
    if c.kind == NUMBER:
        least, greatest = min(least, c.missing), max(greatest, c.missing)
    if after != NULL and greatest < after[0]:
        return False
    return least <= worst_key(q)


cdef struct Walk:
    int64_t counted
    int64_t track
    int64_t most
    bint exhaustive
    bint scoring
    float least
    float max_score


cdef int collect(
    Scorer scorer, const uint64_t* live, Queue* q, Criterion* criteria, const int64_t* after, Walk* walk, PyObject* limits
) noexcept nogil:
    """Visit the windows of a segment; -1 when time ended it, -2 when enough hits were seen."""
    cdef uint64_t[WINDOW_WORDS] bits
    cdef float[WINDOW_SIZE] scores
    cdef int64_t[MOST_KEYS] keys
    cdef uint64_t word
    cdef doc_t lo, hi, doc
    cdef int w, k
    cdef int64_t worst  # of the first keys that still matter
    cdef int64_t flip = -1 if criteria.reverse else 0  # all bits turned around, as key_of does
    cdef PyObject* column = single_number(criteria)
    lo = scorer.candidate(0)
    while lo != NO_MORE_DOCS:
        lo = lo // WINDOW_SIZE * WINDOW_SIZE
        hi = min(lo + WINDOW_SIZE, scorer.max_doc)
        if limits != NULL and (<Limits>limits).reached():
            return -1
        if walk.exhaustive and walk.counted > walk.track and walk.most == 0:
            walk.exhaustive = False
        if not walk.exhaustive and not window_competes(q, criteria, after, lo):
            lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
            continue
        memset(bits, 0, sizeof(bits))
        if walk.scoring:
            memset(scores, 0, sizeof(scores))
        scorer.fill(lo, hi, bits, scores if walk.scoring else NULL)
        worst = worst_key(q)
        for w in range(WINDOW_WORDS):
            word = bits[w]
            if live != NULL and word:
                word &= live[(lo >> 6) + w]
            while word:
                doc = 64 * w + simd.ctz(word)
                word &= word - 1
                if walk.scoring:
                    if scores[doc] < walk.least:
                        continue
                    if scores[doc] > walk.max_score:
                        walk.max_score = scores[doc]
                walk.counted += 1
                if q.capacity:
                    if column != NULL:
                        keys[0] = (<ColumnReader>column).cell(lo + doc) ^ flip
                    else:
                        keys[0] = key_of(&criteria[0], lo + doc, scores[doc] if walk.scoring else 0)
                    if keys[0] <= worst:
                        for k in range(1, q.n_keys):
                            keys[k] = key_of(&criteria[k], lo + doc, scores[doc] if walk.scoring else 0)
                        if after == NULL or compare(keys, after, q.n_keys) > 0:
                            offer(q, keys, lo + doc, scores[doc] if walk.scoring else 0)
                            worst = worst_key(q)
                if walk.most and walk.counted >= walk.most:
                    return -2
        lo = scorer.candidate(hi) if hi < scorer.max_doc else NO_MORE_DOCS
    return 0


cdef int take_hits(Queue* q, list keys, Criterion* criteria, list fields, list found) except -1:
    """Append the hits of the queue: (keys as they compare, segment, doc, values, segment, doc, score)."""
    cdef int j, k, slot
    for j in range(q.size):
        slot = q.heap[j]
        found.append((
            [q.keys[slot * q.n_keys + k] for k in range(q.n_keys)], q.segments[slot], q.docs[slot],
            [value_of(keys[k], &criteria[k], fields[k], q.keys[slot * q.n_keys + k]) for k in range(q.n_keys)],
            q.segments[slot], q.docs[slot], q.scores[slot]
        ))
    return 0


def search_sorted(
    IndexReader reader not None, Weight weight not None, int k, keys, *, int64_t track=10000, after=None, bint track_scores=False,
    min_score=None, int64_t terminate_after=0, Limits limits=None
) -> TopFields:
    """Return the k first hits in the order of the keys, ties in order of segment and document.

    after: the values of the last hit of the page before. The other arguments are those of search_top.
    """
    cdef TopFields top = TopFields.__new__(TopFields)
    cdef Queue q
    cdef Walk walk
    cdef Criterion[MOST_KEYS] criteria
    cdef int64_t[MOST_KEYS] mark
    cdef SegmentReader segment
    cdef Scorer scorer
    cdef SortKey key
    cdef int i, j, n = len(reader.segments), n_keys, ended = 0
    cdef int64_t known = 0, base = 0
    cdef bint with_after = after is not None
    cdef PyObject* stop = <PyObject*>limits if limits is not None else NULL
    keys = list(keys)
    n_keys = len(keys)
    if k < 0 or not 0 < n_keys <= MOST_KEYS or (with_after and len(after) != n_keys):
        raise ValueError("a sort needs 1 to 64 keys, and as many values to go on after")
    walk.counted = 0
    walk.track = track
    walk.most = terminate_after
    walk.least = -INFINITY if min_score is None else min_score
    walk.max_score = -INFINITY
    walk.scoring = track_scores or min_score is not None or any([(<SortKey>key).kind == "score" for key in keys])
    walk.exhaustive = True
    if min_score is None and terminate_after == 0 and not track_scores:
        walk.exhaustive = False
        if track > 0:
            known = cheap_total(reader, weight, track)
            walk.exhaustive = known < 0
    else:
        known = -1
    if track_scores:
        walk.track = GREATEST  # the best score is wanted as well
    q.capacity = min(k, reader.max_doc)
    q.n_keys = n_keys
    q.keys = <int64_t*>PyMem_Malloc((q.capacity + 1) * n_keys * 8)
    q.docs = <doc_t*>PyMem_Malloc((q.capacity + 1) * 16)
    q.size = 0
    found = []
    # ranks of terms mean something in their segment only; all other keys compare across segments
    shared = all([(<SortKey>key).kind != "term" for key in keys])
    try:
        if q.keys == NULL or q.docs == NULL:
            raise MemoryError()
        q.segments = <uint32_t*>(q.docs + q.capacity + 1)
        q.scores = <float*>(q.segments + q.capacity + 1)
        q.heap = <int*>(q.scores + q.capacity + 1)
        for i in range(n):
            segment = <SegmentReader>reader.segments[i]
            scorer = weight.scorer(i)
            if scorer is not None and (q.capacity or walk.exhaustive):
                q.segment = i
                fields = bind_criteria(<list>keys, segment, i, base, criteria)
                if with_after:
                    for j in range(n_keys):
                        mark[j] = comparable(<SortKey>keys[j], <FieldReader>fields[j], after[j])
                with nogil:
                    ended = collect(scorer, segment.live, &q, criteria, mark if with_after else NULL, &walk, stop)
                if not shared:
                    take_hits(&q, keys, criteria, fields, found)
                    q.size = 0
            base += segment.max_doc
            if ended:
                break
        if q.size:
            take_hits(&q, keys, criteria, [None] * n_keys, found)
    finally:
        PyMem_Free(q.keys)
        PyMem_Free(q.docs)
    if shared:
        found.sort()
    else:
        found.sort(key=cmp_to_key(lambda a, b, order=order_of(keys): order(a[3:], b[3:])))
    del found[k:]
    top.values = [hit[3] for hit in found]
    top.segments = [hit[4] for hit in found]
    top.docs = [hit[5] for hit in found]
    top.scores = [hit[6] for hit in found] if walk.scoring else [None] * len(found)
    top.max_score = walk.max_score if track_scores and walk.max_score > -INFINITY else None
    top.terminated_early = ended == -2
    top.timed_out = limits is not None and limits.timed_out
    top.relation = "eq"
    if track <= 0:
        top.total = -1
    else:
        top.total = known if known >= 0 and not walk.exhaustive else walk.counted
        if top.total > track and not top.terminated_early:
            top.total = track
            top.relation = "gte"
    return top
