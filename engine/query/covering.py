"""Documents that as many of several queries match as a number of the document itself says."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.covering import CoveringWeight


@dataclass(frozen=True, slots=True)
class CoveringQuery(Query):
    """The sum of the clauses that match, if they are enough. field: a field of whole numbers."""

    clauses: tuple[Query, ...]
    field: str

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind every clause."""
        return CoveringWeight([clause.weight(context, boost) for clause in self.clauses], self.field)
