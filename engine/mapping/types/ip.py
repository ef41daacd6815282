"""Internet addresses, as 16 bytes."""

from collections.abc import Callable
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, IllegalStateError, LannerError
from lanner.engine.common.ip import (
    MAX_ADDRESS,
    MIN_ADDRESS,
    next_address,
    parse_ip,
    parse_network,
    previous_address,
    render_ip,
)
from lanner.engine.mapping.field_type import Bounds, BuildContext, FieldType, Handler, Values
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
from lanner.engine.query.range import TermRangeQuery
from lanner.ext.index.schema import DOCS, TERM, Field


class IpFieldType(FieldType):
    """Version 4 and version 6 addresses in one order."""

    type_name = "ip"
    sort_kind = "term"
    parameters = (
        INDEX,
        DOC_VALUES,
        STORE,
        IGNORE_MALFORMED,
        Parameter("null_value", None, text, nullable=True),
        META,
        Parameter(BOOST.name, BOOST.default, BOOST.read, ignored=True),
    )

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of 16-byte terms."""
        if not self.searchable:
            return None
        return Field(self.name, build.number(self.name), TERM, postings=DOCS, doc_values=self.has_doc_values)

    def handler(self) -> Handler:
        """Take addresses as text."""
        field, malformed = self.field, self.get("ignore_malformed")
        names, ignored, own_name = self.metadata.field_names, self.metadata.ignored, self.name.encode()
        report = self.reports_names()
        try:
            null_value = None if self.get("null_value") is None else parse_ip(self.get("null_value"))
        except IllegalArgument:
            null_value = None

        def handle(value: Any, out: Values) -> None:
            if value is None:
                if null_value is None:
                    return
                packed = null_value
            else:
                try:
                    packed = parse_ip(value if type(value) is str else text_of(value, self))
                except LannerError as error:
                    if malformed and not isinstance(error, IllegalStateError):
                        out.append((ignored, own_name))
                        return
                    raise self.fault(value, error) from None
            if field is not None:
                out.append((field, packed))
                if report:
                    out.append((names, own_name))

        return handle

    def term_query(self, value: Any) -> Query:
        """Return the documents with an address, or with one inside a network."""
        self.check_searchable()
        shown = java_text(value)
        low, high = parse_network(shown) if "/" in shown else (packed := parse_ip(shown), packed)
        return TermRangeQuery(self.name, low, high)

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents with any of several addresses; one alone is a term."""
        return self.term_query(values[0]) if len(values) == 1 else super().terms_query(values)

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with an address between two others."""
        self.check_searchable()
        low: bytes | None = MIN_ADDRESS
        high: bytes | None = MAX_ADDRESS
        if bounds.lower is not None:
            low = parse_ip(java_text(bounds.lower))
            low = low if bounds.include_lower else next_address(low)
        if bounds.upper is not None:
            high = parse_ip(java_text(bounds.upper))
            high = high if bounds.include_upper else previous_address(high)
        if low is None or high is None or low > high:
            return MatchNoneQuery("empty range")
        return TermRangeQuery(self.name, low, high)

    def sort_value(self, encoded: bytes) -> Any:
        """Return the address as text."""
        return render_ip(encoded)

    def sort_missing(self, value: Any) -> bytes:
        """Read a replacement for missing values."""
        return parse_ip(java_text(value))
