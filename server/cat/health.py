"""``_cat/health``: one line about the cluster."""

import time

from lanner.engine.cluster.health import HealthRequest, health
from lanner.server.cat.table import COUNT, Column, Row, Table
from lanner.server.request import Request

COLUMNS = (
    Column("epoch", "t,time", "seconds since 1970-01-01 00:00:00", shown=True),
    Column("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS", shown=True),
    Column("cluster", "cl", "cluster name", shown=True),
    Column("status", "st", "health status", shown=True),
    Column("node.total", "nt,nodeTotal", "total number of nodes", COUNT, shown=True),
    Column("node.data", "nd,nodeData", "number of nodes that can store data", COUNT, shown=True),
    Column(
        "discovered_cluster_manager",
        "dcm,dm,discovered_master",
        "cluster manager is discovered or not",
        COUNT,
        shown=True,
    ),
    Column("shards", "t,sh,shards.total,shardsTotal", "total number of shards", COUNT, shown=True),
    Column("pri", "p,shards.primary,shardsPrimary", "number of primary shards", COUNT, shown=True),
    Column("relo", "r,shards.relocating,shardsRelocating", "number of relocating nodes", COUNT, shown=True),
    Column(
        "init", "i,shards.initializing,shardsInitializing", "number of initializing nodes", COUNT, shown=True
    ),
    Column(
        "unassign", "u,shards.unassigned,shardsUnassigned", "number of unassigned shards", COUNT, shown=True
    ),
    Column("pending_tasks", "pt,pendingTasks", "number of pending tasks", COUNT, shown=True),
    Column(
        "max_task_wait_time", "mtwt,maxTaskWaitTime", "wait time of longest task pending", COUNT, shown=True
    ),
    Column(
        "active_shards_percent",
        "asp,activeShardsPercent",
        "active number of shards in percent",
        COUNT,
        shown=True,
    ),
)


def clock_cells() -> dict[str, object]:
    """Return the cells that tell the time."""
    now = time.time()
    return {"epoch": int(now), "timestamp": time.strftime("%H:%M:%S", time.gmtime(now))}


def rows(request: Request) -> list[Row]:
    """Return the one row."""
    body = health(request.node, None, HealthRequest(timeout=0))
    return [
        {
            **clock_cells(),
            "cluster": body["cluster_name"],
            "status": body["status"],
            "node.total": body["number_of_nodes"],
            "node.data": body["number_of_data_nodes"],
            "discovered_cluster_manager": body["discovered_cluster_manager"],
            "shards": body["active_shards"],
            "pri": body["active_primary_shards"],
            "relo": body["relocating_shards"],
            "init": body["initializing_shards"],
            "unassign": body["unassigned_shards"],
            "pending_tasks": body["number_of_pending_tasks"],
            "max_task_wait_time": "-",
            "active_shards_percent": f"{float(body['active_shards_percent_as_number']):.1f}%",
        }
    ]


TABLE = Table(("/_cat/health",), COLUMNS, rows)
