"""Documents that hold a term: one term of one field, or one term blended over several fields."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext, boosted
from lanner.ext.query.dis_max import DisMaxWeight
from lanner.ext.query.term import TermWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts
    from lanner.ext.search.reader import IndexReader


@dataclass(frozen=True, slots=True)
class TermQuery(Query):
    """Documents with a term, scored by the similarity of the field."""

    field: str
    term: bytes

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the term's postings; without scoring the frequencies are not read."""
        similarity = context.similarity(self.field) if context.scoring else None
        if similarity is None or similarity.by_block:
            return TermWeight(context.reader, self.field, self.term, boost=boost, similarity=similarity)
        return formula_weight(context, self.field, [self.term], boost)

    def text(self, fields: "FieldTexts") -> str:
        """Return ``field:term``."""
        from lanner.engine.query.explanation import term_text

        return f"{self.field}:{term_text(self.term)}"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the term."""
        return _explain(self, document, boost, None)


@dataclass(frozen=True, slots=True)
class StatedTermQuery(TermQuery):
    """A term that is scored by other statistics than its own. statistics: as for TermWeight."""

    statistics: tuple[int, int]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the term's postings."""
        if not context.scoring:
            return TermWeight(context.reader, self.field, self.term)
        return term_weight(context, self.field, self.term, boost, self.statistics)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "TermQuery"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the term."""
        return _explain(self, document, boost, self.statistics)


def _explain(
    query: TermQuery, document: "Document", boost: float, statistics: tuple[int, int] | None
) -> "Explanation":
    from lanner.engine.query.explanation import match, no_match, weight_words
    from lanner.engine.query.explanation_similarity import explain_score

    weight = TermWeight(document.context.reader, query.field, query.term)
    freq = weight.freq(document.segment, document.doc)
    if not freq:
        return no_match("no matching term")
    explained = match(float(freq), "freq, occurrences of term within document")
    terms = [(query.field, query.term)]
    scored = explain_score(document, query.field, terms, boost, explained, statistics=statistics)
    return weight_words(document, document.text(query), scored)


def term_weight(
    context: WeightContext,
    field: str,
    term: bytes,
    boost: float,
    statistics: tuple[int, int] | None = None,
    total_freq: Callable[[], int] | None = None,
) -> Weight:
    """Return the weight of a term that is scored. statistics: see `TermWeight`.

    total_freq: how often the term is to come at all, for formulas that ask.
    """
    similarity = context.similarity(field)
    if similarity.by_block:
        return TermWeight(
            context.reader, field, term, boost=boost, similarity=similarity, statistics=statistics
        )
    doc_freq = None if statistics is None else statistics[0]
    total = None if statistics is None or total_freq is None else total_freq()
    return formula_weight(context, field, [term], boost, doc_freq=doc_freq, total_freq=total)


def formula_weight(
    context: WeightContext,
    field: str,
    terms: list[bytes],
    boost: float,
    *,
    doc_freq: int | None = None,
    total_freq: int | None = None,
) -> Weight:
    """Return the weight of terms that count as one, under a formula that scores every posting."""
    from lanner.ext.query.formulas import FormulaTermWeight  # few indices have one

    return FormulaTermWeight(
        context.reader,
        field,
        terms,
        context.similarity(field),
        boost=boost,
        doc_freq=doc_freq,
        total_freq=total_freq,
    )


@dataclass(frozen=True, slots=True)
class BlendedTermQuery(Query):
    """The same word in several fields as if they were one field: document frequencies are blended.

    terms: (field, term, boost). tie_breaker: how much the other fields add to the best one.
    """

    terms: tuple[tuple[str, bytes, float], ...]
    tie_breaker: float = 0.0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind every field's term with blended statistics."""
        reader = context.reader
        if not context.scoring:
            children = [TermWeight(reader, field, term) for field, term, _ in self.terms]
            return DisMaxWeight(children, self.tie_breaker)
        named = [(field, term) for field, term, _ in self.terms]

        def total_freq() -> int:
            """Add up how often the word comes in any of the fields, as `blend` does for documents."""
            tokens = [reader.field_statistics(field)[1] for field, _ in named]
            total = sum(reader.total_term_freq(field, term) for field, term in named)
            return min([total, *filter(None, tokens)])

        children = [
            term_weight(
                context,
                field,
                term,
                boost * own,
                statistics,
                total_freq,
            )
            for (field, term, own), statistics in zip(self.terms, self.statistics(reader), strict=True)
        ]
        return DisMaxWeight(children, self.tie_breaker)

    def statistics(self, reader: "IndexReader") -> list[tuple[int, int] | None]:
        """Return what each term is scored by, at most all documents of its field; None if none has it."""
        totals = [reader.field_statistics(field) for field, _, _ in self.terms]
        doc_freqs = blend(
            [reader.doc_freq(field, term) for field, term, _ in self.terms],
            [sum_total_term_freq for _, sum_total_term_freq, _ in totals],
            reader.max_doc,
        )
        return [
            (min(doc_freq, doc_count), doc_count) if doc_freq else None
            for doc_freq, (doc_count, _, _) in zip(doc_freqs, totals, strict=True)
        ]

    def text(self, fields: "FieldTexts") -> str:
        """Return ``blended(terms:[a:word, b:word])``."""
        written = ", ".join(
            boosted(TermQuery(field, term), own).text(fields).replace("(", "").replace(")", "")
            for field, term, own in self.terms
        )
        return f"blended(terms:[{written}])"

    def rewritten(self, context: WeightContext) -> Query:
        """Return the best of the terms, each with the statistics that it is scored by."""
        from lanner.engine.query.dis_max import DisMaxQuery

        clauses = tuple(
            boosted(TermQuery(field, term) if stated is None else StatedTermQuery(field, term, stated), own)
            for (field, term, own), stated in zip(self.terms, self.statistics(context.reader), strict=True)
        )
        return DisMaxQuery(clauses, self.tie_breaker)


def blend(doc_freqs: list[int], total_term_freqs: list[int], max_doc: int) -> list[int]:
    """Return the document frequencies to score with, as Lucene's BlendedTermQuery gives them.

    All fields get the largest frequency, in the order of their own frequencies one more with every step
    down, so that the field in which the word is commonest wins a tie; never more than the smallest number of
    tokens of a field.
    """
    if len(doc_freqs) < 2 or max(doc_freqs) == 0:
        return doc_freqs
    held = [total for freq, total in zip(doc_freqs, total_term_freqs, strict=True) if freq > 0]
    max_doc = min(max_doc, *held)
    blended = [0] * len(doc_freqs)
    order = sorted(range(len(doc_freqs)), key=lambda i: -doc_freqs[i])
    actual = min(max_doc, doc_freqs[order[0]])
    previous = doc_freqs[order[0]]
    for i in order:
        if doc_freqs[i] == 0:
            break
        if previous > doc_freqs[i]:
            actual += 1
        blended[i] = min(max_doc, actual)
        previous = doc_freqs[i]
    return blended
