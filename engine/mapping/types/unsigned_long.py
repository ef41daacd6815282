"""Integers from 0 to 2^64 - 1. The column holds them less 2^63, which keeps their order."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from lanner.engine.common.body import SpelledFloat
from lanner.engine.mapping.field_type import Bounds, FieldType, Handler, SpellingNeededError
from lanner.engine.mapping.types.integer import IntegerFieldType, integer_null
from lanner.engine.mapping.types.numeric import number_parameters
from lanner.engine.query.base import Query
from lanner.engine.query.range import NumberRangeQuery
from lanner.ext.index.document_plan import Leaf

OFFSET = 2**63
ARTICLE = "an unsigned long"
_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,2})?", re.ASCII)


class UnsignedLongFieldType(IntegerFieldType):
    """64-bit integers without a sign."""

    type_name, java_name, article = "unsigned_long", "Unsigned Long", ARTICLE
    low, high = 0, 2**64 - 1
    numbers = None  # cells are not the numbers
    parameters = number_parameters(integer_null(0, 2**64 - 1, ARTICLE))

    def encode(self, value: Any) -> int:
        """Cut a JSON number to an integer in range; a great one needs its spelling."""
        if isinstance(value, float) and abs(value) >= 2.0**53:
            if not isinstance(value, SpelledFloat):
                raise SpellingNeededError
            return self.encode_text(value.text)
        return self.in_range(int(value), int(value)) - OFFSET

    def encode_text(self, text: str) -> int:
        """Read text, of which every digit counts."""
        exact = _exact(text)
        return (super().encode_text(text) if exact is None else self.in_range(exact, text)) - OFFSET

    def query_number(self, value: Any) -> tuple[int, bool]:
        """Return a value in a query; what comes behind the point is cut off, as it is in documents."""
        exact = _exact(value) if isinstance(value, str) else None
        return super().query_number(value) if exact is None else (self.in_range(exact, value), False)

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

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show the number, whatever the pattern."""
        return self.show

    def missing_sort_value(self, *, last: bool, reverse: bool) -> int:
        """Return the largest or smallest number, as the comparator used it."""
        return self.high if last != reverse else self.low


def _exact(text: str) -> int | None:
    """Return the whole part of a decimal number; None for other texts."""
    return int(Decimal(text)) if _DECIMAL.fullmatch(text) else None


def _moved(query: Query) -> Query:
    """A query for numbers as one for cells of the column."""
    if isinstance(query, NumberRangeQuery):
        return NumberRangeQuery(query.field, query.low - OFFSET, query.high - OFFSET)
    return query
