"""Changing a document: a partial document merged into what is there, or an upsert."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.errors import (
    DocumentSourceMissing,
    IllegalArgument,
    VersionConflict,
    XContentParseError,
)
from lanner.engine.common.source_filter import SourceFilter, filter_source
from lanner.engine.document.placement import Place, parse_values, write_place
from lanner.engine.document.requests import MAX_ID_BYTES, validation
from lanner.engine.document.write import refresh_after, render_write
from lanner.engine.dsl.unknown import did_you_mean
from lanner.engine.index.operation import INDEX, Condition, GetResult, Operation, OperationResult
from lanner.engine.index.sequence_numbers import UNASSIGNED
from lanner.engine.index.shard import Shard

_KEYS = (
    "script",
    "upsert",
    "doc",
    "doc_as_upsert",
    "detect_noop",
    "scripted_upsert",
    "_source",
    "if_seq_no",
    "if_primary_term",
)
_KINDS = {str: "VALUE_STRING", int: "VALUE_NUMBER", float: "VALUE_NUMBER", list: "START_ARRAY"}


@dataclass(frozen=True, slots=True)
class Change:
    """The body of an update."""

    doc: Mapping[str, Any] | None = None
    upsert: Mapping[str, Any] | None = None
    doc_as_upsert: bool = False
    detect_noop: bool = True
    fetch_source: SourceFilter | None = None
    if_seq_no: int | None = None
    if_primary_term: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRequest:
    """Change one document. `source`: the raw body, which tells positions in error texts."""

    index: str
    id: str
    body: Mapping[str, Any]
    source: bytes = b""
    routing: str | None = None
    version: int | None = None
    if_seq_no: int = UNASSIGNED
    if_primary_term: int = 0
    refresh: str = "false"
    retry_on_conflict: int = 0
    fetch_source: SourceFilter | None = None
    require_alias: bool = False
    timeout: float | None = None
    wait_for_active_shards: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """What an update comes to: an operation, or nothing to do because `found` is already so."""

    operation: Operation | None
    found: GetResult | None
    source: bytes


def update_document(node: NodeContext, request: UpdateRequest) -> dict[str, Any]:
    """Change a document; the answer."""
    change = parse_change(request.body, request.source)
    if request.version is not None:
        raise validation(
            [
                "internal versioning can not be used for optimistic concurrency control. "
                "Please use `if_seq_no` and `if_primary_term` instead"
            ]
        )
    if_seq_no = request.if_seq_no if change.if_seq_no is None else change.if_seq_no
    if_primary_term = request.if_primary_term if change.if_primary_term is None else change.if_primary_term
    check_update(request.id, if_seq_no, if_primary_term, request.retry_on_conflict)
    place = write_place(node, request.index, require_alias=request.require_alias)
    if place.stream is not None:
        place.check_stream(create=False, index=False, routed=False, conditional=False)
    routing = place.routing(request.id, request.routing)
    number = place.shard_number(request.id, routing)
    shard = place.active_shard(number, request.wait_for_active_shards, request.timeout)
    attempts = max(0, request.retry_on_conflict)
    while True:
        prepared = prepare_update(node, place, shard, change, request.id, routing, if_seq_no, if_primary_term)
        if prepared.operation is None:
            shard.counters.noop_updates += 1
            return _noop(place, request.id, prepared, change.fetch_source or request.fetch_source)
        result = shard.apply([prepared.operation])[0]
        if result.error is None:
            break
        if not isinstance(result.error, VersionConflict) or attempts == 0:
            raise result.error
        attempts -= 1
    forced = refresh_after(shard, request.refresh)
    answer = render_write(place, request.id, result, "updated" if result.found else "created", forced=forced)
    return with_get(answer, result, prepared.source, change.fetch_source or request.fetch_source)


def parse_change(body: Mapping[str, Any], source: bytes = b"") -> Change:
    """Type the body of an update; XContentParseError for what does not belong there."""
    check_keys(body, source)
    for key in ("doc", "upsert"):
        if key in body and not isinstance(body[key], Mapping):
            kind = _token(body[key])
            at = _value_position(source, key)
            raise XContentParseError(f"[{at}] [UpdateRequest] {key} doesn't support values of type: {kind}")
    flags: dict[str, bool] = {}
    for key, default in (("doc_as_upsert", False), ("detect_noop", True), ("scripted_upsert", False)):
        value = body.get(key, default)
        if value in ("true", "false"):
            value = value == "true"
        if not isinstance(value, bool):
            at = _value_position(source, key)
            raise XContentParseError(
                f"[{at}] [UpdateRequest] failed to parse field [{key}]",
                caused_by=IllegalArgument(
                    f"Failed to parse value [{value}] as only [true] or [false] are allowed."
                ),
            )
        flags[key] = value
    if body.get("script") is not None:
        if "doc" in body:
            raise validation(["can't provide both script and doc"])
        raise IllegalArgument("failed to execute script: scripts are not supported in this release")
    if "doc" not in body:
        raise validation(["script or doc is missing"])
    return Change(
        doc=body["doc"],
        upsert=body.get("upsert"),
        doc_as_upsert=flags["doc_as_upsert"],
        detect_noop=flags["detect_noop"],
        fetch_source=_fetch_source(body.get("_source")),
        if_seq_no=body.get("if_seq_no"),
        if_primary_term=body.get("if_primary_term"),
    )


def check_keys(body: Mapping[str, Any], source: bytes) -> None:
    """Refuse keys that the body of an update does not have."""
    for key in body:
        if key not in _KEYS:
            at = _key_position(source, key)
            raise XContentParseError(
                f"[{at}] [UpdateRequest] unknown field [{key}]{did_you_mean(key, _KEYS)}"
            )


def check_update(id_: str, if_seq_no: int, if_primary_term: int, retry_on_conflict: int) -> None:
    """Refuse contradictory conditions."""
    complaints = []
    if not id_:
        complaints.append("id is missing")
    if if_seq_no != UNASSIGNED:
        if retry_on_conflict > 0:
            complaints.append("compare and write operations can not be retried")
        if not if_primary_term:
            complaints.append("ifSeqNo is set, but primary term is [0]")
    elif if_primary_term:
        complaints.append(f"ifSeqNo is unassigned, but primary term is [{if_primary_term}]")
    size = len(id_.encode())
    if size > MAX_ID_BYTES:
        complaints.append(
            f"id [{id_}] is too long, must be no longer than {MAX_ID_BYTES} bytes but was: {size}"
        )
    if complaints:
        raise validation(complaints)


def prepare_update(
    node: NodeContext,
    place: Place,
    shard: Shard,
    change: Change,
    id_: str,
    routing: str | None,
    if_seq_no: int,
    if_primary_term: int,
) -> Prepared:
    """Work out what an update writes, given the document as it is now."""
    found = shard.get(id_.encode())
    if if_seq_no != UNASSIGNED:
        _check_condition(place, shard, id_, found, if_seq_no, if_primary_term)
    if found is None:
        fresh = change.doc if change.doc_as_upsert else change.upsert
        if fresh is None:
            raise place.missing(id_, shard.id.shard)
        source = msgspec.json.encode(fresh)
        condition = Condition(create=True)
    else:
        shown = place.service.mapping.shown_source(found.source)
        if shown is None:
            raise DocumentSourceMissing(f"[{id_}]: document source missing", **place.place_of(shard.id.shard))
        merged: dict[str, Any] = msgspec.json.decode(shown)
        changed = merge(merged, change.doc or {})
        if change.detect_noop and not changed:
            return Prepared(None, found, shown)
        source = msgspec.json.encode(merged)
        condition = Condition(if_seq_no=found.seq_no, if_primary_term=found.primary_term)
        if routing is None and found.routing is not None:
            routing = found.routing.decode()
    operation = Operation(
        INDEX,
        id_.encode(),
        source,
        None if routing is None else routing.encode(),
        parse_values(node, place.service, source, id_, routing),
        condition,
    )
    return Prepared(operation, found, source)


def merge(into: dict[str, Any], changes: Mapping[str, Any]) -> bool:
    """Merge objects deeply; whether anything became different."""
    modified = False
    stack: list[tuple[dict[str, Any], Mapping[str, Any]]] = [(into, changes)]
    while stack:
        target, source = stack.pop()
        for key, value in source.items():
            old = target.get(key)
            if isinstance(old, dict) and isinstance(value, Mapping):
                stack.append((old, value))
                continue
            if key not in target or type(old) is not type(value) or old != value:
                modified = True
                target[key] = value
    return modified


def with_get(
    answer: dict[str, Any], result: OperationResult, source: bytes, wanted: SourceFilter | None
) -> dict[str, Any]:
    """The answer with the new source in it, if asked for."""
    if wanted is not None and wanted.enabled:
        answer["get"] = {
            "_seq_no": result.seq_no,
            "_primary_term": result.primary_term,
            "found": True,
            "_source": msgspec.Raw(filter_source(source, wanted)),
        }
    return answer


def _noop(place: Place, id_: str, prepared: Prepared, wanted: SourceFilter | None) -> dict[str, Any]:
    found = prepared.found
    assert found is not None, "a no-op needs a document"
    result = OperationResult(found.seq_no, found.primary_term, found.version, True)
    answer = render_write(place, id_, result, "noop", forced=False)
    answer["_shards"] = {"total": 0, "successful": 0, "failed": 0}
    return with_get(answer, result, prepared.source, wanted)


def _check_condition(
    place: Place, shard: Shard, id_: str, found: GetResult | None, if_seq_no: int, if_primary_term: int
) -> None:
    number = shard.id.shard
    if found is None:
        raise place.missing(id_, number)
    if (found.seq_no, found.primary_term) != (if_seq_no, if_primary_term):
        raise VersionConflict(
            f"[{id_}]: version conflict, required seqNo [{if_seq_no}], primary term [{if_primary_term}]. "
            f"current document has seqNo [{found.seq_no}] and primary term [{found.primary_term}]",
            **place.place_of(number),
        )


def _fetch_source(value: Any) -> SourceFilter | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return SourceFilter(enabled=value)
    if isinstance(value, str):
        return SourceFilter(includes=(value,))
    if isinstance(value, list):
        return SourceFilter(includes=tuple(str(each) for each in value))
    return SourceFilter(
        includes=_patterns(value.get("includes", value.get("include", ()))),
        excludes=_patterns(value.get("excludes", value.get("exclude", ()))),
    )


def _patterns(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def _token(value: Any) -> str:
    if value is None:
        return "VALUE_NULL"
    if isinstance(value, bool):
        return "VALUE_BOOLEAN"
    return _KINDS.get(type(value), "START_OBJECT")


def _key_position(source: bytes, key: str) -> str:
    """Line and column of a key of the outermost object, as the API counts them."""
    at = source.find(msgspec.json.encode(key))
    return _position(source, max(0, at))


def _value_position(source: bytes, key: str) -> str:
    """Line and column of the value of a key."""
    name = msgspec.json.encode(key)
    at = source.find(name)
    if at < 0:
        return "1:1"
    at = source.find(b":", at + len(name)) + 1
    while at < len(source) and source[at : at + 1].isspace():
        at += 1
    return _position(source, at)


def _position(source: bytes, at: int) -> str:
    line = source.count(b"\n", 0, at) + 1
    column = at - (source.rfind(b"\n", 0, at) + 1) + 1
    return f"{line}:{column}"
