"""``_cat/nodes``: one line per node."""

import os
import shutil
from typing import Any

from lanner.engine.common import versions
from lanner.server import host
from lanner.server.cat.stats_columns import columns, values
from lanner.server.cat.table import COUNT, MILLIS, SIZE, Column, Row, Table
from lanner.server.identity import BUILD_HASH, BUILD_TYPE, ROLES
from lanner.server.request import Request
from lanner.server.totals import node_totals

STATISTICS = (
    "completion.size",
    "fielddata.memory_size",
    "fielddata.evictions",
    "query_cache.*",
    "request_cache.*",
    "flush.*",
    "get.*",
    "indexing.*",
    "merges.*",
    "refresh.*",
)
SEARCH = (
    "search.fetch*",
    "search.open_contexts",
    "search.query*",
    "search.concurrent*",
    "search.scroll*",
    "search.point_in_time*",
    "segments.*",
    "suggest.*",
)
DESCRIPTIONS = {
    "request_cache.hit_count": "request cache hit counts",
    "request_cache.miss_count": "request cache miss counts",
    "search.concurrent_query_total": "total concurrent query phase ops",
}
COLUMNS = (
    Column("id", "id,nodeId", "unique node id"),
    Column("pid", "p", "process id"),
    Column("ip", "i", "ip address", shown=True),
    Column("port", "po", "bound transport port"),
    Column("http_address", "http", "bound http address"),
    Column("version", "v", "os version"),
    Column("type", "t", "os distribution type"),
    Column("build", "b", "os build hash"),
    Column("jdk", "j", "jdk version"),
    Column("disk.total", "dt,diskTotal", "total disk space", SIZE),
    Column("disk.used", "du,diskUsed", "used disk space", SIZE),
    Column("disk.avail", "d,da,disk,diskAvail", "available disk space", SIZE),
    Column("disk.used_percent", "dup,diskUsedPercent", "used disk space percentage", COUNT),
    Column("heap.current", "hc,heapCurrent", "used heap", SIZE),
    Column("heap.percent", "hp,heapPercent", "used heap ratio", COUNT, shown=True),
    Column("heap.max", "hm,heapMax", "max configured heap", SIZE),
    Column("ram.current", "rc,ramCurrent", "used machine memory", SIZE),
    Column("ram.percent", "rp,ramPercent", "used machine memory ratio", COUNT, shown=True),
    Column("ram.max", "rm,ramMax", "total machine memory", SIZE),
    Column("file_desc.current", "fdc,fileDescriptorCurrent", "used file descriptors", COUNT),
    Column("file_desc.percent", "fdp,fileDescriptorPercent", "used file descriptor ratio", COUNT),
    Column("file_desc.max", "fdm,fileDescriptorMax", "max file descriptors", COUNT),
    Column("cpu", "cpu", "recent cpu usage", COUNT, shown=True),
    Column("load_1m", "l", "1m load avg", COUNT, shown=True),
    Column("load_5m", "l", "5m load avg", COUNT, shown=True),
    Column("load_15m", "l", "15m load avg", COUNT, shown=True),
    Column("uptime", "u", "node uptime", MILLIS),
    Column(
        "node.role",
        "r,role,nodeRole",
        "m:master eligible node, d:data node, i:ingest node, -:coordinating node only",
        shown=True,
    ),
    Column("node.roles", "rs,all roles", " -:coordinating node only", shown=True),
    Column("cluster_manager", "cm,m,master", "*:current cluster manager", shown=True),
    Column("name", "n", "node name", shown=True),
    *columns(STATISTICS, descriptions=DESCRIPTIONS),
    Column("script.compilations", "scrcc,scriptCompilations", "script compilations", COUNT),
    Column("script.cache_evictions", "scrce,scriptCacheEvictions", "script cache evictions", COUNT),
    Column(
        "script.compilation_limit_triggered",
        "scrclt,scriptCacheCompilationLimitTriggered",
        "script cache compilation limit triggered",
        COUNT,
    ),
    *columns(SEARCH, descriptions=DESCRIPTIONS),
)


def rows(request: Request) -> list[Row]:
    """Return the one row of the one node."""
    node = request.node
    machine = host.os_stats()
    process = host.process_stats()
    memory = host.jvm_stats()["mem"]
    disk = shutil.disk_usage(node.data_path)
    address = request.application.publish_address
    files, most = process["open_file_descriptors"], process["max_file_descriptors"]
    row: dict[str, Any] = {
        "id": node.id if request.params.boolean("full_id") else node.id[:4],
        "pid": os.getpid(),
        "ip": "127.0.0.1",
        "port": address.rpartition(":")[2],
        "http_address": address,
        "version": versions.NUMBER,
        "type": BUILD_TYPE,
        "build": BUILD_HASH,
        "jdk": host.jvm_facts()["version"],
        "disk.total": disk.total,
        "disk.used": disk.total - disk.free,
        "disk.avail": disk.free,
        "disk.used_percent": f"{100 * (disk.total - disk.free) / disk.total:.2f}",
        "heap.current": memory["heap_used_in_bytes"],
        "heap.percent": memory["heap_used_percent"],
        "heap.max": memory["heap_max_in_bytes"],
        "ram.current": machine["mem"]["used_in_bytes"],
        "ram.percent": machine["mem"]["used_percent"],
        "ram.max": machine["mem"]["total_in_bytes"],
        "file_desc.current": files,
        "file_desc.percent": 100 * files // most if most > 0 else 0,
        "file_desc.max": most,
        "cpu": machine["cpu"]["percent"],
        **{f"load_{name}": f"{value:.2f}" for name, value in machine["cpu"]["load_average"].items()},
        "uptime": (host.now_millis() - int(host.STARTED * 1000)),
        "node.role": "dimr",
        "node.roles": ",".join(ROLES),
        "cluster_manager": "*",
        "name": node.name,
        "script.compilations": 0,
        "script.cache_evictions": 0,
        "script.compilation_limit_triggered": 0,
    }
    return [row | values(node_totals(request.node, None, "node"))]


TABLE = Table(("/_cat/nodes",), COLUMNS, rows, frozenset({"full_id"}))
