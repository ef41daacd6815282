"""Several terms of one field that count as one: tokens at the same position."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.term import formula_weight
from lanner.engine.query.terms import TermsQuery
from lanner.ext.query.synonym import SynonymWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class SynonymQuery(Query):
    """Documents with any of the terms, scored as if they were one term."""

    field: str
    terms: tuple[bytes, ...]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the union of the postings."""
        if not context.scoring:
            return TermsQuery(self.field, self.terms).weight(context, boost)
        similarity = context.similarity(self.field)
        if not similarity.by_block:
            return formula_weight(context, self.field, list(self.terms), boost)
        return SynonymWeight(context.reader, self.field, list(self.terms), boost=boost, similarity=similarity)

    def text(self, fields: "FieldTexts") -> str:
        """Return ``Synonym(field:a field:b)``."""
        from lanner.engine.query.explanation import term_text

        written = " ".join(f"{self.field}:{term_text(term)}" for term in sorted(self.terms))
        return f"Synonym({written})"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the terms as one."""
        from lanner.engine.query.explanation import match, no_match, shown, weight_words
        from lanner.engine.query.explanation_similarity import explain_score

        freq = float(
            SynonymWeight(document.context.reader, self.field, list(self.terms)).freq(
                document.segment, document.doc
            )
        )
        if not freq:
            return no_match("no matching term")
        terms = [(self.field, term) for term in self.terms]
        explained = match(freq, f"termFreq={shown(freq)}")
        scored = explain_score(document, self.field, terms, boost, explained, one=True)
        return weight_words(document, document.text(self), scored)
