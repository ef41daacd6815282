"""Statistics of everything on the node, as node statistics and the cat table of nodes show them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster.names import IndexOptions
from lanner.engine.cluster.stats import index_stats, node_blocks

if TYPE_CHECKING:
    from lanner.engine.node import Node

EVERYTHING = IndexOptions(expand_wildcards=("all",))


def node_totals(
    node: "Node", metrics: frozenset[str] | None, level: str, groups: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the statistics of everything on this node, as node statistics show them."""
    totals = node_blocks(node, metrics, groups)
    if level == "node":
        return totals
    whole = index_stats(node, "_all", metrics, EVERYTHING, level=level)
    if level == "indices":
        return {**totals, "indices": {name: index["total"] for name, index in whole["indices"].items()}}
    return {
        **totals,
        "shards": {
            name: [{number: copy} for number, copies in index["shards"].items() for copy in copies]
            for name, index in whole["indices"].items()
        },
    }
