"""Several terms that count as one: tokens at the same position.

The postings of the terms are united once per segment, frequencies added up, and laid out as those of a stored term, with the same
bounds. So all that loops over terms can use, without knowing: pruning, conjunctions, phrases. Where a segment has only one of the
terms, its own postings serve.
"""

from libc.stdlib cimport free, malloc

from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.postings_reader cimport (
    SPARE,
    Cursor,
    block_count,
    close_cursor,
    load_docs,
    load_freqs,
    open_postings,
    read_positions,
)
from lanner.ext.codec.postings_writer cimport PostingsWriter, position_gaps
from lanner.ext.codec.unpacked_postings cimport UnpackedPostings, unpack_postings
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.similarity cimport Similarity
from lanner.ext.query.term cimport TermWeight, allocate_states
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport NO_MORE_DOCS, doc_t, uint32_t, uint64_t

from pyroaring import BitMap

from lanner.ext.errors import CorruptIndexError

cdef enum:
    MOST_TERMS = 1024


cdef struct Source:
    Cursor cursor
    int block
    int at  # in the block
    doc_t doc


cdef class SynonymWeight(TermWeight):
    """Documents with any of the terms, scored as one term: frequencies added up, the greatest document frequency.

    positions: unite the positions as well. Raises ValueError unless there are 1 to 1,024 terms.
    """

    def __init__(
        self, IndexReader reader not None, str field not None, list terms not None, *, float boost=1.0,
        Similarity similarity=None, bint positions=False
    ):
        cdef TermWeight weight
        cdef Py_ssize_t i
        if not 0 < len(terms) <= MOST_TERMS:
            raise ValueError("a synonym needs 1 to 1,024 terms")
        allocate_states(self, reader, field)
        self.term = terms[0]
        self.writers = []
        self.alternatives = [TermWeight(reader, field, term, similarity, boost) for term in terms]
        self.scoring = similarity is not None
        for weight in self.alternatives:
            if weight.doc_freq > self.doc_freq:
                self.doc_freq = weight.doc_freq
                self.statistics = weight.statistics
                self.weight = weight.weight
        for i in range(self.n_segments):
            self.unite(i, positions)

    cdef int unite(self, int segment, bint positions) except -1:
        """Make the postings of a segment."""
        cdef list held = [weight for weight in self.alternatives if (<TermWeight>weight).states[segment].found]
        cdef FieldReader field
        cdef PostingsWriter writer
        cdef Source* sources
        cdef int i, opened = 0, n = len(held)
        if not n:
            return 0
        if n == 1:
            self.states[segment] = (<TermWeight>held[0]).states[segment]
            return 0
        field = <FieldReader>self.parts[segment]
        norms = field.owner["norms"] if field.norms != NULL else None
        # a document with two of the terms has frequency 2 even where frequencies are not kept
        writer = PostingsWriter(field.max_doc, norms, field.about["average"], True, positions)
        sources = <Source*>malloc(n * sizeof(Source))
        if sources == NULL:
            raise MemoryError()
        try:
            for i in range(n):
                (<TermWeight>held[i]).open_cursor(segment, &sources[i].cursor, positions)
                opened += 1
            if write_union(sources, n, positions, writer) < 0:
                raise CorruptIndexError(f"[idx] postings of a term of [{self.field}] are damaged")
        finally:
            for i in range(opened):
                close_cursor(&sources[i].cursor)
            free(sources)
        writer.sections()
        if open_postings(
            writer.postings.data, writer.postings.size, writer.positions.data, writer.positions.size,
            writer.bitmaps.data, writer.bitmaps.size, (<uint64_t*>writer.entries.data)[0], True, positions,
            &self.states[segment].postings
        ) < 0:
            raise CorruptIndexError(f"[idx] postings of a term of [{self.field}] are damaged")
        self.states[segment].found = True
        self.writers.append(writer)
        return 0

    cdef UnpackedPostings unpack(self, int segment):
        return unpack_postings(&self.states[segment].postings, (<SegmentReader>self.reader.segments[segment]).max_doc)

    cdef object bitmap(self, int segment):
        cdef TermWeight weight
        matches = BitMap()
        for weight in self.alternatives:
            matches |= weight.bitmap(segment)
        return matches


cdef int write_union(Source* sources, int n, bint with_positions, PostingsWriter out) except? -1:
    """Add the union as one term; -1 if documents or positions are damaged."""
    cdef BytesWriter docs = BytesWriter(), rests = BytesWriter(), positions = BytesWriter()
    cdef doc_t doc
    cdef uint32_t rest, count
    cdef Py_ssize_t n_docs
    cdef Py_ssize_t before
    cdef int i
    with nogil:
        for i in range(n):
            sources[i].block = -1
            sources[i].at = 0
            sources[i].doc = 0
            step(&sources[i])
        while True:
            doc = NO_MORE_DOCS
            for i in range(n):
                if sources[i].doc < doc:
                    doc = sources[i].doc
            if doc == NO_MORE_DOCS:
                break
            rest = <uint32_t>-1
            before = positions.size
            for i in range(n):
                if sources[i].doc != doc:
                    continue
                count = sources[i].cursor.gaps[sources[i].at] + 1
                rest += count
                if with_positions and add_positions(&sources[i], count, positions, before) < 0:
                    return -1
                sources[i].at += 1
                step(&sources[i])
            docs.append(&doc, 4)
            rests.append(&rest, 4)
        n_docs = docs.size // 4
        if with_positions:
            position_gaps(<uint32_t*>positions.data, <uint32_t*>rests.data, n_docs)
        if out.add(<doc_t*>docs.data, <uint32_t*>rests.data, n_docs, <uint32_t*>positions.data) < 0:
            return -1
    return 0


cdef void step(Source* source) noexcept nogil:
    """Make doc the document at hand, from the next block where one has ended."""
    cdef Cursor* c = &source.cursor
    while source.block < 0 or source.at >= block_count(c, source.block):
        source.block += 1
        source.at = 0
        if source.block >= c.postings.n_blocks:
            source.doc = NO_MORE_DOCS
            return
        load_docs(c, source.block)
        load_freqs(c, source.block)
    source.doc = c.docs[source.at]


cdef int add_positions(Source* source, uint32_t count, BytesWriter out, Py_ssize_t before) except? -1 nogil:
    """Merge the positions of a document into those that came since before; equal ones stay. -1 if they are damaged."""
    cdef const uint32_t* found
    cdef uint32_t* scratch = <uint32_t*>malloc((count + SPARE) * 4)
    cdef uint32_t* merged
    cdef Py_ssize_t i, j
    cdef uint32_t read
    if scratch == NULL:
        with gil:
            raise MemoryError()
    try:
        read = read_positions(&source.cursor, source.block, source.at, &found, scratch, count)
        if read != count:
            return -1
        out.reserve(4 * count)
        merged = <uint32_t*>(out.data + before)
        i = (out.size - before) // 4 - 1
        out.size += 4 * count
        j = <Py_ssize_t>count - 1
        while j >= 0:
            if i >= 0 and merged[i] > found[j]:
                merged[i + j + 1] = merged[i]
                i -= 1
            else:
                merged[i + j + 1] = found[j]
                j -= 1
        return 0
    finally:
        free(scratch)
