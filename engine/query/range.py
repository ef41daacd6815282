"""Documents with a value between two bounds, all scored alike."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight, MatchNoneWeight
from lanner.ext.query.multi_term import TermRangeWeight
from lanner.ext.query.range import NumberRangeWeight


@dataclass(frozen=True, slots=True)
class NumberRangeQuery(Query):
    """Encoded numbers from low to high, both included."""

    field: str
    low: int
    high: int

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the field's points; an empty range matches nothing."""
        if self.low > self.high:
            return MatchNoneWeight(context.reader)
        return ConstantWeight(NumberRangeWeight(context.reader, self.field, self.low, self.high), boost)


@dataclass(frozen=True, slots=True)
class TermRangeQuery(Query):
    """Terms between two bounds in the order of their bytes; None is no bound."""

    field: str
    lower: bytes | None
    upper: bytes | None
    include_lower: bool = True
    include_upper: bool = True

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the terms in the range."""
        child = TermRangeWeight(
            context.reader,
            self.field,
            self.lower,
            self.upper,
            include_lower=self.include_lower,
            include_upper=self.include_upper,
        )
        return ConstantWeight(child, boost)
