"""Scoring formulas.

A similarity gives a term its weight once per query, and per field a table from norm bytes to what the block loops need. BM25 is
that of Lucene 9 times (k1 + 1), as the 2.x line of OpenSearch scores: weight = boost * (k1 + 1) * idf and
score = weight - weight / (1 + freq * inverse[norm]). Where it scores with Lucene's own (percolation), nothing is multiplied.
"""

from libc.math cimport log

from lanner.ext.codec.norms cimport fill_inverse
from lanner.ext.index.segment_reader cimport FieldReader
from lanner.ext.types cimport int64_t


cdef class FieldStatistics:
    """Statistics of a field over all segments of a reader, and the tables made of them."""


cdef class Similarity:
    """Base of the formulas."""

    cdef float weight(self, FieldStatistics statistics, int64_t doc_freq, int64_t doc_count, float boost) except? -1:
        raise NotImplementedError

    cdef FieldStatistics bind(self, object reader, str field):
        """The tables for one field of a reader."""
        raise NotImplementedError

    @property
    def key(self):
        """What tells two similarities apart."""
        raise NotImplementedError

    @property
    def by_block(self):
        """Whether stored impacts bound its scores; other formulas have weights of their own (formulas.pyx)."""
        return True


cdef class BM25(Similarity):
    """Okapi BM25. Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; BM25Similarity of Lucene.

    plain: without the factor (k1 + 1).
    """

    def __init__(self, float k1=1.2, float b=0.75, *, bint plain=False):
        if not k1 >= 0 or k1 > 3.4e38 or not 0 <= b <= 1:
            raise ValueError(f"illegal k1 or b value: {k1}, {b}")
        self.k1 = k1
        self.b = b
        self.plain = plain

    @property
    def key(self):
        return ("BM25", self.k1, self.b, self.plain)

    cdef float weight(self, FieldStatistics statistics, int64_t doc_freq, int64_t doc_count, float boost) except? -1:
        cdef float idf = <float>log(1 + (<double>(doc_count - doc_freq) + 0.5) / (<double>doc_freq + 0.5))
        return boost * idf if self.plain else boost * (<float>1.0 + self.k1) * idf

    cdef FieldStatistics bind(self, object reader, str field):
        cdef FieldStatistics statistics = FieldStatistics.__new__(FieldStatistics)
        cdef FieldReader part
        cdef float ratio, most, least
        cdef int i
        statistics.doc_count, statistics.sum_total_term_freq, _ = reader.field_statistics(field)
        statistics.flat = False
        fill_inverse(
            self.k1, self.b,
            <float>(<double>statistics.sum_total_term_freq / <double>statistics.doc_count) if statistics.sum_total_term_freq > 0 else <float>1.0,
            statistics.inverse
        )
        statistics.slack = []
        statistics.shrink = []
        for segment in reader.segments:
            part = segment.fields_by_name.get(field)
            most = 1
            least = 1
            if part is not None:
                # a score is 1 - 1 / (1 + f * inverse): between two tables it grows by at most their ratio
                for i in range(256):
                    ratio = statistics.inverse[i] / part.inverse[i]
                    if ratio > most:
                        most = ratio
                    if ratio < least:
                        least = ratio
            statistics.slack.append(most * <float>1.000001)
            statistics.shrink.append(least * <float>0.999999)
        return statistics


cdef FieldStatistics flat_statistics(object reader, str field):
    """Statistics for scores that lengths do not change."""
    cdef FieldStatistics statistics = FieldStatistics.__new__(FieldStatistics)
    statistics.doc_count, statistics.sum_total_term_freq, _ = reader.field_statistics(field)
    statistics.flat = True
    statistics.slack = [1.0] * len(reader.segments)
    statistics.shrink = [0.0] * len(reader.segments)
    return statistics


cdef class BooleanSimilarity(Similarity):
    """Every match scores its boost."""

    @property
    def key(self):
        return ("boolean",)

    cdef float weight(self, FieldStatistics statistics, int64_t doc_freq, int64_t doc_count, float boost) except? -1:
        return boost

    cdef FieldStatistics bind(self, object reader, str field):
        return flat_statistics(reader, field)


cdef class RawFrequency(Similarity):
    """Every match scores how often it comes: what the formulas of formulas.pyx start from."""

    @property
    def key(self):
        return ("frequency",)

    cdef float weight(self, FieldStatistics statistics, int64_t doc_freq, int64_t doc_count, float boost) except? -1:
        return 1

    cdef FieldStatistics bind(self, object reader, str field):
        return flat_statistics(reader, field)
