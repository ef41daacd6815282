"""Ranges of numbers, dates and addresses.

A range is one term: its least and its greatest value, both included, each in bytes that compare as the values
do (`ext/query/ranges.pyx`).
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, ClassVar

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.dates import date_format, parse_zone
from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError, ParseError
from lanner.engine.common.ip import (
    MAX_ADDRESS,
    MIN_ADDRESS,
    next_address,
    parse_ip,
    parse_network,
    previous_address,
    render_ip,
)
from lanner.engine.mapping.field_type import (
    Bounds,
    BuildContext,
    FieldType,
    Handler,
    Values,
    token_fault,
)
from lanner.engine.mapping.number_encoding import LONG_MAX, LONG_MIN
from lanner.engine.mapping.parameters import BOOST, DOC_VALUES, INDEX, META, STORE, Parameter, boolean
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.mapping.types.floating import DoubleFieldType, FloatFieldType, FloatingFieldType
from lanner.engine.mapping.types.integer import Integer32FieldType, IntegerFieldType, LongFieldType
from lanner.engine.mapping.types.numeric import NumberFieldType
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.ranges import RangesQuery
from lanner.ext.index.schema import DOCS, TERM, Field
from lanner.ext.json.number import float32_text

_ENDS = {"gte": ("low", True), "gt": ("low", False), "lte": ("high", True), "lt": ("high", False)}
_SHOWN = ("lt", "gte", "lte", "gt")  # the order in which the ends are shown
_SIGN = 1 << 63
_COERCE = Parameter("coerce", True, boolean, updateable=True, explicit=True)


def pack(encoded: int) -> bytes:
    """Return an encoded number as bytes in its order."""
    return (encoded + _SIGN).to_bytes(8, "big")


def unpack(half: bytes) -> int:
    """Return the encoded number of bytes."""
    return int.from_bytes(half, "big") - _SIGN


class RangeFieldType(FieldType):
    """What all ranges share. Ends are encoded numbers, or addresses as bytes."""

    sort_kind = "ranges"
    sort_refusal = "Sorting by fields that hold ranges is not supported by this version"
    parameters: ClassVar[tuple[Parameter, ...]] = (INDEX, DOC_VALUES, STORE, _COERCE, BOOST, META)
    least: ClassVar[Any]
    greatest: ClassVar[Any]

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.coerce: bool = self.get("coerce")

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse a format where there are no dates."""
        if "format" in given and all(parameter.name != "format" for parameter in cls.parameters):
            raise IllegalArgument(
                f"field [{name}] of type [range] should not define a dateTimeFormatter unless it is a "
                "DATE type"
            )
        return super().read(name, given, build_registry)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of terms."""
        if not self.searchable:
            return None
        return Field(self.name, build.number(self.name), TERM, postings=DOCS, doc_values=self.has_doc_values)

    # -- the kind of the ends

    @abstractmethod
    def parse_end(self, value: Any) -> Any:
        """Return an end of a document's range; raises an error of the API."""

    @abstractmethod
    def query_end(self, value: Any, bounds: Bounds, now: Callable[[], int], *, round_up: bool) -> Any:
        """Return an end of a query's range; raises an error of the API."""

    @abstractmethod
    def above(self, end: Any) -> Any:
        """Return the next greater value."""

    @abstractmethod
    def below(self, end: Any) -> Any:
        """Return the next less value."""

    def half(self, end: Any) -> bytes:
        """Return an end as the term writes it."""
        return pack(end)

    def shown_end(self, end: Any) -> str:
        """Return an end as errors show it."""
        return java_text(end)

    def crossed(self, low: Any, high: Any) -> IllegalArgument:
        """Return the error for a document's range that ends before it begins."""
        return IllegalArgument(
            f"min value ({self.shown_end(low)}) is greater than max value ({self.shown_end(high)})"
        )

    def whole(self, text: str) -> tuple[Any, Any] | None:
        """Return both ends of a range written as one text; None if this kind has no such form."""
        return None

    # -- documents

    def handler(self) -> Handler:
        """Take objects with at most one least and one greatest value."""
        field, names, own_name = self.field, self.metadata.field_names, self.name.encode()
        report = self.reports_names()

        def handle(value: Any, out: Values) -> None:
            if value is None:
                return
            low, high = self._ends_of(value)
            if field is not None:
                out.append((field, self.half(low) + self.half(high)))
                if report:
                    out.append((names, own_name))

        return handle

    def _ends_of(self, value: Any) -> tuple[Any, Any]:
        if isinstance(value, str):
            try:
                found = self.whole(value)
            except LannerError as error:
                raise self.fault(value, error) from None
            if found is not None:
                return found
        if not isinstance(value, dict):
            raise self.fault(
                value,
                MapperParsingError(
                    f"error parsing field [{self.name}], expected an object but got {self.leaf_name}"
                ),
            )
        ends = {"low": self.least, "high": self.greatest}
        for key, given in value.items():
            if key not in _ENDS:
                reason = f"error parsing field [{self.name}], with unknown parameter [{key}]"
                raise self.fault(given, MapperParsingError(reason))
            if given is None:
                continue
            side, included = _ENDS[key]
            try:
                end = self.parse_end(given)
            except LannerError as error:
                fault = self.fault(self.preview(given), error)
                fault.inside = (key,)
                raise fault from None
            ends[side] = end if included else self.above(end) if side == "low" else self.below(end)
        if self.half(ends["low"]) > self.half(ends["high"]):
            raise self.fault(None, self.crossed(ends["low"], ends["high"]))
        return ends["low"], ends["high"]

    def preview(self, value: Any) -> Any:
        """Return a refused end as the error shows it."""
        return value

    @property
    def leaf_name(self) -> str:
        """Return the last part of the name."""
        return self.name.rpartition(".")[2]

    # -- queries

    @property
    def searchable(self) -> bool:
        """Return whether there is a column at all."""
        return self.indexed or self.has_doc_values

    def check_searchable(self) -> None:
        """Refuse a query on a field that is not indexed, whatever else it keeps."""
        if not self.indexed:
            raise IllegalArgument(f"Cannot search on field [{self.name}] since it is not indexed.")

    def term_query(self, value: Any) -> Query:
        """Return the documents with a range that holds the value."""
        return boosted(self.range_query(Bounds(value, value), DateFieldType.clock), self.boost)

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with a range in some relation to another."""
        self.check_searchable()
        low, high = self.least, self.greatest
        if bounds.lower is not None:
            low = self.query_end(bounds.lower, bounds, now, round_up=not bounds.include_lower)
        if bounds.upper is not None:
            high = self.query_end(bounds.upper, bounds, now, round_up=bounds.include_upper)
        if self.half(low) > self.half(high):
            raise IllegalArgument(
                f"Range query `from` value ({self.shown_end(low)}) is greater than `to` value "
                f"({self.shown_end(high)})"
            )
        if not bounds.include_lower:
            low = self.above(low)
        if not bounds.include_upper:
            high = self.below(high)
        if self.half(low) > self.half(high):
            return MatchNoneQuery("range didn't intersect anything")
        shown = self.shown_end(low), self.shown_end(high)
        return RangesQuery(self.name, self.half(low), self.half(high), bounds.relation, shown)

    # -- values in answers

    def sort_missing(self, value: Any) -> Any:
        """Refuse."""
        raise IllegalArgument(self.sort_refusal)

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Refuse: only the ranges of integers have a text for what a column holds."""
        super().doc_values_format(pattern)
        raise IllegalArgument(
            f"Doc values of field [{self.name}] of type [{self.type_name}] are not supported by this version"
        )

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Show the ends that are given."""
        if pattern is not None:
            raise IllegalArgument(f"Field [{self.name}] of type [{self.type_name}] doesn't support formats.")

        def show(value: Any) -> list[Any]:
            if not isinstance(value, dict):
                return [value]
            return [{key: self.shown_value(value[key]) for key in _SHOWN if key in value}]

        return show

    def shown_value(self, value: Any) -> Any:
        """Return an end of a source as ``fields`` shows it."""
        return value


class NumberRangeFieldType(RangeFieldType):
    """Ranges of what a type of numbers holds."""

    kind: ClassVar[type[NumberFieldType]]

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        #: reads one end
        self.number = self.kind(name, {"index": False, "doc_values": False, "coerce": self.coerce}, build)

    def preview(self, value: Any) -> Any:
        """Return a refused end as the type of the number shows it."""
        return self.number.preview(value)

    def parse_end(self, value: Any) -> int:
        """Read a number as its own type does."""
        if isinstance(value, list):
            expected = "not numeric, can not use numeric value accessors"
            raise token_fault("START_ARRAY", value, expected)
        encoded = self.number.slow_value(value)
        if encoded is None:
            raise IllegalArgument('For input string: ""')
        return encoded


class IntegerRangeFieldType(NumberRangeFieldType):
    """Ranges of 32-bit integers."""

    type_name = "integer_range"
    kind: ClassVar[type[NumberFieldType]] = Integer32FieldType
    least, greatest = -(2**31), 2**31 - 1

    def query_end(self, value: Any, bounds: Bounds, now: Callable[[], int], *, round_up: bool) -> int:
        """Read an integer; one with decimals is refused."""
        assert isinstance(self.number, IntegerFieldType)
        whole, decimals = self.number.query_number(value)
        if decimals:
            shown = java_text(parse_double(value) if isinstance(value, str) else value)
            raise IllegalArgument(f"Value [{shown}] has a decimal part")
        return whole

    def above(self, end: int) -> int:
        """Return the next integer; after the greatest comes the least, as the reference has it."""
        return self.least if end == self.greatest else end + 1

    def below(self, end: int) -> int:
        """Return the integer before; before the least comes the greatest."""
        return self.greatest if end == self.least else end - 1

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show the bytes that the reference keeps, one character each: a count, and all ends."""
        FieldType.doc_values_format(self, pattern)

        def show(terms: list[bytes]) -> list[str]:
            ends = (unpack(half) for term in terms for half in (term[:8], term[8:]))
            return [chr(len(terms)) + "".join(map(_short_long, ends))] if terms else []

        return show

    def shown_value(self, value: Any) -> Any:
        """Show whole numbers."""
        return None if value is None else self.parse_end(value)


def _short_long(value: int) -> str:
    """Return an integer as the reference keeps it.

    One bit of sign, four bits with the number of bytes that follow, then the magnitude, all turned around
    for a negative one. Source: BinaryRangeUtil of OpenSearch.
    """
    sign = value >= 0
    magnitude = value if sign else -1 - value
    more = max(0, (magnitude.bit_length() - 3 + 7) // 8)
    written = bytearray(magnitude.to_bytes(more + 1, "big"))
    written[0] |= sign << 7 | more << 3
    if not sign:
        written = bytearray(byte ^ (0x7F if i == 0 else 0xFF) for i, byte in enumerate(written))
    return written.decode("latin-1")


class LongRangeFieldType(IntegerRangeFieldType):
    """Ranges of 64-bit integers."""

    type_name = "long_range"
    kind = LongFieldType
    least, greatest = LONG_MIN, LONG_MAX


class FloatRangeFieldType(NumberRangeFieldType):
    """Ranges of 32-bit floating-point numbers."""

    type_name = "float_range"
    kind: ClassVar[type[NumberFieldType]] = FloatFieldType
    least, greatest = FloatFieldType.bits(float("-inf")), FloatFieldType.bits(float("inf"))

    @property
    def floating(self) -> FloatingFieldType:
        """Return what reads the ends."""
        assert isinstance(self.number, FloatingFieldType)
        return self.number

    def query_end(self, value: Any, bounds: Bounds, now: Callable[[], int], *, round_up: bool) -> int:
        """Read a number."""
        return self.floating.bits(self.floating.query_value(value))

    def above(self, end: int) -> int:
        """Return the next number."""
        return min(end + 1, self.greatest)

    def below(self, end: int) -> int:
        """Return the number before."""
        return max(end - 1, self.least)

    def shown_end(self, end: int) -> str:
        """Return the number."""
        return float32_text(self.floating.unbits(end)).decode().strip('"')

    def shown_value(self, value: Any) -> Any:
        """Show numbers."""
        return None if value is None else self.floating.sort_value(self.parse_end(value))


class DoubleRangeFieldType(FloatRangeFieldType):
    """Ranges of 64-bit floating-point numbers."""

    type_name = "double_range"
    kind = DoubleFieldType
    least, greatest = DoubleFieldType.bits(float("-inf")), DoubleFieldType.bits(float("inf"))

    def shown_end(self, end: int) -> str:
        """Return the number."""
        return java_text(self.floating.unbits(end))


class DateRangeFieldType(RangeFieldType):
    """Ranges of milliseconds since 1970."""

    type_name = "date_range"
    least, greatest = LONG_MIN, LONG_MAX
    parameters = (
        INDEX,
        DOC_VALUES,
        STORE,
        _COERCE,
        *(parameter for parameter in DateFieldType.parameters if parameter.name in ("format", "locale")),
        BOOST,
        META,
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        #: reads one end
        self.date = DateFieldType(
            name, {"index": False, "doc_values": False, "format": self.get("format")}, build
        )

    def parse_end(self, value: Any) -> int:
        """Read a date; there is no clock for documents."""
        return self.date.moment(java_text(value), _no_clock)

    def query_end(self, value: Any, bounds: Bounds, now: Callable[[], int], *, round_up: bool) -> int:
        """Read a date, which may use math and round."""
        form = self.date.format if bounds.format is None else date_format(bounds.format)
        zone = None if bounds.time_zone is None else parse_zone(bounds.time_zone)
        return self.date.bound(java_text(value), form, now, zone, round_up=round_up)

    def above(self, end: int) -> int:
        """Return the next millisecond."""
        return LONG_MIN if end == LONG_MAX else end + 1

    def below(self, end: int) -> int:
        """Return the millisecond before."""
        return LONG_MAX if end == LONG_MIN else end - 1

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Show dates in the given or the field's own format."""
        form = self.date.format if pattern is None else date_format(pattern)

        def show(value: Any) -> list[Any]:
            if not isinstance(value, dict):
                return []
            return [
                {
                    key: None if value[key] is None else form.render(self.parse_end(value[key]), UTC)
                    for key in _SHOWN
                    if key in value
                }
            ]

        return show


def _no_clock() -> int:
    raise ParseError(
        "could not read the current timestamp",
        caused_by=IllegalArgument("now is not used at indexing time"),
    )


class IpRangeFieldType(RangeFieldType):
    """Ranges of addresses; ``10.0.0.0/8`` is one too."""

    type_name = "ip_range"
    least, greatest = MIN_ADDRESS, MAX_ADDRESS

    def parse_end(self, value: Any) -> bytes:
        """Read an address."""
        return parse_ip(java_text(value))

    def query_end(self, value: Any, bounds: Bounds, now: Callable[[], int], *, round_up: bool) -> bytes:
        """Read an address."""
        return parse_ip(java_text(value))

    def above(self, end: bytes) -> bytes:
        """Return the next address."""
        found = next_address(end)
        if found is None:
            raise IllegalArgument("Overflow: there is no greater InetAddress than the last one")
        return found

    def below(self, end: bytes) -> bytes:
        """Return the address before."""
        found = previous_address(end)
        if found is None:
            raise IllegalArgument("Underflow: there is no smaller InetAddress than the first one")
        return found

    def half(self, end: bytes) -> bytes:
        """Return the address itself."""
        return end

    def crossed(self, low: bytes, high: bytes) -> IllegalArgument:
        """Return the error for a document's range that ends before it begins."""
        return IllegalArgument("min value cannot be greater than max value for InetAddressRange field")

    def whole(self, text: str) -> tuple[bytes, bytes] | None:
        """Return the first and last address of a network."""
        return parse_network(text)

    def shown_end(self, end: bytes) -> str:
        """Return the address."""
        return f"/{render_ip(end)}"
