"""Documents that hold any term of a set of terms: a list, a prefix or a range of the dictionary, or what a machine takes; score 1."""

from lanner.ext.automaton.machine cimport Machine
from lanner.ext.automaton.term_walk cimport TermWalk, walk
from lanner.ext.codec.postings_reader cimport Cursor, Postings, block_count, close_cursor, load_docs, open_cursor
from lanner.ext.codec.terms cimport TermsReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport int64_t, uint32_t, uint64_t

from lanner.ext.errors import CorruptIndexError


cdef int add_term(FieldReader field, uint32_t ord, SetScorer out) except -1:
    """Add the documents of a term."""
    cdef Postings postings
    cdef Cursor cursor
    cdef int block, i
    if field.open(ord, &postings) < 0:
        raise CorruptIndexError(f"[idx] postings of term {ord} of [{field.name}] are damaged")
    if postings.single:
        out.words[postings.single_doc >> 6] |= <uint64_t>1 << (postings.single_doc & 63)
        return 0
    if open_cursor(&cursor, &postings, False) < 0:
        raise MemoryError()
    for block in range(postings.n_blocks):
        load_docs(&cursor, block)
        for i in range(block_count(&cursor, block)):
            if cursor.docs[i] < out.max_doc:
                out.words[cursor.docs[i] >> 6] |= <uint64_t>1 << (cursor.docs[i] & 63)
    close_cursor(&cursor)
    return 0


cdef class TermsWeight(SetWeight):
    """Any of a list of terms."""

    cdef str field
    cdef list terms

    def __init__(self, IndexReader reader not None, str field not None, terms):
        self.reader = reader
        self.field = field
        self.terms = list(terms)

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef int64_t ord
        cdef bytes term
        if field is None or not field.postings:
            return out
        for term in self.terms:
            ord = field.terms.find(term, len(term))
            if ord >= 0:
                add_term(field, <uint32_t>ord, out)
        return out


cdef class MachineWeight(SetWeight):
    """Terms that a machine takes (ext/automaton), which reads them while the weight makes its sets: one thread at a time."""

    cdef str field
    cdef Machine machine

    def __init__(self, IndexReader reader not None, str field not None, Machine machine not None):
        self.reader = reader
        self.field = field
        self.machine = machine

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef TermWalk found
        cdef Py_ssize_t i
        if field is None or not field.postings:
            return out
        found = walk(field.terms, self.machine, field.terms.size)
        for i in range(found.n):
            add_term(field, found.ords[i], out)
        return out


cdef class OrdRangeWeight(SetWeight):
    """Base of what selects terms that stand together in the dictionary."""

    cdef str field

    def bounds(self, TermsReader terms not None) -> tuple:
        """Return the first ord and the one after the last."""
        raise NotImplementedError

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef uint32_t ord, lo, hi
        if field is None or not field.postings:
            return out
        lo, hi = self.bounds(field.terms)
        for ord in range(lo, hi):
            add_term(field, ord, out)
        return out


cdef class PrefixWeight(OrdRangeWeight):
    """Terms that begin with some bytes."""

    cdef bytes prefix

    def __init__(self, IndexReader reader not None, str field not None, bytes prefix not None):
        self.reader = reader
        self.field = field
        self.prefix = prefix

    def bounds(self, TermsReader terms not None) -> tuple:
        """Return the first ord and the one after the last."""
        cdef bytes after = self.prefix.rstrip(b"\xff")
        lo = terms.ceiling_ord(self.prefix)
        if not after:
            return lo, terms.size
        return lo, terms.ceiling_ord(after[:len(after) - 1] + bytes([after[len(after) - 1] + 1]))


cdef class TermRangeWeight(OrdRangeWeight):
    """Terms between two others; None leaves a side open."""

    cdef bytes lower
    cdef bytes upper
    cdef bint include_lower
    cdef bint include_upper

    def __init__(
        self, IndexReader reader not None, str field not None, bytes lower, bytes upper, *, bint include_lower=True,
        bint include_upper=True
    ):
        self.reader = reader
        self.field = field
        self.lower = lower
        self.upper = upper
        self.include_lower = include_lower
        self.include_upper = include_upper

    def bounds(self, TermsReader terms not None) -> tuple:
        """Return the first ord and the one after the last."""
        lo = 0
        hi = terms.size
        if self.lower is not None:
            lo = terms.ceiling_ord(self.lower if self.include_lower else self.lower + b"\0")
        if self.upper is not None:
            hi = terms.ceiling_ord(self.upper + b"\0" if self.include_upper else self.upper)
        return lo, max(lo, hi)
