"""Expected texts are Java's."""

import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.json.number import float32, float32_text, float64, float64_text

FLOATS = [
    (1.0, "1.0"),
    (0.2876821, "0.2876821"),
    (1e10, "1.0E10"),
    (1e7, "1.0E7"),
    (9999999.0, "9999999.0"),
    (100.0, "100.0"),
    (1e-3, "0.001"),
    (9.99e-4, "9.99E-4"),
    (0.1, "0.1"),
    (3.4028235e38, "3.4028235E38"),
    (1e-45, "1.0E-45"),
    (0.0, "0.0"),
    (-0.0, "-0.0"),
    (-1.5, "-1.5"),
    (16777216.0, "1.6777216E7"),
    (33554432.0, "3.3554432E7"),
    (12.5, "12.5"),
    (math.nan, '"NaN"'),
    (math.inf, '"Infinity"'),
    (-math.inf, '"-Infinity"'),
]


@pytest.mark.parametrize(("value", "text"), FLOATS)
def test_float32(value: float, text: str) -> None:
    assert float32_text(value).decode() == text
    assert bytes(float32(value)) == text.encode()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (0.1, "0.1"),
        (123456.789, "123456.789"),
        (1e16, "1.0E16"),
        (1.5e300, "1.5E300"),
        (5e-324, "5.0E-324"),
        (1 / 3, "0.3333333333333333"),
        (100.0, "100.0"),
        (-2.5, "-2.5"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1234567.0, "1234567.0"),
        (12345678.0, "1.2345678E7"),
        (math.nan, '"NaN"'),
    ],
)
def test_float64(value: float, text: str) -> None:
    assert float64_text(value).decode() == text
    assert bytes(float64(value)) == text.encode()


def digits(text: str) -> int:
    return len(re.sub(r"[eE].*|[^0-9]", "", text).strip("0"))


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float32_is_shortest_and_comes_back(value: float) -> None:
    text = float32_text(value).decode()
    assert struct.pack("f", float(text)) == struct.pack("f", value)
    # below a power of two numbers lie closer: there the nearest text may be one digit longer than
    # the shortest
    slack = int(math.frexp(value)[0] in (0.5, -0.5))
    assert digits(text) <= digits(str(np.float32(value))) + slack


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float64_is_shortest_and_comes_back(value: float) -> None:
    text = float64_text(value).decode()
    assert struct.pack("d", float(text)) == struct.pack("d", value)
    assert digits(text) <= digits(repr(value))


@given(st.floats(width=32, min_value=0, max_value=100))
def test_scores_have_a_point_and_no_exponent_above_a_thousandth(value: float) -> None:
    text = float32_text(value).decode()
    assert "." in text
    assert ("E" in text) == (0 < value < 1e-3)
