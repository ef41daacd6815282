"""Nodes that are kept from voting for a cluster manager."""

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import EXCLUSION, ClusterState
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.wildcards import matches_any

ABSENT = "_absent_"
_MOST = 10  # cluster.max_voting_config_exclusions, unless it is set


def exclude_nodes(node: NodeContext, names: list[str], *, by_id: bool) -> None:
    """Exclude nodes by name or id. The one node that there is cannot be excluded: nobody would be left."""

    def plan(state: ClusterState) -> Change:
        me = state.node
        if matches_any(names, me.id if by_id else me.name):
            raise IllegalArgument(
                f"node [{me.name}] is the only one that can vote, and cannot be excluded from voting"
            )
        named = {
            (EXCLUSION, name): {"node_id": name, "node_name": ABSENT}
            if by_id
            else {"node_id": ABSENT, "node_name": name}
            for name in names
        }
        most = int(str(state.setting("cluster.max_voting_config_exclusions") or _MOST))
        if len({*state.all_named(EXCLUSION), *names}) > most:
            raise IllegalArgument(
                f"add voting config exclusions request for {sorted(names)} would exceed the maximum of "
                f"[{most}] set by [cluster.max_voting_config_exclusions]"
            )
        return Change(named=named)

    node.cluster.apply(plan)


def include_nodes(node: NodeContext) -> None:
    """Forget all exclusions."""
    node.cluster.apply(
        lambda state: Change(named={(EXCLUSION, name): None for name in state.all_named(EXCLUSION)})
    )
