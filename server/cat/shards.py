"""``_cat/shards``: one line per copy of a shard."""

from datetime import UTC, datetime
from typing import Any

from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.state import STARTED
from lanner.engine.cluster.stats import index_stats
from lanner.server.cat.stats_columns import columns, values
from lanner.server.cat.table import COUNT, MILLIS, SIZE, Column, Row, Table
from lanner.server.host import now_millis
from lanner.server.options import NOT_CLOSED
from lanner.server.request import Request

OPTIONS = IndexOptions(expand_wildcards=("all",))
STATISTICS = (
    "completion.size", "fielddata.memory_size", "fielddata.evictions", "query_cache.memory_size",
    "query_cache.evictions", "flush.*", "get.*", "indexing.*", "merges.*", "refresh.*", "search.fetch*",
    "search.open_contexts", "search.query*", "search.concurrent*", "search.scroll*", "search.point_in_time*",
    "search.search_idle_reactivate_count_total", "segments.*",
)  # fmt: skip
CONCURRENT = {"search.concurrent_query_total": "total concurrent query phase ops"}
ALIASES = {
    "search.point_in_time_current": "spc,searchPointInTimeCurrent",
    "search.point_in_time_time": "spti,searchPointInTimeTime",
    "search.point_in_time_total": "spto,searchPointInTimeTotal",
}
COLUMNS = (
    Column("index", "i,idx", "index name", shown=True),
    Column("shard", "s,sh", "shard name", shown=True),
    Column("prirep", "p,pr,primaryOrReplica", "primary or replica", shown=True),
    Column("state", "st", "shard state", shown=True),
    Column("docs", "d,dc", "number of docs in shard", COUNT, shown=True),
    Column("store", "sto", "store size of shard (how much disk it uses)", SIZE, shown=True),
    Column("ip", "", "ip of node where it lives", shown=True),
    Column("id", "", "unique id of node where it lives"),
    Column("node", "n", "name of node where it lives", shown=True),
    Column("sync_id", "sync_id", "sync id"),
    Column("unassigned.reason", "ur", "reason shard is unassigned"),
    Column("unassigned.at", "ua", "time shard became unassigned (UTC)"),
    Column("unassigned.for", "uf", "time has been unassigned", MILLIS),
    Column("unassigned.details", "ud", "additional details as to why the shard became unassigned"),
    Column("recoverysource.type", "rs", "recovery source type"),
    *columns(STATISTICS, aliases=ALIASES, descriptions=CONCURRENT),
    Column("seq_no.max", "sqm,maxSeqNo", "max sequence number", COUNT),
    Column("seq_no.local_checkpoint", "sql,localCheckpoint", "local checkpoint", COUNT),
    Column("seq_no.global_checkpoint", "sqg,globalCheckpoint", "global checkpoint", COUNT),
    *columns(("warmer.*",)),
    Column("path.data", "pd,dataPath", "shard data path", COUNT),
    Column("path.state", "ps,statsPath", "shard state path", COUNT),
    Column("docs.deleted", "dd,docsDeleted", "number of deleted docs in shard", COUNT),
)


def rows(request: Request) -> list[Row]:
    """Return a row per copy, primaries first."""
    node = request.node
    state = node.cluster.state
    expression = request.names.get("index")
    names = list(state.indices) if expression is None else resolve(state, expression, NOT_CLOSED)
    if not names:
        return []
    statistics = index_stats(node, ",".join(names), None, OPTIONS, level="shards")["indices"]
    found: list[Row] = []
    for name in names:
        index = state.indices[name]
        for copy in state.copies(index):
            row: dict[str, Any] = {
                "index": name,
                "shard": copy.shard,
                "prirep": "p" if copy.primary else "r",
                "state": copy.state,
            }
            if copy.state == STARTED:
                row |= {"ip": "127.0.0.1", "id": node.id, "node": node.name, "path.data": node.data_path,
                        "path.state": node.data_path}  # fmt: skip
                shown = statistics.get(name, {}).get("shards", {}).get(str(copy.shard), [{}])[0]
                row |= shard_values(shown) if index.state == "open" else {}
            else:
                at = datetime.fromtimestamp(copy.since_millis / 1000, UTC).isoformat(timespec="milliseconds")
                row |= {
                    "unassigned.reason": copy.reason,
                    "unassigned.at": at.replace("+00:00", "Z"),
                    "unassigned.for": now_millis() - copy.since_millis,
                    "unassigned.details": copy.details,
                    "recoverysource.type": "existing_store" if copy.primary else "peer",
                }
            found.append(row)
    return found


def shard_values(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the cells of a started shard from its statistics."""
    sequence = shown.get("seq_no", {})
    return {
        **values(shown),
        "docs": shown.get("docs", {}).get("count"),
        "docs.deleted": shown.get("docs", {}).get("deleted"),
        "store": shown.get("store", {}).get("size_in_bytes"),
        "seq_no.max": sequence.get("max_seq_no"),
        "seq_no.local_checkpoint": sequence.get("local_checkpoint"),
        "seq_no.global_checkpoint": sequence.get("global_checkpoint"),
    }


TABLE = Table(
    ("/_cat/shards", "/_cat/shards/{index}"), COLUMNS, rows, frozenset({"cancel_after_time_interval"})
)
