"""Integers from 0 to 2^64 - 1. The column holds them less 2^63, which keeps their order."""

from collections.abc import Callable
from typing import Any

from lanner.engine.mapping.field_type import Bounds, FieldType, Handler
from lanner.engine.mapping.types.integer import IntegerFieldType, integer_null
from lanner.engine.mapping.types.numeric import number_parameters
from lanner.engine.query.base import Query
from lanner.engine.query.range import NumberRangeQuery
from lanner.ext.index.document_plan import Leaf

OFFSET = 2**63
ARTICLE = "an unsigned long"


class UnsignedLongFieldType(IntegerFieldType):
    """64-bit integers without a sign."""

    type_name, java_name, article = "unsigned_long", "Unsigned Long", ARTICLE
    low, high = 0, 2**64 - 1
    numbers = None  # cells are not the numbers
    parameters = number_parameters(integer_null(0, 2**64 - 1, ARTICLE))

    def encode(self, value: Any) -> int:
        """Cut a JSON number to an integer in range."""
        return self.in_range(int(value), int(value)) - OFFSET

    def encode_text(self, text: str) -> int:
        """Read text."""
        return super().encode_text(text) - OFFSET

    def fast_handler(self, slow: Handler) -> Handler:
        """Leave all values to the long way."""
        return slow

    def leaf(self) -> Leaf:
        """Leave all values to Python."""
        return FieldType.leaf(self)

    def term_query(self, value: Any) -> Query:
        """Return the documents with this number."""
        return _moved(super().term_query(value))

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents between two numbers."""
        return _moved(super().range_query(bounds, now))

    def sort_value(self, encoded: int) -> int:
        """Return the number."""
        return encoded + OFFSET

    show = sort_value

    def missing_sort_value(self, *, last: bool, reverse: bool) -> int:
        """Return the largest or smallest number, as the comparator used it."""
        return self.high if last != reverse else self.low


def _moved(query: Query) -> Query:
    """A query for numbers as one for cells of the column."""
    if isinstance(query, NumberRangeQuery):
        return NumberRangeQuery(query.field, query.low - OFFSET, query.high - OFFSET)
    return query
