"""What allows a copy of a shard on this node, and what does not, as explanations list it.

There is one node, so all that can ever forbid a copy is that the node has one of the shard already. The other
lines say why nothing else stands in the way.
"""

from typing import Any

from lanner.engine.cluster.state import ClusterState, IndexMetadata, ShardCopy
from lanner.engine.common.versions import NUMBER

YES, NO = "YES", "NO"
_DISABLED = "is not enabled, set cluster setting"


def describe_node(state: ClusterState) -> str:
    """The node as messages print it."""
    node = state.node
    host = node.transport_address.rpartition(":")[0]
    attributes = ", ".join(f"{name}={value}" for name, value in node.attributes.items())
    return (
        f"{{{node.name}}}{{{node.id}}}{{{node.ephemeral_id}}}{{{host}}}{{{node.transport_address}}}{{dimr}}"
        f"{{{attributes}}}"
    )


def decisions(
    state: ClusterState, index: IndexMetadata, copy: ShardCopy, *, by_hand: bool = False
) -> list[dict[str, Any]]:
    """Every decider's word about one more copy of a shard on this node. by_hand: a command asks for it."""
    primary = next(each for each in state.copies(index) if each.shard == copy.shard and each.primary)
    where = f"node[{state.node.id}], [P], s[STARTED], a[id={primary.allocation_id}]"
    place = f"[[{index.name}][{copy.shard}], {where}]"
    if not primary.started:
        same = (YES, "none of the nodes on this host hold a copy of this shard")
    elif copy.primary:
        same = (NO, f"this shard is already allocated to this node [{place}]")
    else:
        same = (NO, f"a copy of this shard is already allocated to this node [{place}]")
    kind = "primary" if copy.primary else "replica"
    limit = 2 if copy.primary else 4
    found = [
        ("max_retry", YES, "shard has no previous failures"),
        (
            "replica_after_primary_active",
            YES if copy.primary or primary.started else NO,
            "shard is primary and can be allocated"
            if copy.primary
            else f"primary shard for this replica is {'already' if primary.started else 'not yet'} active",
        ),
        ("cluster_concurrent_recoveries", YES, "undefined cluster concurrent recoveries"),
        (
            "enable",
            YES,
            "explicitly ignoring any disabling of allocation due to manual allocation commands via the "
            "reroute API"
            if by_hand
            else "all allocations are allowed",
        ),
        (
            "node_version",
            YES,
            f"can relocate primary shard from a node with version [{NUMBER}] to a node with equal-or-newer "
            f"version [{NUMBER}]"
            if copy.primary
            else f"can allocate replica shard to a node with version [{NUMBER}] since this is equal-or-newer "
            f"than the primary version [{NUMBER}]",
        ),
        (
            "snapshot_in_progress",
            YES,
            "no snapshots are currently running" if copy.primary else "the shard is not being snapshotted",
        ),
        ("restore_in_progress", YES, "ignored as shard is not being recovered from a snapshot"),
        ("filter", YES, "node passes include/exclude/require filters"),
        ("same_shard", *same),
        ("disk_threshold", YES, "the disk threshold decider is disabled"),
        (
            "throttling",
            YES,
            f"below shard recovery limit of outgoing: [0 < {limit}] incoming: [0 < {limit}]",
        ),
        ("shards_limit", YES, "total shard limits are disabled: [index: -1, cluster: -1] <= 0"),
        (
            "awareness",
            YES,
            f"allocation awareness {_DISABLED} [cluster.routing.allocation.awareness.attributes] to enable "
            "it",
        ),
        (
            "load_awareness",
            YES,
            f"overload awareness allocation {_DISABLED} "
            "[cluster.routing.allocation.load_awareness.skew_factor] and cluster setting "
            "[cluster.routing.allocation.load_awareness.provisioned_capacity] to enable it",
        ),
        (
            "target_pool",
            YES,
            "Routing pools are compatible. Shard pool: [LOCAL_ONLY], node pool: [LOCAL_ONLY]",
        ),
        (
            "remote_store_migration",
            YES,
            f"[none migration_direction]: {kind} shard copy can be "
            f"{'relocated' if copy.primary else 'allocated'} to a non-remote node for strict compatibility "
            "mode",
        ),
    ]
    return [decision(*each) for each in found]


def decision(decider: str, word: str, explanation: str) -> dict[str, Any]:
    """One decider's word."""
    return {"decider": decider, "decision": word, "explanation": explanation}


def reasons(found: list[dict[str, Any]]) -> str:
    """Decisions as the text of an error."""
    return "".join(f"[{each['decision']}({each['explanation']})]" for each in found)
