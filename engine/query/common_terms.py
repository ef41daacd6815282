"""Terms of a text of which the common ones only add to the scores of documents that the others choose.

Source: CommonTermsQuery of Lucene, which was given to OpenSearch when Lucene dropped it.
"""

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.minimum import clauses_needed, rounded
from lanner.engine.query.term import TermQuery

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class CommonTermsQuery(Query):
    """Terms of one field; a term is common if more documents have it than cutoff says.

    cutoff: from 1 on a number of documents, below a share of them. needed: how many must match, as
    ``minimum_should_match`` says it.
    """

    field: str
    terms: tuple[bytes, ...]
    cutoff: float
    rare_and: bool = False
    common_and: bool = False
    rare_needed: str | None = None
    common_needed: str | None = None

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the terms, which the reader sorts into rare and common ones."""
        return self.chosen(context).weight(context, boost)

    def chosen(self, context: WeightContext) -> Query:
        """Return the query that a reader makes of it."""
        if len(self.terms) < 2:
            return TermQuery(self.field, self.terms[0]) if self.terms else MatchNoneQuery("no terms")
        rare: list[Query] = []
        common: list[Query] = []
        for term in self.terms:
            found = common if self._is_common(term, context) else rare
            found.append(TermQuery(self.field, term))
        if not rare:
            return _group(common, self.common_needed, every=self.common_and or not self._needs(len(common)))
        chosen = _group(rare, self.rare_needed, every=self.rare_and)
        if not common:
            return BooleanQuery(must=(chosen,))
        return BooleanQuery(
            must=(chosen,), should=(_group(common, self.common_needed, every=self.common_and),)
        )

    def _is_common(self, term: bytes, context: WeightContext) -> bool:
        doc_freq = context.reader.doc_freq(self.field, term)
        if self.cutoff >= 1 and doc_freq > self.cutoff:
            return True
        return 0 < doc_freq > ceil(rounded(self.cutoff * context.reader.max_doc))

    def _needs(self, n: int) -> int:
        return 0 if self.common_needed is None else clauses_needed(n, self.common_needed)

    def text(self, fields: "FieldTexts") -> str:
        """Return the terms."""
        return ", ".join(TermQuery(self.field, term).text(fields) for term in self.terms)

    def rewritten(self, context: WeightContext) -> Query:
        """Return the query that the reader makes of it."""
        return self.chosen(context).rewritten(context)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Explain the query that the reader makes of it."""
        return self.chosen(document.context).explain(document, boost)


def _group(clauses: list[Query], needed: str | None, *, every: bool) -> Query:
    """Return terms of one kind as a query. every: all of them must match."""
    if every:
        return BooleanQuery(must=tuple(clauses))
    minimum = 0 if needed is None else clauses_needed(len(clauses), needed)
    return BooleanQuery(should=tuple(clauses), minimum_should_match=minimum)
