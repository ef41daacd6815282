"""Numbers: long, integer, short, byte, double, float, half_float.

Columns hold int64 whose order is the numbers' order.
"""

from collections.abc import Callable
from math import inf, isinf, isnan
from typing import Any, ClassVar

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.errors import IllegalArgument, InputCoercionError, LannerError, NumberFormatError
from lanner.engine.mapping.field_type import (
    REDACTED,
    Bounds,
    BuildContext,
    FieldType,
    Handler,
    Values,
    token_fault,
    token_of,
)
from lanner.engine.mapping.number_encoding import (
    LONG_MAX,
    LONG_MIN,
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
    DOC_VALUES,
    IGNORE_MALFORMED,
    INDEX,
    META,
    STORE,
    Parameter,
    boolean,
    number,
)
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.range import NumberRangeQuery
from lanner.ext.index.document_plan import DOUBLE, FLOAT, INTEGER, Leaf
from lanner.ext.index.schema import NUMBER, Field
from lanner.ext.json.number import float32, float32_text


class NumberFieldType(FieldType):
    """What all numbers share: doc values and points in one int64 column."""

    sort_kind = "number"
    java_name: ClassVar[str]

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.coerce: bool = self.get("coerce")
        self.ignore_malformed: bool = self.get("ignore_malformed")
        self.null_value: Any = self.get("null_value")

    def make_field(self, build: BuildContext) -> Field | None:
        """Return an int64 column; a field that is only looked up by doc values has points too."""
        if not self.indexed and not self.has_doc_values:
            return None
        return Field(self.name, build.number(self.name), NUMBER, doc_values=self.has_doc_values, points=True)

    def encode(self, value: Any) -> int:
        """Return the column value of a number from a document; raises an error of the API."""
        raise NotImplementedError

    def slow_value(self, value: Any) -> int | None:
        """Return the column value of anything but a plain number; None leaves the field empty."""
        if isinstance(value, str):
            if not self.coerce:
                raise IllegalArgument(f"{self.java_name} value passed as String")
            return None if value == "" else self.encode_text(value)
        if isinstance(value, bool | dict):
            raise token_fault(token_of(value), value, "not numeric, can not use numeric value accessors")
        return self.encode(value)

    def encode_text(self, text: str) -> int:
        """Return the column value of a number given as text."""
        raise NotImplementedError

    def preview(self, value: Any) -> Any:
        """Return a refused value as the error shows it."""
        return value

    def handler(self) -> Handler:
        """Take plain numbers at once; everything else goes the long way."""
        slow = self._slow_handler()
        if self.field is None:
            return slow
        return self.fast_handler(slow)

    def fast_handler(self, slow: Handler) -> Handler:
        """Return the handler with a short path for the numbers that need no check."""
        return slow

    def _slow_handler(self) -> Handler:
        field, names, ignored = self.field, self.metadata.field_names, self.metadata.ignored
        report = self.reports_names()
        own_name = self.name.encode()

        def handle(value: Any, out: Values) -> None:
            if value is None:
                value = self.null_value
                if value is None:
                    return
            try:
                encoded = self.slow_value(value)
            except LannerError as error:
                if self.ignore_malformed and not isinstance(value, dict):
                    out.append((ignored, own_name))
                    return
                raise self.fault(self.preview(value), error) from None
            if encoded is None or field is None:
                return
            out.append((field, encoded))
            if report:
                out.append((names, own_name))

        return handle

    def sort_value(self, encoded: int) -> Any:
        """Return the number."""
        return encoded

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return the largest or smallest value of the type, as the comparator used it."""
        return LONG_MAX if last != reverse else LONG_MIN

    def sort_missing(self, value: Any) -> int:
        """Read a replacement for missing values."""
        return self.encode(value) if not isinstance(value, str) else self.encode_text(value)

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show the number; decimal patterns are not known to this version."""
        if pattern is not None:
            raise IllegalArgument(
                f"Decimal format [{pattern}] of field [{self.name}] is not supported by this version"
            )
        return self.show

    def show(self, encoded: int) -> Any:
        """Return the number as doc values show it."""
        return encoded


class IntegerFieldType(NumberFieldType):
    """long, integer, short and byte."""

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

    def term_query(self, value: Any, *, case_insensitive: bool = False) -> Query:
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


def _integer_null(low: int, high: int, article: str) -> Callable[[str, Any], int]:
    def read(_: str, value: Any) -> int:
        number_value = value if isinstance(value, int | float) else parse_double(java_text(value))
        if isinstance(value, str) and value.lstrip("+-").isdigit():
            number_value = int(value)
        if not low <= number_value <= high:
            raise IllegalArgument(f"Value [{java_text(value)}] is out of range for {article}")
        return int(number_value)

    return read


def _parameters(null_value: Callable[[str, Any], Any]) -> tuple[Parameter, ...]:
    return (
        INDEX,
        DOC_VALUES,
        STORE,
        IGNORE_MALFORMED,
        Parameter("coerce", True, boolean, updateable=True, explicit=True),
        Parameter("null_value", None, null_value, nullable=True),
        META,
        Parameter("boost", 1.0, number, ignored=True),
        Parameter("similarity", None, number, ignored=True, nullable=True),
    )


class LongFieldType(IntegerFieldType):
    """64-bit integers."""

    type_name, java_name, article = "long", "Long", "a long"
    low, high = LONG_MIN, LONG_MAX
    parameters = _parameters(_integer_null(LONG_MIN, LONG_MAX, "a long"))


class Integer32FieldType(IntegerFieldType):
    """32-bit integers."""

    type_name, java_name, article = "integer", "Integer", "an integer"
    low, high = -(2**31), 2**31 - 1
    parameters = _parameters(_integer_null(-(2**31), 2**31 - 1, "an integer"))


class ShortFieldType(IntegerFieldType):
    """16-bit integers."""

    type_name, java_name, article = "short", "Short", "a short"
    low, high = -(2**15), 2**15 - 1
    parameters = _parameters(_integer_null(-(2**15), 2**15 - 1, "a short"))


class ByteFieldType(IntegerFieldType):
    """8-bit integers."""

    type_name, java_name, article = "byte", "Byte", "a byte"
    low, high = -128, 127
    parameters = _parameters(_integer_null(-128, 127, "a byte"))


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

    def term_query(self, value: Any, *, case_insensitive: bool = False) -> Query:
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
    parameters = _parameters(number)

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
    parameters = _parameters(lambda field, value: to_float(number(field, value)))
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
    parameters = _parameters(number)
    round = staticmethod(to_half)
    bits = staticmethod(encode_half)
    unbits = staticmethod(decode_half)
