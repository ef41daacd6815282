"""Documents that are not yet in a segment: terms by hash, tokens in the order in which they came.

Nothing is sorted while documents arrive; a token costs one look-up and eight bytes. write_segment sorts the terms and
deals the tokens out to them by counting, which leaves every term's documents and positions in order.
"""

from pyroaring import BitMap

from lanner.ext.analysis.chain cimport Chain
from lanner.ext.analysis.token_stream cimport TokenStream
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.terms cimport MAX_TERM
from lanner.ext.index.column_buffer cimport Column
from lanner.ext.index.document cimport Document
from lanner.ext.index.field_values cimport FieldValues, Value, block_of
from lanner.ext.index.rows cimport append_row
from lanner.ext.index.schema cimport Field
from lanner.ext.types cimport int64_t, uint8_t, uint32_t, uint64_t

from lanner.ext.codec.stored_fields import BLOCK_BYTES, StoredFieldsWriter
from lanner.ext.index.schema import NUMBER, TERM
from lanner.ext.index.segment_writer import write_segment

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    ctypedef struct PyObject

cdef Py_ssize_t block_bytes = BLOCK_BYTES

ID = Field("_id", 0, TERM, postings=1)
SEQ_NO = Field("_seq_no", 1, NUMBER, doc_values=True)
PRIMARY_TERM = Field("_primary_term", 2, NUMBER, doc_values=True)
VERSION = Field("_version", 3, NUMBER, doc_values=True)
NESTED_PATH = Field("_nested_path", 4, TERM, postings=1)
METADATA = (ID, SEQ_NO, PRIMARY_TERM, VERSION, NESTED_PATH)
FIRST_FREE_NUMBER = 8  # columns of a mapping are numbered from here on


cdef struct Event:
    uint32_t doc
    int kind
    PyObject* column
    const uint8_t* data
    Py_ssize_t length
    int64_t number


cdef class WriteBuffer:
    """The documents of one shard that came since its last refresh; one writer at a time.

    Nested objects of a document are rows of their own, numbered like documents, directly before it: together a block. They
    have a path and their values, but no id, no version and no source; only a document itself has a primary term.

    Raises ValueError for a term beyond 32,766 bytes; the documents of that call are then in the buffer in part and must be
    deleted by the caller: their numbers run from max_doc before the call to max_doc after it.
    """

    cdef dict columns
    cdef readonly uint32_t max_doc
    cdef TokenStream stream
    cdef object stored
    cdef object dead
    cdef bint has_blocks
    cdef BytesWriter events
    cdef BytesWriter rows  # of the block that is not full yet

    def __init__(self):
        self.columns = {}
        self.max_doc = 0
        self.stream = TokenStream()
        self.stored = StoredFieldsWriter()
        self.dead = BitMap()
        self.events = BytesWriter()
        self.rows = BytesWriter()

    cdef Column column(self, Field field):
        cdef Column found = <Column>self.columns.get(field.name)
        if found is None:
            found = Column(field)
            self.columns[field.name] = found
        elif found.field is not field:
            # a mapping that grew describes the same column anew; the analyzer may have been replaced
            found.field = field
        return found

    def add(self, list documents not None) -> int:
        """Add documents; return the number of the first. The GIL is free while they are analysed and inverted."""
        cdef uint32_t first = self.max_doc, doc = self.max_doc
        cdef Document document
        cdef list block
        cdef Column id = self.column(ID), seq_no = self.column(SEQ_NO), term = self.column(PRIMARY_TERM), version = self.column(VERSION)
        self.events.size = 0
        for item in documents:
            document = <Document?>item
            block = block_of(document.values)
            if block:
                doc = self.add_nested(block, doc)
            append_row(self.rows, document.id, document.routing, document.source)
            id.add_term(doc, <const uint8_t*>document.id, len(document.id))
            seq_no.add_number(doc, document.seq_no)
            term.add_number(doc, document.primary_term)
            version.add_number(doc, document.version)
            doc += 1
            self.max_doc = doc  # its row is there, whatever its values do
            if self.rows.size >= block_bytes:
                self.end_block()
            if block:
                self.collect_nested(block, doc - 1)
            if type(document.values) is FieldValues:
                self.collect_values(doc - 1, <FieldValues>document.values)
            else:
                self.collect(doc - 1, document.values)
        with nogil:
            self.invert()
        return first

    cdef uint32_t add_nested(self, list block, uint32_t doc) except? 0xFFFFFFFF:
        """Add the empty rows of nested objects; return the number of the document that they belong to."""
        cdef Column paths = self.column(NESTED_PATH)
        cdef bytes path
        self.has_blocks = True
        for row in block:
            path = row.path
            append_row(self.rows, b"", None, b"")
            paths.add_term(doc, <const uint8_t*>path, len(path))
            doc += 1
        return doc

    cdef int collect_nested(self, list block, uint32_t document) except -1:
        """Note the values of the nested rows before a document."""
        cdef uint32_t doc = document - <uint32_t>len(block)
        for row in block:
            if type(row) is FieldValues:
                self.collect_values(doc, <FieldValues>row)
            else:
                self.collect(doc, row)
            doc += 1
        return 0

    cdef int end_block(self) except -1:
        """Compress the rows that are pending."""
        if self.rows.size:
            self.stored.add_block(memoryview(self.rows), self.max_doc)
            self.rows.size = 0
        return 0

    cdef int collect_values(self, uint32_t doc, FieldValues values) except -1:
        """Note the values of a document that are C structs already."""
        cdef Event event
        cdef Value* value
        cdef Field field
        cdef Column column
        cdef Py_ssize_t i
        event.doc = doc
        for i in range(values.size):
            value = values.items + i
            field = <Field>value.field
            column = self.column(field)
            event.kind = field.kind
            event.column = <PyObject*>column
            event.data = value.data
            event.length = value.length
            event.number = value.number
            if event.kind == 1 and event.length > MAX_TERM:
                raise ValueError(f"immense term of {event.length} bytes in field [{field.name}]")
            self.events.append(&event, sizeof(Event))
        return 0

    cdef int collect(self, uint32_t doc, object values) except -1:
        """Note the values of a document; their bytes stay where the caller holds them."""
        cdef Event event
        cdef Field field
        cdef Column column = None
        cdef Py_ssize_t n
        cdef object value
        cdef bytes term
        if not isinstance(values, list):
            raise TypeError("the values of a document are a list or FieldValues")
        for field, value in <list>values:
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

    def block_start(self, uint32_t doc) -> int:
        """Return the first row of the block that ends with a document."""
        cdef Column terms
        cdef const uint32_t* documents
        cdef Py_ssize_t lo = 0, hi, middle
        if not self.has_blocks:
            return doc
        terms = self.column(PRIMARY_TERM)
        documents = <const uint32_t*>terms.docs.data
        hi = terms.docs.size // 4
        while lo < hi:  # how many documents come before
            middle = (lo + hi) // 2
            if documents[middle] < doc:
                lo = middle + 1
            else:
                hi = middle
        return documents[lo - 1] + 1 if lo else 0

    def delete(self, uint32_t doc) -> None:
        """Mark a document as superseded or deleted, with its nested rows."""
        if doc >= self.max_doc:
            raise ValueError(f"document {doc} is not in the buffer")
        if self.has_blocks:
            self.dead.add_range(self.block_start(doc), doc + 1)
        else:
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
        cdef Column column
        cdef Py_ssize_t total = self.rows.size
        for column in self.columns.values():
            total += column.memory()
        return total + self.stored.ram_bytes

    def write_segment(self) -> dict:
        """Return the files of a segment that holds all documents, the marked ones too: suffix -> parts in order."""
        self.end_block()
        return {
            "idx": write_segment(self.max_doc, [self.columns[name] for name in sorted(self.columns)]),
            "src": self.stored.parts(),
        }
