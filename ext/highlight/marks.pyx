"""Where the terms of a query stand in a text (see marks.pxd)."""

cimport cython
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy

from collections import namedtuple

from lanner.ext.analysis.chain cimport Chain
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.codec.hashing cimport hash_bytes, same_bytes
from lanner.ext.types cimport uint8_t, uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    ASTRAL = 0xFFFF  # characters above it are two units
    MOST_KNOWN = 1 << 16  # terms that a finder remembers
    MAX_DATA = 0x7FFFFFFF  # bytes of terms

PlacedToken = namedtuple("PlacedToken", ("term", "start", "end", "position"))


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


@cython.final
cdef class Places:
    """Code points of the UTF-16 units of a text."""

    cdef uint32_t* points  # NULL: they are the units
    cdef uint32_t n_units

    def __cinit__(self, str text not None):
        cdef uint32_t unit = 0, point = 0
        if PyUnicode_KIND(text) < 4:
            return
        self.points = <uint32_t*>malloc((2 * len(text) + 1) * sizeof(uint32_t))
        if self.points == NULL:
            raise MemoryError()
        for char in text:
            self.points[unit] = point
            unit += 1
            if char > ASTRAL:
                self.points[unit] = point
                unit += 1
            point += 1
        self.points[unit] = point
        self.n_units = unit

    def __dealloc__(self):
        free(self.points)

    cdef inline Py_ssize_t at(self, uint32_t unit) noexcept nogil:
        return unit if self.points == NULL else self.points[min(unit, self.n_units)]


cdef class TermFinder:
    def __cinit__(self, Chain chain not None, terms, *, keeps=None):
        cdef bytes term
        self.chain = chain
        self.stream = TokenStream()
        self.keeps = keeps
        for term in terms:
            self.n_terms += 1
            self.learn(<const uint8_t*><const char*>term, <uint32_t>len(term), self.n_terms)
            self.lengths |= <unsigned long long>1 << min(len(term), 63)

    def __dealloc__(self):
        free(self.slots)
        free(self.data)

    cdef int learn(self, const uint8_t* term, uint32_t length, uint32_t number) except -1:
        """Note the number of a term that is not known yet."""
        cdef uint32_t n_slots, at, i, capacity
        cdef Slot* slots
        cdef void* moved
        if 2 * self.n_slots_taken >= self.mask:
            n_slots = 16 if self.slots == NULL else 2 * (self.mask + 1)
            slots = <Slot*>calloc(n_slots, sizeof(Slot))
            if slots == NULL:
                raise MemoryError()
            for i in range(self.mask + 1 if self.slots != NULL else 0):
                if self.slots[i].number:
                    at = <uint32_t>hash_bytes(self.data + self.slots[i].start, self.slots[i].length) & (n_slots - 1)
                    while slots[at].number:
                        at = (at + 1) & (n_slots - 1)
                    slots[at] = self.slots[i]
            free(self.slots)
            self.slots = slots
            self.mask = n_slots - 1
        if length > self.capacity - self.size:
            if length > MAX_DATA - self.size:
                raise ValueError("too many terms")
            capacity = self.capacity + (self.capacity >> 1) + length + 64
            moved = realloc(self.data, capacity)
            if moved == NULL:
                raise MemoryError()
            self.data = <uint8_t*>moved
            self.capacity = capacity
        at = <uint32_t>hash_bytes(term, length) & self.mask
        while self.slots[at].number:
            at = (at + 1) & self.mask
        memcpy(self.data + self.size, term, length)
        self.slots[at].start = self.size
        self.slots[at].length = length
        self.slots[at].number = number
        self.size += length
        self.n_slots_taken += 1
        return 0

    cdef uint32_t number_of(self, const uint8_t* term, uint32_t length) noexcept nogil:
        cdef uint32_t at
        cdef Slot* slot
        if self.slots == NULL:
            return 0
        at = <uint32_t>hash_bytes(term, length) & self.mask
        while True:
            slot = self.slots + at
            if slot.number == 0 or (slot.length == length and same_bytes(self.data + slot.start, term, length)):
                return slot.number
            at = (at + 1) & self.mask

    cdef uint32_t ask(self, const uint8_t* term, uint32_t length) except 0:
        """Tell whether a term is kept that is none of those given; remember it."""
        cdef uint32_t number = DROPPED
        if self.keeps((<const char*>term)[:length]):
            number = KEPT
        if self.n_slots_taken < MOST_KNOWN:
            self.learn(term, length, number)
        return number

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
        cdef Places places = None
        cdef uint32_t number
        cdef Token* token
        cdef Py_ssize_t i, start
        self.chain.analyze_text(text, stream)
        for i in range(stream.size):
            token = stream.tokens + i
            if not self.lengths >> min(token.length, <uint32_t>63) & 1:
                continue
            number = self.number_of(stream.data + token.start, token.length)
            if number == 0 or number > self.n_terms:
                continue
            if places is None:
                places = Places(text)
            start = places.at(token.start_offset)
            if start <= most:
                found.append(number - 1, base + start, base + places.at(token.end_offset))
        return 0

    def tokens(self, list values not None, Py_ssize_t gap, Py_ssize_t most=PY_SSIZE_T_MAX):
        """Return the tokens of the values that are kept; gap: positions between two values."""
        cdef TokenStream stream = self.stream
        cdef Places places
        cdef list found = []
        cdef uint32_t number
        cdef Token* token
        cdef Py_ssize_t base = 0, start, i
        cdef long first = 0, position, last  # positions
        cdef bytes term
        for value in values:
            self.chain.analyze_text(value, stream)
            places = Places(value)
            position = last = -1
            for i in range(stream.size):
                token = stream.tokens + i
                position += token.increment
                start = places.at(token.start_offset)
                if start > most:
                    continue
                last = position
                number = self.number_of(stream.data + token.start, token.length)
                if number == 0 and self.keeps is None:
                    continue
                if number == 0:
                    number = self.ask(stream.data + token.start, token.length)
                if number == DROPPED:
                    continue
                term = (<const char*>stream.data)[token.start:token.start + token.length]
                place = (term, base + start, base + places.at(token.end_offset), first + position)
                found.append(tuple.__new__(PlacedToken, place))
            first += last + 1 + gap
            base += len(<str>value) + 1
        return found
