"""Several terms of one field that count as one: tokens at the same position."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.term import formula_weight
from lanner.engine.query.terms import TermsQuery
from lanner.ext.query.synonym import SynonymWeight


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
