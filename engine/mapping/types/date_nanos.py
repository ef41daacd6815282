"""Moments from 1970 to 2262, as nanoseconds since 1970."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import Any

from lanner.engine.common.date_math import parse_moment
from lanner.engine.common.dates import DateFormat, date_format
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.number_encoding import LONG_MAX
from lanner.engine.mapping.types.date import DateFieldType
from lanner.ext.index.document_plan import Leaf

_PER_MILLI = 1_000_000
_SHOWN = date_format("strict_date_time_no_millis")  # as Java prints an instant without a fraction
_LAST = "2262-04-11T23:47:16.854775807"


def nanos_of(millis: int, rest: int) -> int:
    """Return nanoseconds since 1970; raises IllegalArgument for what 64 bits cannot hold."""
    nanos = millis * _PER_MILLI + rest
    if 0 <= nanos <= LONG_MAX:
        return nanos
    fraction = f"{millis % 1000:03d}{rest:06d}".rstrip("0")
    digits = fraction.ljust(-(-len(fraction) // 3) * 3, "0")
    shown = _SHOWN.render(millis)[:-1] + (f".{digits}" if digits else "") + "Z"
    if nanos < 0:
        raise IllegalArgument(
            f"date[{shown}] is before the epoch in 1970 and cannot be stored in nanosecond resolution"
        )
    raise IllegalArgument(f"date[{shown}] is after {_LAST} and cannot be stored in nanosecond resolution")


class DateNanosFieldType(DateFieldType):
    """Dates that keep nanoseconds."""

    type_name = "date_nanos"
    takes_millis = False
    cells_per_milli = _PER_MILLI

    def parse(self, text: str) -> int:
        """Return the nanoseconds of a date."""
        moment = self.format.moment(text)
        if moment is None:
            raise self.format.fault(text)
        return nanos_of(moment.millis(), moment.rest)

    def bound(
        self, text: str, form: DateFormat, now: Callable[[], int], zone: tzinfo | None, *, round_up: bool
    ) -> int:
        """Return the nanoseconds of a bound."""
        return nanos_of(*parse_moment(text, form, now=now, round_up=round_up, zone=zone))

    def leaf(self) -> Leaf:
        """Leave all values to Python."""
        return FieldType.leaf(self)

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show dates in the given or the field's own format, with as many digits as that has."""
        form = self.printer if pattern is None or pattern == "use_field_mapping" else date_format(pattern)
        return lambda encoded: form.render(encoded // _PER_MILLI, UTC, rest=encoded % _PER_MILLI)
