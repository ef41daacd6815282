"""A point in time of one shard: an immutable list of segments, and the statistics over all of them."""

from itertools import accumulate

from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.similarity cimport FieldStatistics, Similarity
from lanner.ext.types cimport int64_t


cdef class IndexReader:
    """The segments that a search sees. Statistics count deleted documents until a merge drops them, as in Lucene.

    bases: of each segment, the documents in those before it; at the end, all.
    """

    def __init__(self, segments):
        cdef SegmentReader segment
        self.segments = tuple(segments)
        self.bases = tuple(accumulate([s.max_doc for s in self.segments], initial=0))
        self.statistics = {}
        self.bound = {}
        self.indexed = {}
        self.ordinals = {}
        for segment in self.segments:
            self.max_doc += segment.max_doc
            self.num_docs += segment.max_doc - segment.num_deleted

    def field_statistics(self, str field not None) -> tuple:
        """Return (documents with the field, tokens, postings) over all segments."""
        cdef FieldReader part
        found = self.statistics.get(field)
        if found is None:
            parts = [p for p in ((<SegmentReader>s).fields_by_name.get(field) for s in self.segments) if p is not None]
            found = (
                sum([p.doc_count for p in parts]), sum([p.sum_total_term_freq for p in parts]), sum([p.sum_doc_freq for p in parts])
            )
            self.statistics[field] = found
        return found

    def doc_freq(self, str field not None, bytes term not None) -> int:
        """Return how many documents hold a term, deleted ones included."""
        cdef FieldReader part
        cdef SegmentReader segment
        cdef int64_t ord, total = 0
        for segment in self.segments:
            part = segment.field(field)
            if part is not None and part.terms is not None:
                ord = part.terms.find(term, len(term))
                if ord >= 0:
                    total += part.doc_freq(<unsigned int>ord)
        return total

    def total_term_freq(self, str field not None, bytes term not None) -> int:
        """Return how often a term comes in all documents, deleted ones included."""
        parts = [(<SegmentReader>s).fields_by_name.get(field) for s in self.segments]
        return sum([p.total_term_freq(term) for p in parts if p is not None])

    cdef tuple parts(self, str field):
        """Per segment, the FieldReader of a field that has postings there, or None."""
        found = self.indexed.get(field)
        if found is None:
            found = tuple([(<SegmentReader>s).fields_by_name.get(field) for s in self.segments])
            found = tuple([p if p is not None and (<FieldReader>p).postings else None for p in found])
            self.indexed[field] = found
        return <tuple>found

    cdef FieldStatistics bind(self, Similarity similarity, str field):
        """The tables of a similarity for a field, made once."""
        if similarity is self.last_similarity and field is self.last_field:
            return self.last_bound
        key = (similarity, field)
        found = self.bound.get(key)
        if found is None:
            found = similarity.bind(self, field)
            self.bound[key] = found
        self.last_similarity = None  # until the other two belong together
        self.last_field = field
        self.last_bound = <FieldStatistics>found
        self.last_similarity = similarity
        return <FieldStatistics>found
