"""Scoring formulas other than BM25: every posting is scored when a search begins, none is skipped.

score = formula(how often the term comes in the document, how long the document is, how often the term comes at all). Sources: Zhai and
Lafferty, "A Study of Smoothing Methods for Language Models", 2001 (LM); Amati and van Rijsbergen, "Probabilistic Models of
Information Retrieval Based on Measuring the Divergence from Randomness", 2002 (DFR); Kocabas, Dincer and Karaoglan, "A
Nonparametric Term Weighting Method", 2014 (DFI); Clinchant and Gaussier, "Information-Based Models for Ad Hoc IR", 2010 (IB); their
constants and roundings are those of Lucene 9.
"""

from libc.math cimport log, nextafter, nextafterf, pow, sqrt
from libc.string cimport memset

from lanner.ext cimport simd
from lanner.ext.codec.norms cimport decode_length
from lanner.ext.codec.postings_reader cimport Cursor, Postings, block_count, close_cursor, load_docs, load_freqs, open_cursor
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.scored_set cimport ScoredSet, empty_scores
from lanner.ext.query.scorer cimport Scorer, Weight
from lanner.ext.query.similarity cimport Similarity
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport NO_MORE_DOCS, WINDOW_SIZE, WINDOW_WORDS, doc_t, int64_t, uint32_t, uint64_t

from lanner.ext.errors import CorruptIndexError

KINDS = {"LMDirichlet": 0, "LMJelinekMercer": 1, "DFR": 2, "DFI": 3, "IB": 4}
MODELS = {
    "g": 0, "if": 1, "in": 2, "ine": 3,  # of DFR
    "standardized": 0, "saturated": 1, "chisquared": 2,  # of DFI
    "ll": 0, "spl": 1,  # of IB
}
EFFECTS = {"b": 0, "l": 1, "df": 0, "ttf": 1}  # of DFR, and the lambdas of IB
NORMALIZATIONS = {"no": 0, "h1": 1, "h2": 2, "h3": 3, "z": 4}
cdef enum:
    DIRICHLET = 0
    JELINEK_MERCER = 1
    DFR = 2
    DFI = 3
cdef double LOG_2 = log(2.0)


cdef double log2(double value) noexcept nogil:
    return log(value) / LOG_2


cdef struct TermNumbers:
    double docs  # with the field
    double tokens  # of the field
    double average  # tokens of a document
    double doc_freq
    double total_freq
    double boost


cdef class Formula(Similarity):
    """A formula by its kind. number: mu or lambda; model, effect: see above; normalization and its number: of DFR and IB."""

    cdef readonly str name
    cdef int kind
    cdef int model
    cdef int effect
    cdef int normalization
    cdef readonly double number
    cdef tuple own_key

    def __init__(self, str name not None, *, str model="", str effect="", str normalization="no", double number=0):
        self.name = name
        self.kind = KINDS[name]
        self.model = MODELS.get(model, 0)
        self.effect = EFFECTS.get(effect, 0)
        self.normalization = NORMALIZATIONS[normalization]
        self.number = number
        self.own_key = (name, model, effect, normalization, number)

    @property
    def key(self):
        return self.own_key

    @property
    def by_block(self):
        return False

    cdef double normal(self, const TermNumbers* t, double freq, double length) noexcept nogil:
        """The frequency as it would be in a document of usual length."""
        if self.normalization == 1:
            return freq * self.number * (t.average / length)
        if self.normalization == 2:
            return freq * log2(1 + self.number * t.average / length)
        if self.normalization == 3:
            return (freq + self.number * ((t.total_freq + 1) / (t.tokens + 1))) / (length + self.number) * self.number
        if self.normalization == 4:
            return freq * pow(t.average / length, self.number)
        return freq

    cdef double score(self, const TermNumbers* t, double freq, double length) noexcept nogil:
        cdef double collection = (t.total_freq + 1) / (t.tokens + 1), found
        if self.kind == DIRICHLET:
            found = t.boost * (log(1 + freq / (self.number * collection)) + log(self.number / (length + self.number)))
            return found if found > 0 else 0
        if self.kind == JELINEK_MERCER:
            return t.boost * log(1 + ((1 - self.number) * freq / length) / (self.number * collection))
        if self.kind == DFR:
            return t.boost * self.divergence(t, self.normal(t, freq, length))
        if self.kind == DFI:
            return t.boost * self.independence(freq, (t.total_freq + 1) * length / (t.tokens + 1))
        return t.boost * self.surprise(t, self.normal(t, freq, length))

    cdef double divergence(self, const TermNumbers* t, double freq) noexcept nogil:
        cdef double after = (t.total_freq + 2) / (t.doc_freq + 1) if self.effect == 0 else 1, a, b, share
        if self.model == 0:
            share = (t.total_freq + 1) / (t.docs + t.total_freq + 1)
            a = log2(share + 1)
            b = log2((1 + share) / share)
            return (b - (b - a) / (1 + freq)) * after
        if self.model == 1:
            a = log2(1 + (t.docs + 1) / (t.total_freq + 0.5))
        elif self.model == 2:
            a = log2((t.docs + 1) / (t.doc_freq + 0.5))
        else:
            a = log2((t.docs + 1) / (t.docs * (1 - pow((t.docs - 1) / t.docs, t.total_freq)) + 0.5))
        return a * after * (1 - 1 / (1 + freq))

    cdef double independence(self, double freq, double expected) noexcept nogil:
        if freq <= expected:
            return 0
        if self.model == 0:
            return log2((freq - expected) / sqrt(expected) + 1)
        if self.model == 1:
            return log2((freq - expected) / expected + 1)
        return log2((freq - expected) * (freq - expected) / expected + 1)

    cdef double surprise(self, const TermNumbers* t, double freq) noexcept nogil:
        cdef float rounded = <float>(((t.doc_freq if self.effect == 0 else t.total_freq) + 1) / (t.docs + 1))
        cdef double share = rounded if rounded != 1 else nextafterf(<float>1, <float>0), q, found
        if self.model == 0:
            return -log(share / (freq + share))
        q = 1 - 1 / (freq + 1)
        if q == 1:
            q = nextafter(<double>1, <double>0)
        found = pow(share, q)
        if found == share:  # by rounding alone, which would make the score infinite
            found = nextafter(share, <double>2 if share < 1 else <double>0)
        return -log((found - share) / (1 - share))


cdef class FormulaWeight(Weight):
    """Base: what is counted in a document, scored by a formula for each of some terms; the scores are added."""

    cdef str field
    cdef Formula formula
    cdef list numbers  # TermNumbers of each term, as tuples
    cdef float boost

    cdef int bind_field(self, IndexReader reader, str field, Formula formula, float boost) except -1:
        self.reader = reader
        self.scoring = True
        self.field = field
        self.formula = formula
        self.boost = boost
        self.numbers = []
        return 0

    cdef int add_term(self, int64_t doc_freq, int64_t total_freq) except -1:
        doc_count, tokens, _ = self.reader.field_statistics(self.field)
        self.numbers.append((doc_count, tokens, doc_freq, total_freq))
        return 0

    cdef float score_of(self, const TermNumbers* terms, int n, float freq, double length) noexcept nogil:
        cdef float total = 0
        cdef int i
        for i in range(n):
            total += <float>self.formula.score(terms + i, freq, length)
        return total

    cdef int unpack(self, TermNumbers* out) except -1:
        """Write the numbers of the terms; 1,024 at most."""
        cdef int i = 0
        for docs, tokens, doc_freq, total_freq in self.numbers[:1024]:
            out[i].docs = docs
            out[i].tokens = tokens
            out[i].average = <double>tokens / <double>docs if docs else 1
            out[i].doc_freq = doc_freq
            out[i].total_freq = total_freq
            out[i].boost = self.boost
            i += 1
        return i

    cdef ScoredSet scored(self, FieldReader field, ScoredSet counts, doc_t max_doc):
        """The scores of documents whose frequencies are given."""
        cdef ScoredSet out = empty_scores(max_doc)
        cdef TermNumbers[1024] terms
        cdef int n = self.unpack(terms)
        cdef doc_t doc = counts.candidate(0)
        cdef double length = 1
        with nogil:
            while doc != NO_MORE_DOCS:
                if field.norms != NULL:
                    length = <double>decode_length(field.norms[doc])
                out.put(doc, self.score_of(terms, n, counts.scores[doc], length))
                out.cost += 1
                doc = counts.candidate(doc + 1) if doc + 1 < max_doc else NO_MORE_DOCS
        return out


cdef int64_t count_term(FieldReader field, bytes term, ScoredSet counts) except -1:
    """Add how often a term comes in each document to counts, which may be None; return how often it comes at all."""
    cdef int64_t ord, total = 0
    cdef Postings postings
    cdef Cursor cursor
    cdef int block, i
    cdef doc_t doc
    cdef uint32_t freq
    ord = field.terms.find(term, len(term))
    if ord < 0:
        return 0
    if field.open(<uint32_t>ord, &postings) < 0:
        raise CorruptIndexError(f"[idx] postings of term {ord} of [{field.name}] are damaged")
    if postings.single:  # one that comes once
        if counts is not None:
            counts.put(postings.single_doc, 1 + (counts.scores[postings.single_doc] if postings.single_doc < counts.max_doc else 0))
        return 1
    if open_cursor(&cursor, &postings, False) < 0:
        raise MemoryError()
    for block in range(postings.n_blocks):
        load_docs(&cursor, block)
        if field.postings >= 2:
            load_freqs(&cursor, block)
        for i in range(block_count(&cursor, block)):
            doc = cursor.docs[i]
            freq = cursor.gaps[i] + 1 if field.postings >= 2 else 1
            total += freq
            if counts is not None:
                counts.put(doc, (counts.scores[doc] if doc < counts.max_doc else 0) + <float>freq)
    close_cursor(&cursor)
    return total


cdef int64_t total_of(IndexReader reader, str field, bytes term) except -1:
    cdef SegmentReader segment
    cdef FieldReader part
    cdef int64_t total = 0
    for segment in reader.segments:
        part = segment.field(field)
        if part is not None and part.postings:
            total += count_term(part, term, None)
    return total


cdef class FormulaTermWeight(FormulaWeight):
    """A term, or several that count as one. doc_freq, total_freq: to score with instead of the reader's."""

    cdef list terms

    def __init__(
        self, IndexReader reader not None, str field not None, terms, Formula formula not None, *, float boost=1.0, doc_freq=None,
        total_freq=None
    ):
        cdef bytes term
        cdef int64_t most = 0, total = 0
        self.bind_field(reader, field, formula, boost)
        self.terms = list(terms)
        for term in self.terms:
            most = max(most, <int64_t>reader.doc_freq(field, term))
            total += total_of(reader, field, term)
        self.add_term(most if doc_freq is None else doc_freq, total if total_freq is None else total_freq)

    cdef Scorer scorer(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef FieldReader field = reader.field(self.field)
        cdef ScoredSet counts
        cdef bytes term
        if field is None or not field.postings:
            return None
        counts = empty_scores(reader.max_doc)
        for term in self.terms:
            count_term(field, term, counts)
        counts = self.scored(field, counts, reader.max_doc)
        return counts if counts.cost else None


cdef class FormulaPhraseWeight(FormulaWeight):
    """A phrase of terms, each of which is scored with how often the phrase comes. child: scores that (`RawFrequency`)."""

    cdef Weight child

    def __init__(self, Weight child not None, str field not None, terms, Formula formula not None, *, float boost=1.0):
        cdef IndexReader reader = child.reader
        cdef bytes term
        cdef int64_t total
        self.bind_field(reader, field, formula, boost)
        self.child = child
        for term in terms:
            total = total_of(reader, field, term)
            if total:
                self.add_term(reader.doc_freq(field, term), total)

    cdef Scorer scorer(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef Scorer child = self.child.scorer(segment)
        cdef ScoredSet counts
        cdef uint64_t[WINDOW_WORDS] bits
        cdef float[WINDOW_SIZE] freqs
        cdef uint64_t word
        cdef doc_t lo, hi, doc
        cdef int w
        if child is None:
            return None
        counts = empty_scores(reader.max_doc)
        with nogil:
            lo = child.candidate(0)
            while lo != NO_MORE_DOCS:
                lo = lo // WINDOW_SIZE * WINDOW_SIZE
                hi = min(lo + WINDOW_SIZE, reader.max_doc)
                memset(bits, 0, sizeof(bits))
                memset(freqs, 0, sizeof(freqs))
                child.fill(lo, hi, bits, freqs)
                for w in range(WINDOW_WORDS):
                    word = bits[w]
                    while word:
                        doc = 64 * w + simd.ctz(word)
                        word &= word - 1
                        counts.put(lo + doc, freqs[doc])
                lo = child.candidate(hi) if hi < reader.max_doc else NO_MORE_DOCS
        counts = self.scored(reader.field(self.field), counts, reader.max_doc)
        return counts if counts.cost else None
