"""``_cat/thread_pool``: one line per thread pool."""

import os

from lanner.engine.common.wildcards import matches_any
from lanner.server.cat.table import COUNT, Column, Row, Table
from lanner.server.cat.tasks import render_nanos
from lanner.server.params import split_names
from lanner.server.pools import MEASURED, SCALING, pools_of
from lanner.server.request import Request

COLUMNS = (
    Column("node_name", "nn", "node name", shown=True),
    Column("node_id", "id", "persistent node id"),
    Column("ephemeral_node_id", "eid", "ephemeral node id"),
    Column("pid", "p", "process id"),
    Column("host", "h", "host name"),
    Column("ip", "i", "ip address"),
    Column("port", "po", "bound transport port"),
    Column("name", "n", "thread pool name", shown=True),
    Column("type", "t", "thread pool type"),
    Column("active", "a", "number of active threads", COUNT, shown=True),
    Column("pool_size", "psz", "number of threads", COUNT),
    Column("queue", "q", "number of tasks currently in queue", COUNT, shown=True),
    Column("queue_size", "qs", "maximum number of tasks permitted in queue", COUNT),
    Column("rejected", "r", "number of rejected tasks", COUNT, shown=True),
    Column("largest", "l", "highest number of seen active threads", COUNT),
    Column("completed", "c", "number of completed tasks", COUNT),
    Column("total_wait_time", "twt", "total time tasks spent waiting in thread_pool queue"),
    Column("core", "cr", "core number of threads in a scaling thread pool", COUNT),
    Column("max", "mx", "maximum number of threads in a scaling thread pool", COUNT),
    Column("size", "sz", "number of threads in a fixed thread pool", COUNT),
    Column("keep_alive", "ka", "thread keep alive time"),
)


def rows(request: Request) -> list[Row]:
    """Return a row per pool."""
    node = request.node
    wanted = split_names(request.names.get("thread_pools", "*"))
    host, _, port = node.cluster.state.node.transport_address.rpartition(":")
    return [
        {
            "node_name": node.name,
            "node_id": node.id,
            "ephemeral_node_id": node.ephemeral_id,
            "pid": os.getpid(),
            "host": host,
            "ip": host,
            "port": port,
            "name": pool.name,
            "type": pool.kind,
            "active": pool.stats.active,
            "pool_size": pool.stats.threads,
            "queue": pool.stats.queue,
            "queue_size": pool.queue_size,
            "rejected": pool.stats.rejected,
            "largest": pool.stats.largest,
            "completed": pool.stats.completed,
            "total_wait_time": render_nanos(pool.stats.waited_nanos) if pool.kind == MEASURED else -1,
            "core": min(1, pool.size) if pool.kind == SCALING else None,
            "max": pool.size if pool.kind == SCALING else None,
            "size": None if pool.kind == SCALING else pool.size,
        }
        for pool in pools_of(node)
        if matches_any(wanted, pool.name)
    ]


TABLE = Table(("/_cat/thread_pool", "/_cat/thread_pool/{thread_pools}"), COLUMNS, rows, frozenset({"size"}))
