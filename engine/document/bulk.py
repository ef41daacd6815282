"""Many operations at once: grouped by shard, applied in order, in batches as large as possible.

The fault of one operation is its own. An update needs the document as it is after the operations before it,
so the batch is handed over first when it holds an operation on the same id.
"""

import time
from typing import Any

import msgspec

from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.errors import (
    ActionRequestValidation,
    LannerError,
    ParseError,
    VersionConflict,
)
from lanner.engine.document.placement import Place, check_pipeline, parse_values, write_place
from lanner.engine.document.requests import (
    BulkOperation,
    BulkRequest,
    check_request,
    condition_of,
    validation,
)
from lanner.engine.document.update import (
    Change,
    check_keys,
    check_update,
    parse_change,
    prepare_update,
    with_get,
)
from lanner.engine.document.write import refresh_after
from lanner.engine.index.operation import DELETE, INDEX, INTERNAL, Operation, OperationResult
from lanner.engine.index.sequence_numbers import UNASSIGNED
from lanner.engine.index.shard import Shard

Item = dict[str, Any]


def bulk(node: NodeContext, request: BulkRequest) -> dict[str, Any]:
    """Apply all operations; one item each, in order. The ``error`` of an item is the error object itself."""
    started = time.monotonic_ns()
    check_bulk(request.operations)
    items: list[Item | None] = [None] * len(request.operations)
    groups = _group(node, request, items)
    for group in groups:
        group.run()
    for group in groups:
        group.finish(request.refresh, items)
    errors = any(group.errors for group in groups) or any(
        "error" in next(iter(item.values())) for item in items if item is not None
    )
    return {"took": (time.monotonic_ns() - started) // 1_000_000, "errors": errors, "items": items}


def check_bulk(operations: list[BulkOperation]) -> None:
    """Refuse the whole request for what no operation may lack or combine."""
    complaints: list[str] = []
    for operation in operations:
        if not operation.index:
            complaints.append("index is missing")
        action = operation.action
        if action in ("index", "create"):
            plain = operation.version is None and operation.if_seq_no == UNASSIGNED
            plain = plain and operation.version_type == INTERNAL and not operation.if_primary_term
            if operation.id == "" or (plain and (operation.id is None or len(operation.id) <= 128)):
                continue  # an empty id is the fault of its item alone
        elif not operation.id:
            complaints.append("id is missing")
            continue
        try:
            if action == "update":
                _check_keys(operation)
                check_update(
                    operation.id or "",
                    operation.if_seq_no,
                    operation.if_primary_term,
                    operation.retry_on_conflict,
                )
            else:
                check_request(operation, create=action == "create")
        except ActionRequestValidation as error:
            text = error.reason.removeprefix("Validation Failed: ").rstrip(";")
            complaints.extend(part.partition(": ")[2] for part in text.split(";"))
    if not operations:
        complaints.append("no requests added")
    if complaints:
        raise validation(complaints)


def _group(node: NodeContext, request: BulkRequest, items: list[Item | None]) -> "list[Group]":
    """Sort operations by shard; those that have no place get their item at once."""
    places: dict[tuple[str, bool, bool], Place | LannerError] = {}
    groups: dict[tuple[str, int], Group] = {}
    missing = sum([operation.id is None for operation in request.operations])
    fresh_ids = iter(node.document_ids.next_ids(missing)) if missing else iter(())
    for at, operation in enumerate(request.operations):
        require_alias = request.require_alias if operation.require_alias is None else operation.require_alias
        make = operation.action != "delete" or operation.version_type != INTERNAL
        key = (operation.index, require_alias, make)
        place = places.get(key)
        if place is None:
            try:
                place = write_place(node, operation.index, require_alias=require_alias, make=make)
            except LannerError as error:
                place = error
            places[key] = place
        id_ = operation.id
        if isinstance(place, LannerError):
            items[at] = _failure(operation, operation.index, id_, place)
            continue
        try:
            if id_ == "":
                check_request(operation, create=False)
            if operation.pipeline is not None or request.pipeline is not None:
                check_pipeline(operation.pipeline or request.pipeline)
            if place.stream is not None:
                place.check_stream(
                    create=operation.action == "create",
                    index=operation.action == "index",
                    routed=operation.routing is not None,
                    conditional=operation.if_seq_no != UNASSIGNED,
                )
            auto_id = id_ is None
            known = next(fresh_ids) if id_ is None else id_
            routing = operation.routing
            if routing is not None or not place.takes_any_id:
                routing = place.routing(known, routing)
            number = place.shard_number(known, routing)
            group = groups.get((place.index.uuid, number))
            if group is None:
                shard = place.active_shard(number, request.wait_for_active_shards, request.timeout)
                group = groups[place.index.uuid, number] = Group(node, place, shard)
        except LannerError as error:
            items[at] = _failure(operation, place.index.name, id_, error)
            continue
        group.entries.append((at, operation, known, routing, auto_id))
        group.has_updates = group.has_updates or operation.action == "update"
    return list(groups.values())


class Group:
    """The operations of a request on one shard."""

    def __init__(self, node: NodeContext, place: Place, shard: Shard) -> None:
        self.entries: list[tuple[int, BulkOperation, str, str | None, bool]] = []
        self.has_updates = False
        self.errors: dict[int, LannerError] = {}
        self._node = node
        self._place = place
        self._shard = shard
        self._batch: list[Operation] = []
        self._batch_entries: list[int] = []  # positions in the request
        self._pending_ids: set[str] = set()
        self._results: dict[int, OperationResult] = {}
        self._updates: dict[int, tuple[Change, bytes]] = {}  # and the source that was written
        self._noops: set[int] = set()

    def run(self) -> None:
        """Apply all operations."""
        for at, operation, id_, routing, auto_id in self.entries:
            try:
                if operation.action == "update":
                    if id_ in self._pending_ids:
                        self._hand_over()
                    self._update(at, operation, id_, routing)
                else:
                    self._add(at, self._operation(operation, id_, routing, auto_id))
                    if self.has_updates:
                        self._pending_ids.add(id_)
            except LannerError as error:
                self.errors[at] = error
        self._hand_over()
        if self._updates:
            self._retry()

    def finish(self, refresh: str, items: list[Item | None]) -> None:
        """Refresh as asked, then make the items."""
        forced = False
        if refresh != "false" and self._results:
            try:
                forced = refresh_after(self._shard, refresh)
            except LannerError as error:
                self.errors.update(dict.fromkeys(self._results, error))
        name, shards = self._place.index.name, self._place.shards
        for at, operation, id_, _, _ in self.entries:
            fault = self.errors.get(at)
            if fault is not None:
                items[at] = _failure(operation, name, id_, fault)
                continue
            result = self._results[at]
            action = operation.action
            if action == "delete":
                outcome, status = ("deleted", 200) if result.found else ("not_found", 404)
            elif at in self._noops:
                outcome, status = "noop", 200
            else:
                outcome, status = ("updated", 200) if result.found else ("created", 201)
            item: Item = {"_index": name, "_id": id_, "_version": result.version, "result": outcome}
            if forced:
                item["forced_refresh"] = True
            item["_shards"] = shards
            item["_seq_no"] = result.seq_no
            item["_primary_term"] = result.primary_term
            if at in self._updates:
                change, source = self._updates[at]
                with_get(item, result, source, change.fetch_source or operation.fetch_source)
            item["status"] = status
            items[at] = {action: item}

    def _operation(self, operation: BulkOperation, id_: str, routing: str | None, auto_id: bool) -> Operation:
        create = operation.action == "create"
        condition = None if auto_id else condition_of(operation, create=create)
        if operation.action == "delete":
            return Operation(DELETE, id_.encode(), condition=condition)
        return Operation(
            INDEX,
            id_.encode(),
            operation.source,
            None if routing is None else routing.encode(),
            parse_values(self._node, self._place.service, operation.source, id_, routing),
            condition,
            auto_id=auto_id,
        )

    def _add(self, at: int, operation: Operation) -> None:
        self._batch.append(operation)
        self._batch_entries.append(at)

    def _hand_over(self) -> None:
        """Apply the batch."""
        if not self._batch:
            return
        batch, entries = self._batch, self._batch_entries
        self._batch, self._batch_entries = [], []
        self._pending_ids.clear()
        try:
            results = self._shard.apply(batch)
        except LannerError as error:
            self.errors.update(dict.fromkeys(entries, error))
            return
        for at, result in zip(entries, results, strict=True):
            self._results[at] = result
            if result.error is not None:
                self.errors[at] = result.error

    def _update(self, at: int, operation: BulkOperation, id_: str, routing: str | None) -> None:
        """Prepare an update and add it to the batch, or note that there is nothing to do."""
        change = self._updates[at][0] if at in self._updates else _change(operation)
        if_seq_no = operation.if_seq_no if change.if_seq_no is None else change.if_seq_no
        term = operation.if_primary_term if change.if_primary_term is None else change.if_primary_term
        prepared = prepare_update(self._node, self._place, self._shard, change, id_, routing, if_seq_no, term)
        self._updates[at] = (change, prepared.source)
        if prepared.operation is None and prepared.found is not None:
            found = prepared.found
            self._shard.counters.noop_updates += 1
            self._noops.add(at)
            self._results[at] = OperationResult(found.seq_no, found.primary_term, found.version, True)
        elif prepared.operation is not None:
            self._add(at, prepared.operation)
            self._pending_ids.add(id_)

    def _retry(self) -> None:
        """Try updates again that met somebody else's write, as often as they ask."""
        for at, operation, id_, routing, _ in self.entries:
            for _ in range(operation.retry_on_conflict):
                if at not in self._updates or not isinstance(self.errors.get(at), VersionConflict):
                    break
                del self.errors[at]
                try:
                    self._update(at, operation, id_, routing)
                    self._hand_over()
                except LannerError as error:
                    self.errors[at] = error


def _check_keys(operation: BulkOperation) -> None:
    """An unknown key in the body of an update is the fault of the whole request, all else is the item's."""
    try:
        body = msgspec.json.decode(operation.source)
    except msgspec.DecodeError:
        return
    if isinstance(body, dict):
        check_keys(body, operation.source)


def _change(operation: BulkOperation) -> Change:
    try:
        body = msgspec.json.decode(operation.source)
    except msgspec.DecodeError as error:
        raise ParseError(f"Failed to parse content to map: {error}") from error
    if not isinstance(body, dict):
        raise ParseError("Failed to parse content to map")
    return parse_change(body, operation.source)


def _failure(operation: BulkOperation, index: str, id_: str | None, error: LannerError) -> Item:
    return {operation.action: {"_index": index, "_id": id_, "status": None, "error": error}}
