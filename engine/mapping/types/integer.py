"""Integers: long, integer, short and byte."""

from collections.abc import Callable
from math import isinf, isnan
from typing import Any, ClassVar

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.errors import IllegalArgument, InputCoercionError, NumberFormatError
from lanner.engine.mapping.field_type import (
    REDACTED,
    Bounds,
    Handler,
    Values,
)
from lanner.engine.mapping.number_encoding import (
    LONG_MAX,
    LONG_MIN,
)
from lanner.engine.mapping.types.numeric import NumberFieldType, number_parameters
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.range import NumberRangeQuery
from lanner.ext.index.document_plan import INTEGER, Leaf


class IntegerFieldType(NumberFieldType):
    """long, integer, short and byte."""

    numbers: ClassVar[str | None] = "long"

    low: ClassVar[int]
    high: ClassVar[int]
    article: ClassVar[str]

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return the largest or smallest value, as the comparator used it: of int for all but long."""
        high = LONG_MAX if self.high == LONG_MAX else 2**31 - 1
        return high if last != reverse else -high - 1

    def in_range(self, value: int, shown: Any) -> int:
        """Return the value, or refuse it."""
        if self.low <= value <= self.high:
            return value
        raise IllegalArgument(f"Value [{java_text(shown)}] is out of range for {self.article}")

    def encode(self, value: Any) -> int:
        """Cut a JSON number to an integer; the JSON reader itself knows only int and long."""
        json_low, json_high, json_name = (
            (LONG_MIN, LONG_MAX, "long") if self.high == LONG_MAX else (-(2**31), 2**31 - 1, "int")
        )
        if isinstance(value, float):
            if isnan(value) or not json_low - 1 < value < json_high + 1:
                raise _out_of_range(value, json_name, json_low, json_high)
            if not self.coerce and value != int(value):
                raise IllegalArgument(
                    f"{java_text(value)} cannot be converted to {self.java_name} without data loss"
                )
        elif not json_low <= value <= json_high:
            raise _out_of_range(value, json_name, json_low, json_high)
        return self.in_range(int(value), value)

    def encode_text(self, text: str) -> int:
        """Read text as Java does: long keeps every digit, the others go through a double."""
        try:
            exact = int(text) if text.lstrip("+-").isascii() and text.lstrip("+-").isdigit() else None
        except ValueError:
            exact = None
        if exact is not None:
            return self.in_range(exact, text)
        if self.high == LONG_MAX and text.strip() != text:
            raise IllegalArgument(f'For input string: "{text}"')
        try:
            value = parse_double(text)
        except NumberFormatError as error:
            raise (IllegalArgument(error.reason) if self.high == LONG_MAX else error) from None
        if self.high == LONG_MAX and (isnan(value) or text[-1] in "fFdD"):
            raise IllegalArgument(f'For input string: "{text}"')
        if isnan(value):
            return 0
        if isinf(value):
            raise IllegalArgument(f"Value [{text}] is out of range for {self.article}")
        return self.in_range(int(value), int(value) if value == int(value) else text)

    def fast_handler(self, slow: Handler) -> Handler:
        """Take int values inside the range at once."""
        field, low, high = self.field, self.low, self.high
        assert field is not None
        if self.reports_names():
            return slow

        def handle(value: Any, out: Values) -> None:
            if type(value) is int and low <= value <= high:
                out.append((field, value))
            else:
                slow(value, out)

        return handle

    def leaf(self) -> Leaf:
        """Take integers inside the range."""
        return self.plain_leaf(INTEGER, low=self.low, high=self.high)

    def query_number(self, value: Any) -> tuple[int, bool]:
        """Return (whole part, has decimals) of a value in a query."""
        if isinstance(value, bool):
            raise NumberFormatError(f'For input string: "{java_text(value)}"')
        if isinstance(value, int):
            return self.in_range(value, value), False
        if isinstance(value, str):
            digits = value.lstrip("+-")
            if digits.isascii() and digits.isdigit():
                return self.in_range(int(value), value), False
            value = parse_double(value)
        if isnan(value) or isinf(value):
            raise IllegalArgument(f"Value [{java_text(value)}] is out of range for {self.article}")
        return self.in_range(int(value), value), value != int(value)

    def term_query(self, value: Any) -> Query:
        """Return the documents with this number; a number with decimals is in none."""
        self.check_searchable()
        whole, decimals = self.query_number(value)
        if decimals:
            return MatchNoneQuery(f"Value [{java_text(value)}] has a decimal part")
        return NumberRangeQuery(self.name, whole, whole)

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents between two numbers; decimals round inwards."""
        self.check_searchable()
        low, high = self.low, self.high
        if bounds.lower is not None:
            whole, decimals = self.query_number(bounds.lower)
            if decimals:
                low = whole + 1 if _positive(bounds.lower) else whole
            elif bounds.include_lower:
                low = whole
            elif whole == self.high:
                return MatchNoneQuery()
            else:
                low = whole + 1
        if bounds.upper is not None:
            whole, decimals = self.query_number(bounds.upper)
            if decimals:
                high = whole if _positive(bounds.upper) else whole - 1
            elif bounds.include_upper:
                high = whole
            elif whole == self.low:
                return MatchNoneQuery()
            else:
                high = whole - 1
        return NumberRangeQuery(self.name, low, high)


def _positive(value: Any) -> bool:
    return (parse_double(value) if isinstance(value, str) else value) > 0


def _out_of_range(value: Any, name: str, low: int, high: int) -> InputCoercionError:
    shown = "{spelling}" if isinstance(value, float) else str(value)
    return InputCoercionError(
        f"Numeric value ({shown}) out of range of {name} ({low} - {high})\n at {REDACTED}"
    )


def integer_null(low: int, high: int, article: str) -> Callable[[str, Any], int]:
    """Return the reader of a ``null_value``."""

    def read(_: str, value: Any) -> int:
        number_value = value if isinstance(value, int | float) else parse_double(java_text(value))
        if isinstance(value, str) and value.lstrip("+-").isdigit():
            number_value = int(value)
        if not low <= number_value <= high:
            raise IllegalArgument(f"Value [{java_text(value)}] is out of range for {article}")
        return int(number_value)

    return read


class LongFieldType(IntegerFieldType):
    """64-bit integers."""

    type_name, java_name, article = "long", "Long", "a long"
    low, high = LONG_MIN, LONG_MAX
    parameters = number_parameters(integer_null(LONG_MIN, LONG_MAX, "a long"))


class Integer32FieldType(IntegerFieldType):
    """32-bit integers."""

    type_name, java_name, article = "integer", "Integer", "an integer"
    low, high = -(2**31), 2**31 - 1
    parameters = number_parameters(integer_null(-(2**31), 2**31 - 1, "an integer"))


class ShortFieldType(IntegerFieldType):
    """16-bit integers."""

    type_name, java_name, article = "short", "Short", "a short"
    low, high = -(2**15), 2**15 - 1
    parameters = number_parameters(integer_null(-(2**15), 2**15 - 1, "a short"))


class ByteFieldType(IntegerFieldType):
    """8-bit integers."""

    type_name, java_name, article = "byte", "Byte", "a byte"
    low, high = -128, 127
    parameters = number_parameters(integer_null(-128, 127, "a byte"))
