"""How large data streams are, and how new the newest document of each is."""

from collections.abc import Callable, Sequence
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.data_streams import select
from lanner.engine.cluster.indices import shards_of
from lanner.engine.common.errors import LannerError


def data_stream_stats(
    node: NodeContext, names: Sequence[str], newest: Callable[[str, str], int]
) -> dict[str, Any]:
    """The whole answer of ``GET /_data_stream/_stats``.

    newest: finds the greatest value (milliseconds) of a field in an index, 0 without any.
    """
    state = node.cluster.state
    shown = []
    total = successful = 0
    for name, body in select(state, names).items():
        size = 0
        for index_name in body["indices"]:
            index = state.indices[index_name]
            total += index.number_of_shards * (1 + index.number_of_replicas)
            for _, shard in shards_of(node, index):
                if isinstance(shard, LannerError):
                    continue
                successful += 1
                size += shard.stats().store_bytes
        shown.append(
            {
                "data_stream": name,
                "backing_indices": len(body["indices"]),
                "store_size_bytes": size,
                "maximum_timestamp": max(newest(index, body["timestamp_field"]) for index in body["indices"]),
            }
        )
    return {
        "_shards": {"total": total, "successful": successful, "failed": 0},
        "data_stream_count": len(shown),
        "backing_indices": sum(each["backing_indices"] for each in shown),
        "total_store_size_bytes": sum(each["store_size_bytes"] for each in shown),
        "data_streams": shown,
    }
