"""Date formats; expected values are what OpenSearch 2.19.1 shows for range queries and documents."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.engine.common.dates import (
    DEFAULT_FORMAT,
    civil_from_days,
    date_format,
    days_from_civil,
    parse_zone,
)
from lanner.engine.common.errors import IllegalArgument, ZoneRulesError


@pytest.mark.parametrize(
    ("text", "pattern", "millis"),
    [
        ("2020", DEFAULT_FORMAT, 1577836800000),
        ("1577836800001", DEFAULT_FORMAT, 1577836800001),
        ("2020-01T10", DEFAULT_FORMAT, 1577872800000),
        ("2020-01-01T10Z", DEFAULT_FORMAT, 1577872800000),
        ("2020-01-01T10:11:12,123", DEFAULT_FORMAT, 1577873472123),
        ("2020-01-01T10:11:12.123456789+0200", DEFAULT_FORMAT, 1577866272123),
        ("2020-01-01T10Europe/Paris", DEFAULT_FORMAT, 1577869200000),
        ("+12345", DEFAULT_FORMAT, 327403382400000),
        ("2020W011", "basic_week_date", 1577664000000),
        ("20200101T101112Z", "basic_date_time_no_millis||epoch_second", 1577873472000),
        ("12345.678", "epoch_second", 12345678),
        ("06/05/2020", "dd/MM/yyyy", 1588723200000),
        ("5 Jan 2020 3:04 PM", "d MMM yyyy h:mm a", 1578236640000),
        ("2020-060", "strict_ordinal_date", 1582934400000),
        ("20-2-3", "yy-M-d", 1580688000000),
        ("2020-01-02 at 10", "yyyy-MM-dd[' at 'HH]", 1577959200000),
    ],
)
def test_parse(text: str, pattern: str, millis: int) -> None:
    assert date_format(pattern).parse(text) == millis


@pytest.mark.parametrize(
    "text",
    [
        "2020-13-01",
        "2020-02-30",
        "2020-1-1",
        "10000-01-01",
        "2020-01-01T24:00",
        "2020-01-01T23:59:60",
        "x",
        "1e3",
    ],
)
def test_no_date(text: str) -> None:
    with pytest.raises(IllegalArgument) as caught:
        date_format(DEFAULT_FORMAT).parse(text)
    assert caught.value.reason == f"failed to parse date field [{text}] with format [{DEFAULT_FORMAT}]"
    assert caught.value.caused_by is not None
    assert caught.value.caused_by.reason == "Failed to parse with all enclosed parsers"


def test_texts_of_single_formats() -> None:
    for text, reason in (
        ("x", "Text 'x' could not be parsed at index 0"),
        ("20200101", "Text '20200101' could not be parsed at index 0"),
        ("2020-01-01T00", "Text '2020-01-01T00' could not be parsed, unparsed text found at index 10"),
    ):
        with pytest.raises(IllegalArgument) as caught:
            date_format("yyyy-MM-dd").parse(text)
        assert caught.value.caused_by is not None
        assert caught.value.caused_by.reason == reason


def test_bad_patterns() -> None:
    with pytest.raises(IllegalArgument) as caught:
        date_format("bad{")
    assert caught.value.reason == "Invalid format: [bad{]: Unknown pattern letter: b"
    assert caught.value.caused_by is not None
    assert caught.value.caused_by.reason == "Unknown pattern letter: b"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (DEFAULT_FORMAT, "2020-01-01T10:11:12.123Z"),
        ("yyyy/MM/dd EEE hh:mm a Z", "2020/01/01 Wed 10:11 AM +0000"),
        ("epoch_second", "1577873472.123"),
        ("basic_week_date", "2020W013"),
        ("strict_date_time_no_millis", "2020-01-01T10:11:12Z"),
    ],
)
def test_render(pattern: str, text: str) -> None:
    assert date_format(pattern).render(1577873472123) == text


def test_render_in_a_zone() -> None:
    assert date_format("yyyy-MM-dd HH:mm XXX").render(0, parse_zone("+05:30")) == "1970-01-01 05:30 +05:30"


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))
def test_round_trip(moment: datetime) -> None:
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    millis = (moment.replace(tzinfo=UTC) - epoch) // timedelta(milliseconds=1)
    form = date_format("strict_date_optional_time")
    assert form.parse(form.render(millis)) == millis
    assert form.render(millis)[:19] == moment.isoformat()[:19]


@given(st.integers(-10_000_000, 10_000_000))
def test_civil_dates(days: int) -> None:
    assert days_from_civil(*civil_from_days(days)) == days


def test_zones() -> None:
    assert parse_zone("Z") is UTC
    with pytest.raises(ZoneRulesError, match="Unknown time-zone ID: bogus"):
        parse_zone("bogus")
