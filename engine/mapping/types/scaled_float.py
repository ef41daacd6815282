"""Decimals with a fixed number of places, kept as integers: ``round(value * scaling_factor)``."""

from collections.abc import Callable, Mapping
from math import ceil, floor, inf, isfinite, nextafter
from typing import Any

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.mapping.field_type import Bounds, BuildContext
from lanner.engine.mapping.number_encoding import LONG_MAX, LONG_MIN
from lanner.engine.mapping.parameters import (
    DOC_VALUES,
    IGNORE_MALFORMED,
    INDEX,
    META,
    STORE,
    Parameter,
    boolean,
    number,
)
from lanner.engine.mapping.types.numeric import NumberFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.range import NumberRangeQuery


def _factor(_: str, value: Any) -> float:
    factor = number("scaling_factor", value)
    if not factor > 0 or not isfinite(factor):
        raise IllegalArgument(f"[scaling_factor] must be a positive number, got [{java_text(factor)}]")
    return factor


def to_long(value: float, toward: Callable[[float], int] = floor) -> int:
    """Return an integer near a double as Java casts it: the nearest long if it is beyond them."""
    if value >= LONG_MAX:
        return LONG_MAX
    return LONG_MIN if value <= LONG_MIN else toward(value)


class ScaledFloatFieldType(NumberFieldType):
    """Numbers scaled to integers."""

    type_name, java_name = "scaled_float", "Double"
    names_ignored = False
    parameters = (
        INDEX,
        DOC_VALUES,
        STORE,
        IGNORE_MALFORMED,
        META,
        Parameter("scaling_factor", None, _factor),
        Parameter("coerce", True, boolean, updateable=True, explicit=True),
        Parameter("null_value", None, number, nullable=True),
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.factor: float = self.get("scaling_factor")

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse a definition without the factor."""
        values = super().read(name, given, build_registry)
        if "scaling_factor" not in values:
            raise IllegalArgument("Field [scaling_factor] is required")
        return values

    def scaled(self, value: Any) -> float:
        """Return a number times the factor."""
        plain = parse_double(value) if isinstance(value, str) else float(value)
        if not isfinite(plain):
            raise IllegalArgument(f"[scaled_float] only supports finite values, but got [{java_text(plain)}]")
        return plain * self.factor

    def slow_value(self, value: Any) -> int | None:
        """Read text whether or not it is to be coerced; only empty text asks."""
        return self.encode_text(value) if isinstance(value, str) and value else super().slow_value(value)

    def encode(self, value: Any) -> int:
        """Return the nearest integer; halves go up."""
        return to_long(self.scaled(value) + 0.5)

    def encode_text(self, text: str) -> int:
        """Read text as Java does."""
        return self.encode(text)

    def term_query(self, value: Any) -> Query:
        """Return the documents whose number scales to the same integer."""
        self.check_searchable()
        encoded = self.encode(value)
        return NumberRangeQuery(self.name, encoded, encoded)

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents between two numbers, both of which are scaled, not rounded."""
        self.check_searchable()
        low, high = LONG_MIN, LONG_MAX
        if bounds.lower is not None:
            lower = self.scaled(bounds.lower)
            low = to_long(lower if bounds.include_lower else nextafter(lower, inf), ceil)
        if bounds.upper is not None:
            upper = self.scaled(bounds.upper)
            high = to_long(upper if bounds.include_upper else nextafter(upper, -inf))
        return NumberRangeQuery(self.name, low, high)

    def sort_missing(self, value: Any) -> int:
        """Read a replacement; answers show that of documents without a value as infinite."""
        if value in ("Infinity", "-Infinity"):
            return LONG_MAX if value == "Infinity" else LONG_MIN
        return self.encode(value)

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return infinity, as the comparator used it."""
        return "Infinity" if last != reverse else "-Infinity"

    def sort_value(self, encoded: int) -> Any:
        """Return the number."""
        return encoded / self.factor

    show = sort_value
