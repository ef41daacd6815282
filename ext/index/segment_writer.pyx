"""From a write buffer to the file of a segment.

The file ("idx", see codec/sections.py) holds, per column NUMBER, sections "NUMBER.terms", ".starts", ".slots", ".tags" (codec/terms.pxd), ".entries", ".postings",
".positions", ".bitmaps" (codec/postings.pxd), ".norms" (codec/norms.pxd), ".dv", ".present", ".first", ".zones", ".values", ".docs"
(codec/columns.py), and at its end a section "meta" (msgpack: documents and, per column, what it is and its statistics).
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

import msgspec
import numpy as np

from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.norms cimport NO_TOKENS, encode_length
from lanner.ext.codec.postings_writer cimport PostingsWriter, position_gaps
from lanner.ext.codec.terms cimport TermsWriter
from lanner.ext.index.column_buffer cimport Column
from lanner.ext.types cimport doc_t, uint8_t, uint32_t, uint64_t

from lanner.ext.codec.columns import write_column, write_points
from lanner.ext.codec.sections import write_sections

cdef struct Key:
    uint64_t prefix  # the first eight bytes, most significant first
    uint32_t term


cdef bint before(const Key* a, const Key* b, const uint8_t* data, const uint32_t* starts) noexcept nogil:
    """Order of two different terms."""
    cdef uint32_t n, m
    cdef int order
    if a.prefix != b.prefix:
        return a.prefix < b.prefix
    n = starts[a.term + 1] - starts[a.term]
    m = starts[b.term + 1] - starts[b.term]
    order = memcmp(data + starts[a.term], data + starts[b.term], n if n < m else m)
    if order:
        return order < 0
    return n < m


cdef void sort_keys(Key* keys, Py_ssize_t n, const uint8_t* data, const uint32_t* starts) noexcept nogil:
    """Quicksort with the median of three; the smaller part is sorted first, so that the stack stays flat."""
    cdef Py_ssize_t i, j, lo, hi, top = 0
    cdef Py_ssize_t[128] stack
    cdef Key pivot, swap
    stack[0] = 0
    stack[1] = n
    top = 2
    while top:
        top -= 2
        lo = stack[top]
        hi = stack[top + 1]
        while hi - lo > 16:
            i = lo + (hi - lo) // 2
            if before(&keys[i], &keys[lo], data, starts):
                swap = keys[i]
                keys[i] = keys[lo]
                keys[lo] = swap
            if before(&keys[hi - 1], &keys[i], data, starts):
                swap = keys[i]
                keys[i] = keys[hi - 1]
                keys[hi - 1] = swap
                if before(&keys[i], &keys[lo], data, starts):
                    swap = keys[i]
                    keys[i] = keys[lo]
                    keys[lo] = swap
            pivot = keys[i]
            i = lo
            j = hi - 1
            while True:
                while before(&keys[i], &pivot, data, starts):
                    i += 1
                while before(&pivot, &keys[j], data, starts):
                    j -= 1
                if i >= j:
                    break
                swap = keys[i]
                keys[i] = keys[j]
                keys[j] = swap
                i += 1
                j -= 1
            j += 1  # keys[lo:j] <= pivot <= keys[j:]
            if j - lo < hi - j:
                stack[top] = j
                stack[top + 1] = hi
                hi = j
            else:
                stack[top] = lo
                stack[top + 1] = j
                lo = j
            top += 2
        for i in range(lo + 1, hi):
            swap = keys[i]
            j = i
            while j > lo and before(&swap, &keys[j - 1], data, starts):
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = swap


cdef class SortedTokens:
    """The tokens of a column dealt out to its terms in their order."""

    cdef Key* keys
    cdef uint32_t* ranks  # by term
    cdef uint32_t* ends  # by rank: end of the term's tokens
    cdef uint32_t* docs  # by token
    cdef uint32_t* positions
    cdef Py_ssize_t n_tokens

    def __cinit__(self, Column column not None):
        cdef Py_ssize_t n = column.n_terms, i, j, stop, n_docs = column.docs.size // 4
        cdef uint32_t end = <uint32_t>column.bytes.size, at = 0, doc, t
        cdef const uint32_t* starts
        cdef const uint32_t* counts
        cdef const uint32_t* terms = <const uint32_t*>column.terms.data
        cdef const uint32_t* first = <const uint32_t*>column.first.data
        cdef const uint32_t* docs = <const uint32_t*>column.docs.data
        cdef const uint32_t* positions = <const uint32_t*>column.positions.data
        cdef bint with_positions = column.positions.size > 0
        cdef uint32_t* fill
        cdef uint8_t[8] head
        cdef uint64_t prefix
        self.n_tokens = column.terms.size // 4
        # one more start closes the last term; the next term to arrive overwrites it
        column.starts.append(&end, 4)
        column.starts.size -= 4
        starts = <const uint32_t*>column.starts.data
        counts = <const uint32_t*>column.counts.data
        self.keys = <Key*>malloc(n * sizeof(Key) + 1)
        self.ranks = <uint32_t*>malloc(n * 4 + 4)
        self.ends = <uint32_t*>malloc(n * 4 + 4)
        self.docs = <uint32_t*>malloc(self.n_tokens * 4 + 4)
        self.positions = <uint32_t*>malloc(self.n_tokens * 4 + 4 if with_positions else 4)
        fill = <uint32_t*>malloc(n * 4 + 4)
        if self.keys == NULL or self.ranks == NULL or self.ends == NULL or self.docs == NULL or self.positions == NULL or fill == NULL:
            free(fill)
            raise MemoryError()
        with nogil:
            for i in range(n):
                prefix = 0
                for j in range(8):
                    prefix <<= 8
                    if starts[i] + j < starts[i + 1]:
                        prefix |= column.bytes.data[starts[i] + j]
                self.keys[i].prefix = prefix
                self.keys[i].term = <uint32_t>i
            sort_keys(self.keys, n, column.bytes.data, starts)
            for i in range(n):
                t = self.keys[i].term
                self.ranks[t] = <uint32_t>i
                fill[t] = at
                at += counts[t]
                self.ends[i] = at
            for i in range(n_docs):
                doc = docs[i]
                stop = first[i + 1] if i + 1 < n_docs else self.n_tokens
                for j in range(first[i], stop):
                    at = fill[terms[j]]
                    fill[terms[j]] = at + 1
                    self.docs[at] = doc
                    if with_positions:
                        self.positions[at] = positions[j]
        free(fill)

    def __dealloc__(self):
        free(self.keys)
        free(self.ranks)
        free(self.ends)
        free(self.docs)
        free(self.positions)


def as_array(BytesWriter writer, kind):
    """Return the contents as a numpy array without copying."""
    return np.frombuffer(writer, kind) if writer.size else np.empty(0, kind)


cdef dict write_terms(Column column, uint32_t max_doc, dict sections, dict description):
    """Write dictionary, postings and norms of a column; add what they are to description."""
    cdef SortedTokens tokens = SortedTokens(column)
    cdef TermsWriter terms = TermsWriter()
    cdef PostingsWriter postings
    cdef Py_ssize_t i, j, n, rank, start = 0
    cdef uint32_t t
    cdef const uint32_t* starts = <const uint32_t*>column.starts.data
    cdef doc_t* docs
    cdef uint32_t* rest  # freq - 1
    cdef bint with_freqs = column.field.postings >= 2
    cdef bint with_positions = column.field.postings >= 3
    cdef bint with_postings = column.field.postings >= 1
    cdef uint8_t[::1] norms = None
    cdef uint32_t[::1] counts = None
    cdef const uint32_t* lengths = <const uint32_t*>column.lengths.data
    cdef const uint32_t* having = <const uint32_t*>column.docs.data
    cdef uint64_t total = 0
    cdef Py_ssize_t n_docs = column.docs.size // 4
    cdef const uint32_t* first = <const uint32_t*>column.first.data
    cdef Py_ssize_t longest = 0, doc_count = 0
    cdef bint has_tokens
    if column.field.norms:
        array = np.zeros(max_doc, np.uint8)
        norms = array
        sections["norms"] = [array]
    if norms is not None and not with_freqs:
        # without frequencies a length is, as in Lucene, the number of different terms
        distinct = np.zeros(max_doc, np.uint32)
        counts = distinct
        for rank in range(column.n_terms):
            for i in range(start, tokens.ends[rank]):
                counts[tokens.docs[i]] += i == start or tokens.docs[i] != tokens.docs[i - 1]
            start = tokens.ends[rank]
        start = 0
    for i in range(n_docs):
        has_tokens = (first[i + 1] if i + 1 < n_docs else tokens.n_tokens) > first[i]
        doc_count += has_tokens  # for averages a text without a token does not count
        if norms is not None:
            norms[having[i]] = encode_length(counts[having[i]] if counts is not None else lengths[i]) if has_tokens else NO_TOKENS
    for rank in range(column.n_terms):
        n = tokens.ends[rank] - start
        longest = max(longest, n)
        start = tokens.ends[rank]
    postings = PostingsWriter(
        max_doc, norms, <float>tokens.n_tokens / max(doc_count, 1), with_freqs, with_positions
    )
    docs = <doc_t*>malloc(longest * 4 + 4)
    rest = <uint32_t*>malloc(longest * 4 + 4)
    if docs == NULL or rest == NULL:
        free(docs)
        free(rest)
        raise MemoryError()
    try:
        with nogil:
            start = 0
            for rank in range(column.n_terms):
                t = tokens.keys[rank].term
                terms.add(column.bytes.data + starts[t], starts[t + 1] - starts[t])
                if with_postings:
                    n = 0
                    for i in range(start, tokens.ends[rank]):
                        if n and docs[n - 1] == tokens.docs[i]:
                            rest[n - 1] += 1
                        else:
                            docs[n] = tokens.docs[i]
                            rest[n] = 0
                            n += 1
                    if with_positions:
                        position_gaps(tokens.positions + start, rest, n)
                    postings.add(docs, rest if with_freqs else NULL, n, tokens.positions + start)
                start = tokens.ends[rank]
    finally:
        free(docs)
        free(rest)
    for name, part in terms.sections().items():
        sections[name] = [part]
    if with_postings:
        sections |= postings.sections()
    description |= {
        "terms": column.n_terms,
        "doc_count": doc_count,
        "average": postings.average,
        "sum_doc_freq": postings.sum_doc_freq,
        "sum_total_term_freq": postings.sum_total_term_freq,
    }
    if column.field.doc_values:
        write_ords(column, tokens, max_doc, sections, description)
    return description


cdef int write_ords(Column column, SortedTokens tokens, uint32_t max_doc, dict sections, dict description) except -1:
    """Write the ords of each document, ascending and without repetition."""
    having = as_array(column.docs, np.uint32)
    first = as_array(column.first, np.uint32).astype(np.int64)
    counts = np.diff(first, append=column.terms.size // 4)
    ranks = np.frombuffer(<uint32_t[:column.n_terms]>tokens.ranks, np.uint32) if column.n_terms else np.empty(0, np.uint32)
    ords = ranks[as_array(column.terms, np.uint32)].astype(np.int64)
    docs = np.repeat(having, counts)
    if len(ords) > len(having):
        order = np.lexsort((ords, docs))
        docs, ords = docs[order], ords[order]
        fresh = (np.diff(docs, prepend=0xFFFFFFFF) != 0) | (np.diff(ords, prepend=-1) != 0)
        docs, ords = docs[fresh], ords[fresh]
    add_column(docs, ords, max_doc, sections, description)
    return 0


def add_column(docs, values, max_doc, sections, description):
    """Write doc values under their section names."""
    about, arrays = write_column(docs, values, max_doc)
    description["column"] = about
    for name, array in arrays.items():
        sections["first" if name == "starts" else name] = [array]


def add_points(docs, values, sections, description):
    """Write points under their section names."""
    description["points"], arrays = write_points(docs, values)
    for name, array in arrays.items():
        sections[name] = [array]


cdef dict write_numbers(Column column, uint32_t max_doc, dict sections, dict description):
    having = as_array(column.docs, np.uint32)
    first = as_array(column.first, np.uint32).astype(np.int64)
    values = as_array(column.values, np.int64)
    docs = np.repeat(having, np.diff(first, append=len(values)))
    if len(values) > len(having):
        order = np.lexsort((values, docs))
        docs, values = docs[order], values[order]
    description |= {"terms": 0, "doc_count": len(having), "sum_doc_freq": len(values), "sum_total_term_freq": len(values)}
    if column.field.doc_values:
        add_column(docs, values, max_doc, sections, description)
    if column.field.points:
        add_points(docs, values, sections, description)
    return description


def describe(field, number) -> dict:
    """Return what "meta" says of a column besides its statistics. number: its place in this file."""
    return {
        "name": field.name,
        "number": number,
        "kind": field.kind,
        "postings": field.postings,
        "norms": field.norms,
        "doc_values": field.doc_values,
        "has_points": field.points,
    }


def assemble(max_doc, columns):
    """Yield the parts of the file. columns: (description, sections by short name) of each column, asked for one by one."""
    return write_sections("idx", all_sections(max_doc, columns))


def all_sections(max_doc, columns):
    """Yield name and buffers of the sections of all columns, then of the one that describes them in the order of their numbers."""
    described = []
    for about, parts in columns:
        described.append(about)
        for name, buffers in parts.items():
            yield f"{about['number']}.{name}", buffers
        del parts  # which may be large, before the next column is made
    described.sort(key=lambda about: about["number"])
    yield "meta", [msgspec.msgpack.encode({"max_doc": max_doc, "columns": described})]


def write_segment(uint32_t max_doc, list columns) -> list:
    """Return the parts of the file of a segment that holds what the columns of a write buffer hold."""
    cdef Column column
    written = []
    for number, column in enumerate(columns):
        sections = {}
        description = describe(column.field, number)
        if column.field.kind == 2:
            write_numbers(column, max_doc, sections, description)
        else:
            write_terms(column, max_doc, sections, description)
        written.append((description, sections))
    return list(assemble(max_doc, written))
