"""``_cat/tasks``: one line per task that runs."""

import json
import time
from typing import Any

from lanner.engine.common import versions
from lanner.engine.runtime.tasks import Task
from lanner.server.api.tasks import PARAMS, RESOURCES, listed, select
from lanner.server.cat.table import Column, Row, Table
from lanner.server.request import Request

COLUMNS = (
    Column("id", "", "id of the task with the node"),
    Column("action", "ac", "task action", shown=True),
    Column("task_id", "ti", "unique task id", shown=True),
    Column("parent_task_id", "pti", "parent task id", shown=True),
    Column("type", "ty", "task type", shown=True),
    Column("start_time", "start", "start time in ms", shown=True),
    Column("timestamp", "ts,hms,hhmmss", "start time in HH:MM:SS", shown=True),
    Column("running_time_ns", "time", "running time ns"),
    Column("running_time", "time", "running time", shown=True),
    Column("node_id", "ni", "unique node id"),
    Column("ip", "i", "ip address", shown=True),
    Column("port", "po", "bound transport port"),
    Column("node", "n", "node name", shown=True),
    Column("version", "v", "es version"),
    Column("x_opaque_id", "x", "X-Opaque-ID header"),
)
DETAILED = (
    *COLUMNS,
    Column("description", "desc", "task action", shown=True),
    Column("resource_stats", "", "resource consumption info of the task"),
)


def columns(request: Request) -> tuple[Column, ...]:
    """Return the columns; with ``detailed`` two more."""
    return DETAILED if request.params.boolean("detailed") else COLUMNS


def rows(request: Request) -> list[Row]:
    """Return a row per task."""
    with listed(request):
        return [_row(request, task) for task in select(request)]


def _row(request: Request, task: Task) -> dict[str, Any]:
    node = request.node
    nanos = task.nanos
    host, _, port = node.cluster.state.node.transport_address.rpartition(":")
    return {
        "id": task.id,
        "action": task.action,
        "task_id": f"{node.id}:{task.id}",
        "parent_task_id": "-" if task.parent is None else f"{node.id}:{task.parent}",
        "type": task.kind,
        "start_time": task.started_millis,
        "timestamp": time.strftime("%H:%M:%S", time.gmtime(task.started_millis / 1000)),
        "running_time_ns": nanos,
        "running_time": render_nanos(nanos),
        "node_id": node.id[:4],
        "ip": host,
        "port": port,
        "node": node.name,
        "version": versions.NUMBER,
        "x_opaque_id": task.headers.get("X-Opaque-Id", "-"),
        "description": task.describe(),
        "resource_stats": json.dumps(RESOURCES),
    }


_SECOND = 10**9
_UNITS = {
    "d": 86_400 * _SECOND,
    "h": 3600 * _SECOND,
    "m": 60 * _SECOND,
    "s": _SECOND,
    "ms": 10**6,
    "micros": 1000,
}


def render_nanos(nanos: int) -> str:
    """Return a short time with its largest unit, one digit after the point."""
    for unit, size in _UNITS.items():
        if nanos >= size:
            tenths = nanos * 10 // size
            return f"{tenths // 10}.{tenths % 10}{unit}" if tenths % 10 else f"{tenths // 10}{unit}"
    return f"{nanos}nanos"


TABLE = Table(("/_cat/tasks",), columns, rows, PARAMS)
