"""Writing and deleting one document."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.document.placement import Place, check_pipeline, parse_values, write_place
from lanner.engine.document.requests import DeleteRequest, IndexRequest, check_request, condition_of
from lanner.engine.index.group_sync import Done
from lanner.engine.index.operation import DELETE, INDEX, INTERNAL, Operation, OperationResult
from lanner.engine.index.sequence_numbers import UNASSIGNED
from lanner.engine.index.shard import Shard

if TYPE_CHECKING:
    from lanner.engine.mapping.field_type import Values
    from lanner.ext.index.field_values import FieldValues

MOST_AT_ONCE = 1 << 14  # bytes of a document; a larger one takes longer than a change of threads


def index_document(node: NodeContext, request: IndexRequest) -> dict[str, Any]:
    """Write a document; the answer."""
    place, id_, routing, shard = _target(node, request)
    values = parse_values(node, place.service, request.source, id_, routing)
    result = apply_one(shard, _operation(request, id_, routing, values))
    forced = refresh_after(shard, request.refresh)
    return render_write(place, id_, result, "updated" if result.found else "created", forced=forced)


def index_at_once(
    node: NodeContext, request: IndexRequest
) -> tuple[dict[str, Any], Callable[[Done], None] | None] | None:
    """Write a document if nothing has to be waited for but the disk; None and nothing is done if there is.

    To be waited for are locks, an index or a field that is new, a refresh, a buffer that is full. Return the
    answer, and what tells when it may be given, if that is not at once.
    """
    if (
        request.refresh != "false"
        or len(request.source) > MOST_AT_ONCE
        or request.index not in node.cluster.state.indices
    ):
        return None
    place, id_, routing, shard = _target(node, request)
    if not shard.is_calm:
        return None
    parsed = place.service.mapping.parse_document(request.source, id=id_, routing=routing)
    if parsed.update is not None:
        return None
    result = apply_one(shard, _operation(request, id_, routing, parsed.values), patient=False)
    answer = render_write(place, id_, result, "updated" if result.found else "created", forced=False)
    return answer, shard.durability()


def _target(node: NodeContext, request: IndexRequest) -> tuple[Place, str, str | None, Shard]:
    """Check a request; where its document goes: index, id, routing and shard."""
    check_request(request, create=request.op_type == "create")
    check_pipeline(request.pipeline)
    place = write_place(node, request.index, require_alias=request.require_alias)
    if place.stream is not None:
        place.check_stream(
            create=request.op_type == "create",
            index=True,
            routed=request.routing is not None,
            conditional=request.if_seq_no != UNASSIGNED,
        )
    id_ = node.document_ids.next_id() if request.id is None else request.id
    routing = place.routing(id_, request.routing)
    number = place.shard_number(id_, routing)
    return place, id_, routing, place.active_shard(number, request.wait_for_active_shards, request.timeout)


def _operation(
    request: IndexRequest, id_: str, routing: str | None, values: "Values | FieldValues"
) -> Operation:
    auto_id = request.id is None
    return Operation(
        INDEX,
        id_.encode(),
        request.source,
        None if routing is None else routing.encode(),
        values,
        None if auto_id else condition_of(request, create=request.op_type == "create"),
        auto_id=auto_id,
    )


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


def apply_one(shard: Shard, operation: Operation, *, patient: bool = True) -> OperationResult:
    """Apply one operation; its error is raised."""
    result = shard.apply([operation], patient=patient)[0]
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
