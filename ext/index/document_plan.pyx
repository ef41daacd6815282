"""From the text of a document straight to column values: the short way through a mapping.

A plan is made of tables, one per object, that say for each name what stands there. A leaf takes the values that its kind
names (see Leaf) by itself; any other value is decoded and given to the leaf's handler, which is Python. What neither can
do, also a document that is wrong, is not done here: walk returns None, and whoever compiled the plan does the whole
document the long way. So a plan never has to say what is wrong with a document.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport PyObject
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from lanner.ext.codec.hashing cimport hash_bytes, same_bytes
from lanner.ext.index.field_values cimport FieldValues
from lanner.ext.index.schema cimport Field
from lanner.ext.json.scan cimport is_json, unescape
from lanner.ext.types cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

import msgspec

cdef extern from "Python.h":
    double PyOS_string_to_double(const char* text, char** end, PyObject* overflow) except? -1.0

# kinds of leaves: which values they take by themselves
HANDLED = 0  # none
STRING = 1  # a string of at most `high` bytes
INTEGER = 2  # an integer from low to high
DOUBLE = 3  # a finite number
FLOAT = 4  # a number inside the range of 32 bits
BOOLEAN = 5  # true and false
DATE = 6  # an integer from low to high, milliseconds; if iso, also 2024-05-17T08:30:00Z, maybe with three digits of a second

cdef enum:
    K_HANDLED = 0
    K_STRING = 1
    K_INTEGER = 2
    K_DOUBLE = 3
    K_FLOAT = 4
    K_BOOLEAN = 5
    K_DATE = 6

cdef enum What:
    LEAVES  # values for leaves
    OBJECT  # an object with a table
    SKIP  # anything, and nothing is kept
    REFUSE  # must not stand here

cdef enum:
    MAX_NESTING = 100  # deeper documents go the long way

cdef object decode_value = msgspec.json.Decoder().decode


cdef class Leaf:
    """One field under a name.

    kind, low, high, iso: what it takes by itself. skips_null: a null leaves it empty. handler: takes a decoded value and
    appends (field, value) pairs to a list. field: of the values, if there is a kind other than HANDLED.
    """

    cdef int kind
    cdef int64_t low
    cdef int64_t high
    cdef bint iso
    cdef bint skips_null
    cdef Field field
    cdef object handler

    def __init__(
        self, Field field, int kind, handler not None, *, int64_t low=0, int64_t high=0, bint iso=False, bint skips_null=False
    ):
        if not 0 <= kind <= 6 or (kind and field is None):
            raise ValueError("a leaf of unknown kind, or without a field")
        self.field = field
        self.kind = kind
        self.handler = handler
        self.low = low
        self.high = high
        self.iso = iso
        self.skips_null = skips_null


cdef struct Entry:
    const uint8_t* name
    uint32_t length
    What what
    Py_ssize_t first  # of the leaves or of the tables
    Py_ssize_t count  # of the leaves


cdef class Table:
    """The names of one object. Of names that it does not have, nulls are skipped; lenient: any value; strict: none.

    entries: name -> list of Leaf, Table, None (skip) or False (refuse). nested: the path of an object whose values make a row of
    their own; in_parent, in_document: whether the row around it and the document get the values as well.
    """

    cdef Entry* entries
    cdef uint32_t* slots  # entry + 1 by hash of the name
    cdef uint64_t mask
    cdef Py_ssize_t size
    cdef list names, leaves, tables
    cdef bint lenient, strict
    cdef bytes nested
    cdef bint in_parent, in_document

    def __cinit__(
        self, dict entries not None, *, bint lenient, bint strict, bytes nested=None, bint in_parent=False, bint in_document=False
    ):
        cdef Entry* entry
        cdef bytes name
        cdef uint64_t slot
        self.lenient = lenient
        self.strict = strict
        self.nested = nested
        self.in_parent = in_parent
        self.in_document = in_document
        self.names = [key.encode("utf-8", "surrogatepass") for key in entries]
        self.leaves = []
        self.tables = []
        self.mask = 15
        while self.mask < 2 * <uint64_t>len(entries):
            self.mask = 2 * self.mask + 1
        self.entries = <Entry*>malloc((len(entries) + 1) * sizeof(Entry))
        self.slots = <uint32_t*>malloc((self.mask + 1) * 4)
        if self.entries == NULL or self.slots == NULL:
            raise MemoryError()
        for slot in range(self.mask + 1):
            self.slots[slot] = 0
        for name, value in zip(self.names, entries.values(), strict=True):
            entry = self.entries + self.size
            entry.name = name
            entry.length = <uint32_t>len(name)
            entry.first = entry.count = 0
            if value is None:
                entry.what = SKIP
            elif value is False:
                entry.what = REFUSE
            elif isinstance(value, Table):
                entry.what = OBJECT
                entry.first = len(self.tables)
                self.tables.append(value)
            else:
                entry.what = LEAVES
                entry.first = len(self.leaves)
                entry.count = len(value)
                self.leaves.extend([<Leaf?>leaf for leaf in value])
            self.size += 1
            slot = hash_bytes(entry.name, entry.length) & self.mask
            while self.slots[slot]:
                slot = (slot + 1) & self.mask
            self.slots[slot] = <uint32_t>self.size

    def __dealloc__(self):
        free(self.entries)
        free(self.slots)

    cdef Entry* find(self, const uint8_t* name, Py_ssize_t n, Py_ssize_t guess) noexcept nogil:
        """The entry of a name or NULL; guess: the one to try first."""
        cdef Entry* entry
        cdef uint64_t slot
        if guess < self.size:
            entry = self.entries + guess
            if entry.length == n and same_bytes(entry.name, name, n):
                return entry
        slot = hash_bytes(name, n) & self.mask
        while self.slots[slot]:
            entry = self.entries + self.slots[slot] - 1
            if entry.length == n and same_bytes(entry.name, name, n):
                return entry
            slot = (slot + 1) & self.mask
        return NULL


cdef inline const uint8_t* skip_space(const uint8_t* p) noexcept nogil:
    while p[0] == c" " or p[0] == c"\n" or p[0] == c"\r" or p[0] == c"\t":
        p += 1
    return p


cdef inline const uint8_t* string_end(const uint8_t* p, const uint8_t* end, bint* escaped) noexcept nogil:
    """The closing quote of a string whose first byte is at p."""
    cdef uint64_t word, quote, slash, found
    cdef uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080
    escaped[0] = False
    while True:
        while p + 8 <= end:
            memcpy(&word, p, 8)
            quote = word ^ (ones * c'"')
            slash = word ^ (ones * c"\\")
            found = (((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & tops
            if found:
                break
            p += 8
        while p[0] != c'"' and p[0] != c"\\":
            p += 1
        if p[0] == c'"':
            return p
        escaped[0] = True
        p += 2


cdef const uint8_t* value_end(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Where the value at p ends."""
    cdef Py_ssize_t depth = 0
    cdef bint escaped
    while True:
        if p[0] == c'"':
            p = string_end(p + 1, end, &escaped) + 1
        elif p[0] == c"{" or p[0] == c"[":
            depth += 1
            p += 1
            continue
        elif p[0] == c"}" or p[0] == c"]":
            depth -= 1
            p += 1
        elif p[0] == c"," or p[0] == c":" or p[0] <= c" ":
            p += 1
            continue
        else:
            while p < end and p[0] != c"," and p[0] != c"}" and p[0] != c"]" and p[0] > c" ":
                p += 1
        if depth == 0:
            return p


cdef inline bint read_digits(const uint8_t* p, int n, int64_t* value) noexcept nogil:
    """Read n digits, all of which must be some."""
    cdef int i
    value[0] = 0
    for i in range(n):
        if <uint8_t>(p[i] - c"0") > 9:
            return False
        value[0] = 10 * value[0] + p[i] - c"0"
    return True


cdef inline bint read_integer(const uint8_t* p, Py_ssize_t n, int64_t* value) noexcept nogil:
    """Read an integer of at most 18 digits."""
    cdef bint negative = p[0] == c"-"
    if n - negative > 18 or not read_digits(p + negative, <int>(n - negative), value):
        return False
    if negative:
        value[0] = -value[0]
    return True


cdef bint read_moment(const uint8_t* p, Py_ssize_t n, int64_t* millis) noexcept nogil:
    """Read 2024-05-17T08:30:00Z or 2024-05-17T08:30:00.000Z if there is such a moment, of the years from 1 to 9999."""
    cdef int64_t year, month, day, hour, minute, second, fraction = 0, length, years, in_year
    if n != 20 and n != 24:
        return False
    if p[4] != c"-" or p[7] != c"-" or p[10] != c"T" or p[13] != c":" or p[16] != c":" or p[n - 1] != c"Z":
        return False
    if not (
        read_digits(p, 4, &year) and read_digits(p + 5, 2, &month) and read_digits(p + 8, 2, &day)
        and read_digits(p + 11, 2, &hour) and read_digits(p + 14, 2, &minute) and read_digits(p + 17, 2, &second)
    ):
        return False
    if n == 24 and (p[19] != c"." or not read_digits(p + 20, 3, &fraction)):
        return False
    if year < 1 or month < 1 or month > 12 or hour > 23 or minute > 59 or second > 59:
        return False
    if month == 2:
        length = 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    else:
        length = 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31
    if day < 1 or day > length:
        return False
    # years begin in March, so that the leap day is the last one
    years = year - (month <= 2)
    in_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    day = 365 * years + years // 4 - years // 100 + years // 400 + in_year - 719468
    millis[0] = (((day * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction
    return True


cdef int take_number(Leaf leaf, const uint8_t* p, FieldValues out) except -1:
    """Add a floating-point number as its sortable bits; whether it was one that needs no check."""
    cdef double value
    cdef float narrow
    cdef int32_t bits32
    cdef int64_t bits
    cdef char* stop = NULL
    value = PyOS_string_to_double(<const char*>p, &stop, NULL)
    if leaf.kind == K_FLOAT:
        if not -3.4e38 < value < 3.4e38:
            return 0
        narrow = <float>value
        memcpy(&bits32, &narrow, 4)
        bits = bits32 if bits32 >= 0 else bits32 ^ 0x7FFFFFFF
    else:
        if not -1.7e308 < value < 1.7e308:
            return 0
        memcpy(&bits, &value, 8)
        if bits < 0:
            bits ^= LLONG_MAX
    out.add(<PyObject*>leaf.field, NULL, 0, bits)
    return 1


cdef extern from "limits.h":
    long long LLONG_MAX


cdef class DocumentPlan:
    """The tables of a mapping. ignored: the field that names malformed values; documents with one go the long way, and so do those
    with more than most_nested nested rows.
    """

    cdef Table root
    cdef Field ignored
    cdef Py_ssize_t most_nested

    def __init__(self, Table root not None, Field ignored not None, Py_ssize_t most_nested=0):
        self.root = root
        self.ignored = ignored
        self.most_nested = most_nested

    def walk(self, bytes source not None):
        """Return the values of a document, or None if it must go the long way."""
        cdef const uint8_t* p = source
        cdef const uint8_t* end = p + len(source)
        cdef FieldValues out
        if not is_json(p, len(source), MAX_NESTING):
            return None
        p = skip_space(p)
        if p[0] != c"{":
            return None
        p += 1
        out = FieldValues()
        out.keep(source)
        out.keep(self)
        return out if self.walk_object(self.root, &p, end, out, 0) else None

    cdef int walk_object(
        self, Table table, const uint8_t** at, const uint8_t* end, FieldValues out, int depth
    ) except -1:
        """Take an object that begins before at, and step over it; 0 if it must go the long way."""
        cdef const uint8_t* p = skip_space(at[0])
        cdef const uint8_t* name
        cdef Entry* entry
        cdef Py_ssize_t guess = 0
        cdef bint escaped
        if depth > MAX_NESTING:
            return 0
        while p[0] != c"}":
            name = p + 1
            p = string_end(name, end, &escaped)
            if escaped:
                return 0
            entry = table.find(name, p - name, guess)
            p = skip_space(skip_space(p + 1) + 1)
            if entry == NULL:
                if table.strict or (p[0] != c"n" and not table.lenient):
                    return 0
                p = value_end(p, end)
            else:
                guess = entry - table.entries + 1
                if self.walk_value(table, entry, &p, end, out, depth) == 0:
                    return 0
            p = skip_space(p)
            if p[0] == c",":
                p = skip_space(p + 1)
        at[0] = p + 1
        return 1

    cdef int walk_value(
        self, Table table, Entry* entry, const uint8_t** at, const uint8_t* end, FieldValues out, int depth
    ) except -1:
        """Take a value that begins at at, and step over it; 0 if it must go the long way."""
        cdef const uint8_t* p = at[0]
        cdef Table below
        if entry.what == REFUSE:
            return 0
        if entry.what == SKIP:
            at[0] = value_end(p, end)
            return 1
        if p[0] == c"[":
            if depth >= MAX_NESTING:
                return 0
            p = skip_space(p + 1)
            while p[0] != c"]":
                if self.walk_value(table, entry, &p, end, out, depth + 1) == 0:
                    return 0
                p = skip_space(p)
                if p[0] == c",":
                    p = skip_space(p + 1)
            at[0] = p + 1
            return 1
        if entry.what == LEAVES:
            return self.walk_leaves(table, entry, at, end, out)
        if p[0] == c"{":
            at[0] = p + 1
            below = <Table>table.tables[entry.first]
            if below.nested is not None:
                return self.walk_nested(below, at, end, out, depth + 1)
            return self.walk_object(below, at, end, out, depth + 1)
        if p[0] == c"n":
            at[0] = p + 4
            return 1
        return 0

    cdef int walk_nested(
        self, Table table, const uint8_t** at, const uint8_t* end, FieldValues out, int depth
    ) except -1:
        """Take an object that is a row of its own; out: the row around it."""
        cdef FieldValues document = out if out.document == NULL else <FieldValues>out.document
        cdef FieldValues row = FieldValues()
        row.path = table.nested
        row.document = <PyObject*>document
        if self.walk_object(table, at, end, row, depth) == 0:
            return 0
        if document.block is None:
            document.block = []
        document.block.append(row)
        if len(document.block) > self.most_nested:
            return 0
        if table.in_parent:
            out.extend(row)
        if table.in_document and not (table.in_parent and out is document):
            document.extend(row)
        return 1

    cdef int walk_leaves(
        self, Table table, Entry* entry, const uint8_t** at, const uint8_t* end, FieldValues out
    ) except -1:
        """Give a value that is no array to the leaves of its name; 0 if it must go the long way."""
        cdef const uint8_t* start = at[0]
        cdef const uint8_t* text = NULL
        cdef Py_ssize_t n = 0, i
        cdef bint escaped
        cdef bytes plain
        cdef Leaf leaf
        cdef object value = None
        cdef bint decoded = False
        if start[0] == c'"':
            text = start + 1
            at[0] = string_end(text, end, &escaped)
            n = at[0] - text
            at[0] += 1
            if escaped:
                plain = PyBytes_FromStringAndSize(NULL, n)
                n = unescape(text, n, <uint8_t*><char*>plain)
                if n < 0:
                    return 0
                text = <const uint8_t*><char*>plain
                out.keep(plain)
        else:
            at[0] = value_end(start, end)
            n = at[0] - start
        for i in range(entry.first, entry.first + entry.count):
            leaf = <Leaf>table.leaves[i]
            if take(leaf, start, text, n, out):
                continue
            if not decoded:
                try:
                    value = decode_value((<const char*>start)[:at[0] - start])
                except msgspec.DecodeError:
                    return 0
                decoded = True
            if self.ask(leaf, value, out) == 0:
                return 0
        return 1

    cdef int ask(self, Leaf leaf, object value, FieldValues out) except -1:
        """Give a value to the handler of a leaf; 0 if the long way must tell what is wrong with it."""
        cdef list found = []
        try:
            leaf.handler(value, found)
            for pair in found:
                if pair[0] is self.ignored:
                    return 0
                out.append(pair)
        except Exception:
            return 0  # the long way comes to the same value and raises the same again
        return 1


cdef int take(Leaf leaf, const uint8_t* start, const uint8_t* text, Py_ssize_t n, FieldValues out) except -1:
    """Add a value if the kind of the leaf takes it. text: a string without its escapes, or NULL; n: bytes of text or value."""
    cdef int64_t number
    cdef uint8_t c = start[0]
    if c == c"n":
        return leaf.skips_null
    if leaf.kind == K_STRING:
        if text == NULL or n > leaf.high:
            return 0
        out.add(<PyObject*>leaf.field, text, n, 0)
        return 1
    if leaf.kind == K_INTEGER:
        if text != NULL or not read_integer(start, n, &number) or not leaf.low <= number <= leaf.high:
            return 0
    elif leaf.kind == K_DATE:
        if text != NULL:
            if not leaf.iso or not read_moment(text, n, &number):
                return 0
        elif not read_integer(start, n, &number) or not leaf.low <= number <= leaf.high:
            return 0
    elif leaf.kind == K_BOOLEAN:
        if c == c"t":
            out.add(<PyObject*>leaf.field, <const uint8_t*>b"T", 1, 0)
        elif c == c"f":
            out.add(<PyObject*>leaf.field, <const uint8_t*>b"F", 1, 0)
        else:
            return 0
        return 1
    elif leaf.kind == K_HANDLED or not (c == c"-" or <uint8_t>(c - c"0") < 10):
        return 0
    else:
        return take_number(leaf, start, out)
    out.add(<PyObject*>leaf.field, NULL, 0, number)
    return 1
