import pytest

from lanner.engine.common.errors import BadParameter, IllegalArgument
from lanner.server.params import Params, check_names, likeness, parse_query_string, unrecognized


def test_parse_query_string() -> None:
    assert parse_query_string("a=1&b&c=&a=2&=5&d=x%20y+z;e=%2B") == {
        "a": "2", "b": "", "c": "", "5": "", "d": "x y z", "e": "+",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["a=%", "a=%2", "a=%zz", "%g0=1"])
def test_bad_escapes(text: str) -> None:
    with pytest.raises(BadParameter):
        parse_query_string(text)


def test_typed_getters() -> None:
    params = Params(
        {"on": "", "off": "false", "n": "-5", "big": "9223372036854775807", "f": "1.5", "t": "2m"}
    )
    assert params.boolean("on") is True
    assert params.boolean("off", True) is False
    assert params.boolean("gone", True) is True
    assert params.integer("n") == -5
    assert params.integer("gone") is None
    assert params.long("big") == 2**63 - 1
    assert params.number("f") == 1.5
    assert params.millis("t") == 120_000


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("integer", "x", "Failed to parse int parameter [p] with value [x]"),
        ("integer", "", "Failed to parse int parameter [p] with value []"),
        ("integer", "2147483648", "Failed to parse int parameter [p] with value [2147483648]"),
        (
            "long",
            "9223372036854775808",
            "Failed to parse long parameter [p] with value [9223372036854775808]",
        ),
        ("number", "x", "Failed to parse float parameter [p] with value [x]"),
        ("boolean", "yes", "Failed to parse value [yes] as only [true] or [false] are allowed."),
        ("option", "yes", "Could not convert [p] to boolean"),
        (
            "millis",
            "10",
            "failed to parse setting [p] with value [10] as a time value: unit is missing or unrecognized",
        ),
    ],
)
def test_bad_values(kind: str, value: str, text: str) -> None:
    with pytest.raises(IllegalArgument) as fault:
        getattr(Params({"p": value}), kind)("p", *([True] if kind == "option" else []))
    assert fault.value.reason == text


def test_number_faults_name_the_text() -> None:
    with pytest.raises(IllegalArgument) as fault:
        Params({"p": "x"}).integer("p")
    assert fault.value.caused_by is not None
    assert fault.value.caused_by.render() == {
        "type": "number_format_exception",
        "reason": 'For input string: "x"',
    }


def test_likeness() -> None:
    assert likeness("same", "same") == 1.0
    assert likeness("size", "siz") == 0.75
    assert likeness("abc", "xyz") == 0.0
    assert likeness("", "") == 1.0


def test_suggestions_are_sorted_by_likeness_then_name() -> None:
    names = {"wait_for_status", "wait_for_events", "wait_for_nodes", "timeout", "level", "pretty"}
    assert unrecognized("/_cluster/health", ["wait_for_statu", "levl"], names, "parameter").reason == (
        "request [/_cluster/health] contains unrecognized parameters: [levl] -> did you mean [level]?, "
        "[wait_for_statu] -> did you mean any of [wait_for_status, wait_for_events, wait_for_nodes]?"
    )


def test_check_names() -> None:
    check_names("/p", {"pretty": "", "size": "1"}, frozenset({"size"}))
    with pytest.raises(IllegalArgument, match=r"unrecognized parameter: \[x\]$"):
        check_names("/p", {"x": ""}, frozenset({"size"}))
