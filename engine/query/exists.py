"""Documents that have a value in a column with doc values or norms."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.exists import ExistsWeight


@dataclass(frozen=True, slots=True)
class ExistsQuery(Query):
    """Documents with any value of the field; every match scores the boost."""

    field: str

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the column."""
        return ConstantWeight(ExistsWeight(context.reader, self.field), boost)
