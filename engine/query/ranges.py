"""Documents with a range that stands in some relation to another."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.range import two_ways
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.ranges import RangesWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class RangesQuery(Query):
    """Ranges from low to high, both included, as the column writes them.

    relation: see `ext/query/ranges.pyx`. shown: both ends as texts.
    """

    field: str
    low: bytes
    high: bytes
    relation: str = "intersects"
    shown: tuple[str, str] = dataclasses.field(default=("", ""), compare=False)

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the ranges."""
        child = RangesWeight(context.reader, self.field, self.low, self.high, self.relation)
        return ConstantWeight(child, boost)

    def text(self, fields: "FieldTexts") -> str:
        """Return the range as the index and as doc values show it."""
        low, high = self.shown
        indexed = f"{self.field}:<ranges:[{low} : {high}]>"
        return two_ways(fields, self.field, indexed, self._cells())

    def _cells(self) -> str:
        low, high = self.shown
        return f"BinaryDocValuesRangeQuery(fieldName=,from={low},to={high})"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return whether the doc values hold such a range, or the index where there are none."""
        from lanner.engine.query.explanation import constant

        text = self._cells() if document.fields.has_doc_values(self.field) else None
        return constant(document, self, boost, text)
