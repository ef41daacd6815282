"""``_cat/recovery``: one line per shard, how it came to what it has."""

from typing import Any

from lanner.engine.cluster.index_settings import iso
from lanner.engine.cluster.recoveries import recoveries
from lanner.server.cat.table import MILLIS, Column, Row, Table
from lanner.server.options import INDEX_OPTIONS, OPEN_CLOSED, index_options
from lanner.server.request import Request

COLUMNS = (
    Column("index", "i,idx", "index name", shown=True),
    Column("shard", "s,sh", "shard name", shown=True),
    Column("start_time", "start", "recovery start time"),
    Column("start_time_millis", "start_millis", "recovery start time in epoch milliseconds"),
    Column("stop_time", "stop", "recovery stop time"),
    Column("stop_time_millis", "stop_millis", "recovery stop time in epoch milliseconds"),
    Column("time", "t,ti", "recovery time", MILLIS, shown=True),
    Column("type", "ty", "recovery type", shown=True),
    Column("stage", "st", "recovery stage", shown=True),
    Column("source_host", "shost", "source host", shown=True),
    Column("source_node", "snode", "source node name", shown=True),
    Column("target_host", "thost", "target host", shown=True),
    Column("target_node", "tnode", "target node name", shown=True),
    Column("repository", "rep", "repository", shown=True),
    Column("snapshot", "snap", "snapshot", shown=True),
    Column("files", "f", "number of files to recover", shown=True),
    Column("files_recovered", "fr", "files recovered", shown=True),
    Column("files_percent", "fp", "percent of files recovered", shown=True),
    Column("files_total", "tf", "total number of files", shown=True),
    Column("bytes", "b", "number of bytes to recover", shown=True),
    Column("bytes_recovered", "br", "bytes recovered", shown=True),
    Column("bytes_percent", "bp", "percent of bytes recovered", shown=True),
    Column("bytes_total", "tb", "total number of bytes", shown=True),
    Column("translog_ops", "to", "number of translog ops to recover", shown=True),
    Column("translog_ops_recovered", "tor", "translog ops recovered", shown=True),
    Column("translog_ops_percent", "top", "percent of translog ops recovered", shown=True),
)


def rows(request: Request) -> list[Row]:
    """Return a row per shard; with active_only those that are still at it, which none is."""
    params = request.params
    params.boolean("detailed")
    active = params.boolean("active_only")
    expression = request.names.get("index", "_all")
    found = recoveries(request.node, expression, index_options(params, OPEN_CLOSED))
    if active:
        return []
    return [_row(index, shard) for index, body in found.items() for shard in body["shards"]]


def _row(index: str, shard: dict[str, Any]) -> Row:
    size, files, translog = shard["index"]["size"], shard["index"]["files"], shard["translog"]
    return {
        "index": index,
        "shard": shard["id"],
        "start_time": iso(shard["start_time_in_millis"]),
        "start_time_millis": shard["start_time_in_millis"],
        "stop_time": iso(shard["stop_time_in_millis"]),
        "stop_time_millis": shard["stop_time_in_millis"],
        "time": shard["total_time_in_millis"],
        "type": shard["type"].lower(),
        "stage": shard["stage"].lower(),
        "source_host": "n/a",
        "source_node": "n/a",
        "target_host": shard["target"]["host"],
        "target_node": shard["target"]["name"],
        "repository": "n/a",
        "snapshot": "n/a",
        "files": files["total"] - files["reused"],
        "files_recovered": files["recovered"],
        "files_percent": files["percent"],
        "files_total": files["total"],
        "bytes": size["total_in_bytes"] - size["reused_in_bytes"],
        "bytes_recovered": size["recovered_in_bytes"],
        "bytes_percent": size["percent"],
        "bytes_total": size["total_in_bytes"],
        "translog_ops": translog["total"],
        "translog_ops_recovered": translog["recovered"],
        "translog_ops_percent": translog["percent"],
    }


PARAMS = INDEX_OPTIONS | {"detailed", "active_only", "index"}
TABLE = Table(("/_cat/recovery", "/_cat/recovery/{index}"), COLUMNS, rows, PARAMS)
