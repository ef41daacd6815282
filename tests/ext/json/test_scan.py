"""The texts, lines and columns are those that the reference gave for the same bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.json.scan import JsonFault, check_json, line_and_column

SOURCE = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: {}]"
VALID = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
NON_NUMERIC = "enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow"
NAME = "was expecting double-quote to start field name"
ENTRIES = "Unexpected end-of-input within/between Object entries"
OPEN = f"(start marker at {SOURCE.format(1)})"

EARLY_ENDS = [
    (b'{"query":', ENTRIES, 10),
    (b"{", f"Unexpected end-of-input: expected close marker for Object {OPEN}", 2),
    (b'{"a"', ENTRIES, 5),
    (b'{"a":1', f"Unexpected end-of-input: expected close marker for Object {OPEN}", 7),
    (
        b'{"a":[1',
        f"Unexpected end-of-input: expected close marker for Array (start marker at {SOURCE.format(6)})",
        8,
    ),
    (b'{"a":"x', "Unexpected end-of-input in VALUE_STRING", 8),
    (b'{"a":"b\\', "Unexpected end-of-input in character escape sequence", 9),
    (b'{"a":"b\\u12', "Unexpected end-of-input in character escape sequence", 12),
    (b'{"a', "Unexpected end-of-input in field name", 4),
    (b'{"a":"\xc3', "Unexpected end-of-input in VALUE_STRING", 8),
]
FAULTS = [
    (b'{"a":1,', ENTRIES, 8),
    (b'{"a":1,}', f"Unexpected character ('}}' (code 125)): {NAME}", 8),
    (b"{a:1}", f"Unexpected character ('a' (code 97)): {NAME}", 2),
    (b"{'a':1}", f"Unexpected character (''' (code 39)): {NAME}", 2),
    (b"{,}", f"Unexpected character (',' (code 44)): {NAME}", 2),
    (
        b'{"a" 1}',
        "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
        6,
    ),
    (b'{"a":}', "Unexpected character ('}' (code 125)): expected a value", 6),
    (b'{"a":[1,]}', "Unexpected character (']' (code 93)): expected a value", 9),
    (b'{"a":nul}', f"Unrecognized token 'nul': was expecting {VALID}", 10),
    (b'{"a":nope}', f"Unrecognized token 'nope': was expecting {VALID}", 11),
    (b'{"a":tru', f"Unrecognized token 'tru': was expecting {VALID}", 9),
    (b'{"a":truex}', f"Unrecognized token 'truex': was expecting {VALID}", 12),
    (b"nope", f"Unrecognized token 'nope': was expecting {VALID}", 5),
    (b'{"a":NaN}', f"Non-standard token 'NaN': {NON_NUMERIC}", 9),
    (b'{"a":Infinity}', f"Non-standard token 'Infinity': {NON_NUMERIC}", 14),
    (b'{"a":-Infinity}', f"Non-standard token '-Infinity': {NON_NUMERIC}", 15),
    (
        b'{"a":"x\n"}',
        "Illegal unquoted character ((CTRL-CHAR, code 10)): "
        "has to be escaped using backslash to be included in string value",
        8,
    ),
    (
        b'{"a\nb":1}',
        "Illegal unquoted character ((CTRL-CHAR, code 10)): "
        "has to be escaped using backslash to be included in name",
        4,
    ),
    (b'{"a":"\\x"}', "Unrecognized character escape 'x' (code 120)", 8),
    (
        b'{"a":"\\u12g4"}',
        "Unexpected character ('g' (code 103)): expected a hex-digit for character escape sequence",
        11,
    ),
    (b'{"a":01}', "Invalid numeric value: Leading zeroes not allowed", 7),
    (b'{"a":-01}', "Invalid numeric value: Leading zeroes not allowed", 8),
    (
        b'{"a":-}',
        "Unexpected character ('}' (code 125)) in numeric value: "
        "expected digit (0-9) to follow minus sign, for valid numeric value",
        7,
    ),
    (
        b'{"a":1.}',
        "Unexpected character ('}' (code 125)) in numeric value: Decimal point not followed by a digit",
        8,
    ),
    (
        b'{"a":1e+}',
        "Unexpected character ('}' (code 125)) in numeric value: Exponent indicator not followed by a digit",
        9,
    ),
    (
        b'{"a":+1}',
        "Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to "
        "have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow",
        7,
    ),
    (b'{"a":.5}', f"Unexpected character ('.' (code 46)): expected a valid value {VALID}", 6),
    (b'{"a"::1}', f"Unexpected character (':' (code 58)): expected a valid value {VALID}", 6),
    (b'{"a":1 2}', "Unexpected character ('2' (code 50)): was expecting comma to separate Object entries", 8),
    (b'{"a":1x}', "Unexpected character ('x' (code 120)): was expecting comma to separate Object entries", 7),
    (
        b'{"a":[1 2]}',
        "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries",
        9,
    ),
    (
        b'{"a":1]',
        f"Unexpected close marker ']': expected '}}' (for Object starting at {SOURCE.format(1)})",
        7,
    ),
    (
        b'{"a":[1}}',
        f"Unexpected close marker '}}': expected ']' (for Array starting at {SOURCE.format(6)})",
        8,
    ),
    (b'{"a":"\xff"}', "Invalid UTF-8 start byte 0xff", 8),
    (b'{"a":"\xc3("}', "Invalid UTF-8 middle byte 0x28", 9),
    (
        b'{"a":\x00}',
        "Illegal character ((CTRL-CHAR, code 0)): only regular white space (\\r, \\n, \\t) is "
        "allowed between tokens",
        7,
    ),
    (b'{"a":1,"a":2}', "Duplicate field 'a'", 11),
    (b'{"\\u0061":1,"a":2}', "Duplicate field 'a'", 16),
    (b'{"a":{"b":1,"c":{"b":2,"b":3}}}', "Duplicate field 'b'", 27),
]


@pytest.mark.parametrize(("data", "text", "column"), EARLY_ENDS)
def test_early_ends(data: bytes, text: str, column: int) -> None:
    with pytest.raises(JsonFault) as fault:
        check_json(data)
    assert fault.value.message == f"{text}\n at {SOURCE.format(column)}"
    assert fault.value.ends_early


@pytest.mark.parametrize(("data", "text", "column"), FAULTS)
def test_faults(data: bytes, text: str, column: int) -> None:
    with pytest.raises(JsonFault) as fault:
        check_json(data)
    assert fault.value.message == f"{text}\n at {SOURCE.format(column)}"
    assert (fault.value.line, fault.value.column) == (1, column)
    assert not fault.value.ends_early


def test_lines_are_counted() -> None:
    with pytest.raises(JsonFault) as fault:
        check_json(b'{"a":\n\n  x}')
    assert (fault.value.line, fault.value.column) == (3, 5)
    assert line_and_column(b"ab\nc", 3) == (2, 1)


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b" \t\r\n1 ",
        b'"\\u00e4\\n\\/"',
        b"-0.5e-3",
        b"true",
        b"null",
        b'{"a":{"a":{"a":[]}},"b":0}',
        "ä€😀".join(['"', '"']).encode(),
        b"[[],{},[{}]]",
        b"0",
        b"10",
        b"1E5",
        bytearray(b"[1]"),
        memoryview(b"[1]"),
    ],
)
def test_good_texts(data: bytes) -> None:
    check_json(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  ",
        b"1 2",
        b"{}}",
        b"[1],",
        b'""x',
        b"\xef\xbb\xbf{}",
        b'"\xed\xa0\x80"',
        b'"\xc0\x80"',
        b'"\xf4\x90\x80\x80"',
        b'"\x80"',
        b"-",
        b"1.",
        b"1e",
    ],
)
def test_other_bad_texts(data: bytes) -> None:
    with pytest.raises(JsonFault):
        check_json(data)


def test_depth() -> None:
    check_json(b"[" * 1000 + b"]" * 1000)
    with pytest.raises(JsonFault, match=r"nesting depth \(1001\) exceeds the maximum allowed \(1000"):
        check_json(b"[" * 1001 + b"]" * 1001)
    with pytest.raises(JsonFault, match="nesting depth"):
        check_json(b'{"a":' * 500_000)
    check_json(b'{"a":' * 40 + b"1" + b"}" * 40, max_depth=40)
    with pytest.raises(JsonFault):
        check_json(b'{"a":' * 41 + b"1" + b"}" * 41, max_depth=40)


def test_long_numbers() -> None:
    check_json(b"1" * 1000)
    with pytest.raises(JsonFault, match=r"Number value length \(1001\)"):
        check_json(b"1" * 1001)


def test_many_keys_in_many_objects() -> None:
    keys = [b'"k%d":{"k%d":%d}' % (i, i, i) for i in range(5000)]
    check_json(b"{" + b",".join(keys) + b"}")
    for repeated in (0, 15, 16, 17, 2500, 4999):
        with pytest.raises(JsonFault, match=f"Duplicate field 'k{repeated}'"):
            check_json(b"{" + b",".join([*keys, b'"k%d":0' % repeated]) + b"}")


def test_escaped_names_are_compared_decoded() -> None:
    check_json(b'{"\\ud83d\\ude00":1,"\\ud83d":2,"\\ude00":3}')
    for twice in (
        '"\\ud83d\\ude00":1,"😀":2',
        '"\\u00e4":1,"ä":2',
        '"a\\tb":1,"a\\u0009b":2',
        '"\\u20ac":1,"€":2',
    ):
        with pytest.raises(JsonFault, match="Duplicate field"):
            check_json(f"{{{twice}}}".encode())


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_whatever_json_writes_is_good(value: object, ascii_only: bool, indent: int | None) -> None:
    try:
        data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()
    except UnicodeEncodeError:
        return
    check_json(data)


@given(st.binary(max_size=40) | st.text('{}[]",:\\u0123abtrue fals nul-+.eE', max_size=40).map(str.encode))
def test_agrees_with_the_slow_reader(data: bytes) -> None:
    def refuse(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    def constant(name: str) -> None:
        raise ValueError(name)

    try:
        json.loads(data.decode("utf-8"), object_pairs_hook=refuse, parse_constant=constant)
        good = True
    except ValueError:
        good = False
    try:
        check_json(data)
        passed = True
    except JsonFault:
        passed = False
    assert passed == good
