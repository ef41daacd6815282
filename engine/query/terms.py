"""Documents that hold any of many terms, all scored alike; also the documents of given ids."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.multi_term import TermsWeight


@dataclass(frozen=True, slots=True)
class TermsQuery(Query):
    """Documents with one of the terms; every match scores the boost."""

    field: str
    terms: tuple[bytes, ...]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the union of the postings."""
        return ConstantWeight(TermsWeight(context.reader, self.field, list(self.terms)), boost)


def ids_query(ids: list[str]) -> TermsQuery:
    """Return the documents of some ids."""
    return TermsQuery("_id", tuple(sorted({one.encode() for one in ids})))
