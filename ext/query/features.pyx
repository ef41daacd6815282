"""Documents that have a feature, scored by its value.

A feature is a term: its name, if the column holds several, and the upper half of the bits of its value as a 32-bit float, which is
all that FeatureField of Lucene keeps of a value too. So all documents of a term score alike.
"""

from libc.math cimport log, pow
from libc.string cimport memcmp, memcpy

from lanner.ext.codec.postings_reader cimport Cursor, Postings, block_count, close_cursor, load_docs, open_cursor
from lanner.ext.codec.terms cimport TermsCursor
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scored_set cimport ScoredSet, empty_scores
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport int64_t, uint8_t, uint32_t

from lanner.ext.errors import CorruptIndexError

FUNCTIONS = {"linear": 0, "log": 1, "saturation": 2, "sigmoid": 3}
cdef enum:
    LINEAR = 0
    LOG = 1
    SATURATION = 2
cdef enum:
    VALUE_BYTES = 2


cdef float decode(uint32_t kept) noexcept nogil:
    """The value of the bits that are kept of it."""
    cdef uint32_t bits = kept << 15
    cdef float value
    memcpy(&value, &bits, 4)
    return value


cdef class FeatureWeight(Weight):
    """A feature and a function of its value v. name: what its terms begin with.

    "linear": boost * v. "log": boost * ln(first + v). "saturation": boost * v / (v + first). "sigmoid": boost * v^second /
    (v^second + first^second). Source: FeatureField of Lucene 9, whose roundings these are.
    """

    cdef str field
    cdef bytes name
    cdef int function
    cdef float boost
    cdef float first
    cdef double second
    cdef double power

    def __init__(
        self, IndexReader reader not None, str field not None, bytes name not None, str function not None, *, float boost=1.0,
        float first=1.0, float second=1.0
    ):
        self.reader = reader
        self.scoring = True
        self.field = field
        self.name = name
        self.function = FUNCTIONS[function]
        self.boost = boost
        self.first = first
        self.second = second
        self.power = pow(first, second)

    cdef float score(self, float value) noexcept nogil:
        if self.function == LINEAR:
            return self.boost * value
        if self.function == LOG:
            return <float>(self.boost * log(self.first + value))
        if self.function == SATURATION:
            return self.boost * (<float>1 - self.first / (value + self.first))
        return <float>(self.boost * (1 - self.power / (pow(value, self.second) + self.power)))

    cdef Scorer scorer(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field = reader.field(self.field)
        cdef ScoredSet out
        cdef TermsCursor terms
        cdef Postings postings
        cdef Cursor cursor
        cdef float score
        cdef int block, i
        cdef Py_ssize_t n = len(self.name)
        cdef const uint8_t* name = <const uint8_t*>self.name
        cdef bint found
        if field is None or not field.postings:
            return None
        out = empty_scores(reader.max_doc)
        terms = TermsCursor(field.terms)
        found = terms.seek(field.terms.ceiling(name, n))
        while found and terms.length >= n and memcmp(terms.data, name, n) == 0:
            if terms.length == n + VALUE_BYTES:
                score = self.score(decode(<uint32_t>terms.data[n] << 8 | terms.data[n + 1]))
                if field.open(terms.ord, &postings) < 0:
                    raise CorruptIndexError(f"[idx] postings of term {terms.ord} of [{field.name}] are damaged")
                if postings.single:
                    out.put(postings.single_doc, score)
                    out.cost += 1
                else:
                    if open_cursor(&cursor, &postings, False) < 0:
                        raise MemoryError()
                    for block in range(postings.n_blocks):
                        load_docs(&cursor, block)
                        for i in range(block_count(&cursor, block)):
                            out.put(cursor.docs[i], score)
                        out.cost += block_count(&cursor, block)
                    close_cursor(&cursor)
            found = terms.advance()
        return out if out.cost else None


def mean_value(IndexReader reader not None, str field not None, bytes name not None) -> float:
    """Return the value whose kept bits are the mean of all, deleted ones included; 1 if there is none."""
    cdef SegmentReader segment
    cdef FieldReader column
    cdef TermsCursor terms
    cdef Py_ssize_t n = len(name)
    cdef const uint8_t* prefix = <const uint8_t*>name
    cdef int64_t docs = 0, total = 0, count
    cdef bint found
    for segment in reader.segments:
        column = segment.field(field)
        if column is None or not column.postings:
            continue
        terms = TermsCursor(column.terms)
        found = terms.seek(column.terms.ceiling(prefix, n))
        while found and terms.length >= n and memcmp(terms.data, prefix, n) == 0:
            if terms.length == n + VALUE_BYTES:
                count = column.doc_freq(terms.ord)
                docs += count
                total += count * (<int64_t>terms.data[n] << 8 | terms.data[n + 1])
            found = terms.advance()
    if docs == 0:
        return 1.0
    return decode(<uint32_t><float>(<double>total / <double>docs))
