"""NDJSON of the bulk API: lines to actions.

An action line is decoded straight into a record. Only a line that does not fit is looked at again, slowly,
to say what is wrong with it in the API's words; such a line fails the whole request. What follows an action
line is the document, whose bytes are not looked at here.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from lanner.engine.common.errors import IllegalArgument
from lanner.ext.json.scan import JsonFault, check_json
from lanner.server.request import json_kind

Value = str | int | float | bool | None


class Action(
    msgspec.Struct,
    forbid_unknown_fields=True,
    gc=False,
    rename={"index": "_index", "id": "_id", "source": "_source"},
):
    """What stands beside an action: ``{"index": {"_id": "1"}}``."""

    index: Value = None
    id: Value = None
    routing: Value = None
    op_type: str | None = None
    version: int | str | None = None
    version_type: str | None = None
    if_seq_no: int | str | None = None
    if_primary_term: int | str | None = None
    retry_on_conflict: int | str | None = None
    pipeline: str | None = None
    require_alias: bool | None = None
    dynamic_templates: dict[str, str] | None = None
    source: Any = None


class Line(msgspec.Struct, gc=False):
    """An action line; exactly one of these is set."""

    index: Action | msgspec.UnsetType = msgspec.UNSET
    create: Action | msgspec.UnsetType = msgspec.UNSET
    update: Action | msgspec.UnsetType = msgspec.UNSET
    delete: Action | msgspec.UnsetType = msgspec.UNSET


ACTIONS = ("create", "delete", "index", "update")
_FIELDS = frozenset(field.encode_name for field in msgspec.structs.fields(Action)) - {
    "_source",
    "dynamic_templates",
}
_decode = msgspec.json.Decoder(Line).decode
_decode_any = msgspec.json.Decoder().decode


def read_actions(body: bytes, skipped: int = 0) -> Iterator[tuple[str, Action, bytes]]:
    """Yield action, its record and the document's bytes (none for a delete), in order.

    skipped: lines of the request before this body.
    """
    lines = body.split(b"\n")
    if lines[-1]:
        # what stands before the unfinished line is judged first
        yield from _read(lines[:-1], skipped)
        raise IllegalArgument("The bulk request must be terminated by a newline [\\n]")
    yield from _read(lines, skipped)


def _read(lines: list[bytes], skipped: int) -> Iterator[tuple[str, Action, bytes]]:
    unset = msgspec.UNSET
    last = len(lines) - 1 if lines and not lines[-1] else len(lines)
    at = 0
    while at < last:
        line = lines[at]
        at += 1
        if not line or line.isspace():
            continue
        try:
            decoded = _decode(line)
        except msgspec.MsgspecError:
            decoded = _read_slowly(line, skipped + at)
        if decoded.index is not unset:
            kind, action = "index", decoded.index
        elif decoded.create is not unset:
            kind, action = "create", decoded.create
        elif decoded.delete is not unset:
            yield "delete", decoded.delete, b""
            continue
        elif decoded.update is not unset:
            kind, action = "update", decoded.update
        else:
            decoded = _read_slowly(line, skipped + at)
            raise IllegalArgument(f"Malformed action/metadata line [{skipped + at}]")
        if at >= last:
            return
        document = lines[at]
        at += 1
        if document[-1:] == b"\r":
            document = document[:-1]
        yield kind, action, document


def _read_slowly(line: bytes, number: int) -> Line:
    """Return a line that the fast way refused, or raise what is wrong with it."""
    try:
        check_json(line, max_depth=100)
        value = _decode_any(line)
    except JsonFault as fault:
        value = _without_end(line)
        if value is None:
            raise fault from None
    where = f"Malformed action/metadata line [{number}]"
    if not isinstance(value, dict):
        raise IllegalArgument(f"{where}, expected START_OBJECT but found [{json_kind(value)}]")
    if not value:
        raise IllegalArgument(f"{where}, expected FIELD_NAME but found [END_OBJECT]")
    name, fields = next(iter(value.items()))
    if name not in ACTIONS:
        raise IllegalArgument(f"{where}, expected one of [create, delete, index, update] but found [{name}]")
    if not isinstance(fields, dict):
        raise IllegalArgument(f"{where}, expected START_OBJECT or END_OBJECT but found [{json_kind(fields)}]")
    for field, inner in fields.items():
        if isinstance(inner, list) or (
            isinstance(inner, dict) and field not in ("_source", "dynamic_templates")
        ):
            raise IllegalArgument(
                f"{where}, expected a simple value for field [{field}] but found [{json_kind(inner)}]"
            )
        if field not in _FIELDS and field not in ("_source", "dynamic_templates") and inner is not None:
            raise IllegalArgument(f"Action/metadata line [{number}] contains an unknown parameter [{field}]")
    known = {field: inner for field, inner in fields.items() if inner is not None}
    try:
        return msgspec.convert({name: known}, Line)
    except msgspec.ValidationError as fault:
        raise IllegalArgument(f"{where}, {fault}") from None


def _without_end(line: bytes) -> Any:
    """Return a line that lacks its last bracket, which the API lets pass; None when that is not the fault."""
    try:
        value = _decode_any(line + b"}")
    except msgspec.MsgspecError:
        return None
    return value if isinstance(value, dict) else None


def text_of(value: Value) -> str | None:
    """Return an id or a routing as text, as numbers and truth values are taken too."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def number_of(value: int | str | None) -> int | None:
    """Return a number that may stand in quotes."""
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            raise IllegalArgument(f'For input string: "{value}"') from None
    return value
