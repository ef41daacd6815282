"""``_cat/segment_replication``: copies that follow a primary by its segments; a node on its own has none."""

from lanner.engine.cluster.names import resolve
from lanner.server.cat.table import Column, Row, Table
from lanner.server.options import INDEX_OPTIONS, index_options
from lanner.server.request import Request

COLUMNS = (
    Column("shardId", "s", " shard Id", shown=True),
    Column("target_node", "tnode", "target node name", shown=True),
    Column("target_host", "thost", "target host", shown=True),
    Column("checkpoints_behind", "cpb", "checkpoints behind primary", shown=True),
    Column("bytes_behind", "bb", "bytes behind primary", shown=True),
    Column(
        "current_lag", "clag", "ongoing time elapsed waiting for replica to catch up to primary", shown=True
    ),
    Column(
        "last_completed_lag",
        "lcl",
        "time taken for replica to catch up to latest primary refresh",
        shown=True,
    ),
    Column("rejected_requests", "rr", "count of rejected requests for the replication group", shown=True),
)
DETAILED = (
    *COLUMNS,
    Column("stage", "st", "segment replication event stage", shown=True),
    Column("time", "t,ti", "current replication event time", shown=True),
    Column("files_fetched", "ff", "files fetched", shown=True),
    Column("files_percent", "fp", "percent of files fetched", shown=True),
    Column("bytes_fetched", "bf", "bytes fetched", shown=True),
    Column("bytes_percent", "bp", "percent of bytes fetched", shown=True),
    Column("start_time", "start", "segment replication start time", shown=True),
    Column("stop_time", "stop", "segment replication stop time", shown=True),
    Column("files", "f", "number of files to fetch", shown=True),
    Column("files_total", "tf", "total number of files", shown=True),
    Column("bytes", "b", "number of bytes to fetch", shown=True),
    Column("bytes_total", "tb", "total number of bytes", shown=True),
    Column("replicating_stage_time_taken", "rstt", "time taken in replicating stage", shown=True),
    Column(
        "get_checkpoint_info_stage_time_taken",
        "gcistt",
        "time taken in get checkpoint info stage",
        shown=True,
    ),
    Column("file_diff_stage_time_taken", "fdstt", "time taken in file diff stage", shown=True),
    Column("get_files_stage_time_taken", "gfstt", "time taken in get files stage", shown=True),
    Column(
        "finalize_replication_stage_time_taken",
        "frstt",
        "time taken in finalize replication stage",
        shown=True,
    ),
)


def columns(request: Request) -> tuple[Column, ...]:
    """Return the columns; with ``detailed`` those of the event that is under way."""
    return DETAILED if request.params.boolean("detailed") else COLUMNS


def rows(request: Request) -> list[Row]:
    """Return no row, for indices that are there."""
    params = request.params
    params.boolean("active_only")
    resolve(request.node.cluster.state, request.names.get("index", "_all"), index_options(params))
    return []


TABLE = Table(
    ("/_cat/segment_replication", "/_cat/segment_replication/{index}"),
    columns,
    rows,
    INDEX_OPTIONS | {"detailed", "active_only", "shards", "index"},
)
