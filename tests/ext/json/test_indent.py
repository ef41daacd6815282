import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.json.indent import indent


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("{}", "{ }\n"),
        ("[ ]", "[ ]\n"),
        ("1.50", "1.50\n"),
        ('{"a":{},"b":[ ]}', '{\n  "a" : { },\n  "b" : [ ]\n}\n'),
        ('[1 , "x,{"]', '[\n  1,\n  "x,{"\n]\n'),
        ('{"a":[{"b":"\\""}]}', '{\n  "a" : [\n    {\n      "b" : "\\""\n    }\n  ]\n}\n'),
    ],
)
def test_layout(data: str, text: str) -> None:
    assert indent(data.encode()).decode() == text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


@given(values, st.sampled_from([None, 1]))
def test_the_value_stays_the_same(value: object, spaces: int | None) -> None:
    data = json.dumps(value, indent=spaces).encode()
    laid_out = indent(data)
    assert json.loads(laid_out) == value
    assert indent(laid_out) == laid_out
