"""A segment, open for reading: its columns, its stored rows and which of its documents live.

The parts of the file are described in segment_writer.pyx. A reader never changes; with_deleted gives another one that shares
everything but the deletions.
"""

from array import array
from typing import NamedTuple

import msgspec
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.column_reader cimport ColumnReader, PointsReader
from lanner.ext.codec.norms cimport decode_length, fill_inverse
from lanner.ext.codec.postings_reader cimport (
    Cursor,
    Postings,
    block_count,
    close_cursor,
    load_docs,
    load_freqs,
    open_cursor,
    open_postings,
    record_offset,
)
from lanner.ext.codec.terms cimport TermsReader
from lanner.ext.codec.unpacked_postings cimport UnpackedCache
from lanner.ext.types cimport doc_t, int64_t, uint8_t, uint32_t, uint64_t

from pyroaring import BitMap

from lanner.ext.codec.sections import read_sections
from lanner.ext.codec.stored_fields import BlockCache, StoredFieldsReader
from lanner.ext.errors import CorruptIndexError
from lanner.ext.index.rows import unpack_row

META = msgspec.msgpack.Decoder(dict)
CACHE = BlockCache()


class FieldInfo(NamedTuple):
    """What a segment knows of a column."""

    name: str
    kind: int
    postings: int
    norms: bool
    doc_values: bool
    points: bool
    doc_count: int
    sum_total_term_freq: int
    sum_doc_freq: int


cdef class Bits:
    """A bit per document, all set but those of a bitmap."""

    cdef uint64_t* words

    def __cinit__(self, uint32_t max_doc, without):
        cdef Py_ssize_t n = (max_doc + 63) // 64
        cdef uint32_t doc
        self.words = <uint64_t*>PyMem_Malloc(n * 8 + 64)
        if self.words == NULL:
            raise MemoryError()
        memset(self.words, 0xFF, n * 8)
        if max_doc & 63:
            self.words[n - 1] = (<uint64_t>1 << (max_doc & 63)) - 1
        for doc in without:
            if doc >= max_doc:
                raise ValueError(f"deleted document {doc} is not in a segment of {max_doc}")
            self.words[doc >> 6] &= ~(<uint64_t>1 << (doc & 63))

    def __dealloc__(self):
        PyMem_Free(self.words)


cdef class FieldReader:
    """One column of a segment."""

    def __init__(self, uint32_t max_doc, dict about not None, dict sections not None):
        cdef const uint8_t[::1] view
        self.owner = sections
        self.about = about
        self.name = about["name"]
        self.number = about["number"]
        self.kind = about["kind"]
        self.postings = about["postings"]
        self.max_doc = max_doc
        self.doc_count = about["doc_count"]
        self.sum_total_term_freq = about["sum_total_term_freq"]
        self.sum_doc_freq = about["sum_doc_freq"]
        self.norms = NULL
        self.entries = NULL
        if about["kind"] != 2:
            self.terms = TermsReader(about["terms"], sections["terms"], sections["starts"], sections["slots"], sections["tags"])
        if self.postings:
            view = sections["entries"]
            if view.shape[0] != 8 * <Py_ssize_t>self.terms.size:
                raise CorruptIndexError(f"postings of [{self.name}] do not fit its dictionary")
            if self.terms.size:
                self.entries = <const uint64_t*>&view[0]
            view = sections["postings"]
            self.blob_length = view.shape[0]
            self.blob = &view[0] if view.shape[0] else NULL
            view = sections["bitmaps"]
            self.bitmaps_length = view.shape[0]
            self.bitmaps = &view[0] if view.shape[0] else NULL
            if self.postings >= 3:
                view = sections["positions"]
                self.positions_length = view.shape[0]
                self.positions = &view[0] if view.shape[0] else NULL
        if about["norms"]:
            view = sections["norms"]
            if <uint32_t>view.shape[0] != max_doc:
                raise CorruptIndexError(f"norms of [{self.name}] are cut short")
            self.norms = &view[0] if max_doc else NULL
        fill_inverse(<float>1.2, <float>0.75, about["average"] if self.postings else <float>1.0, self.inverse)
        if "column" in about:
            self.column = ColumnReader(
                max_doc, about["column"], sections["dv"], sections.get("first"), sections.get("present"), sections["zones"]
            )
        if "points" in about:
            self.points = PointsReader(max_doc, about["points"], sections["values"], sections["docs"])

    cdef uint32_t candidate(self, uint64_t h) noexcept nogil:
        """The ord of the term that most likely has a hash, or the number of terms; fetches what prefetch reads."""
        cdef uint32_t ord = self.terms.candidate(h)
        if self.entries != NULL:
            simd.prefetch(self.entries + ord)
        return ord

    cdef void prefetch(self, uint32_t ord) noexcept nogil:
        """Fetch what a look-up of the term at ord compares, and what open reads first."""
        cdef uint64_t offset
        if ord >= self.terms.size:
            return
        self.terms.prefetch_text(ord)
        if self.entries != NULL:
            offset = record_offset(self.entries[ord])
            if offset < <uint64_t>self.blob_length:
                simd.prefetch(self.blob + offset)

    cdef int open(self, uint32_t ord, Postings* out) noexcept nogil:
        """Fill out with the postings of a term; -1 if they are damaged or the column has none."""
        if self.entries == NULL:
            return -1
        return open_postings(
            self.blob, self.blob_length, self.positions, self.positions_length, self.bitmaps, self.bitmaps_length,
            self.entries[ord], self.postings >= 2, self.postings >= 3, out
        )

    def norm(self, doc_t doc) -> int:
        """Return the encoded length of a document's field, see norms.pxd; 1 where none are kept."""
        if doc >= self.max_doc:
            raise ValueError(f"no document {doc}")
        return self.norms[doc] if self.norms != NULL else 1

    def length(self, doc_t doc) -> int:
        """Return the length of a document's field as its norm tells it: exact for norms up to 39."""
        return decode_length(self.norm(doc))

    def total_term_freq(self, bytes term not None) -> int:
        """Return how often a term comes in all documents, deleted ones included; 0 without the term."""
        cdef int64_t ord = self.terms.find(term, len(term)) if self.terms is not None else -1
        cdef Postings postings
        if ord < 0 or self.open(<uint32_t>ord, &postings) < 0:
            return 0
        return freqs_of(&postings)

    cdef uint32_t doc_freq(self, uint32_t ord) noexcept nogil:
        cdef Postings postings
        if self.open(ord, &postings) < 0:
            return 0
        return postings.df


cdef class SegmentReader:
    """A segment over two buffers, the files "idx" and "src", which it keeps alive.

    verify: compare the checksums of all of "idx"; "src" is compared block by block as it is read.
    deleted: documents that no longer count; it must not be changed afterwards.
    Raises CorruptIndexError, FormatVersionError.
    """

    def __init__(self, index, source, *, str name="", bint verify=True, deleted=None):
        cdef FieldReader reader
        sections = read_sections("idx", index, verify=verify)
        meta = META.decode(sections["meta"])
        self.buffers = (index, source)
        self.sections = sections
        self.name = name
        self.max_doc = meta["max_doc"]
        self.fields_by_name = {}
        self.bitmap_cache = {}
        self.unpacked = UnpackedCache(self.max_doc)
        self.row_sets = {}
        parts = {}
        for section, view in sections.items():
            number, _, short = section.partition(".")
            parts.setdefault(number, {})[short] = view
        try:
            for about in meta["columns"]:
                self.fields_by_name[about["name"]] = FieldReader(self.max_doc, about, parts.get(str(about["number"]), {}))
            self.stored = StoredFieldsReader(source, self.max_doc, CACHE)
            self.block_starts = self.stored.first
            self.bind(deleted if deleted is not None else BitMap())
        except KeyError as error:
            raise CorruptIndexError(f"[idx] part {error} is missing") from error

    def bind(self, deleted):
        """Take the deletions and find the metadata columns."""
        cdef Bits bits
        self.deleted = deleted
        self.num_deleted = len(deleted)
        self.live = NULL
        if deleted:
            bits = Bits(self.max_doc, deleted)
            self.live_owner = bits
            self.live = bits.words
        self.ids = self.fields_by_name["_id"]
        self.seq_no = (<FieldReader>self.fields_by_name["_seq_no"]).column
        self.primary_term = (<FieldReader>self.fields_by_name["_primary_term"]).column
        self.version = (<FieldReader>self.fields_by_name["_version"]).column
        self.documents = self.primary_term.present

    cdef SegmentReader copy(self):
        """Another reader of the same segment with the same deletions."""
        cdef SegmentReader other = SegmentReader.__new__(SegmentReader)
        other.buffers = self.buffers
        other.sections = self.sections
        other.name = self.name
        other.max_doc = self.max_doc
        other.fields_by_name = self.fields_by_name
        other.bitmap_cache = self.bitmap_cache
        other.unpacked = self.unpacked
        other.stored = self.stored
        other.block_starts = self.block_starts
        other.row_sets = self.row_sets
        other.deleted = self.deleted
        other.num_deleted = self.num_deleted
        other.live_owner = self.live_owner
        other.live = self.live
        other.ids = self.ids
        other.seq_no = self.seq_no
        other.primary_term = self.primary_term
        other.version = self.version
        other.documents = self.documents
        return other

    def with_deleted(self, deleted) -> SegmentReader:
        """Return a reader of the same segment with other deletions."""
        cdef SegmentReader other = self.copy()
        other.bind(deleted)
        return other

    def searchable(self) -> SegmentReader:
        """Return the segment as searches see it: nested rows count as deleted. Without nested rows that is the segment itself."""
        cdef SegmentReader view
        cdef Bits bits
        cdef doc_t i
        if self.documents == NULL or self.whole is not None:
            return self
        if self.searched is None:
            view = self.copy()
            bits = Bits(self.max_doc, ())
            for i in range((self.max_doc + 63) >> 6):
                bits.words[i] = self.documents[i] if self.live == NULL else self.documents[i] & self.live[i]
            view.live_owner = bits
            view.live = bits.words
            view.deleted = self.deleted | self.nested_rows()
            view.num_deleted = len(view.deleted)
            view.whole = self.copy()  # not self, which would never be freed then
            self.searched = view
        return self.searched

    cdef object nested_rows(self):
        """The rows that are nested objects, as a BitMap."""
        cdef doc_t doc
        found = self.row_sets.get(None)
        if found is None:
            rows = array("I")
            for doc in range(self.max_doc):
                if not (self.documents[doc >> 6] >> (doc & 63)) & 1:
                    rows.append(doc)
            found = self.row_sets[None] = BitMap(rows)
        return found

    @property
    def has_nested(self) -> bool:
        """Whether some rows are nested objects."""
        return self.documents != NULL

    def block_start(self, doc_t doc) -> int:
        """Return the first row of the block that ends with a document."""
        if doc >= self.max_doc:
            raise ValueError(f"no document {doc}")
        return self.first_of(doc)

    def document_of(self, doc_t doc) -> int:
        """Return the document that a row belongs to."""
        if doc >= self.max_doc:
            raise ValueError(f"no document {doc}")
        while self.documents != NULL and doc + 1 < self.max_doc and not (self.documents[doc >> 6] >> (doc & 63)) & 1:
            doc += 1
        return doc

    @property
    def num_docs(self) -> int:
        """Documents that live."""
        return self.max_doc - self.num_deleted

    cdef doc_t first_of(self, doc_t doc) noexcept nogil:
        cdef const uint64_t* bits = self.documents
        if bits == NULL:
            return doc
        while doc and not (bits[(doc - 1) >> 6] >> ((doc - 1) & 63)) & 1:
            doc -= 1
        return doc

    cdef FieldReader field(self, str name):
        return <FieldReader>self.fields_by_name.get(name)

    cdef int64_t find_live(self, bytes id) except -2:
        """The live document of that _id, or -1."""
        cdef int64_t ord = self.ids.terms.find(id, len(id))
        cdef Postings postings
        cdef const uint8_t* p
        if ord < 0:
            return -1
        if self.ids.open(<uint32_t>ord, &postings) < 0:
            raise CorruptIndexError(f"postings of _id in segment [{self.name}] are damaged")
        if postings.single:
            return <int64_t>postings.single_doc if self.is_live(postings.single_doc) else -1
        # several documents of one id: all but the last were superseded while they waited in the buffer
        for doc in reversed(documents(&postings)):
            if self.is_live(doc):
                return doc
        return -1

    def lookup(self, bytes id not None) -> int:
        """Return the live document of that _id, or -1."""
        return self.find_live(id)

    def lookup_all(self, list ids not None) -> list:
        """Return (id, live document) for those of the ids that this segment has."""
        cdef bytes id
        cdef int64_t doc
        cdef list found = []
        for id in ids:
            doc = self.find_live(id)
            if doc >= 0:
                found.append((id, doc))
        return found

    def versions(self, doc_t doc) -> tuple:
        """Return (seq_no, primary_term, version) of a document."""
        if doc >= self.max_doc:
            raise ValueError(f"no document {doc}")
        return self.seq_no.cell(doc), self.primary_term.cell(doc), self.version.cell(doc)

    def stored_row(self, doc_t doc) -> tuple:
        """Return (id, routing or None, source) of a document."""
        cdef Py_ssize_t lo = 0, middle, hi = self.block_starts.shape[0] - 1
        cdef Py_ssize_t i
        if doc >= self.max_doc:
            raise ValueError(f"no document {doc}")
        while hi - lo > 1:  # the block that begins last at or before the document
            middle = (lo + hi) // 2
            if self.block_starts[middle] <= doc:
                lo = middle
            else:
                hi = middle
        data, bounds = self.stored.block(lo)
        i = 2 * (<Py_ssize_t>doc - <Py_ssize_t>self.block_starts[lo])
        return unpack_row(data, bounds[i], bounds[i + 1])

    def source(self, doc_t doc) -> bytes:
        """Return the source of a document as it was sent."""
        return self.stored_row(doc)[2]

    def id(self, doc_t doc) -> bytes:
        """Return the _id of a document."""
        return self.stored_row(doc)[0]

    def routing(self, doc_t doc):
        """Return the routing of a document, or None."""
        return self.stored_row(doc)[1]

    def numbers(self, str field not None, doc_t doc) -> list:
        """Return the doc values of a number column, ascending; for others the ords."""
        cdef FieldReader reader = self.field(field)
        if reader is None or reader.column is None:
            return []
        return reader.column.values(doc)

    def terms(self, str field not None, doc_t doc) -> list:
        """Return the doc values of a term column, ascending."""
        cdef FieldReader reader = self.field(field)
        if reader is None or reader.column is None or reader.terms is None:
            return []
        return [reader.terms.term(ord) for ord in reader.column.values(doc)]

    @property
    def fields(self) -> dict:
        """What the segment knows of its columns, by name."""
        return {
            name: FieldInfo(
                name, field.kind, field.postings, field.about["norms"], field.about["doc_values"], field.about["has_points"],
                field.doc_count, field.sum_total_term_freq, field.sum_doc_freq
            )
            for name, field in self.fields_by_name.items()
        }

    def sizes(self) -> dict:
        """Return the bytes of each kind of section."""
        sizes = {"stored": len(memoryview(self.buffers[1]))}
        for section, view in self.sections.items():
            kind = section.partition(".")[2] or section
            sizes[kind] = sizes.get(kind, 0) + len(view)
        return sizes

    def check(self) -> None:
        """Verify everything: checksums, structure, and that every document can be read."""
        read_sections("idx", self.buffers[0], verify=True)
        self.stored.check()
        for reader in self.fields_by_name.values():
            check_field(reader, self.name)


cdef list documents(const Postings* postings):
    """The documents of a term, ascending."""
    cdef Cursor cursor
    cdef list docs = []
    cdef int block, i
    if open_cursor(&cursor, postings, False) < 0:
        raise MemoryError()
    try:
        for block in range(postings.n_blocks):
            load_docs(&cursor, block)
            docs.extend([cursor.docs[i] for i in range(block_count(&cursor, block))])
    finally:
        close_cursor(&cursor)
    return docs


cdef int64_t freqs_of(const Postings* postings) except -1:
    """The sum of the frequencies of a term; the number of its documents where they are not kept."""
    cdef Cursor cursor
    cdef int64_t total = 0
    cdef int block, i
    if not postings.with_freqs:
        return postings.df
    if open_cursor(&cursor, postings, False) < 0:
        raise MemoryError()
    try:
        for block in range(postings.n_blocks):
            load_docs(&cursor, block)
            load_freqs(&cursor, block)
            for i in range(block_count(&cursor, block)):
                total += <int64_t>cursor.gaps[i] + 1
    finally:
        close_cursor(&cursor)
    return total


cdef int check_field(FieldReader field, str segment) except -1:
    """Decode every posting of a column and compare with its statistics."""
    cdef Postings postings
    cdef int64_t total = 0
    cdef uint32_t ord
    if not field.postings:
        return 0
    for ord in range(field.terms.size):
        if field.open(ord, &postings) < 0:
            raise CorruptIndexError(f"[idx] postings of term {ord} of [{field.name}] in segment [{segment}] are damaged")
        docs = documents(&postings)
        total += len(docs)
        if docs[len(docs) - 1] >= field.max_doc or any(a >= b for a, b in zip(docs, docs[1:], strict=False)):
            raise CorruptIndexError(f"[idx] documents of term {ord} of [{field.name}] in segment [{segment}] are out of order")
    if total != field.sum_doc_freq:
        raise CorruptIndexError(f"[idx] postings of [{field.name}] in segment [{segment}] are not complete")
    return 0
