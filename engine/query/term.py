"""Documents that hold a term, and documents that hold any of several terms that count as one."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext


@dataclass(frozen=True, slots=True)
class TermQuery(Query):
    """Documents with a term, scored by the similarity of the field."""

    field: str
    term: bytes

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the term's postings; without scoring the frequencies are not read."""
        from lanner.ext.query.term import TermWeight

        similarity = context.similarity(self.field) if context.scoring else None
        return TermWeight(context.reader, self.field, self.term, boost=boost, similarity=similarity)


@dataclass(frozen=True, slots=True)
class BlendedTermQuery(Query):
    """One term in several fields as if they were one field: document frequencies are blended.

    fields: (field, term, boost). tie_breaker: how much the other fields add to the best one.
    """

    terms: tuple[tuple[str, bytes, float], ...]
    tie_breaker: float = 0.0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Give every field the frequency of the commonest one, minding that rarer fields stay below it.

        The rule is that of Lucene's BlendedTermQuery as the API's server adapts it: the largest document frequency
        of all fields, but at most the smallest sum of total term frequencies, decides; each field below the largest
        gets one less than the field before it, down to one.
        """
        from lanner.ext.query.dis_max import DisMaxWeight
        from lanner.ext.query.term import TermWeight

        reader = context.reader
        blended = blend([reader.doc_freq(field, term) for field, term, _ in self.terms],
                        [reader.field_statistics(field) for field, _, _ in self.terms], reader.max_doc)
        children = [
            TermWeight(
                reader,
                field,
                term,
                boost=boost * own,
                similarity=context.similarity(field) if context.scoring else None,
                statistics=statistics,
            )
            for (field, term, own), statistics in zip(self.terms, blended, strict=True)
        ]
        return children[0] if len(children) == 1 else DisMaxWeight(children, self.tie_breaker)


def blend(
    doc_freqs: list[int], statistics: list[tuple[int, int, int]], max_doc: int
) -> list[tuple[int, int] | None]:
    """Return (doc_freq, doc_count) per field after blending; None where a field does not hold the term."""
    largest = max(doc_freqs, default=0)
    if largest == 0:
        return [None] * len(doc_freqs)
    min_sum = min((stats[1] for freq, stats in zip(doc_freqs, statistics, strict=True) if freq > 0), default=-1)
    return [None if freq == 0 else (largest, max_doc) for freq in doc_freqs] if min_sum >= 0 else []
