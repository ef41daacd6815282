"""Another query's matches with scores that functions of the document change.

Every function gives a number to the documents its filter matches; the numbers of a document are joined to one factor, and that is
combined with the score. Source: FunctionScoreQuery of OpenSearch 2.x, whose arithmetic (doubles, then one rounding) is kept.

A function can fail for a document (no value, a negative or impossible score). The first such document is noted in the weight, for
whoever started the search to look at.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport INFINITY, exp, fabs, isnan, log, log10, log1p, pow, sqrt
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.codec.numbers cimport DOUBLES, FLOATS, HALVES, LONGS, Numbers, decode_number
from lanner.ext.codec.postings_reader cimport Postings
from lanner.ext.codec.terms cimport MAX_TERM, TermsCursor
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.distance cimport arc_to
from lanner.ext.types cimport WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint8_t, uint32_t, uint64_t

MISSING = 1
NEGATIVE = 2
INVALID = 3

cdef enum:
    NO_VALUE = 1
    BELOW_ZERO = 2
    NO_SCORE = 3

cdef dict NUMBERS = {"long": LONGS, "double": DOUBLES, "float": FLOATS, "half": HALVES}
cdef dict MODES = {"multiply": 0, "sum": 1, "avg": 2, "first": 3, "max": 4, "min": 5, "replace": 6}
cdef dict MODIFIERS = {
    "none": 0, "log": 1, "log1p": 2, "log2p": 3, "ln": 4, "ln1p": 5, "ln2p": 6, "square": 7, "sqrt": 8, "reciprocal": 9
}
cdef dict CURVES = {"gauss": 0, "exp": 1, "linear": 2}
cdef float UNBOUNDED = 1e30  # large, but not so large that sums become infinite


cdef double modified(int modifier, double x) noexcept nogil:
    if modifier == 1:
        return log10(x)
    if modifier == 2:
        return log10(x + 1)
    if modifier == 3:
        return log10(x + 2)
    if modifier == 4:
        return log(x)
    if modifier == 5:
        return log1p(x)
    if modifier == 6:
        return log(x + 2)
    if modifier == 7:
        return x * x
    if modifier == 8:
        return sqrt(x)
    if modifier == 9:
        return 1.0 / x
    return x


cdef uint32_t mix(uint32_t k) noexcept nogil:
    """The finalizer of MurmurHash3."""
    k = (k ^ (k >> 16)) * <uint32_t>2246822507
    k = (k ^ (k >> 13)) * <uint32_t>3266489909
    return k ^ (k >> 16)


cdef uint32_t murmur(const uint8_t* data, Py_ssize_t length, uint32_t seed) noexcept nogil:
    """MurmurHash3, 32 bits, of bytes. Source: Appleby's smhasher, as Lucene's StringHelper has it."""
    cdef uint32_t h = seed, k
    cdef Py_ssize_t i, whole = length // 4 * 4
    for i in range(0, whole, 4):
        k = <uint32_t>data[i] | <uint32_t>data[i + 1] << 8 | <uint32_t>data[i + 2] << 16 | <uint32_t>data[i + 3] << 24
        k *= <uint32_t>3432918353
        k = k << 15 | k >> 17
        h ^= k * <uint32_t>461845907
        h = h << 13 | h >> 19
        h = h * 5 + <uint32_t>3864292196
    k = 0
    if length & 3:
        for i in range(length - 1, whole - 1, -1):
            k = k << 8 | data[i]
        k *= <uint32_t>3432918353
        k = k << 15 | k >> 17
        h ^= k * <uint32_t>461845907
    return mix(h ^ <uint32_t>length)


cdef class ScoreFunction:
    cdef int random_values(self, object reader, int segment, uint32_t* out) except -1:
        """Hash the first value of every document; those without one get the seed."""
        cdef SegmentReader part = <SegmentReader>reader.segments[segment]
        cdef FieldReader field
        cdef TermsCursor cursor
        cdef Postings postings
        cdef doc_t doc, base = 0
        cdef uint32_t ord, known = 0
        cdef Py_ssize_t first = 0, end = 0, length
        cdef uint8_t[MAX_TERM] term
        cdef char[32] digits
        cdef bint more, numbers
        cdef int i
        for doc in range(part.max_doc):
            out[doc] = self.seed
        if self.field is None:
            for i in range(segment):
                base += (<SegmentReader>reader.segments[i]).max_doc
            for doc in range(part.max_doc):
                out[doc] = mix((base + doc) ^ self.seed)
            return 0
        field = part.field(self.field)
        if field is None:
            return 0
        if field.column is None:  # _id: each term has one document, or a newer one and deleted ones
            if field.terms is None:
                return 0
            cursor = TermsCursor(field.terms)
            more = cursor.seek(0)
            while more:
                known = murmur(cursor.data, cursor.length, self.seed)
                if field.open(cursor.ord, &postings) == 0 and postings.single and postings.single_doc < part.max_doc:
                    out[postings.single_doc] = known
                more = cursor.advance()
            return 0
        numbers = field.terms is None
        for doc in range(part.max_doc):
            if not field.column.bounds(doc, &first, &end):
                continue
            if numbers:
                length = snprintf(digits, 32, "%lld", <long long>field.column.cell(first))
                out[doc] = murmur(<const uint8_t*>digits, length, self.seed)
            else:
                ord = <uint32_t>field.column.cell(first)
                length = field.terms.read(ord, term)
                if length >= 0:
                    out[doc] = murmur(term, length, self.seed)
        return 0


cdef class FunctionScorer(Scorer):
    def __dealloc__(self):
        cdef int i
        for i in range(self.n):
            free(self.table[i].hashes)
        PyMem_Free(self.table)

    cdef bint value(self, Bound* bound, doc_t doc, double* out) noexcept nogil:
        """What a function gives for a document; False, and the fault noted, if it has nothing to give."""
        cdef int mode = (<ScoreFunction>bound.function).mode
        cdef int choice = (<ScoreFunction>bound.function).choice
        cdef Kind kind = (<ScoreFunction>bound.function).kind
        cdef double a = (<ScoreFunction>bound.function).a
        cdef double b = (<ScoreFunction>bound.function).b
        cdef double c = (<ScoreFunction>bound.function).c
        cdef Numbers numbers = (<ScoreFunction>bound.function).numbers
        cdef double x, best = 0, total = 0
        cdef bint on_earth = (<ScoreFunction>bound.function).on_earth
        cdef int64_t near, cell, least = -1
        cdef Py_ssize_t first = 0, end = 0, i
        cdef int number = <int>(bound - self.table)
        cdef bint has
        if kind == CONSTANT:
            out[0] = 1
            return True
        if kind == RANDOM:
            out[0] = <float>(bound.hashes[doc] & 0xFFFFFF) / <float>16777216.0
            return True
        has = bound.column != NULL and (<ColumnReader>bound.column).bounds(doc, &first, &end)
        if kind == FIELD_VALUE:  # a: factor, b: what stands for a missing value
            if has:
                x = decode_number(numbers, (<ColumnReader>bound.column).cell(first))
            elif (<ScoreFunction>bound.function).has_missing:
                x = b
            else:
                self.owner.note(NO_VALUE, self.base + doc, number, 0, 0)
                return False
            out[0] = modified(choice, x * a)
            if out[0] < 0:
                self.owner.note(BELOW_ZERO, self.base + doc, number, out[0], x)
                return False
            return True
        if kind == NEARNESS and on_earth:  # a: pivot, c and d: origin
            for i in range(first, end if has else first):
                x = arc_to(c, (<ScoreFunction>bound.function).d, (<ColumnReader>bound.column).cell(i))
                if i == first or x < best:
                    best = x
            out[0] = a / (a + best)
            return True
        if kind == NEARNESS:  # a: pivot; c: origin, exact as an integer in the seeds
            for i in range(first, end if has else first):
                cell = (<ColumnReader>bound.column).cell(i)
                near = cell - <int64_t>c if cell >= <int64_t>c else <int64_t>c - cell
                if least < 0 or near < least:
                    least = near
            out[0] = a / (a + <double>least)
            return True
        # DECAY. a (on the earth a and d): origin, b: scale as the curve wants it, c: offset
        for i in range(first, end if has else first):
            cell = (<ColumnReader>bound.column).cell(i)
            x = (arc_to(a, (<ScoreFunction>bound.function).d, cell) if on_earth else fabs(decode_number(numbers, cell) - a)) - c
            if x < 0:
                x = 0
            total += x
            if i == first or (x < best if mode == 0 else x > best):
                best = x
        if mode == 2:
            best = total / <double>(end - first) if has else 0
        elif mode == 3:
            best = total
        if choice == 0:
            out[0] = exp(0.5 * pow(best, 2.0) / b)
        elif choice == 1:
            out[0] = exp(b * best)
        else:
            x = (b - best) / b
            out[0] = x if x > 0 else 0
        return True

    cdef int score(self, doc_t* docs, float* scores, int n) noexcept nogil:
        """Change the scores of n ascending documents of a window; keep those that reach the least score, and return how many."""
        cdef double[WINDOW_SIZE] factors
        cdef double[WINDOW_SIZE] weights
        cdef uint8_t[WINDOW_SIZE] seen
        cdef uint8_t[WINDOW_SIZE] hits
        cdef int i, j, kept = 0
        cdef int mode = self.owner.score_mode, boost_mode = self.owner.boost_mode
        cdef double x = 0, weight, most = self.owner.max_boost
        cdef float result
        memset(seen, 0, n)
        for j in range(n):
            factors[j] = 1
            weights[j] = 0
        for i in range(self.n):
            if self.table[i].filter != NULL:
                memset(hits, 0, n)
                (<Scorer>self.table[i].filter).probe(docs, NULL, hits, n)
            weight = (<ScoreFunction>self.table[i].function).weight
            for j in range(n):
                if (self.table[i].filter != NULL and not hits[j]) or (mode == 3 and seen[j]):
                    continue
                if not self.value(&self.table[i], docs[j], &x):
                    continue
                x *= weight
                if not seen[j]:
                    seen[j] = 1
                    factors[j] = x
                elif mode == 0:
                    factors[j] *= x
                elif mode <= 2:
                    factors[j] += x
                elif mode == 4:
                    factors[j] = max(factors[j], x)
                else:
                    factors[j] = min(factors[j], x)
                weights[j] += weight
        for j in range(n):
            x = factors[j]
            if seen[j] and 1 <= mode <= 2:
                if weights[j] == 0:
                    x = 1
                elif mode == 2:
                    x /= weights[j]
            result = scores[j]
            if self.n:
                x = min(x, most)
                if boost_mode == 0:
                    result = <float>(result * x)
                elif boost_mode == 6:
                    result = <float>x
                elif boost_mode == 1:
                    result = <float>(result + x)
                elif boost_mode == 2:
                    result = <float>((x + result) / 2.0)
                elif boost_mode == 4:
                    result = <float>max(<double>result, x)
                else:
                    result = <float>min(<double>result, x)
                if result < 0 or isnan(result):
                    self.owner.note(NO_SCORE, self.base + docs[j], 0, result, 0)
                    result = 0
            docs[kept] = docs[j]
            scores[kept] = result
            kept += not self.owner.has_min_score or result >= self.owner.min_score
        return kept

    cdef doc_t candidate(self, doc_t target) noexcept nogil:
        return self.child.candidate(target)

    cdef void fill(self, doc_t lo, doc_t hi, uint64_t* bits, float* scores) noexcept nogil:
        cdef uint64_t[WINDOW_WORDS] found
        cdef float[WINDOW_SIZE] cells
        cdef doc_t[WINDOW_SIZE] docs
        cdef float[WINDOW_SIZE] kept
        cdef uint64_t word
        cdef doc_t doc
        cdef int i, n = 0
        if scores == NULL and not self.owner.has_min_score:
            self.child.fill(lo, hi, bits, NULL)
            return
        memset(found, 0, sizeof(found))
        memset(cells, 0, sizeof(cells))
        self.child.fill(lo, hi, found, cells)
        for i in range(WINDOW_WORDS):
            word = found[i]
            while word:
                doc = 64 * i + simd.ctz(word)
                word &= word - 1
                docs[n] = lo + doc
                kept[n] = cells[doc]
                n += 1
        n = self.score(docs, kept, n)
        for i in range(n):
            doc = docs[i] - lo
            bits[doc >> 6] |= <uint64_t>1 << (doc & 63)
            if scores != NULL:
                scores[doc] += kept[i]

    cdef void probe(self, const doc_t* docs, float* scores, uint8_t* hits, int n) noexcept nogil:
        cdef uint8_t[WINDOW_SIZE] mine
        cdef float[WINDOW_SIZE] cells
        cdef doc_t[WINDOW_SIZE] kept
        cdef int i, j = 0, m = 0
        if scores == NULL and not self.owner.has_min_score:
            self.child.probe(docs, NULL, hits, n)
            return
        memset(mine, 0, n)
        for i in range(n):
            cells[i] = 0
        self.child.probe(docs, cells, mine, n)
        for i in range(n):
            if mine[i]:
                kept[m] = docs[i]
                cells[m] = cells[i]
                m += 1
        m = self.score(kept, cells, m)
        for i in range(m):
            while docs[j] != kept[i]:
                j += 1
            hits[j] += 1
            if scores != NULL:
                scores[j] += cells[i]


cdef class FunctionScoreWeight(Weight):
    """The matches of a child. functions: (filter or None, function); raises ValueError for modes that do not exist."""

    def __init__(
        self, Weight child not None, functions, *, str score_mode="multiply", str boost_mode="multiply",
        double max_boost=INFINITY, min_score=None
    ):
        self.child = child
        self.reader = child.reader
        self.scoring = True
        self.functions = list(functions)
        if score_mode not in MODES or boost_mode not in MODES or score_mode == "replace" or boost_mode == "first":
            raise ValueError(f"unknown mode {score_mode} or {boost_mode}")
        self.score_mode = MODES[score_mode]
        self.boost_mode = MODES[boost_mode]
        self.max_boost = max_boost
        self.has_min_score = min_score is not None
        self.min_score = 0 if min_score is None else min_score

    cdef void note(self, int fault, int64_t doc, int function, double value, double source) noexcept nogil:
        if self.fault == 0 or doc < self.faulty_doc:
            self.fault = fault
            self.faulty_doc = doc
            self.faulty_function = function
            self.faulty_value = value
            self.faulty_source = source

    cdef Scorer scorer(self, int segment):
        cdef Scorer child = self.child.scorer(segment)
        cdef FunctionScorer scorer
        cdef Weight filter
        cdef Scorer found
        cdef ScoreFunction function
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field
        cdef int i
        if child is None:
            return None
        scorer = FunctionScorer.__new__(FunctionScorer)
        scorer.child = child
        scorer.owner = self
        scorer.cost = child.cost
        scorer.max_doc = child.max_doc
        scorer.max_score = UNBOUNDED if self.functions else child.max_score
        for i in range(segment):
            scorer.base += (<SegmentReader>self.reader.segments[i]).max_doc
        scorer.table = <Bound*>PyMem_Calloc(len(self.functions) + 1, sizeof(Bound))
        if scorer.table == NULL:
            raise MemoryError()
        scorer.kept = []
        for filter, function in self.functions:
            found = None
            if filter is not None:
                found = filter.scorer(segment)
                if found is None:
                    continue
                scorer.kept.append(found)
                scorer.table[scorer.n].filter = <PyObject*>found
            scorer.table[scorer.n].function = <PyObject*>function
            if function.kind == RANDOM:
                scorer.table[scorer.n].hashes = <uint32_t*>calloc(reader.max_doc + 1, 4)
                if scorer.table[scorer.n].hashes == NULL:
                    raise MemoryError()
            scorer.n += 1
            if function.kind == RANDOM:
                function.random_values(self.reader, segment, scorer.table[scorer.n - 1].hashes)
            elif function.field is not None:
                field = reader.field(function.field)
                if field is not None and field.column is not None:
                    scorer.kept.append(field.column)
                    scorer.table[scorer.n - 1].column = <PyObject*>field.column
        if self.functions and scorer.n == 0:
            # every filter matches nothing here: documents still get the factor of no function
            scorer.table[0].function = <PyObject*>NOTHING
            scorer.n = 1
        return scorer

    cdef object bitmap(self, int segment):
        return None if self.has_min_score else self.child.bitmap(segment)

    cdef int64_t count(self, int segment) except -2:
        return -1 if self.has_min_score else self.child.count(segment)


cdef ScoreFunction made(Kind kind, str field, double weight):
    cdef ScoreFunction function = ScoreFunction.__new__(ScoreFunction)
    function.kind = kind
    function.field = field
    function.weight = weight
    return function


cdef ScoreFunction NOTHING = made(CONSTANT, None, 1)


def constant(double weight) -> ScoreFunction:
    """Return the function that gives the weight to every document."""
    return made(CONSTANT, None, weight)


def field_value(str field, str numbers not None, *, double factor, str modifier not None, missing, double weight=1.0) -> ScoreFunction:
    """Return a function of a number. field: None for none; missing: for documents without one, or None."""
    cdef ScoreFunction function = made(FIELD_VALUE, field, weight)
    function.numbers = NUMBERS[numbers]
    function.choice = MODIFIERS[modifier]
    function.a = factor
    function.has_missing = missing is not None
    function.b = missing or 0
    return function


def decay(
    str field not None, str numbers, *, str curve not None, str mode not None, origin, double scale, double offset,
    double weight=1.0
) -> ScoreFunction:
    """Return a function that falls with the distance of a number from an origin. scale: as the curve wants it.

    numbers: None for places, whose origin is (latitude, longitude) and distance is in metres.
    """
    cdef ScoreFunction function = made(DECAY, field, weight)
    if numbers is None:
        function.on_earth = True
        function.a, function.d = origin
    else:
        function.numbers = NUMBERS[numbers]
        function.a = origin
    function.choice = CURVES[curve]
    function.mode = {"min": 0, "max": 1, "avg": 2, "sum": 3}[mode]
    function.b = scale
    function.c = offset
    return function


def nearness(str field not None, *, origin, double pivot, double weight=1.0) -> ScoreFunction:
    """Return a function that is one at an origin, and one half at the distance of the pivot. origin: as for decay, of whole numbers."""
    cdef ScoreFunction function = made(NEARNESS, field, weight)
    function.a = pivot
    if isinstance(origin, tuple):
        function.on_earth = True
        function.c, function.d = origin
    else:
        function.c = <double><int64_t>origin
    return function


def random(str field, *, uint32_t seed, double weight=1.0) -> ScoreFunction:
    """Return a function with a number in [0, 1) made of the first value of a field, or with None of the document's number."""
    cdef ScoreFunction function = made(RANDOM, field, weight)
    function.seed = seed
    return function
