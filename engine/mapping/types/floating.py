"""Floating-point numbers: double, float and half_float. Columns hold their sortable bits."""

from collections.abc import Callable
from math import inf, isinf, isnan
from typing import Any

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.errors import IllegalArgument, NumberFormatError
from lanner.engine.mapping.field_type import (
    Bounds,
    Handler,
    Values,
)
from lanner.engine.mapping.number_encoding import (
    PACK_DOUBLE,
    PACK_FLOAT,
    UNPACK_INT,
    UNPACK_LONG,
    decode_double,
    decode_float,
    decode_half,
    encode_double,
    encode_float,
    encode_half,
    to_float,
    to_half,
)
from lanner.engine.mapping.parameters import (
    number,
)
from lanner.engine.mapping.types.numeric import NumberFieldType, number_parameters
from lanner.engine.query.base import Query
from lanner.engine.query.range import NumberRangeQuery
from lanner.ext.index.document_plan import DOUBLE, FLOAT, Leaf
from lanner.ext.json.number import float32, float32_text


class FloatingFieldType(NumberFieldType):
    """double, float and half_float."""

    def round(self, value: float) -> float:
        """Return the nearest number of the type."""
        raise NotImplementedError

    def bits(self, value: float) -> int:
        """Return the sortable bits of a number of the type."""
        raise NotImplementedError

    def unbits(self, bits: int) -> float:
        """Return the number of sortable bits."""
        raise NotImplementedError

    def finite(self, value: float) -> float:
        """Return the rounded number, or refuse what is not finite."""
        rounded = self.round(value)
        if isinf(rounded) or isnan(rounded):
            shown = (
                java_text(value)
                if self.type_name == "double"
                else float32_text(to_float(value)).decode().strip('"')
            )
            raise IllegalArgument(f"[{self.type_name}] supports only finite values, but got [{shown}]")
        return rounded

    def encode(self, value: Any) -> int:
        """Return the sortable bits of a JSON number."""
        try:
            return self.bits(self.finite(float(value)))
        except OverflowError:
            return self.bits(self.finite(inf if value > 0 else -inf))

    def encode_text(self, text: str) -> int:
        """Read text as Java does."""
        return self.bits(self.finite(parse_double(text)))

    def preview(self, value: Any) -> Any:
        """Show JSON numbers with the precision of a 32-bit float at most."""
        return to_float(value) if isinstance(value, float) and isinf(to_float(value)) else value

    def query_value(self, value: Any) -> float:
        """Return the number of a query."""
        if isinstance(value, bool):
            raise NumberFormatError(f'For input string: "{java_text(value)}"')
        if isinstance(value, str):
            return self.finite(parse_double(value))
        return self.finite(float(value))

    def term_query(self, value: Any) -> Query:
        """Return the documents with this number, rounded as the documents' were."""
        self.check_searchable()
        bits = self.bits(self.query_value(value))
        return NumberRangeQuery(self.name, bits, bits)

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents between two numbers."""
        self.check_searchable()
        low, high = self.bits(-inf), self.bits(inf)
        if bounds.lower is not None:
            low, above = self.bound(bounds.lower)
            low += above < 0 or (above == 0 and not bounds.include_lower)
        if bounds.upper is not None:
            high, above = self.bound(bounds.upper)
            high -= above > 0 or (above == 0 and not bounds.include_upper)
        return NumberRangeQuery(self.name, low, high)

    def bound(self, value: Any) -> tuple[int, int]:
        """Return the bits of a bound and whether they stand for more (1), less (-1) or just that number."""
        rounded = wanted = self.query_value(value)
        if self.type_name == "half_float":
            wanted = to_float(parse_double(value) if isinstance(value, str) else float(value))
        return self.bits(rounded), (rounded > wanted) - (rounded < wanted)

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return infinity, as the comparator used it."""
        return "Infinity" if last != reverse else "-Infinity"

    def sort_missing(self, value: Any) -> int:
        """Read a replacement for missing values."""
        if value in ("Infinity", "-Infinity"):
            return self.bits(float(value))
        return self.bits(self.round(parse_double(value) if isinstance(value, str) else float(value)))

    def show(self, encoded: int) -> Any:
        """Return the number as doc values show it: always with double precision."""
        return self.unbits(encoded)

    def sort_value(self, encoded: int) -> Any:
        """Return the number with the precision of its type."""
        value = self.unbits(encoded)
        if isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return value if self.type_name == "double" else float32(value)


class DoubleFieldType(FloatingFieldType):
    """64-bit floating point."""

    type_name, java_name = "double", "Double"
    numbers = "double"
    parameters = number_parameters(number)

    def round(self, value: float) -> float:
        """Return the number itself."""
        return value

    bits = staticmethod(encode_double)
    unbits = staticmethod(decode_double)

    def leaf(self) -> Leaf:
        """Take finite numbers."""
        return self.plain_leaf(DOUBLE)

    def fast_handler(self, slow: Handler) -> Handler:
        """Take finite floats at once."""
        field = self.field
        assert field is not None
        if self.reports_names():
            return slow
        pack, unpack = PACK_DOUBLE, UNPACK_LONG

        def handle(value: Any, out: Values) -> None:
            if type(value) is float and -inf < value < inf:
                bits = unpack(pack(value))[0]
                out.append((field, bits if bits >= 0 else bits ^ 0x7FFF_FFFF_FFFF_FFFF))
            else:
                slow(value, out)

        return handle


class FloatFieldType(FloatingFieldType):
    """32-bit floating point."""

    type_name, java_name = "float", "Float"
    numbers = "float"
    parameters = number_parameters(lambda field, value: to_float(number(field, value)))
    round = staticmethod(to_float)
    bits = staticmethod(encode_float)
    unbits = staticmethod(decode_float)

    def leaf(self) -> Leaf:
        """Take numbers well inside the range."""
        return self.plain_leaf(FLOAT)

    def fast_handler(self, slow: Handler) -> Handler:
        """Take floats well inside the range at once."""
        field = self.field
        assert field is not None
        if self.reports_names():
            return slow
        pack, unpack = PACK_FLOAT, UNPACK_INT

        def handle(value: Any, out: Values) -> None:
            if type(value) is float and -3.4e38 < value < 3.4e38:
                bits = unpack(pack(value))[0]
                out.append((field, bits if bits >= 0 else bits ^ 0x7FFF_FFFF))
            else:
                slow(value, out)

        return handle


class HalfFloatFieldType(FloatingFieldType):
    """16-bit floating point."""

    type_name, java_name = "half_float", "Half_float"
    numbers = "half"
    parameters = number_parameters(number)
    round = staticmethod(to_half)
    bits = staticmethod(encode_half)
    unbits = staticmethod(decode_half)

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]] | None:
        """Show numbers with the precision of a float: the source has more than the column."""
        if pattern is not None:
            return None

        def show(value: Any) -> list[Any]:
            return [float32(parse_double(value) if isinstance(value, str) else float(value))]

        return show
