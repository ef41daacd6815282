"""What came of work that nobody waited for: documents of an index, so that it outlives the node."""

import logging
from contextlib import suppress

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import create_index
from lanner.engine.common.errors import LannerError, ResourceAlreadyExists
from lanner.engine.document.get import GetRequest, get_document
from lanner.engine.document.requests import IndexRequest
from lanner.engine.document.write import index_document

INDEX = ".tasks"
_OPAQUE = {"type": "object", "enabled": False}
_BODY = {
    "settings": {
        "index.number_of_shards": 1,
        "index.auto_expand_replicas": "0-1",
        "index.priority": 2**31 - 1,
    },
    "mappings": {
        "dynamic": "strict",
        "_meta": {"version": 5},
        "properties": {
            "completed": {"type": "boolean"},
            "error": _OPAQUE,
            "response": _OPAQUE,
            "task": {
                "properties": {
                    "action": {"type": "keyword"},
                    "cancellable": {"type": "boolean"},
                    "cancellation_time_millis": {"type": "long"},
                    "cancelled": {"type": "boolean"},
                    "description": {"type": "text"},
                    "headers": _OPAQUE,
                    "id": {"type": "long"},
                    "node": {"type": "keyword"},
                    "parent_task_id": {"type": "keyword"},
                    "resource_stats": _OPAQUE,
                    "running_time_in_nanos": {"type": "long"},
                    "start_time_in_millis": {"type": "long"},
                    "status": _OPAQUE,
                    "type": {"type": "keyword"},
                }
            },
        },
    },
}
_log = logging.getLogger(__name__)


def store_result(node: NodeContext, task: str, result: bytes) -> None:
    """Keep what came of a task; where that cannot be done, the log tells why."""
    try:
        if INDEX not in node.cluster.state.indices:
            with suppress(ResourceAlreadyExists):  # made for another task, a moment ago
                create_index(node, INDEX, _BODY)
        index_document(node, IndexRequest(index=INDEX, id=task, source=result))
    except LannerError as error:
        _log.warning("the result of the task [%s] cannot be stored: %s", task, error.reason)


def find_result(node: NodeContext, task: str) -> bytes | None:
    """Return what came of a task, None if nothing is known of it."""
    if INDEX not in node.cluster.state.indices:
        return None
    answer = get_document(node, GetRequest(index=INDEX, id=task))
    return bytes(answer["_source"]) if "_source" in answer else None
