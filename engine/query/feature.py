"""Documents with a feature, scored by a function of its value."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.features import FeatureWeight, mean_value


@dataclass(frozen=True, slots=True)
class FeatureQuery(Query):
    """A feature of a column. function, first, second: see `ext/query/features.pyx`.

    first None: a pivot in the middle of the values that there are.
    """

    field: str
    feature: bytes
    function: str = "saturation"
    first: float | None = None
    second: float = 1.0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the values."""
        first = self.first
        if first is None:
            first = mean_value(context.reader, self.field, self.feature)
        return FeatureWeight(
            context.reader,
            self.field,
            self.feature,
            self.function,
            boost=boost,
            first=first,
            second=self.second,
        )
