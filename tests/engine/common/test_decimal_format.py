"""Decimal patterns. Expected texts are those of java.text.DecimalFormat, as the reference showed them."""

import pytest

from lanner.engine.common.decimal_format import decimal_format
from lanner.engine.common.errors import IllegalArgument


@pytest.mark.parametrize(
    ("pattern", "number", "expected"),
    [
        ("#.0", 1, "1.0"),
        ("#.0", -15, "-15.0"),
        ("0.00", 2.5, "2.50"),
        ("0.00", 0.125, "0.12"),
        ("#,##0.##", 1234567.891, "1,234,567.89"),
        ("#,##0.##", -0.5, "-0.5"),
        ("000", 1, "001"),
        ("#", 2.5, "2"),
        ("#", 0.125, "0"),
        ("0.0E0", 1234567.891, "1.2E6"),
        ("0.0E0", -0.5, "-5.0E-1"),
        ("$0.00", -15, "-$15.00"),
        ("0.0%", 0.125, "12.5%"),
        ("#,###", 1234567.891, "1,234,568"),
        ("#,###", -0.5, "-0"),
        ("yyyy", -15, "-yyyy15"),
        ("0.00;(0.00)", -0.5, "(0.50)"),
        ("'x'0", -15, "-x15"),
        ("##0.##E0", 12345, "12.3E3"),
        ("##0.#####E0", 12345, "12.345E3"),
        ("0", 9007199254740993, "9007199254740993"),
    ],
)
def test_numbers(pattern: str, number: float, expected: str) -> None:
    assert decimal_format(pattern)(number) == expected


@pytest.mark.parametrize("pattern", ["0.0.0", "#0#", "0.#0", "0E", "0,", "0x0"])
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(IllegalArgument):
        decimal_format(pattern)


def test_a_pattern_without_end() -> None:
    assert len(decimal_format("0." + "#" * 100_000)(1 / 3)) < 400
