"""One column of the write buffer: terms by hash, tokens and values in the order in which they came."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.terms cimport MAX_TERM, hash_bytes
from lanner.ext.index.schema cimport KEEPS_OFFSETS, KEEPS_POSITIONS, Field
from lanner.ext.types cimport int64_t, uint8_t, uint32_t, uint64_t


cdef class Column:
    """What the buffer holds of one field."""

    def __cinit__(self, Field field not None):
        self.field = field
        self.mask = 1023
        self.slots = <uint64_t*>calloc(1024, 8)
        if self.slots == NULL:
            raise MemoryError()
        self.n_terms = 0
        self.bytes = BytesWriter()
        self.starts = BytesWriter()
        self.counts = BytesWriter()
        self.terms = BytesWriter()
        self.positions = BytesWriter()
        self.offsets = BytesWriter()
        self.docs = BytesWriter()
        self.first = BytesWriter()
        self.lengths = BytesWriter()
        self.values = BytesWriter()
        self.last_doc = 0xFFFFFFFF

    def __dealloc__(self):
        free(self.slots)

    @property
    def ram_bytes(self):
        """Bytes held, roughly."""
        return 8 * (self.mask + 1) + sum(
            [
                (<BytesWriter>part).size
                for part in (
                    self.bytes, self.starts, self.counts, self.terms, self.positions, self.offsets, self.docs, self.first,
                    self.lengths, self.values
                )
            ]
        )

    cdef int begin(self, uint32_t doc) except -1 nogil:
        """Make the document the last one that has this field."""
        cdef uint32_t first, zero = 0
        if doc == self.last_doc:
            return 0
        self.last_doc = doc
        self.position = -1
        first = <uint32_t>(self.values.size // 8 if self.field.kind == 2 else self.terms.size // 4)
        self.docs.append(&doc, 4)
        self.first.append(&first, 4)
        self.lengths.append(&zero, 4)
        return 1

    cdef uint32_t term(self, const uint8_t* data, Py_ssize_t length) except? 0xFFFFFFFF nogil:
        """The number of a term, a new one if it has none."""
        cdef uint64_t h = hash_bytes(data, length), slot = h & self.mask, found
        cdef uint64_t mark = h >> 32 << 32
        cdef uint32_t i, start, zero = 0
        cdef const uint32_t* starts
        while True:
            found = self.slots[slot]
            if found == 0:
                break
            if found >> 32 == mark >> 32:
                i = <uint32_t>found - 1
                starts = <const uint32_t*>self.starts.data
                start = starts[i]
                if (
                    (starts[i + 1] if i + 1 < self.n_terms else <uint32_t>self.bytes.size) - start == <uint32_t>length
                    and memcmp(self.bytes.data + start, data, length) == 0
                ):
                    return i
            slot = (slot + 1) & self.mask
        i = self.n_terms
        start = <uint32_t>self.bytes.size
        self.starts.append(&start, 4)
        self.bytes.append(data, length)
        self.counts.append(&zero, 4)
        self.slots[slot] = mark | (i + 1)
        self.n_terms = i + 1
        if <uint64_t>self.n_terms * 2 > self.mask:
            self.grow()
        return i

    cdef int grow(self) except -1 nogil:
        cdef uint64_t size = (self.mask + 1) * 4, i, slot, h
        cdef uint64_t* grown = <uint64_t*>calloc(size, 8)
        cdef const uint32_t* starts = <const uint32_t*>self.starts.data
        cdef uint32_t t, end
        if grown == NULL:
            with gil:
                raise MemoryError()
        for t in range(self.n_terms):
            end = starts[t + 1] if t + 1 < self.n_terms else <uint32_t>self.bytes.size
            h = hash_bytes(self.bytes.data + starts[t], end - starts[t])
            slot = h & (size - 1)
            while grown[slot]:
                slot = (slot + 1) & (size - 1)
            grown[slot] = (h >> 32 << 32) | (t + 1)
        free(self.slots)
        self.slots = grown
        self.mask = size - 1
        return 0

    cdef int add_text(self, uint32_t doc, TokenStream stream) except -1 nogil:
        """Add the tokens of one value."""
        cdef Py_ssize_t i
        cdef Token* token
        cdef uint32_t t, k, at, counted = 0
        cdef bint with_positions = self.field.postings >= KEEPS_POSITIONS
        cdef uint32_t* ids
        cdef uint32_t* places
        if self.begin(doc) == 0:
            self.position += self.field.position_gap
        self.terms.reserve(4 * stream.size + 4)
        if with_positions:
            self.positions.reserve(4 * stream.size + 4)
        for i in range(stream.size):
            token = stream.tokens + i
            if token.length > MAX_TERM:
                with gil:
                    raise ValueError(f"immense term of {token.length} bytes in field [{self.field.name}]")
            self.position += token.increment
            if self.position < 0:
                self.position = 0
            if token.increment:
                counted += token.frequency
            t = self.term(stream.data + token.start, token.length)
            (<uint32_t*>self.counts.data)[t] += token.frequency
            at = <uint32_t>self.position
            for k in range(token.frequency):
                if with_positions:
                    (<uint32_t*>self.positions.reserve(4))[0] = at
                    self.positions.size += 4
                (<uint32_t*>self.terms.reserve(4))[0] = t
                self.terms.size += 4
                if self.field.postings >= KEEPS_OFFSETS:
                    self.offsets.append(&token.start_offset, 4)
                    self.offsets.append(&token.end_offset, 4)
        self.position += stream.trailing_increment
        (<uint32_t*>self.lengths.data)[self.lengths.size // 4 - 1] += counted
        return 0

    cdef int add_term(self, uint32_t doc, const uint8_t* data, Py_ssize_t length) except -1 nogil:
        """Add a term as it is."""
        cdef uint32_t t
        self.begin(doc)
        t = self.term(data, length)
        (<uint32_t*>self.counts.data)[t] += 1
        self.terms.append(&t, 4)
        (<uint32_t*>self.lengths.data)[self.lengths.size // 4 - 1] += 1
        return 0

    cdef int add_number(self, uint32_t doc, int64_t value) except -1 nogil:
        self.begin(doc)
        self.values.append(&value, 8)
        return 0
