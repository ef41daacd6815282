"""Index names with dates: ``<logs-{now/d{yyyy.MM|+02:00}}>``."""

import re
import time

from lanner.engine.common.errors import ParseError

_PART = re.compile(r"\{([^{}]*)(?:\{([^{}]*)\})?\}")
_DEFAULT = "uuuu.MM.dd"


def resolve_index_name(name: str, now_millis: int | None = None) -> str:
    """The name that an expression in angle brackets stands for."""
    from lanner.engine.common.date_math import parse_date
    from lanner.engine.common.dates import date_format, parse_zone

    inner = name[1:-1]
    now = time.time_ns() // 1_000_000 if now_millis is None else now_millis

    def fill(found: re.Match[str]) -> str:
        math, form = found[1], found[2] or _DEFAULT
        pattern, _, zone_name = form.partition("|")
        zone = parse_zone(zone_name or "UTC")
        form_of_date = date_format(pattern)
        return form_of_date.render(parse_date(math, form_of_date, now=lambda: now, zone=zone), zone)

    text = _PART.sub(fill, inner)
    if "{" in text or "}" in text:
        raise ParseError(f"invalid dynamic name expression [{inner}]. date math placeholder is open ended")
    if not text:
        raise ParseError("nothing captured")
    return text
