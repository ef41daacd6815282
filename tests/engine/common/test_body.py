import json

import pytest

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    SpelledFloat,
    find,
    java_text,
    locate,
    parse_double,
    read_boolean,
    unknown_named_object,
)
from lanner.engine.common.errors import IllegalArgument, NumberFormatError

RAW = b'{"a": {"k": [1, {"x": "}\\""}], "\xc3\xa9": 5},\n  "b": true}'


@pytest.mark.parametrize(
    ("path", "key", "end", "place"),
    [
        ([], "a", "key", (1, 2)),
        ([], "a", "value", (1, 7)),
        (["a", "k"], 0, "value", (1, 14)),
        (["a", "k", 1], "x", "value", (1, 23)),
        (["a", "k", 1], None, "close", (1, 28)),
        (["a"], None, "close", (1, 39)),
        ([], "b", "value", (2, 8)),
        ([], "b", "after", (2, 12)),
    ],
)
def test_find(path: list[object], key: object, end: str, place: tuple[int, int]) -> None:
    body = json.loads(RAW)
    container = body
    for step in path:
        container = container[step]
    assert find(Anchor(container, key, end), body, RAW) == place  # type: ignore[arg-type]


def test_locate_fills_error_and_causes() -> None:
    body = json.loads(RAW)
    error = unknown_named_object("unknown query [k]", "k", Anchor(body["a"], "k"))
    locate(error, body, RAW)
    assert error.render() == {
        "type": "parsing_exception",
        "reason": "unknown query [k]",
        "line": 1,
        "col": 13,
        "caused_by": {"type": "named_object_not_found_exception", "reason": "[1:13] unknown field [k]"},
    }


def test_an_anchor_of_another_body_is_left_alone() -> None:
    error = LocatedError("fault", Anchor({}, "k"))
    assert locate(error, json.loads(RAW), RAW).fields == {}


def test_java_text() -> None:
    assert java_text({"a": [1, None, 1e10, True], "b": {}}) == "{a=[1, null, 1.0E10, true], b={}}"
    assert SpelledFloat("1.50").text == "1.50"


def test_numbers_and_booleans() -> None:
    assert parse_double(" 1e3d") == 1000.0
    for text in ("x", "1_0", "0x10", ""):
        with pytest.raises(NumberFormatError):
            parse_double(text)
    assert read_boolean("true") is True
    with pytest.raises(IllegalArgument, match=r"Failed to parse value \[5\]"):
        read_boolean(5)
