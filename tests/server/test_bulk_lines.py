"""The texts of faults are those of the reference."""

import pytest

from lanner.engine.common.errors import IllegalArgument
from lanner.ext.json.action_lines import plain_actions
from lanner.ext.json.scan import JsonFault
from lanner.server.bulk_lines import number_of, read_actions, text_of


def test_actions_and_documents() -> None:
    body = (
        b'{"index":{"_index":"i","_id":"1"}}\n{"a":1}\n\n'
        b'{"delete":{"_id":"2"}}\r\n'
        b'{"create":{}}\r\n{"b":2}\r\n'
        b'{"update":{"_id":5,"routing":true}}\n{"doc":{}}\n'
    )
    found = [
        (kind, text_of(action.index), text_of(action.id), document)
        for kind, action, document in read_actions(body)
    ]
    assert found == [
        ("index", "i", "1", b'{"a":1}'),
        ("delete", None, "2", b""),
        ("create", None, None, b'{"b":2}'),
        ("update", None, "5", b'{"doc":{}}'),
    ]


@pytest.mark.parametrize("body", [b"\n", b"\n\n", b'{"index":{}}\n'])
def test_nothing_to_do(body: bytes) -> None:
    assert list(read_actions(body)) == []


def test_an_empty_document_is_judged_later() -> None:
    assert [document for _, _, document in read_actions(b'{"index":{}}\n\n')] == [b""]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[1]", "Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]"),
        (b"{}", "Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]"),
        (
            b'{"foo":{}}',
            "Malformed action/metadata line [1], expected one of [create, delete, index, update] but "
            "found [foo]",
        ),
        (
            b'{"index":"x"}',
            "Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found "
            "[VALUE_STRING]",
        ),
        (
            b'{"index":null}',
            "Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_NULL]",
        ),
        (
            b'{"index":{"_id":["1"]}}',
            "Malformed action/metadata line [1], expected a simple value for field [_id] but found "
            "[START_ARRAY]",
        ),
        (
            b'{"index":{"x":{"y":1}}}',
            "Malformed action/metadata line [1], expected a simple value for field [x] but found "
            "[START_OBJECT]",
        ),
        (b'{"index":{"nosuch":2}}', "Action/metadata line [1] contains an unknown parameter [nosuch]"),
        (b'{"index":{"_type":"x"}}', "Action/metadata line [1] contains an unknown parameter [_type]"),
    ],
)
def test_bad_action_lines(line: bytes, reason: str) -> None:
    with pytest.raises(IllegalArgument) as fault:
        list(read_actions(line + b'\n{"n":1}\n'))
    assert fault.value.reason == reason


def test_line_numbers_count_documents_but_no_empty_lines_before() -> None:
    with pytest.raises(IllegalArgument, match=r"line \[3\]"):
        list(read_actions(b'{"index":{}}\n{"a":1}\n{"foo":{}}\n{}\n'))


def test_broken_json_in_an_action_line() -> None:
    with pytest.raises(JsonFault, match="Unrecognized token 'nope'"):
        list(read_actions(b"nope\n{}\n"))


def test_a_missing_last_bracket_is_let_pass() -> None:
    assert [kind for kind, _, _ in read_actions(b'{"index":{"_id":"1"}\n{"n":1}\n')] == ["index"]


def test_the_last_line_must_end() -> None:
    with pytest.raises(IllegalArgument, match="must be terminated by a newline"):
        list(read_actions(b'{"index":{}}\n{"n":1}'))


def test_numbers_in_quotes() -> None:
    assert (number_of("7"), number_of(7), number_of(None)) == (7, 7, None)
    with pytest.raises(IllegalArgument, match='For input string: "a"'):
        number_of("a")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"index":{"_id":"1"}}\n{"a":1}\n', [("index", None, "1", b'{"a":1}')]),
        (
            b' { "create" : { "_index" : "i" , "_id" : "\xc3\xa9" } } \n{"a":1}\r\n{"index":{}}\n\n',
            [("create", "i", "\xe9", b'{"a":1}'), ("index", None, None, b"")],
        ),
        (b'{"index":{"_id":"","_index":""}}\n\r\n', [("index", "", "", b"")]),
    ],
)
def test_plain_actions(body: bytes, found: list[tuple[str, str | None, str | None, bytes]]) -> None:
    assert plain_actions(body) == (found, len(body))


PLAIN = b'{"index":{"_id":"1"}}\n{}\n'


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b"\n",
        b'{"index":{"_id":"1"}}',
        b'{"index":{"_id":"1"}}\n{}',
        b'{"index":{"_id":"1"}\n{}\n',
        b'{"index":{"_id":"1"}}}\n{}\n',
        b'{"index":{"_id":1}}\n{}\n',
        b'{"index":{"_id":"\\u0061"}}\n{}\n',
        b'{"index":{"_id":"\xff"}}\n{}\n',
        b'{"index":{"_id":"1","_id":"2"}}\n{}\n',
        b'{"index":{"_id":"1",}}\n{}\n',
        b'{"index":{"_id":"1" "_index":"i"}}\n{}\n',
        b'{"index":{"_id":"1","routing":"r"}}\n{}\n',
        b'{"index":{"_id":"1"},"create":{}}\n{}\n',
        b'{"delete":{"_id":"1"}}\n{"index":{}}\n',
        b'{"update":{"_id":"1"}}\n{}\n',
        b'{"index":{"_id":"1\n"}}\n{}\n',
        b'{"index":{"_id":"1"}}\r\n{}\n',
        b"{\n{}\n",
    ],
)
def test_what_is_not_plain_is_left(rest: bytes) -> None:
    assert plain_actions(PLAIN + PLAIN + rest) == ([("index", None, "1", b"{}")] * 2, 2 * len(PLAIN))


def test_lines_are_counted_from_the_first_one() -> None:
    with pytest.raises(IllegalArgument, match=r"Malformed action/metadata line \[5\]"):
        list(read_actions(b'{"other":{}}\n{}\n', 4))
