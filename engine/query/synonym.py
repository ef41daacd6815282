"""Several terms of one field that count as one: tokens at the same position."""

from dataclasses import dataclass

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.terms import TermsQuery


@dataclass(frozen=True, slots=True)
class SynonymQuery(Query):
    """Documents with any of the terms, scored as if they were one term."""

    field: str
    terms: tuple[bytes, ...]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the union of the postings.

        With scores this needs frequencies added up, which is not built.
        """
        if not context.scoring:
            return TermsQuery(self.field, self.terms).weight(context, boost)
        raise IllegalArgument(
            f"The analyzer of field [{self.field}] gives several terms for one position; scoring "
            "them together is not "
            "supported by this version"
        )
