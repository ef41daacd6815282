"""Documents with a range that stands in some relation to another."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.ranges import RangesWeight


@dataclass(frozen=True, slots=True)
class RangesQuery(Query):
    """Ranges from low to high, both included, as the column writes them.

    relation: see `ext/query/ranges.pyx`.
    """

    field: str
    low: bytes
    high: bytes
    relation: str = "intersects"

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the ranges."""
        child = RangesWeight(context.reader, self.field, self.low, self.high, self.relation)
        return ConstantWeight(child, boost)
