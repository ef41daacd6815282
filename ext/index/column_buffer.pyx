"""One column of the write buffer: terms by hash, tokens and values in the order in which they came."""

from libc.stdlib cimport calloc, free

from lanner.ext cimport simd
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.hashing cimport hash_bytes, same_bytes
from lanner.ext.codec.terms cimport MAX_TERM
from lanner.ext.index.schema cimport KEEPS_OFFSETS, KEEPS_POSITIONS, Field
from lanner.ext.types cimport int64_t, uint8_t, uint32_t

cdef enum:
    AHEAD = 32  # tokens whose slots are asked for before the first is looked at


cdef class Column:
    """What the buffer holds of one field."""

    def __cinit__(self, Field field not None):
        self.field = field
        self.mask = 255
        self.slots = <Slot*>calloc(256, sizeof(Slot))
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

    cdef Py_ssize_t memory(self) noexcept nogil:
        return <Py_ssize_t>sizeof(Slot) * (<Py_ssize_t>self.mask + 1) + (
            self.bytes.size + self.starts.size + self.counts.size + self.terms.size + self.positions.size
            + self.offsets.size + self.docs.size + self.first.size + self.lengths.size + self.values.size
        )

    @property
    def ram_bytes(self):
        """Bytes held, roughly."""
        return self.memory()

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

    cdef uint32_t term(self, const uint8_t* data, uint32_t length, uint32_t hash) except? 0xFFFFFFFF nogil:
        cdef uint32_t slot = hash & self.mask, i, zero = 0
        cdef Slot* found
        while True:
            found = self.slots + slot
            if found.term == 0:
                break
            if found.hash == hash and found.length == length and same_bytes(self.bytes.data + found.start, data, length):
                return found.term - 1
            slot = (slot + 1) & self.mask
        i = self.n_terms
        found.hash = hash
        found.term = i + 1
        found.start = <uint32_t>self.bytes.size
        found.length = length
        self.starts.append(&found.start, 4)
        self.bytes.append(data, length)
        self.counts.append(&zero, 4)
        self.n_terms = i + 1
        if self.n_terms > self.mask // 2:
            self.grow()
        return i

    cdef int grow(self) except -1 nogil:
        """Double the table."""
        cdef uint32_t mask = 2 * self.mask + 1, i, slot
        cdef Slot* grown = <Slot*>calloc(<size_t>mask + 1, sizeof(Slot))
        if grown == NULL:
            with gil:
                raise MemoryError()
        for i in range(self.mask + 1):
            if self.slots[i].term:
                slot = self.slots[i].hash & mask
                while grown[slot].term:
                    slot = (slot + 1) & mask
                grown[slot] = self.slots[i]
        free(self.slots)
        self.slots = grown
        self.mask = mask
        return 0

    cdef int add_text(self, uint32_t doc, TokenStream stream) except -1 nogil:
        """Add the tokens of one value. Slots are asked for ahead, because most of them are not in the cache."""
        cdef Py_ssize_t i, n, start = 0, total = 0
        cdef Token* token
        cdef Token* tokens = stream.tokens
        cdef uint32_t t, k, at, counted = 0
        cdef uint32_t[AHEAD] hashes
        cdef bint with_positions = self.field.postings >= KEEPS_POSITIONS
        cdef bint with_offsets = self.field.postings >= KEEPS_OFFSETS
        cdef uint32_t* terms
        cdef uint32_t* positions = NULL
        if self.begin(doc) == 0:
            self.position += self.field.position_gap
        for i in range(stream.size):
            total += tokens[i].frequency
            if tokens[i].length > MAX_TERM:
                with gil:
                    raise ValueError(f"immense term of {tokens[i].length} bytes in field [{self.field.name}]")
        terms = <uint32_t*>self.terms.reserve(4 * total + 4)
        if with_positions:
            positions = <uint32_t*>self.positions.reserve(4 * total + 4)
        while start < stream.size:
            n = min(<Py_ssize_t>AHEAD, stream.size - start)
            for i in range(n):
                token = tokens + start + i
                hashes[i] = <uint32_t>(hash_bytes(stream.data + token.start, token.length) >> 32)
                simd.prefetch(self.slots + (hashes[i] & self.mask))
            for i in range(n):
                token = tokens + start + i
                self.position += token.increment
                if self.position < 0:
                    self.position = 0
                if token.increment:
                    counted += token.frequency
                t = self.term(stream.data + token.start, token.length, hashes[i])
                (<uint32_t*>self.counts.data)[t] += token.frequency
                at = <uint32_t>self.position
                for k in range(token.frequency):
                    terms[0] = t
                    terms += 1
                    if with_positions:
                        positions[0] = at
                        positions += 1
                    if with_offsets:
                        self.offsets.append(&token.start_offset, 4)
                        self.offsets.append(&token.end_offset, 4)
            start += n
        self.terms.size += 4 * total
        if with_positions:
            self.positions.size += 4 * total
        self.position += stream.trailing_increment
        (<uint32_t*>self.lengths.data)[self.lengths.size // 4 - 1] += counted
        return 0

    cdef int add_term(self, uint32_t doc, const uint8_t* data, Py_ssize_t length) except -1 nogil:
        """Add a term as it is."""
        cdef uint32_t t
        self.begin(doc)
        t = self.term(data, <uint32_t>length, <uint32_t>(hash_bytes(data, length) >> 32))
        (<uint32_t*>self.counts.data)[t] += 1
        self.terms.append(&t, 4)
        (<uint32_t*>self.lengths.data)[self.lengths.size // 4 - 1] += 1
        return 0

    cdef int add_number(self, uint32_t doc, int64_t value) except -1 nogil:
        self.begin(doc)
        self.values.append(&value, 8)
        return 0
