"""Why a copy of a shard is where it is, or nowhere."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.deciders import NO, decision, decisions
from lanner.engine.cluster.index_settings import iso
from lanner.engine.cluster.state import ClusterState, IndexMetadata, ShardCopy
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IndexNotFound,
    ShardNotFound,
)
from lanner.engine.common.object_parser import FLAG, SHORT, TEXT, parse_object

_BODY = {"index": TEXT, "shard": SHORT, "primary": FLAG, "current_node": TEXT}
_UNBALANCED = (
    "cannot rebalance as no target node exists that can both allocate this shard and improve the cluster "
    "balance"
)


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """Which copy; nothing given: any that is nowhere."""

    index: str | None = None
    shard: int | None = None
    primary: bool | None = None
    current_node: str | None = None
    include_yes_decisions: bool = False
    include_disk_info: bool = False

    def __str__(self) -> str:
        yes = f"includeYesDecisions?={str(self.include_yes_decisions).lower()}"
        if self.index is None:
            return f"ClusterAllocationExplainRequest[useAnyUnassignedShard=true,{yes}"
        node = "" if self.current_node is None else f",currentNode={self.current_node}"
        return (
            f"ClusterAllocationExplainRequest[index={self.index},shard={self.shard},"
            f"primary?={str(self.primary).lower()}{node},{yes}"
        )


def parse_body(body: Any) -> dict[str, Any]:
    """Read the body of a request."""
    return parse_object("cluster/allocation/explain", body, _BODY)


def explain(node: NodeContext, request: ExplainRequest) -> dict[str, Any]:
    """Explain where a copy is."""
    state = node.cluster.state
    index, copy = _find(state, request)
    shown: dict[str, Any] = {
        "index": index.name,
        "shard": copy.shard,
        "primary": copy.primary,
        "current_state": copy.state.lower(),
    }
    facts = {
        "name": state.node.name,
        "transport_address": state.node.transport_address,
        "attributes": dict(state.node.attributes),
    }
    disk: dict[str, Any] = {"nodes": {}, "shard_sizes": {}, "shard_paths": {}, "reserved_sizes": []}
    if copy.started:
        shown["current_node"] = {"id": state.node.id, **facts, "weight_ranking": 1}
        if request.include_disk_info:
            shown["cluster_info"] = disk
        shown["can_remain_on_current_node"] = "yes"
        return {**shown, **_rebalancing(state)}
    information: dict[str, Any] = {"reason": copy.reason, "at": iso(copy.since_millis)}
    if copy.details is not None:
        information["failed_allocation_attempts"] = 1
        information["details"] = copy.details
    information["last_allocation_status"] = "no_attempt"
    shown["unassigned_info"] = information
    if request.include_disk_info:
        shown["cluster_info"] = disk
    if copy.primary:
        shown["can_allocate"] = "no_valid_shard_copy"
        shown["allocate_explanation"] = (
            "cannot allocate because all found copies of the shard are either stale or corrupt"
        )
        store = {"in_sync": True, "allocation_id": index.allocation_ids[copy.shard]}
        inner: dict[str, Any] = {"node_decision": "no", "store": store}
    else:
        shown["can_allocate"] = "no"
        shown["allocate_explanation"] = (
            "cannot allocate because allocation is not permitted to any of the nodes"
        )
        found = decisions(state, index, copy)
        if not request.include_yes_decisions:
            found = [each for each in found if each["decision"] == NO]
        inner = {"node_decision": "no", "weight_ranking": 1, "deciders": found}
    shown["node_allocation_decisions"] = [
        {
            "node_id": state.node.id,
            "node_name": facts["name"],
            "transport_address": facts["transport_address"],
            "node_attributes": facts["attributes"],
            **inner,
        }
    ]
    return shown


def _rebalancing(state: ClusterState) -> dict[str, Any]:
    """What is said of moving a copy elsewhere."""
    if all(copy.started for copies in state.routing.values() for copy in copies):
        return {
            "can_rebalance_cluster": "yes",
            "can_rebalance_to_other_node": "no",
            "rebalance_explanation": _UNBALANCED,
        }
    explanation = (
        "the cluster has unassigned shards and cluster setting "
        "[cluster.routing.allocation.allow_rebalance] is set to [indices_all_active]"
    )
    return {
        "can_rebalance_cluster": "no",
        "can_rebalance_cluster_decisions": [decision("cluster_rebalance", NO, explanation)],
        "can_rebalance_to_other_node": "no",
        "rebalance_explanation": "rebalancing is not allowed",
    }


def _find(state: ClusterState, request: ExplainRequest) -> tuple[IndexMetadata, ShardCopy]:
    """The copy that a request means."""
    if request.index is None and request.shard is None and request.primary is None:
        for index in state.indices.values():
            for copy in state.copies(index):
                if not copy.started:
                    return index, copy
        raise IllegalArgument(f"unable to find any unassigned shards to explain [{request}]")
    complaints = [
        f"{name} must be specified"
        for name, value in (("index", request.index), ("shard", request.shard), ("primary", request.primary))
        if value is None
    ]
    if complaints or request.index is None:
        text = "".join(f"{at}: {complaint};" for at, complaint in enumerate(complaints, 1))
        raise ActionRequestValidation(f"Validation Failed: {text}")
    here = request.current_node in (None, state.node.id, state.node.name)
    found = state.indices.get(request.index)
    if found is None:
        error = IndexNotFound(request.index)
        error.fields = {"index": request.index, "index_uuid": "_na_"}
        raise error
    copies = [copy for copy in state.copies(found) if copy.shard == request.shard]
    if not copies:
        raise ShardNotFound(
            "no such shard", index=found.name, shard=str(request.shard), index_uuid=found.uuid
        )
    if not here:
        raise IllegalArgument(f"failed to resolve [{request.current_node}], no matching nodes")
    for copy in copies:
        if copy.primary == request.primary and (request.current_node is None or copy.started):
            return found, copy
    if request.current_node is not None:
        kind = "primary" if request.primary else "replica"
        raise IllegalArgument(f"unable to find a {kind} shard assigned to node [{request.current_node}]")
    raise IllegalArgument(f"unable to find any shards to explain [{request}] in the routing table")
