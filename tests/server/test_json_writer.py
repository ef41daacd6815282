import msgspec
import pytest

from lanner.server.json_writer import encode, encode_pretty, encode_yaml, with_texts


def test_compact() -> None:
    value = {"a": 1.0, "b": msgspec.Raw(b'{"x": 1.00}'), "c": [None, True, "ä"]}
    assert encode(value) == '{"a":1.0,"b":{"x": 1.00},"c":[null,true,"ä"]}'.encode()


def test_numbers_and_texts_that_the_encoder_refuses() -> None:
    assert encode({"n": 10**30, "m": -(10**30)}) == b'{"n":1%s,"m":-1%s}' % (b"0" * 30, b"0" * 30)
    assert encode({"t": "\ud800"}) == rb'{"t":"\ud800"}'


def test_pretty() -> None:
    assert encode_pretty({"a": {}, "b": [], "c": [1, {"x": 'y"{'}]}).decode() == (
        '{\n  "a" : { },\n  "b" : [ ],\n  "c" : [\n    1,\n    {\n      "x" : "y\\"{"\n    }\n  ]\n}\n'
    )


def test_yaml() -> None:
    value = {"n": 1, "f": 1.0, "s": "x", "empty": {}, "list": [{"a": None}, "b"], "none": [], "y": True}
    assert encode_yaml(value).decode() == (
        '---\n"n": 1\nf: 1.0\ns: "x"\nempty: {}\nlist:\n- a: null\n- "b"\nnone: []\n"y": true\n'
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"size_in_bytes": 0}, {"size": "0b", "size_in_bytes": 0}),
        ({"time_in_millis": 70_000}, {"time": "1.1m", "time_in_millis": 70_000}),
        ([{"x_in_bytes": 1536}], [{"x": "1.5kb", "x_in_bytes": 1536}]),
        ({"size_in_bytes": "text"}, {"size_in_bytes": "text"}),
    ],
)
def test_with_texts(value: object, text: object) -> None:
    assert with_texts(value) == text
