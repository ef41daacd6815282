"""``_cat/indices``: one line per index."""

from datetime import UTC, datetime
from typing import Any

from lanner.engine.cluster.health import index_health
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.stats import index_stats
from lanner.engine.common.errors import IllegalArgument
from lanner.server.cat.stats_columns import columns, values
from lanner.server.cat.table import COUNT, SIZE, Column, Row, Table
from lanner.server.options import INDEX_OPTIONS, index_options
from lanner.server.params import Params
from lanner.server.request import Request

OPTIONS = IndexOptions(expand_wildcards=("open", "closed"))
STATISTICS = (
    "completion.size", "fielddata.memory_size", "fielddata.evictions", "query_cache.memory_size",
    "query_cache.evictions", "request_cache.*", "flush.*", "get.*", "indexing.*", "merges.*", "refresh.*",
    "search.fetch*", "search.open_contexts", "search.query*", "search.concurrent*", "search.scroll*",
    "search.point_in_time*", "segments.*", "warmer.*", "suggest.*",
)  # fmt: skip


def _columns() -> tuple[Column, ...]:
    """Every statistic stands twice: for all copies, and for the primaries alone."""
    doubled: list[Column] = []
    for column in columns(STATISTICS):
        doubled += (column, Column(f"pri.{column.name}", "", column.description, column.kind))
    return (
        Column("health", "h", "current health status", shown=True),
        Column("status", "s", "open/close status", shown=True),
        Column("index", "i,idx", "index name", shown=True),
        Column("uuid", "id,uuid", "index uuid", shown=True),
        Column("pri", "p,shards.primary,shardsPrimary", "number of primary shards", COUNT, shown=True),
        Column("rep", "r,shards.replica,shardsReplica", "number of replica shards", COUNT, shown=True),
        Column("docs.count", "dc,docsCount", "available docs", COUNT, shown=True),
        Column("docs.deleted", "dd,docsDeleted", "deleted docs", COUNT, shown=True),
        Column("creation.date", "cd", "index creation date (millisecond value)"),
        Column("creation.date.string", "cds", "index creation date (as string)"),
        Column("store.size", "ss,storeSize", "store size of primaries & replicas", SIZE, shown=True),
        Column("pri.store.size", "", "store size of primaries", SIZE, shown=True),
        *doubled,
        Column("memory.total", "tm,memoryTotal", "total used memory", SIZE),
        Column("pri.memory.total", "", "total user memory", SIZE),
        Column("search.throttled", "sth", "indicates if the index is search throttled"),
    )


def wanted_health(params: Params) -> str | None:
    """Return the health that rows must have."""
    word = params.get("health")
    if word is not None and word.lower() not in ("green", "yellow", "red"):
        raise IllegalArgument(f"unknown cluster health status [{word}]")
    return word.lower() if word else None


def rows(request: Request) -> list[Row]:
    """Return a row per index."""
    node = request.node
    params = request.params
    wanted = wanted_health(params)
    primaries_only = params.boolean("pri")
    expression = request.names.get("index", "_all")
    options = index_options(params, OPTIONS)
    state = node.cluster.state
    names = resolve(state, expression, options)
    if not names:
        return []
    listed = ",".join(names)
    everything = IndexOptions(ignore_unavailable=True, expand_wildcards=("all",))
    statistics = index_stats(node, listed, None, everything, level="indices")["indices"]
    found: list[Row] = []
    for name in names:
        index = state.indices[name]
        status = index_health(state, index)
        if wanted is not None and status != wanted:
            continue
        created = int(str(index.settings.get("index.creation_date", 0)))
        date = datetime.fromtimestamp(created / 1000, UTC).isoformat(timespec="milliseconds")
        row: dict[str, Any] = {
            "health": status,
            "status": index.state,
            "index": name,
            "uuid": index.uuid,
            "pri": index.number_of_shards,
            "rep": index.number_of_replicas,
            "creation.date": created,
            "creation.date.string": date.replace("+00:00", "Z"),
            "search.throttled": False,
        }
        shown = statistics.get(name)
        if shown is not None and index.state == "open":
            primaries = shown["primaries"]
            total = primaries if primaries_only else shown["total"]
            row |= values(total) | values(primaries, "pri.")
            row["docs.count"] = primaries.get("docs", {}).get("count")
            row["docs.deleted"] = primaries.get("docs", {}).get("deleted")
            row["store.size"] = total.get("store", {}).get("size_in_bytes")
            row["pri.store.size"] = primaries.get("store", {}).get("size_in_bytes")
            row["memory.total"] = row["pri.memory.total"] = 0
        found.append(row)
    return found


TABLE = Table(
    ("/_cat/indices", "/_cat/indices/{index}"),
    _columns(),
    rows,
    INDEX_OPTIONS | {"health", "include_unloaded_segments"},
)
