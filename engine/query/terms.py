"""Documents that hold any of many terms, all scored alike; also the documents of given ids."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.multi_term import TermsWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts


@dataclass(frozen=True, slots=True)
class TermsQuery(Query):
    """Documents with one of the terms; every match scores the boost."""

    field: str
    terms: tuple[bytes, ...]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the union of the postings."""
        return ConstantWeight(TermsWeight(context.reader, self.field, list(self.terms)), boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "TermInSetQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``field:(a b)``; ids as the reference stores them."""
        from lanner.engine.query.explanation import bytes_text, stored_id, term_text

        texts = [
            bytes_text(stored_id(term.decode())) if self.field == "_id" else term_text(term)
            for term in sorted(self.terms)
        ]
        return f"{self.field}:({' '.join(texts)})"


def ids_query(ids: list[str]) -> TermsQuery:
    """Return the documents of some ids."""
    return TermsQuery("_id", tuple(sorted({one.encode() for one in ids})))
