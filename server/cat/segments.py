"""``_cat/segments``: one line per segment."""

from lanner.engine.cluster.names import IndexOptions
from lanner.engine.cluster.stats import segments
from lanner.engine.common import versions
from lanner.server.cat.table import COUNT, SIZE, Column, Row, Table
from lanner.server.options import INDEX_OPTIONS, index_options
from lanner.server.request import Request

OPTIONS = IndexOptions(forbid_closed=True)
COLUMNS = (
    Column("index", "i,idx", "index name", shown=True),
    Column("shard", "s,sh", "shard name", shown=True),
    Column("prirep", "p,pr,primaryOrReplica", "primary or replica", shown=True),
    Column("ip", "", "ip of node where it lives", shown=True),
    Column("id", "", "unique id of node where it lives"),
    Column("segment", "seg", "segment name", shown=True),
    Column("generation", "g,gen", "segment generation", COUNT, shown=True),
    Column("docs.count", "dc,docsCount", "number of docs in segment", COUNT, shown=True),
    Column("docs.deleted", "dd,docsDeleted", "number of deleted docs in segment", COUNT, shown=True),
    Column("size", "si", "segment size in bytes", SIZE, shown=True),
    Column("size.memory", "sm,sizeMemory", "segment memory in bytes", COUNT, shown=True),
    Column("committed", "ic,isCommitted", "is segment committed", shown=True),
    Column("searchable", "is,isSearchable", "is segment searched", shown=True),
    Column("version", "v,ver", "version", shown=True),
    Column("compound", "ico,isCompound", "is segment compound", shown=True),
)


def rows(request: Request) -> list[Row]:
    """Return a row per segment."""
    body = segments(request.node, request.names.get("index", "_all"), index_options(request.params, OPTIONS))
    return [
        {
            "index": index,
            "shard": shard,
            "prirep": "p" if copy["routing"]["primary"] else "r",
            "ip": "127.0.0.1",
            "id": copy["routing"]["node"],
            "segment": name,
            "generation": segment["generation"],
            "docs.count": segment["num_docs"],
            "docs.deleted": segment["deleted_docs"],
            "size": segment["size_in_bytes"],
            "size.memory": segment.get("memory_in_bytes", 0),
            "committed": segment["committed"],
            "searchable": segment["search"],
            "version": segment.get("version", versions.LUCENE),
            "compound": segment["compound"],
        }
        for index, shown in body["indices"].items()
        for shard, copies in shown["shards"].items()
        for copy in copies
        for name, segment in copy["segments"].items()
    ]


TABLE = Table(("/_cat/segments", "/_cat/segments/{index}"), COLUMNS, rows, INDEX_OPTIONS)
