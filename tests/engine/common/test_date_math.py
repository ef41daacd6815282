"""Date math; expected values are the bounds that OpenSearch 2.19.1 shows when it explains range queries."""

import pytest

from lanner.engine.common.date_math import parse_date
from lanner.engine.common.dates import DEFAULT_FORMAT, date_format, parse_zone
from lanner.engine.common.errors import ParseError

NOW = 1_588_767_072_345  # 2020-05-06T12:11:12.345Z


def parse(text: str, pattern: str = DEFAULT_FORMAT, *, up: bool = False, zone: str | None = None) -> int:
    return parse_date(
        text,
        date_format(pattern),
        now=lambda: NOW,
        round_up=up,
        zone=None if zone is None else parse_zone(zone),
    )


@pytest.mark.parametrize(
    ("text", "down", "up"),
    [
        ("2020", 1577836800000, 1577923199999),
        ("2020-05-06||/M", 1588291200000, 1590969599999),
        ("2020-05-06||/w", 1588550400000, 1589155199999),
        ("2020-05-06||+d", 1588809600000, 1588809600000),
        ("2020-01-31||+1M", 1582934400000, 1582934400000),
        ("now", NOW, NOW),
        ("now-1h/h", 1588762800000, 1588766399999),
        ("now+1d/d", 1588809600000, 1588895999999),
        ("now/y", 1577836800000, 1609459199999),
    ],
)
def test_rounding(text: str, down: int, up: int) -> None:
    assert parse(text) == down
    assert parse(text, up=True) == up


@pytest.mark.parametrize(
    ("text", "pattern", "up"),
    [
        ("2020-05-06", "yyyy-MM-dd", 1588809599999),
        ("2020-05", "yyyy-MM", 1588377599999),
        ("2020-05-06 10:11", "yyyy-MM-dd HH:mm", 1588759919999),
    ],
)
def test_rounding_up_of_custom_formats(text: str, pattern: str, up: int) -> None:
    assert parse(text, pattern, up=True) == up


def test_zones() -> None:
    assert parse("2020-05-06||/d", zone="Europe/Paris") == 1588716000000
    assert parse("1588767072000", zone="+02:00") == 1588759872000
    # a day that begins summer time is 23 hours long
    assert parse("2020-03-29||/d", zone="Europe/Paris", up=True) - parse(
        "2020-03-29||/d", zone="Europe/Paris"
    ) == (23 * 3_600_000 - 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2020-05-06||+1x", "unit [x] not supported for date math [+1x]"),
        ("2020-05-06||1d", "operator not supported for date math [1d]"),
        ("2020-05-06||+", "truncated date math [+]"),
        ("2020-05-06||/2d", "rounding `/` can only be used on single unit types [/2d]"),
        ("nowx", "operator not supported for date math [x]"),
        ("now+1", "truncated date math [+1]"),
    ],
)
def test_faults(text: str, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.reason == reason
