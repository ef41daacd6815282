"""Where a document goes: index (made when it is missing), shard, and the fields that its mapping gives it."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster import blocks
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import create_index
from lanner.engine.cluster.data_streams import create_data_stream, makes_stream
from lanner.engine.cluster.indices import merge_mapping
from lanner.engine.cluster.names import resolve_index, resolve_write_index
from lanner.engine.cluster.state import ClusterState, IndexMetadata
from lanner.engine.common.errors import (
    DocumentMissing,
    IllegalArgument,
    IndexClosed,
    IndexNotFound,
    LannerError,
    NoShardAvailable,
    ResourceAlreadyExists,
    RoutingMissing,
    UnavailableShards,
)
from lanner.engine.common.wildcards import matches
from lanner.engine.index.index_service import IndexService
from lanner.engine.index.routing import shard_of
from lanner.engine.index.shard import Shard

if TYPE_CHECKING:
    from lanner.engine.index.recovery import Values

_MAX_MAPPING_UPDATES = 100  # of one document; each adds a field at least


class Place:
    """An index that takes writes, and how a name chose it."""

    __slots__ = (
        "alias_routing",
        "index",
        "name",
        "number_of_shards",
        "routing_required",
        "service",
        "shards",
        "stream",
        "takes_any_id",
    )

    def __init__(self, name: str, index: IndexMetadata, service: IndexService, stream: str | None) -> None:
        alias = index.aliases.get(name)
        self.name = name  # as it was asked for, maybe an alias
        self.index = index
        self.service = service
        self.stream = stream  # the data stream that the index is part of
        self.number_of_shards = index.number_of_shards
        self.alias_routing: str | None = None if alias is None else alias.get("index_routing")
        #: whether the mapping asks for a routing value
        self.routing_required = bool(index.mapping.get("_routing", {}).get("required"))
        #: whether an id alone places a document: no routing is asked for or implied
        self.takes_any_id = self.alias_routing is None and not self.routing_required
        #: ``_shards`` of a write that went well
        self.shards = {"total": 1 + index.number_of_replicas, "successful": 1, "failed": 0}

    def check_stream(self, *, create: bool, index: bool, routed: bool, conditional: bool) -> None:
        """Refuse what may not be done to a data stream, or past it to the indices behind it.

        create: only if the document is new. index: a document is written whole.
        """
        if self.name == self.stream:
            if not create:
                raise IllegalArgument("only write ops with an op_type of create are allowed in data streams")
            if routed:
                raise IllegalArgument(
                    f"index request targeting data stream [{self.stream}] specifies a custom routing. target "
                    "the backing indices directly or remove the custom routing."
                )
        elif create:
            raise IllegalArgument(
                "index request with op_type=create targeting backing indices is disallowed, target "
                f"corresponding data stream [{self.stream}] instead"
            )
        elif index and not conditional:
            raise IllegalArgument(
                "index request with op_type=index and no if_primary_term and if_seq_no set targeting backing "
                f"indices is disallowed, target corresponding data stream [{self.stream}] instead"
            )

    def routing(self, id_: str | None, given: str | None) -> str | None:
        """The routing value of a document; RoutingMissing when the mapping asks for one."""
        routing = given if given is not None else self.alias_routing
        if self.alias_routing is not None and routing != self.alias_routing:
            raise IllegalArgument(
                f"Alias [{self.name}] has index routing associated with it [{self.alias_routing}], and was "
                f"provided with routing value [{given}], rejecting operation"
            )
        if routing is None and self.routing_required:
            raise RoutingMissing(
                f"routing is required for [{self.index.name}]/[{id_}]",
                index=self.index.name,
                index_uuid="_na_",
            )
        return routing

    def shard_number(self, id_: str, routing: str | None) -> int:
        """The shard of a document."""
        if self.number_of_shards == 1:
            return 0
        value = id_ if routing is None else routing
        return shard_of(value, self.number_of_shards, self.index.routing_shards)

    def place_of(self, shard: int) -> dict[str, Any]:
        """Index and shard as errors carry them."""
        return {"index": self.index.name, "shard": str(shard), "index_uuid": self.index.uuid}

    def missing(self, id_: str, shard: int) -> LannerError:
        """The error for updating a document that is not there."""
        return DocumentMissing(f"[{id_}]: document missing", **self.place_of(shard))

    def active_shard(self, number: int, wait_for: str | None = None, timeout: float | None = None) -> Shard:
        """The primary to write to; UnavailableShards when there are not enough active copies."""
        try:
            shard = self.service.shard(number)
        except NoShardAvailable as error:
            raise UnavailableShards(
                f"[{self.index.name}][{number}] primary shard is not active", caused_by=error.caused_by
            ) from error
        if wait_for is not None:
            wanted = 1 + self.index.number_of_replicas if wait_for in ("all", "-1") else int(wait_for)
            if wanted > 1:
                from lanner.engine.common.units import render_time

                raise UnavailableShards(
                    f"[{self.index.name}][{number}] Not enough active copies to meet shard count of "
                    f"[{wait_for.upper()}] (have 1, needed {wanted}). "
                    f"Timeout: [{render_time(60_000 if timeout is None else timeout)}]"
                )
        return shard


def check_pipeline(name: str | None) -> None:
    """Refuse a pipeline that does not exist, which is any but ``_none``."""
    if name is not None and name != "_none":
        raise IllegalArgument(f"pipeline with id [{name}] does not exist")


def write_place(node: NodeContext, name: str, *, require_alias: bool = False, make: bool = True) -> Place:
    """The index that writes to this name go to, created if it is missing and `make` allows."""
    state = node.cluster.state
    if state.blocks:
        blocks.check_cluster_write(state)
    if require_alias and name not in state.aliases:
        raise _alias_required(name)
    known: Place | None = state.memo.get(("write", name))
    if known is not None:
        return known
    index = resolve_write_index(state, name)
    if index is not None:
        place = state.memo["write", name] = _place(node, state, name, index, blocks.check_write)
        return place
    # what cannot be made is looked up once more, which raises or knows date math
    index = _create(node, name) if make else resolve_index(state, name)
    return _place(node, node.cluster.state, name, index, blocks.check_write)


def read_place(node: NodeContext, name: str) -> Place:
    """The one index to read a document from."""
    state = node.cluster.state
    known: Place | None = state.memo.get(("read", name))
    if known is not None:
        return known
    index = resolve_index(state, name)
    place = _place(node, state, name, index, blocks.check_read)
    if name == index.name or name in index.aliases:  # and not date math, of which there is no end
        state.memo["read", name] = place
    return place


def _place(
    node: NodeContext,
    state: ClusterState,
    name: str,
    index: IndexMetadata,
    check: Callable[[IndexMetadata], None],
) -> Place:
    if index.closed:
        raise IndexClosed("closed", index=index.name, index_uuid=index.uuid)
    check(index)
    return Place(name, index, node.indices.index(index.uuid), state.streams.get(index.name))


def parse_values(
    node: NodeContext, service: IndexService, source: bytes, id_: str, routing: str | None
) -> "Values":
    """The fields of a document; what is new in it is added to the mapping first, durably."""
    if routing is None:
        plain = service.mapping.parser.plain_values(source)
        if plain is not None:
            return plain
    for _ in range(_MAX_MAPPING_UPDATES):
        parsed = service.mapping.parse_document(source, id=id_, routing=routing)
        if parsed.update is None:
            return parsed.values
        merge_mapping(node, service.uuid, parsed.update)
    raise IllegalArgument(f"the mapping of document [{id_}] does not come to rest")


def known_values(service: IndexService, source: bytes, id_: str, routing: str | None) -> "Values | None":
    """The fields of a document, or None if some of them are new."""
    if routing is None:
        plain = service.mapping.parser.plain_values(source)
        if plain is not None:
            return plain
    parsed = service.mapping.parse_document(source, id=id_, routing=routing)
    return parsed.values if parsed.update is None else None


def _create(node: NodeContext, name: str) -> IndexMetadata:
    """Make an index that was written to before it existed."""
    allowed = node.auto_create_index
    if allowed != "true" and not (allowed != "false" and _is_allowed(name, allowed)):
        error = IndexNotFound(name)
        error.reason = (
            f"no such index [{name}] and [action.auto_create_index] ([{allowed}]) doesn't match"
            if allowed != "false"
            else f"no such index [{name}] and [action.auto_create_index] is [false]"
        )
        error.fields = {"index": name, "index_uuid": "_na_"}
        raise error
    with suppress(ResourceAlreadyExists):  # somebody else may be faster
        if makes_stream(node.cluster.state, name):
            create_data_stream(node, name)
        else:
            create_index(node, name, {})
    index = resolve_write_index(node.cluster.state, name)
    if index is None:
        index = resolve_index(node.cluster.state, name)
    return index


def _is_allowed(name: str, patterns: str) -> bool:
    """What a list of patterns with + and - says about a name; the first that matches decides."""
    for pattern in patterns.split(","):
        wanted = not pattern.startswith("-")
        if matches(pattern.lstrip("+-"), name):
            return wanted
    return False


def _alias_required(name: str) -> LannerError:
    error = IndexNotFound(name)
    error.reason = (
        f"no such index [{name}] and [require_alias] request flag is [true] and [{name}] is not an alias"
    )
    error.fields = {"index": name, "index_uuid": "_na_"}
    return error
