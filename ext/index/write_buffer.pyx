"""Documents that are not yet in a segment: terms by hash, tokens in the order in which they came.

Nothing is sorted while documents arrive; a token costs one look-up and eight bytes. write_segment sorts the terms and
deals the tokens out to them by counting, which leaves every term's documents and positions in order.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

import numpy as np
from pyroaring import BitMap

from lanner.ext.analysis.chain cimport Chain
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.terms cimport MAX_TERM, hash_bytes
from lanner.ext.index.document cimport Document
from lanner.ext.index.schema cimport KEEPS_OFFSETS, KEEPS_POSITIONS, Field
from lanner.ext.types cimport int64_t, uint8_t, uint32_t, uint64_t

from lanner.ext.codec.stored_fields import StoredFieldsWriter
from lanner.ext.index.rows import pack_row
from lanner.ext.index.schema import NUMBER, TERM
from lanner.ext.index.segment_writer import write_segment

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    ctypedef struct PyObject

ID = Field("_id", 0, TERM, postings=1)
SEQ_NO = Field("_seq_no", 1, NUMBER, doc_values=True, points=True)
PRIMARY_TERM = Field("_primary_term", 2, NUMBER, doc_values=True)
VERSION = Field("_version", 3, NUMBER, doc_values=True)
METADATA = (ID, SEQ_NO, PRIMARY_TERM, VERSION)
FIRST_FREE_NUMBER = 8  # columns of a mapping are numbered from here on


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


cdef struct Event:
    uint32_t doc
    int kind
    PyObject* column
    const uint8_t* data
    Py_ssize_t length
    int64_t number


cdef class WriteBuffer:
    """The documents of one shard that came since its last refresh; one writer at a time.

    Raises ValueError for a term beyond 32,766 bytes; the documents of that call are then in the buffer in part and must be
    deleted by the caller: their numbers run from max_doc before the call to max_doc after it.
    """

    cdef dict columns
    cdef readonly uint32_t max_doc
    cdef TokenStream stream
    cdef object stored
    cdef object dead
    cdef BytesWriter events

    def __init__(self):
        self.columns = {}
        self.max_doc = 0
        self.stream = TokenStream()
        self.stored = StoredFieldsWriter()
        self.dead = BitMap()
        self.events = BytesWriter()

    cdef Column column(self, Field field):
        cdef Column found = <Column>self.columns.get(field.number)
        if found is None:
            found = Column(field)
            self.columns[field.number] = found
        elif found.field is not field:
            # a mapping that grew describes the same column anew; the analyzer may have been replaced
            found.field = field
        return found

    def add(self, list documents not None) -> int:
        """Add documents; return the number of the first. The GIL is free while they are analysed and inverted."""
        cdef uint32_t first = self.max_doc, doc = self.max_doc
        cdef Document document
        cdef Column id = self.column(ID), seq_no = self.column(SEQ_NO), term = self.column(PRIMARY_TERM), version = self.column(VERSION)
        self.events.size = 0
        for item in documents:
            document = <Document?>item
            self.stored.add(pack_row(document.id, document.routing, document.source))
            id.add_term(doc, <const uint8_t*>document.id, len(document.id))
            seq_no.add_number(doc, document.seq_no)
            term.add_number(doc, document.primary_term)
            version.add_number(doc, document.version)
            self.collect(doc, document.values)
            doc += 1
            self.max_doc = doc
        with nogil:
            self.invert()
        return first

    cdef int collect(self, uint32_t doc, list values) except -1:
        """Note the values of a document; their bytes stay where the caller holds them."""
        cdef Event event
        cdef Field field
        cdef Column column = None
        cdef Py_ssize_t n
        cdef object value
        cdef bytes term
        for field, value in values:
            if column is None or column.field is not field:
                column = self.column(field)
            event.doc = doc
            event.kind = field.kind
            event.column = <PyObject*>column
            event.data = NULL
            event.length = 0
            event.number = 0
            if field.kind == 2:
                event.number = value
            elif field.kind == 1:
                term = value
                event.data = <const uint8_t*>term
                event.length = len(term)
                if event.length > MAX_TERM:
                    raise ValueError(f"immense term of {event.length} bytes in field [{field.name}]")
            else:
                event.data = <const uint8_t*>PyUnicode_AsUTF8AndSize(value, &n)
                event.length = n
            self.events.append(&event, sizeof(Event))
        return 0

    cdef int invert(self) except -1 nogil:
        cdef Py_ssize_t i, n = self.events.size // sizeof(Event)
        cdef Event* event
        for i in range(n):
            event = <Event*>self.events.data + i
            if event.kind == 2:
                (<Column>event.column).add_number(event.doc, event.number)
            elif event.kind == 1:
                (<Column>event.column).add_term(event.doc, event.data, event.length)
            else:
                self.stream.clear()
                (<Column>event.column).field.chain.analyze(event.data, event.length, self.stream)
                (<Column>event.column).add_text(event.doc, self.stream)
        return 0

    def delete(self, uint32_t doc) -> None:
        """Mark a document as superseded or deleted."""
        if doc >= self.max_doc:
            raise ValueError(f"document {doc} is not in the buffer")
        self.dead.add(doc)

    def deleted(self) -> BitMap:
        """Return the documents marked so far."""
        return self.dead.copy()

    @property
    def num_docs(self) -> int:
        """Documents that are not marked."""
        return self.max_doc - len(self.dead)

    @property
    def ram_bytes(self) -> int:
        """Bytes held, roughly."""
        return sum([column.ram_bytes for column in self.columns.values()]) + self.stored.ram_bytes

    def write_segment(self) -> dict:
        """Return the files of a segment that holds all documents, the marked ones too: suffix -> parts in order."""
        return {
            "idx": write_segment(self.max_doc, [self.columns[number] for number in sorted(self.columns)]),
            "src": self.stored.parts(),
        }
