"""Writing and deleting one document."""

from collections.abc import Sequence
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.document.placement import Place, check_pipeline, known_values, parse_values, write_place
from lanner.engine.document.requests import DeleteRequest, IndexRequest, check_request, condition_of
from lanner.engine.index.operation import DELETE, INDEX, INTERNAL, Operation, OperationResult
from lanner.engine.index.sequence_numbers import UNASSIGNED
from lanner.engine.index.shard import Shard

MOST_AT_ONCE = 1 << 14  # bytes of a document; a larger one takes longer than a change of threads


class Write:
    """One document that is ready to be written, and then what became of it."""

    __slots__ = ("error", "id", "operation", "place", "result", "shard")

    def __init__(self, place: Place, id_: str, shard: Shard, operation: Operation) -> None:
        self.place = place
        self.id = id_
        self.shard = shard
        self.operation = operation
        self.result: OperationResult | None = None
        self.error: Exception | None = None

    def answer(self, *, forced: bool = False) -> dict[str, Any]:
        """What the API answers; the error is raised."""
        result = self.result
        if self.error is not None or result is None:
            raise self.error or AssertionError("not written yet")
        outcome = "updated" if result.found else "created"
        return render_write(self.place, self.id, result, outcome, forced=forced)


def index_document(node: NodeContext, request: IndexRequest) -> dict[str, Any]:
    """Write a document; the answer."""
    write = _write(node, request, patient=True)
    assert write is not None
    write_all(write.shard, [write], patient=True)
    forced = write.error is None and refresh_after(write.shard, request.refresh)
    return write.answer(forced=forced)


def prepare_write(node: NodeContext, request: IndexRequest) -> Write | None:
    """Make a document ready, and return None if for that an index or a field had to be made.

    Likewise if what comes after it takes its time: a refresh, a large document.
    """
    state = node.cluster.state
    known = request.index in state.indices or request.index in state.aliases
    if not known or request.refresh != "false" or len(request.source) > MOST_AT_ONCE:
        return None
    return _write(node, request, patient=False)


def _write(node: NodeContext, request: IndexRequest, *, patient: bool) -> Write | None:
    """A document that is ready to be written; None if it has new fields, and patience is lacking for them."""
    create = request.op_type == "create"
    check_request(request, create=create)
    if request.pipeline is not None:
        check_pipeline(request.pipeline)
    place = write_place(node, request.index, require_alias=request.require_alias)
    if place.stream is not None:
        place.check_stream(
            create=create,
            index=True,
            routed=request.routing is not None,
            conditional=request.if_seq_no != UNASSIGNED,
        )
    auto_id = request.id is None
    id_ = node.document_ids.next_id() if request.id is None else request.id
    routing = request.routing
    if routing is not None or not place.takes_any_id:
        routing = place.routing(id_, routing)
    number = place.shard_number(id_, routing)
    shard = place.active_shard(number, request.wait_for_active_shards, request.timeout)
    if patient:
        values = parse_values(node, place.service, request.source, id_, routing)
    elif (known := known_values(place.service, request.source, id_, routing)) is not None:
        values = known
    else:
        return None
    operation = Operation(
        INDEX,
        id_.encode(),
        request.source,
        None if routing is None else routing.encode(),
        values,
        None if auto_id else condition_of(request, create=create),
        auto_id=auto_id,
    )
    return Write(place, id_, shard, operation)


def write_all(shard: Shard, writes: Sequence[Write], *, patient: bool) -> None:
    """Apply writes to their shard; each has its result or its error then. patient: see `Shard.apply`."""
    try:
        results = shard.apply([write.operation for write in writes], patient=patient)
    except Exception as error:  # it is everybody's
        for write in writes:
            write.error = error
    else:
        for write, result in zip(writes, results, strict=True):
            write.result = result
            write.error = result.error


def delete_document(node: NodeContext, request: DeleteRequest) -> dict[str, Any]:
    """Delete a document; the answer, also when it was not there."""
    check_request(request, create=False)
    place = write_place(node, request.index, make=request.version_type != INTERNAL)
    if place.stream is not None:
        place.check_stream(create=False, index=False, routed=False, conditional=False)
    routing = place.routing(request.id, request.routing)
    shard = place.active_shard(
        place.shard_number(request.id, routing), request.wait_for_active_shards, request.timeout
    )
    result = apply_one(
        shard, Operation(DELETE, request.id.encode(), condition=condition_of(request, create=False))
    )
    forced = refresh_after(shard, request.refresh)
    return render_write(place, request.id, result, "deleted" if result.found else "not_found", forced=forced)


def apply_one(shard: Shard, operation: Operation) -> OperationResult:
    """Apply one operation; its error is raised."""
    result = shard.apply([operation])[0]
    if result.error is not None:
        raise result.error
    return result


def refresh_after(shard: Shard, policy: str) -> bool:
    """Make a write visible as asked; whether a refresh was forced."""
    if policy == "true":
        shard.refresh()
        return True
    return policy == "wait_for" and shard.wait_for_refresh()


def render_write(
    place: Place, id_: str, result: OperationResult, outcome: str, *, forced: bool
) -> dict[str, Any]:
    """The answer to a write."""
    answer: dict[str, Any] = {
        "_index": place.index.name,
        "_id": id_,
        "_version": result.version,
        "result": outcome,
    }
    if forced:
        answer["forced_refresh"] = True
    answer["_shards"] = place.shards
    answer["_seq_no"] = result.seq_no
    answer["_primary_term"] = result.primary_term
    return answer
