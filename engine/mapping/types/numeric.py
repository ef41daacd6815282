"""What all numbers have in common. Columns hold int64 whose order is the numbers' order."""

from collections.abc import Callable
from typing import Any, ClassVar

from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.mapping.field_type import (
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
from lanner.engine.query.range import NumberRangeQuery, NumberSetQuery
from lanner.ext.index.schema import NUMBER, Field


class NumberFieldType(FieldType):
    """What all numbers share: doc values and points in one int64 column."""

    sort_kind = "number"
    java_name: ClassVar[str]
    names_ignored: ClassVar[bool] = True  # whether _ignored tells of malformed values

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

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents with any of several numbers."""
        clauses = [query for query in map(self.term_query, values) if not isinstance(query, MatchNoneQuery)]
        numbers = [one.low for one in clauses if isinstance(one, NumberRangeQuery) and one.low == one.high]
        if not numbers or len(numbers) < len(clauses):
            return super().terms_query(values)
        return NumberSetQuery(self.name, tuple(sorted(set(numbers))))

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
                    if self.names_ignored:
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
        """Show the number, or its text by a decimal pattern."""
        if pattern is None or pattern == "use_field_mapping":
            return self.show
        from lanner.engine.common.decimal_format import decimal_format  # few ask for it

        printed, show = decimal_format(pattern), self.show
        return lambda encoded: printed(show(encoded))

    def show(self, encoded: int) -> Any:
        """Return the number as doc values show it."""
        return encoded


def number_parameters(null_value: Callable[[str, Any], Any]) -> tuple[Parameter, ...]:
    """Return what every number may be declared with."""
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
