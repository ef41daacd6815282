"""Several segments into one, without the documents that no longer live.

Dictionaries are walked side by side; a term's postings are unpacked, renumbered and handed to the same writer that a flush uses.
Doc values, norms and points are joined as arrays. Blocks of stored rows are copied as they are where all their documents live.
"""

import numpy as np
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy

from lanner.ext cimport simd
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.norms cimport NO_TOKENS
from lanner.ext.codec.postings_reader cimport Postings, read_all, read_all_positions
from lanner.ext.codec.postings_writer cimport PostingsWriter
from lanner.ext.codec.terms cimport TermsCursor, TermsWriter
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.types cimport BLOCK_SIZE, doc_t, int64_t, uint8_t, uint32_t, uint64_t

from lanner.ext.codec.stored_fields import StoredFieldsWriter
from lanner.ext.errors import CorruptIndexError
from lanner.ext.index.column_arrays import column_values, join, point_values, renumber
from lanner.ext.index.index_sort import doc_maps_in_sequence, sorted_doc_maps
from lanner.ext.index.segment_writer import add_column, add_points, assemble

cdef enum:
    MOST_READERS = 256
    MOST_POSITIONS = 0x7FFFFFFF  # of one term in one segment
    FEW_DOCS = 64  # segments below are stored anew, so that their blocks become full ones

cdef extern from * nogil:
    """
    #if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define lanner_big_endian(x) __builtin_bswap64(x)
    #else
    #define lanner_big_endian(x) (x)
    #endif
    """
    uint64_t big_endian "lanner_big_endian"(uint64_t x) noexcept


cdef struct Place:
    doc_t doc
    uint32_t rest  # freq - 1
    Py_ssize_t at  # of the first position gap


cdef int compare_places(const void* a, const void* b) noexcept nogil:
    return ((<const Place*>a).doc > (<const Place*>b).doc) - ((<const Place*>a).doc < (<const Place*>b).doc)


cdef class Source:
    """One column of one segment on its way through a merge."""

    cdef FieldReader field
    cdef TermsCursor cursor
    cdef const int32_t* doc_map  # new number of each document, -1 if it is gone; NULL: all live
    cdef doc_t base  # added when doc_map is NULL
    cdef uint32_t[::1] ords  # new ord of each term
    cdef object owner
    cdef uint64_t head  # the first eight bytes of the cursor's term, most significant first
    cdef bint ended

    cdef inline void arrive(self, bint found) noexcept nogil:
        """Note where the cursor stands now."""
        self.ended = not found
        if found:
            self.head = term_head(self.cursor)


cdef inline uint64_t term_head(TermsCursor cursor) noexcept nogil:
    cdef uint64_t head
    memcpy(&head, cursor.data, 8)
    head = big_endian(head)
    if cursor.length < 8:
        head = head & ~(<uint64_t>-1 >> (8 * cursor.length)) if cursor.length else 0
    return head


cdef inline int order(Source a, Source b) noexcept nogil:
    cdef int found
    if a.head != b.head:
        return -1 if a.head < b.head else 1
    found = memcmp(a.cursor.data, b.cursor.data, min(a.cursor.length, b.cursor.length))
    if found:
        return found
    return (a.cursor.length > b.cursor.length) - (a.cursor.length < b.cursor.length)


cdef class Gathered:
    """Postings of one term from all segments: documents, freq - 1 of each, position gaps."""

    cdef BytesWriter docs
    cdef BytesWriter rest
    cdef BytesWriter gaps

    cdef BytesWriter places
    cdef BytesWriter copy

    def __cinit__(self):
        self.docs = BytesWriter()
        self.rest = BytesWriter()
        self.gaps = BytesWriter()
        self.places = BytesWriter()
        self.copy = BytesWriter()

    cdef int take(self, Source source, uint32_t ord, bint with_positions) except -1 nogil:
        """Add the postings of a term of one segment; -2 if they are damaged."""
        cdef Postings postings
        cdef doc_t* docs
        cdef uint32_t* rest
        cdef uint32_t* gaps = NULL
        cdef uint64_t total
        if source.field.open(ord, &postings) < 0:
            return -2
        docs = <doc_t*>self.docs.reserve(4 * <Py_ssize_t>postings.df)
        rest = <uint32_t*>self.rest.reserve(4 * <Py_ssize_t>postings.df)
        if read_all(&postings, 0 if source.doc_map != NULL else source.base, docs, rest) < 0:
            return -2
        total = postings.df
        if with_positions:
            total += simd.sum64(rest, postings.df)
            if total > MOST_POSITIONS:
                return -2
            gaps = <uint32_t*>self.gaps.reserve(4 * <Py_ssize_t>total + 4 * BLOCK_SIZE)
            if read_all_positions(&postings, total, gaps) < 0:
                return -2
        if source.doc_map != NULL:
            return self.take_living(source, postings.df, docs, rest, gaps)
        self.docs.size += 4 * <Py_ssize_t>postings.df
        self.rest.size += 4 * <Py_ssize_t>postings.df
        if with_positions:
            self.gaps.size += 4 * <Py_ssize_t>total
        return 0

    cdef int take_living(self, Source source, Py_ssize_t n, doc_t* docs, uint32_t* rest, uint32_t* gaps) noexcept nogil:
        """Keep those of n postings whose documents live, under their new numbers; -2 if there is no such document."""
        cdef Py_ssize_t i, kept = 0, at = 0, end = 0
        cdef uint32_t j
        cdef int64_t doc
        for i in range(n):
            if docs[i] >= source.field.max_doc:
                return -2
            doc = source.doc_map[docs[i]]
            if doc >= 0:
                docs[kept] = <doc_t>doc
                rest[kept] = rest[i]
                kept += 1
                if gaps != NULL:
                    for j in range(rest[i] + 1):
                        gaps[end + j] = gaps[at + j]
                    end += <Py_ssize_t>rest[i] + 1
            at += <Py_ssize_t>rest[i] + 1
        self.docs.size += 4 * kept
        self.rest.size += 4 * kept
        self.gaps.size += 4 * end
        return 0


    cdef int settle(self, bint with_positions) except -1 nogil:
        """Bring the postings into the order of their documents."""
        cdef Py_ssize_t n = self.docs.size // 4, i, at = 0, k
        cdef doc_t* docs = <doc_t*>self.docs.data
        cdef uint32_t* rest = <uint32_t*>self.rest.data
        cdef uint32_t* gaps = <uint32_t*>self.gaps.data
        cdef Place* places
        cdef uint32_t* copy
        if simd.ascend(docs, n):
            return 0
        places = <Place*>self.places.reserve(n * sizeof(Place))
        for i in range(n):
            places[i] = Place(docs[i], rest[i], at)
            at += <Py_ssize_t>rest[i] + 1
        qsort(places, n, sizeof(Place), compare_places)
        if with_positions:
            copy = <uint32_t*>self.copy.reserve(4 * at)
            memcpy(copy, gaps, 4 * at)
        for i in range(n):
            docs[i] = places[i].doc
            rest[i] = places[i].rest
            if with_positions:
                k = <Py_ssize_t>rest[i] + 1
                memcpy(gaps, copy + places[i].at, 4 * k)
                gaps += k
        return 0


cdef int merge_terms(
    list sources, TermsWriter terms, PostingsWriter postings, bint with_postings, bint with_freqs, bint with_positions,
    bint shuffled, uint8_t[::1] having
) except -1:
    """Walk all dictionaries at once. having: None, or bytes that are set to 1 for every document with a term."""
    cdef PyObject* items[MOST_READERS]
    cdef int equal[MOST_READERS]
    cdef int n = len(sources), i, best, n_equal, failed = 0, found
    cdef Gathered gathered = Gathered()
    cdef Source source
    cdef Py_ssize_t j
    for i in range(n):
        source = sources[i]
        source.arrive(source.cursor.seek(0))
        if source.ended and source.field.terms.size:
            raise CorruptIndexError(f"[idx] terms of [{source.field.name}] are damaged")
        items[i] = <PyObject*>source
    with nogil:
        while True:
            best = -1
            n_equal = 0
            for i in range(n):
                if (<Source>items[i]).ended:
                    continue
                found = -1 if best < 0 else order(<Source>items[i], <Source>items[best])
                if found < 0:
                    best = i
                    equal[0] = i
                    n_equal = 1
                elif found == 0:
                    equal[n_equal] = i
                    n_equal += 1
            if best < 0:
                break
            gathered.docs.size = 0
            gathered.rest.size = 0
            gathered.gaps.size = 0
            for i in range(n_equal):
                if with_postings:
                    found = gathered.take(<Source>items[equal[i]], (<Source>items[equal[i]]).cursor.ord, with_positions)
                    if found < 0:
                        failed = equal[i] + 1
                        break
                (<Source>items[equal[i]]).ords[(<Source>items[equal[i]]).cursor.ord] = terms.size
            if failed:
                break
            if shuffled:
                gathered.settle(with_positions)
            if having is not None:
                for j in range(gathered.docs.size // 4):
                    having[(<const doc_t*>gathered.docs.data)[j]] = 1
            if gathered.docs.size or not with_postings:
                terms.add((<Source>items[best]).cursor.data, (<Source>items[best]).cursor.length)
                if with_postings and postings.add(
                    <const doc_t*>gathered.docs.data, <const uint32_t*>gathered.rest.data if with_freqs else NULL,
                    gathered.docs.size // 4, <const uint32_t*>gathered.gaps.data
                ) < 0:
                    failed = best + 1
                    break
            for i in range(n_equal):
                (<Source>items[equal[i]]).arrive((<Source>items[equal[i]]).cursor.advance())
    for source in sources:
        if not failed and source.cursor.ord + 1 < source.field.terms.size:
            raise CorruptIndexError(f"[idx] terms of [{source.field.name}] are damaged")
    if failed:
        raise CorruptIndexError(f"[idx] postings of [{(<Source>sources[failed - 1]).field.name}] are damaged")
    return 0


def merge_column(parts, doc_maps, max_doc, number, bint shuffled):
    """Return (description, sections) of one column. parts: (position in doc_maps, SegmentReader, FieldReader).

    shuffled: the documents do not keep their order.
    """
    cdef TermsWriter terms
    cdef PostingsWriter postings
    cdef Source source
    cdef SegmentReader segment
    cdef FieldReader field
    cdef int32_t[::1] doc_map
    cdef int kept
    newest = parts[len(parts) - 1][2].about
    description = {name: newest[name] for name in ("name", "kind", "postings", "norms", "doc_values", "has_points")}
    description["number"] = number
    sections = {}
    remap = {}
    having = None
    if newest["kind"] != 2:
        kept = min([part[2].postings for part in parts])
        description["postings"] = kept
        description["norms"] = all([part[2].about["norms"] for part in parts])
        norms = None
        if description["norms"]:
            norms = np.zeros(max_doc, np.uint8)
            for i, _, field in parts:
                alive = doc_maps[i] >= 0
                norms[doc_maps[i][alive]] = np.frombuffer(field.owner["norms"], np.uint8)[alive]
            sections["norms"] = [norms]
        total = sum([part[2].sum_total_term_freq for part in parts])
        counted = sum([part[2].doc_count for part in parts])
        terms = TermsWriter()
        postings = PostingsWriter(max_doc, norms, total / max(counted, 1), kept >= 2, kept >= 3)
        sources = []
        for i, segment, field in parts:
            source = Source()
            source.field = field
            source.cursor = TermsCursor(field.terms)
            source.owner = doc_maps[i]
            source.ords = np.zeros(field.terms.size + 1, np.uint32)
            doc_map = doc_maps[i]
            if shuffled or segment.num_deleted:
                source.doc_map = &doc_map[0]
            else:
                source.doc_map = NULL
                source.base = doc_map[0] if segment.max_doc else 0
            remap[i] = source.ords
            sources.append(source)
        if kept and not description["norms"] and any([part[1].num_deleted for part in parts]):
            having = np.zeros(max_doc, np.uint8)
        merge_terms(sources, terms, postings, kept >= 1, kept >= 2, kept >= 3, shuffled, having)
        for name, part in terms.sections().items():
            sections[name] = [part]
        if kept:
            sections |= postings.sections()
        description |= {
            "terms": terms.size, "average": postings.average, "sum_doc_freq": postings.sum_doc_freq,
            "sum_total_term_freq": postings.sum_total_term_freq
        }
    doc_count = doc_counts(parts, doc_maps) if having is None else np.count_nonzero(having)
    if all([part[2].column is not None for part in parts]):
        joined = []
        for i, segment, field in parts:
            docs, values = column_values(field)
            if newest["kind"] != 2:
                values = np.asarray(remap[i])[values].astype(np.int64)
            joined.append(renumber(doc_maps[i], docs, values))
        docs, values = join(joined, in_order=shuffled)
        add_column(docs, values, max_doc, sections, description)
        doc_count = description["column"]["docs"]
        if newest["kind"] == 2:
            description |= {"terms": 0, "sum_doc_freq": len(values), "sum_total_term_freq": len(values)}
    else:
        description["doc_values"] = False
    if newest["kind"] == 2:
        if all([part[2].points is not None for part in parts]):
            joined = [renumber(doc_maps[i], *point_values(field)) for i, segment, field in parts]
            docs, values = join(joined, in_order=shuffled)
            add_points(docs, values, sections, description)
            description |= {"terms": 0, "sum_doc_freq": len(values), "sum_total_term_freq": len(values)}
            if "column" not in description:
                doc_count = len(np.unique(docs))
        else:
            description["has_points"] = False
    description["doc_count"] = int(doc_count)
    return description, sections


def doc_counts(parts, doc_maps):
    """Return how many live documents have tokens in the field, by its norms, or as the segments say where nothing is deleted."""
    cdef SegmentReader segment
    cdef FieldReader field
    total = 0
    for i, segment, field in parts:
        if not segment.num_deleted:
            total += field.doc_count
        elif field.about["norms"]:
            alive = np.frombuffer(field.owner["norms"], np.uint8)[doc_maps[i] >= 0]
            total += int(np.count_nonzero((alive != 0) & (alive != NO_TOKENS)))
        else:
            total += min(field.doc_count, segment.num_docs)
    return total


def merge_segments(readers, sort=()) -> tuple:
    """Return (files, doc_maps): suffix -> parts of the new segment's files, and per reader an int32 array of new document numbers.

    sort: SortKeys that the documents are to be sorted by; without, they keep their order.
    The parts are made while they are iterated over, once; at most one column is held at a time. The rows come first and then
    the largest columns, so that a disk can work on them while the rest is made. A document that is gone has number -1.
    Raises ValueError for more than 256 segments, CorruptIndexError for damage, which may show only in the parts.
    """
    readers = list(readers)
    if not 0 < len(readers) <= MOST_READERS:
        raise ValueError(f"a merge takes 1 to {MOST_READERS} segments")
    doc_maps = sorted_doc_maps(readers, sort) if sort else doc_maps_in_sequence(readers)
    max_doc = sum([reader.num_docs for reader in readers])
    rows = sorted_rows(readers, doc_maps, max_doc) if sort else rows_in_sequence(readers)
    columns = merged_columns(readers, doc_maps, max_doc, bool(sort))
    return {"src": rows, "idx": assemble(max_doc, columns)}, doc_maps


def merged_columns(readers, doc_maps, max_doc, shuffled):
    """Yield (description, sections) of all columns, those with the most tokens or values first."""
    cdef SegmentReader reader
    columns = {}
    for i, reader in enumerate(readers):
        for field in reader.fields_by_name.values():
            columns.setdefault(field.name, []).append((i, reader, field))
    # numbers tell the columns of one file apart; from file to file only the name is the same
    numbered = enumerate(sorted(columns.items()))
    for number, (_, parts) in sorted(numbered, key=lambda column: -sum([part[2].sum_total_term_freq for part in column[1][1]])):
        yield merge_column(parts, doc_maps, max_doc, number, shuffled)


def rows_in_sequence(readers):
    """Yield the parts of the file of the stored rows of all live documents."""
    cdef SegmentReader reader
    writer = StoredFieldsWriter()
    for reader in readers:
        if reader.num_deleted == 0 and reader.max_doc >= FEW_DOCS:
            writer.copy(reader.stored)
            continue
        for row in live_rows(reader):
            writer.add(row)
    yield from writer.parts()


def sorted_rows(readers, doc_maps, max_doc):
    """Yield the parts of the same file for documents that are sorted."""
    cdef Py_ssize_t i
    owner = np.zeros(max_doc, np.uint8)
    rows = []
    for i, (reader, doc_map) in enumerate(zip(readers, doc_maps)):
        numbers = doc_map[doc_map >= 0]
        owner[numbers] = i
        if (np.diff(numbers) > 0).all():
            rows.append(live_rows(reader))
        else:  # as large as a write buffer at most, for every merge leaves a sorted segment
            found = list(live_rows(reader))
            rows.append(iter([found[place] for place in np.argsort(numbers)]))
    writer = StoredFieldsWriter()
    for i in owner:
        writer.add(next(rows[i]))
    yield from writer.parts()


def live_rows(SegmentReader reader):
    """Yield the stored rows of the documents that live, each with its length in front."""
    cdef uint32_t doc
    for doc in range(reader.max_doc):
        if reader.is_live(doc):
            data, start, end = reader.stored.row(doc)
            yield prefixed(data[start:end])


def prefixed(bytes row not None) -> bytes:
    """Return a row with its length in front."""
    cdef BytesWriter out = BytesWriter()
    out.append_vint(len(row))
    out.append(<const uint8_t*>row, len(row))
    return out.data[:out.size]
