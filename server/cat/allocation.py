"""``_cat/allocation``: shards and disk of each node, and the shards that are on none."""

import shutil

from lanner.engine.cluster.stats import node_blocks
from lanner.server.api.nodes import selected
from lanner.server.cat.table import COUNT, SIZE, Column, Row, Table
from lanner.server.request import Request

COLUMNS = (
    Column("shards", "s", "number of shards on node", COUNT, shown=True),
    Column("disk.indices", "di,diskIndices", "disk used by OpenSearch indices", SIZE, shown=True),
    Column("disk.used", "du,diskUsed", "disk used (total, not just OpenSearch)", SIZE, shown=True),
    Column("disk.avail", "da,diskAvail", "disk available", SIZE, shown=True),
    Column("disk.total", "dt,diskTotal", "total capacity of all volumes", SIZE, shown=True),
    Column("disk.percent", "dp,diskPercent", "percent disk used", COUNT, shown=True),
    Column("host", "h", "host of node", shown=True),
    Column("ip", "", "ip of node", shown=True),
    Column("node", "n", "name of node", shown=True),
)


def rows(request: Request) -> list[Row]:
    """Return a row for the node, if it is meant, and one for shards that are nowhere, if there are any."""
    node = request.node
    copies = [copy for copies in node.cluster.state.routing.values() for copy in copies]
    here = sum(copy.started for copy in copies)
    found: list[Row] = []
    if selected(node, request.names.get("nodes", "_all")):
        disk = shutil.disk_usage(node.data_path)
        host = node.cluster.state.node.transport_address.rpartition(":")[0]
        found.append(
            {
                "shards": here,
                "disk.indices": node_blocks(node, ["store"])["store"]["size_in_bytes"],
                "disk.used": disk.total - disk.free,
                "disk.avail": disk.free,
                "disk.total": disk.total,
                "disk.percent": 100 * (disk.total - disk.free) // disk.total,
                "host": host,
                "ip": host,
                "node": node.name,
            }
        )
    if here < len(copies):
        found.append({"shards": len(copies) - here, "node": "UNASSIGNED"})
    return found


TABLE = Table(("/_cat/allocation", "/_cat/allocation/{nodes}"), COLUMNS, rows, listed=("/_cat/allocation",))
