"""Moments, as milliseconds since 1970."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.date_math import parse_date
from lanner.engine.common.dates import DEFAULT_FORMAT, DateFormat, date_format, parse_zone
from lanner.engine.common.errors import IllegalArgument, LannerError, NumberFormatError, ParseError
from lanner.engine.mapping.field_type import Bounds, BuildContext, FieldType, Handler, Values
from lanner.engine.mapping.number_encoding import LONG_MAX, LONG_MIN
from lanner.engine.mapping.parameters import (
    BOOST,
    DOC_VALUES,
    IGNORE_MALFORMED,
    INDEX,
    META,
    STORE,
    Parameter,
    text,
)
from lanner.engine.mapping.types.keyword import text_of
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.range import NumberRangeQuery
from lanner.ext.index.document_plan import DATE, Leaf
from lanner.ext.index.schema import NUMBER, Field

LEAST_MILLIS = 10_000  # fewer digits would be a year


def _format(field: str, value: Any) -> str:
    pattern = java_text(value)
    try:
        date_format(pattern)
    except IllegalArgument as error:
        raise IllegalArgument(
            f"Error parsing [format] on field [{field}]: {error.reason}", caused_by=error
        ) from None
    return pattern


class DateFieldType(FieldType):
    """Dates in one or several formats."""

    type_name = "date"
    numbers = "long"
    sort_kind = "number"
    parameters = (
        INDEX,
        DOC_VALUES,
        STORE,
        Parameter("format", DEFAULT_FORMAT, _format),
        Parameter("print_format", None, _format, nullable=True),
        Parameter("locale", "", text),
        Parameter("null_value", None, text, nullable=True),
        IGNORE_MALFORMED,
        BOOST,
        META,
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.format: DateFormat = date_format(self.get("format"))
        printer = self.get("print_format")
        self.printer: DateFormat = self.format if printer is None else date_format(printer)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of milliseconds."""
        if not self.searchable:
            return None
        return Field(self.name, build.number(self.name), NUMBER, doc_values=self.has_doc_values, points=True)

    @property
    def cells_per_milli(self) -> int:
        """Return by how much the column's values differ for one millisecond."""
        return 1

    @property
    def takes_millis(self) -> bool:
        """Return whether integers are what the column holds."""
        return self.format.pattern == DEFAULT_FORMAT

    def parse(self, text: str) -> int:
        """Return what the column holds for a date; raises IllegalArgument."""
        return self.format.parse(text)

    def bound(
        self, text: str, form: DateFormat, now: Callable[[], int], zone: tzinfo | None, *, round_up: bool
    ) -> int:
        """Return what the column holds for a bound of a range; raises ParseError."""
        return parse_date(text, form, now=now, round_up=round_up, zone=zone)

    def handler(self) -> Handler:
        """Take dates as text, and numbers as the text of the number."""
        field, malformed, parse = self.field, self.get("ignore_malformed"), self.parse
        names, ignored, own_name = self.metadata.field_names, self.metadata.ignored, self.name.encode()
        report = self.reports_names()
        takes_millis = self.takes_millis
        try:
            null_value = None if self.get("null_value") is None else parse(self.get("null_value"))
        except IllegalArgument:
            null_value = None

        def handle(value: Any, out: Values) -> None:
            if type(value) is str:
                try:
                    millis = parse(value)
                except LannerError as error:
                    if malformed:
                        out.append((ignored, own_name))
                        return
                    raise self.fault(value, error) from None
            elif takes_millis and type(value) is int and LEAST_MILLIS <= value <= LONG_MAX:
                millis = value
            elif value is None:
                if null_value is None:
                    return
                millis = null_value
            else:
                handle(text_of(value, self), out)
                return
            if field is not None:
                out.append((field, millis))
                if report:
                    out.append((names, own_name))

        return handle

    def leaf(self) -> Leaf:
        """Take milliseconds if the format does, and ISO 8601 in its common form."""
        low, high = (LEAST_MILLIS, LONG_MAX) if self.takes_millis else (1, 0)
        return self.plain_leaf(DATE, low=low, high=high, iso=self.format.takes_iso)

    # -- queries

    def term_query(self, value: Any) -> Query:
        """Return the documents inside the span that a date means: a day for ``2020-01-01``."""
        return self.range_query(Bounds(value, value), self.clock)

    @staticmethod
    def clock() -> int:
        """Return the milliseconds since 1970 that ``now`` stands for where no request says."""
        import time

        return time.time_ns() // 1_000_000

    def moment(self, text: str, now: Callable[[], int], *, round_up: bool = False) -> int:
        """Return what the column holds for a date, which may use math; raises ParseError."""
        return self.bound(text, self.format, now, None, round_up=round_up)

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents between two dates, which may use math; open ends round outwards."""
        self.check_searchable()
        form = self.format if bounds.format is None else date_format(bounds.format)
        zone = None if bounds.time_zone is None else parse_zone(bounds.time_zone)
        low, high = LONG_MIN, LONG_MAX
        if bounds.lower is not None:
            low = self.bound(java_text(bounds.lower), form, now, zone, round_up=not bounds.include_lower)
            low += 0 if bounds.include_lower else 1
        if bounds.upper is not None:
            high = self.bound(java_text(bounds.upper), form, now, zone, round_up=bounds.include_upper)
            high -= 0 if bounds.include_upper else 1
        if low > high or low > LONG_MAX or high < LONG_MIN:
            return MatchNoneQuery("empty range")
        return NumberRangeQuery(self.name, max(low, LONG_MIN), min(high, LONG_MAX))

    # -- sorting and doc values

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return the largest or smallest moment, as the comparator used it."""
        return LONG_MAX if last != reverse else LONG_MIN

    def sort_missing(self, value: Any) -> int:
        """Read a replacement: milliseconds, as a number or as text."""
        try:
            return int(java_text(value))
        except ValueError:
            raise NumberFormatError(f'For input string: "{java_text(value)}"') from None

    def sort_after(self, value: Any) -> int:
        """Read a search_after value: milliseconds or a date in the field's format."""
        if isinstance(value, str):
            try:
                return self.parse(value)
            except IllegalArgument as error:
                raise ParseError(
                    f"failed to parse date field [{value}] with format [{self.format.pattern}]: "
                    f"[{error.reason}]",
                    caused_by=error,
                ) from None
        return int(value)

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show dates in the given or the field's own format."""
        form = self.printer if pattern is None or pattern == "use_field_mapping" else date_format(pattern)
        return lambda encoded: form.render(encoded, UTC)
