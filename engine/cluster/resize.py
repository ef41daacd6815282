"""Shrinking, splitting, cloning: an index with the documents of another in fewer, more or as many shards.

The documents are written anew, with the ids, versions and sequence numbers that they have. That costs more
than linking files, and works the same for all three.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lanner.engine.cluster.blocks import check_metadata
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import check_active_shards, new_index
from lanner.engine.cluster.index_settings import prefixed
from lanner.engine.cluster.indices import shards_of
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.state import IndexMetadata
from lanner.engine.cluster.template_match import Composed
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IllegalStateError,
    LannerError,
    ParseError,
)
from lanner.engine.common.object_parser import OBJECT, Field, parse_object
from lanner.engine.common.settings import flatten
from lanner.engine.common.units import parse_size
from lanner.engine.common.versions import CREATED
from lanner.engine.index.index_service import IndexService
from lanner.engine.index.operation import INDEX
from lanner.engine.index.recovery import LOCAL_SHARDS
from lanner.engine.index.routing import default_routing_shards, shard_of
from lanner.engine.index.shard import Shard
from lanner.ext.index.document import Operation

SHRINK, SPLIT, CLONE = "shrink", "split", "clone"
_BATCH = 1000  # documents
_SHARDS = "index.number_of_shards"
# what a new index has of its own
_OWN = (
    "index.creation_date",
    "index.number_of_replicas",
    "index.number_of_routing_shards",
    "index.provided_name",
    "index.resize.source.name",
    "index.resize.source.uuid",
    "index.routing.allocation.initial_recovery._id",
    "index.uuid",
    "index.verified_before_close",
    "index.version.created",
    "index.version.upgraded",
    _SHARDS,
)


SOURCE = IndexOptions(allow_no_indices=False, data_streams=False, forbid_closed=True)
_METADATA_BLOCKS = ("index.blocks.read_only", "index.blocks.metadata")
_UNASSIGNED = "this will disable metadata writes and cause the shards to be unassigned"


@dataclass(frozen=True, slots=True)
class ResizeRequest:
    """What is to be made of which index. body: read by `parse_body`."""

    kind: str
    source: str
    target: str
    body: Mapping[str, Any]
    wait_for_active_shards: str | None = None


def _read_size(value: Any, key: str) -> int:
    try:
        return parse_size(value, key)
    except ParseError as error:
        raise IllegalArgument(error.reason) from None


_BODY = {"settings": OBJECT, "aliases": OBJECT, "max_shard_size": Field((str,), _read_size)}


def parse_body(body: Any) -> dict[str, Any]:
    """Read the body of a request; settings become flat."""
    given = parse_object("resize_request", body, _BODY)
    given["settings"] = prefixed(flatten(given.get("settings", {})))
    return given


def resize(node: NodeContext, request: ResizeRequest) -> dict[str, Any]:
    """Make the new index; its shards are open and filled when this returns."""
    given: Mapping[str, Any] = request.body.get("settings", {})
    _validate(request, given)
    state = node.cluster.state
    source = state.indices[resolve(state, request.source, SOURCE)[0]]
    if "index.blocks.metadata" in source.settings.blocks:  # a source that is read only may be copied
        check_metadata(source)
    shards = _number_of_shards(node, request, source, given)
    if "index.number_of_routing_shards" in given:
        raise IllegalArgument("cannot provide index.number_of_routing_shards on resize")
    beneath = {name: value for name, value in source.settings.items() if name not in _OWN}
    beneath["index.resize.source.name"] = source.name
    beneath["index.resize.source.uuid"] = source.uuid
    beneath["index.version.upgraded"] = str(CREATED)
    beneath.setdefault("index.routing_partition_size", "1")
    if request.kind == SHRINK:
        beneath["index.routing.allocation.initial_recovery._id"] = node.id
    index = new_index(
        node,
        state,
        request.target,
        {"settings": {**given, _SHARDS: str(shards)}, "aliases": request.body.get("aliases", {})},
        composed=Composed(beneath, (source.mapping,)),
    )
    _check_source(source, request.target, given)
    acknowledged = check_active_shards(index, request.wait_for_active_shards)
    term = max(source.primary_terms)
    # the documents of a single shard may be sorted anew
    routing_shards = default_routing_shards(shards) if source.number_of_shards == 1 else source.routing_shards
    index = replace(index, routing_shards=routing_shards, primary_terms=(term,) * shards)
    node.cluster.create_filled(index, lambda service: _fill(node, source, index, service))
    return {"acknowledged": True, "shards_acknowledged": acknowledged, "index": index.name}


# -- checking


def _validate(request: ResizeRequest, given: Mapping[str, Any]) -> None:
    complaints = []
    if any(name.startswith("index.sort.") for name in given):
        complaints.append("can't override index sort when resizing an index")
    if request.kind == SPLIT and _SHARDS not in given:
        complaints.append("index.number_of_shards is required for split operations")
    if "max_shard_size" in request.body:
        if request.kind != SHRINK:
            complaints.append("Unsupported parameter [max_shard_size]")
        elif _SHARDS in given:
            complaints.append("Cannot set max_shard_size and index.number_of_shards at the same time!")
        elif request.body["max_shard_size"] <= 0:
            complaints.append("max_shard_size must be greater than 0")
    complaints += [
        f"target index [{request.target}] will be blocked by [{block}=true], {_UNASSIGNED}"
        for block in _METADATA_BLOCKS
        if given.get(block) == "true"
    ]
    if complaints:
        text = "".join(f"{at}: {complaint};" for at, complaint in enumerate(complaints, 1))
        raise ActionRequestValidation(f"Validation Failed: {text}")


def _check_source(source: IndexMetadata, target: str, given: Mapping[str, Any]) -> None:
    if not source.settings.blocks & {"index.blocks.write", "index.blocks.read_only"}:
        raise IllegalStateError(
            f'index {source.name} must block write operations to resize index. use "index.blocks.write=true"'
        )
    for block in _METADATA_BLOCKS:
        if block in source.settings.blocks and block not in given:
            raise IllegalArgument(
                f"target index [{target}] will be blocked by [{block}=true] which is copied from the "
                f"source index [{source.name}], {_UNASSIGNED}"
            )
    kept = source.mapping.get("_source", {})
    if not kept.get("enabled", True) or kept.get("includes") or kept.get("excludes"):
        raise IllegalArgument(
            f"index [{source.name}] keeps no whole source and cannot be resized by this version"
        )


def _number_of_shards(
    node: NodeContext, request: ResizeRequest, source: IndexMetadata, given: Mapping[str, Any]
) -> int:
    """How many shards the new index gets; raises for numbers that its documents cannot be sorted into."""
    before = source.number_of_shards
    if _SHARDS in given:
        shards = int(given[_SHARDS])
    elif "max_shard_size" in request.body:
        shards = _fitting(node, source, request.body["max_shard_size"])
    else:
        shards = 1 if request.kind == SHRINK else before
    if request.kind == SHRINK:
        if shards >= before:
            raise IllegalArgument(
                f"the number of target shards [{shards}] must be less that the number of source shards "
                f"[{before}]"
            )
        if before % shards:
            raise IllegalArgument(f"the number of source shards [{before}] must be a multiple of [{shards}]")
    elif request.kind == SPLIT:
        if shards <= before:
            raise IllegalArgument(
                f"the number of source shards [{before}] must be less that the number of target shards "
                f"[{shards}]"
            )
        if shards % before:
            raise IllegalArgument(f"the number of source shards [{before}] must be a factor of [{shards}]")
        if before > 1 and source.routing_shards % shards:
            raise IllegalStateError(
                f"the number of routing shards [{source.routing_shards}] must be a multiple of the target "
                f"shards [{shards}]"
            )
    elif shards != before:
        raise IllegalArgument(
            f"the number of target shards ({shards}) must be the same as the number of source shards "
            f"({before})"
        )
    return shards


def _fitting(node: NodeContext, source: IndexMetadata, most: int) -> int:
    """The least number of shards that divides those of now and keeps each below a size, all alike."""
    size = sum(
        shard.stats().store_bytes
        for _, shard in shards_of(node, source)
        if not isinstance(shard, LannerError)
    )
    wanted = max(1, -(-size // most))
    before = source.number_of_shards
    return next((n for n in range(wanted, before) if before % n == 0), before)


# -- filling


def _fill(node: NodeContext, source: IndexMetadata, index: IndexMetadata, service: IndexService) -> None:
    """Write all documents of an index to the shards of a new one, durably."""
    highest = -1
    for _, shard in shards_of(node, source):
        if isinstance(shard, LannerError):
            raise shard
        highest = max(highest, shard.stats().max_seq_no)
        _copy(shard, index, service)
    for shard in service.shards.values():
        shard.skip_to(highest)
        shard.recovered = replace(shard.recovered, kind=LOCAL_SHARDS, stopped=node.clock.millis())
        shard.flush(force=True)
        shard.refresh()


def _copy(shard: Shard, index: IndexMetadata, service: IndexService) -> None:
    """Write the documents of a shard."""
    batches: dict[int, list[Operation]] = {number: [] for number in range(index.number_of_shards)}
    shard.refresh()
    with shard.acquire_searcher() as searcher:
        for reader in searcher.segments:
            for doc in range(reader.max_doc):
                if doc in reader.deleted:
                    continue
                id_, routing, source = reader.stored_row(doc)
                key, place = id_.decode(), None if routing is None else routing.decode()
                number = shard_of(
                    key if place is None else place, index.number_of_shards, index.routing_shards
                )
                values = service.parse(source, key, place)
                batch = batches[number]
                document = Operation(INDEX, id_, source, routing, values)
                document.place(*reader.versions(doc))
                batch.append(document)
                if len(batch) == _BATCH:
                    service.shard(number).adopt(batch)
                    batches[number] = []
    for number, batch in batches.items():
        if batch:
            service.shard(number).adopt(batch)
