"""``_cat/count``: how many documents there are."""

from lanner.server.cat.health import clock_cells
from lanner.server.cat.table import Column, Row, Table
from lanner.server.request import Request
from lanner.server.targets import count_documents

COLUMNS = (
    Column("epoch", "t,time", "seconds since 1970-01-01 00:00:00", shown=True),
    Column("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS", shown=True),
    Column("count", "dc,docs.count,docsCount", "the document count", shown=True),
)


def rows(request: Request) -> list[Row]:
    """Return the one row."""
    count = count_documents(request.node, request.names.get("index", "_all"))
    return [{**clock_cells(), "count": count}]


TABLE = Table(("/_cat/count", "/_cat/count/{index}"), COLUMNS, rows)
