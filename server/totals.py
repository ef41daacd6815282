"""Statistics of everything on the node, as node statistics and the cat table of nodes show them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster.names import IndexOptions
from lanner.engine.cluster.stats import index_stats, node_blocks

if TYPE_CHECKING:
    from lanner.engine.node import Node
    from lanner.server.params import Params

EVERYTHING = IndexOptions(expand_wildcards=("all",))


def with_fields(shown: dict[str, Any], params: "Params") -> dict[str, Any]:
    """Return statistics that also say by field, where that is asked for, what is in memory: nothing."""
    blocks = {
        block for block in ("fielddata", "completion") if "fields" in params or f"{block}_fields" in params
    }
    waiting: list[Any] = [shown] if blocks else []
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            for name, inner in value.items():
                if name in blocks and isinstance(inner, dict):
                    inner["fields"] = {}
                else:
                    waiting.append(inner)
    return shown


def node_totals(
    node: "Node", metrics: frozenset[str] | None, level: str, groups: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the statistics of everything on this node, as node statistics show them."""
    totals = node_blocks(node, metrics, groups)
    if level == "node":
        return totals
    whole = index_stats(node, "_all", metrics, EVERYTHING, level=level, blocked=False)
    if level == "indices":
        return {**totals, "indices": {name: index["total"] for name, index in whole["indices"].items()}}
    return {
        **totals,
        "shards": {
            name: [{number: copy} for number, copies in index["shards"].items() for copy in copies]
            for name, index in whole["indices"].items()
        },
    }
