"""Where the terms of a query stand in a text (see marks.pxd)."""

from libc.stdlib cimport calloc, free, malloc, qsort, realloc

from lanner.ext.analysis.chain cimport Chain
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.codec.hashing cimport hash_bytes, same_bytes
from lanner.ext.types cimport uint8_t, uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    ASTRAL = 0xFFFF  # characters above it are two units


cdef int by_place(const void* a, const void* b) noexcept nogil:
    cdef const Mark* one = <const Mark*>a
    cdef const Mark* other = <const Mark*>b
    if one.start != other.start:
        return -1 if one.start < other.start else 1
    if one.end != other.end:
        return -1 if one.end < other.end else 1
    return -1 if one.order < other.order else 1


cdef class Marks:
    def __cinit__(self):
        self.numbers = {}

    def __dealloc__(self):
        free(self.items)

    def __len__(self):
        return self.size

    cdef int append(self, uint32_t term, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef Py_ssize_t capacity
        cdef void* moved
        cdef Mark* mark
        if self.size == self.capacity:
            capacity = self.capacity * 2 + 16
            moved = realloc(self.items, capacity * sizeof(Mark))
            if moved == NULL:
                raise MemoryError()
            self.items = <Mark*>moved
            self.capacity = capacity
        mark = self.items + self.size
        mark.start = start
        mark.end = end
        mark.order = self.size
        mark.term = term
        self.size += 1
        return 0

    cdef void sort(self) noexcept:
        cdef Py_ssize_t i
        for i in range(1, self.size):
            if by_place(self.items + i - 1, self.items + i) > 0:
                qsort(self.items, self.size, sizeof(Mark), by_place)
                return

    def add(self, bytes term not None, Py_ssize_t start, Py_ssize_t end):
        """Mark a term that stands somewhere: code points, in all values with one character between two."""
        cdef uint32_t number = self.numbers.setdefault(term, len(self.numbers))
        self.n_terms = max(self.n_terms, number + 1)
        self.append(number, start, end)


cdef uint32_t* points_of_units(str text, uint32_t* n_units) except NULL:
    """The code point of each UTF-16 unit and of the end, which is the last unit; the caller frees them."""
    cdef uint32_t* points = <uint32_t*>malloc((2 * len(text) + 1) * sizeof(uint32_t))
    cdef uint32_t unit = 0, point = 0
    if points == NULL:
        raise MemoryError()
    for char in text:
        points[unit] = point
        unit += 1
        if char > ASTRAL:
            points[unit] = point
            unit += 1
        point += 1
    points[unit] = point
    n_units[0] = unit
    return points


cdef class TermFinder:
    def __cinit__(self, Chain chain not None, terms):
        cdef list given = list(terms)
        cdef uint32_t n_slots = 8, at, start = 0
        cdef Slot* slot
        cdef bytes term
        self.chain = chain
        self.stream = TokenStream()
        self.data = b"".join(given)
        if len(self.data) > 0x7FFFFFFF:
            raise ValueError("too many terms")
        self.bytes = <const uint8_t*><const char*>self.data
        while n_slots < 2 * len(given):
            n_slots *= 2
        self.slots = <Slot*>calloc(n_slots, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError()
        self.mask = n_slots - 1
        for term in given:
            at = <uint32_t>hash_bytes(self.bytes + start, len(term)) & self.mask
            while self.slots[at].number:
                at = (at + 1) & self.mask
            slot = self.slots + at
            slot.start = start
            slot.length = <uint32_t>len(term)
            self.n_terms += 1
            slot.number = self.n_terms
            self.lengths |= <unsigned long long>1 << min(slot.length, <uint32_t>63)
            start += slot.length

    def __dealloc__(self):
        free(self.slots)

    cdef uint32_t number_of(self, const uint8_t* term, uint32_t length) noexcept nogil:
        cdef uint32_t at
        cdef Slot* slot
        if not self.lengths >> min(length, <uint32_t>63) & 1:
            return 0
        at = <uint32_t>hash_bytes(term, length) & self.mask
        while True:
            slot = self.slots + at
            if slot.number == 0 or (slot.length == length and same_bytes(self.bytes + slot.start, term, length)):
                return slot.number
            at = (at + 1) & self.mask

    def find(self, list values not None, Py_ssize_t most=PY_SSIZE_T_MAX):
        """Return the marks of the values of a field; none begins behind the offset most of its value."""
        cdef Marks found = Marks()
        cdef Py_ssize_t base = 0
        found.n_terms = self.n_terms
        for value in values:
            self.find_in(value, base, most, found)
            base += len(<str>value) + 1
        return found

    cdef int find_in(self, str text, Py_ssize_t base, Py_ssize_t most, Marks found) except -1:
        cdef TokenStream stream = self.stream
        cdef uint32_t* points = NULL
        cdef uint32_t number, start, end, n_units
        cdef bint astral = PyUnicode_KIND(text) == 4
        cdef Token* token
        cdef Py_ssize_t i
        self.chain.analyze_text(text, stream)
        try:
            for i in range(stream.size):
                token = stream.tokens + i
                number = self.number_of(stream.data + token.start, token.length)
                if number == 0:
                    continue
                start, end = token.start_offset, token.end_offset
                if astral:
                    if points == NULL:
                        points = points_of_units(text, &n_units)
                    start, end = points[min(start, n_units)], points[min(end, n_units)]
                if <Py_ssize_t>start <= most:
                    found.append(number - 1, base + start, base + end)
        finally:
            free(points)
        return 0
