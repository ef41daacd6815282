"""What hits are sorted by: numbers, terms, scores and distances as whole numbers whose natural order is the wanted one.

Numbers stand for themselves, terms for twice their rank in the segment (the odd numbers between are for values that the segment does
not have), scores for their bits, all turned around for a descending key.
"""

from cpython.ref cimport PyObject
from libc.math cimport floor, ldexp
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.search.distance cimport Distance
from lanner.ext.types cimport doc_t, int64_t, uint32_t, uint64_t

KINDS = {"number": 0, "term": 1, "score": 2, "doc": 3, "distance": 4}
MODES = {"min": 0, "max": 1, "sum": 2, "avg": 3, "median": 4}
cdef enum:
    MIN = 0
    MAX = 1
    SUM = 2
    AVERAGE = 3
    MEDIAN = 4
NUMBERS = {"long": 0, "double": 1, "float": 2, "half_float": 3, "int": 4}
cdef enum:
    LONG = 0
    DOUBLE = 1
    FLOAT = 2
    INT = 4
cdef int64_t GREATEST = 0x7FFFFFFFFFFFFFFF
cdef int64_t LEAST = -GREATEST - 1


cdef class SortKey:
    """One criterion. mode: which of several values counts; missing_value: stands in for no value (int or bytes).

    numbers: what the column holds: "long", "int", or the sortable bits of "double", "float" or "half_float". A sum, average or median
    of longs or ints is one as well (ints wrap around); of the others it has the bits of a double, or of a float for the last two.
    columns: stand in for those of the segments, one for each; None where no document has a value.
    distance: of kind "distance" what measures the points; its values are the sortable bits of doubles.
    """

    def __init__(
        self, str kind not None, str field="", *, bint reverse=False, bint missing_first=False, missing_value=None, str mode=None,
        str numbers="long", Distance distance=None
    ):
        if kind not in KINDS or (mode is not None and mode not in MODES) or numbers not in NUMBERS:
            raise ValueError(f"unknown sort [{kind}], mode [{mode}] or numbers [{numbers}]")
        if (distance is None) != (kind != "distance"):
            raise ValueError("a sort by distance needs what measures it, and no other does")
        self.distance = distance
        self.numbers = numbers
        self.kind = kind
        self.field = field
        self.reverse = reverse
        self.missing_first = missing_first
        self.missing_value = missing_value
        self.mode = mode if mode is not None else ("max" if reverse else "min")


cdef int64_t score_key(float score) noexcept nogil:
    """Bits of a float in its order."""
    cdef int32_t bits
    memcpy(&bits, &score, 4)
    return bits if bits >= 0 else bits ^ 0x7FFFFFFF


cdef int64_t pick(ColumnReader column, Py_ssize_t first, Py_ssize_t end, int mode, int numbers) noexcept nogil:
    """The value that stands for several ascending ones."""
    cdef uint64_t total = 0  # wraps around, as sums of the reference do
    cdef Py_ssize_t i, middle = (first + end) // 2
    if mode == MIN:
        return column.cell(first)
    if mode == MAX:
        return column.cell(end - 1)
    if numbers != LONG and numbers != INT:
        return pick_float(column, first, end, mode, numbers)
    if mode == MEDIAN:
        if (end - first) % 2:
            return column.cell(middle)
        return java_round((<double>column.cell(middle - 1) + <double>column.cell(middle)) / 2)
    for i in range(first, end):
        total += <uint64_t>column.cell(i)
    if mode == SUM or end - first == 1:
        return <int32_t>total if numbers == INT else <int64_t>total
    return java_round(<double><int64_t>total / <double>(end - first))


cdef int64_t pick_float(ColumnReader column, Py_ssize_t first, Py_ssize_t end, int mode, int numbers) noexcept nogil:
    """Sum, average or median of floating-point numbers, computed as doubles; sortable bits of a double or, for the rest, a float."""
    cdef double value = 0
    cdef float narrow
    cdef int64_t bits
    cdef int32_t short_bits
    cdef Py_ssize_t i, middle = (first + end) // 2
    if mode == MEDIAN:
        value = decode(column.cell(middle), numbers)
        if (end - first) % 2 == 0:
            value = (decode(column.cell(middle - 1), numbers) + value) / 2
    else:
        for i in range(first, end):
            value += decode(column.cell(i), numbers)
        if mode == AVERAGE:
            value /= <double>(end - first)
    if numbers == DOUBLE:
        memcpy(&bits, &value, 8)
        return bits if bits >= 0 else bits ^ GREATEST
    narrow = <float>value
    memcpy(&short_bits, &narrow, 4)
    return short_bits if short_bits >= 0 else short_bits ^ 0x7FFFFFFF


cdef double decode(int64_t cell, int numbers) noexcept nogil:
    """The number of sortable bits."""
    cdef double value
    cdef float narrow
    cdef int32_t bits
    cdef int64_t sign
    if numbers == DOUBLE:
        cell = cell if cell >= 0 else cell ^ GREATEST
        memcpy(&value, &cell, 8)
        return value
    if numbers == FLOAT:
        bits = <int32_t>cell
        bits = bits if bits >= 0 else bits ^ 0x7FFFFFFF
        memcpy(&narrow, &bits, 4)
        return narrow
    sign = -1 if cell < 0 else 1
    bits = <int32_t>((cell if cell >= 0 else cell ^ 0x7FFF) & 0x7FFF)
    if bits < 0x400:
        return sign * ldexp(<double>bits, -24)
    return sign * ldexp(<double>(1024 + (bits & 0x3FF)), (bits >> 10) - 25)


cdef int64_t java_round(double value) noexcept nogil:
    """The nearest integer, halves upwards, kept inside a long: Math.round of Java."""
    cdef double whole = floor(value)
    if value - whole >= 0.5:
        whole += 1
    if whole >= <double>GREATEST:
        return GREATEST
    if whole <= <double>LEAST:
        return LEAST
    return <int64_t>whole


cdef int64_t key_of(const Criterion* c, doc_t doc, float score) noexcept nogil:
    cdef Py_ssize_t first = 0, end = 0
    cdef int64_t value
    if c.kind == SCORE:
        value = score_key(score)
    elif c.kind == DOC:
        value = c.base + doc
    else:
        if c.column == NULL or not (<ColumnReader>c.column).bounds(doc, &first, &end):
            return c.missing
        if c.kind == DISTANCE:
            value = (<Distance>c.distance).key(<ColumnReader>c.column, first, end, c.mode)
        else:
            value = pick(<ColumnReader>c.column, first, end, c.mode, c.numbers)
        if c.kind == TERM:
            value *= 2
    return ~value if c.reverse else value


cdef int compare(const int64_t* a, const int64_t* b, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


cdef int64_t comparable(SortKey key, FieldReader field, value) except? -1:
    cdef int64_t found
    if value is None:
        return LEAST if key.missing_first else GREATEST
    if key.kind == "score":
        found = score_key(value)
    elif key.kind == "term":
        if field is None or field.terms is None:
            found = 0
        else:
            found = field.terms.ord(value)
            found = 2 * found if found >= 0 else 2 * <int64_t>field.terms.ceiling_ord(value) - 1
    else:
        found = value
    return ~found if key.reverse else found


cdef list bind_criteria(list keys, SegmentReader segment, int i, int64_t base, Criterion* criteria):
    cdef SortKey key
    cdef FieldReader field
    cdef list fields = []
    cdef int j
    for j in range(len(keys)):
        key = <SortKey?>keys[j]
        field = segment.field(key.field)
        fields.append(field)
        criteria[j].kind = KINDS[key.kind]
        criteria[j].reverse = key.reverse
        criteria[j].mode = MODES[key.mode]
        criteria[j].numbers = NUMBERS[key.numbers]
        criteria[j].base = base
        criteria[j].distance = <PyObject*>key.distance
        criteria[j].column = NULL
        if key.columns is not None:
            criteria[j].column = NULL if key.columns[i] is None else <PyObject*><ColumnReader?>key.columns[i]
        elif field is not None and field.column is not None:
            criteria[j].column = <PyObject*>field.column
        criteria[j].missing = comparable(key, field, key.missing_value)
    return fields


cdef object value_of(SortKey key, const Criterion* c, FieldReader field, int64_t compared):
    cdef int32_t bits
    cdef float score
    cdef int64_t value = ~compared if key.reverse else compared
    if c.kind == SCORE:
        bits = <int32_t>value
        if bits < 0:
            bits ^= 0x7FFFFFFF
        memcpy(&score, &bits, 4)
        return score
    if c.kind == DOC:
        return value
    if compared == c.missing:
        if key.missing_value is not None and (c.kind == NUMBER or value % 2):
            return key.missing_value
        if key.missing_value is None and compared == (LEAST if key.missing_first else GREATEST):
            return None
    if c.kind == TERM:
        return field.terms.term(<uint32_t>(value // 2))
    return value


def order_of(keys):
    """Return a function that compares two hits, (values, segment, doc, ...), by the keys."""
    def order(a, b):
        for key, x, y in zip(keys, a[0], b[0]):
            if x == y:
                continue
            if x is None or y is None:
                return -1 if (x is None) == key.missing_first else 1
            return -1 if (x < y) != key.reverse else 1
        return -1 if a[1:3] < b[1:3] else 1

    return order
