"""``_cat/aliases``: one line per alias and index."""

from typing import Any

from lanner.engine.cluster.alias_actions import find_aliases
from lanner.server.cat.table import Column, Row, Table
from lanner.server.options import EVERYTHING, INDEX_OPTIONS, index_options
from lanner.server.params import split_names
from lanner.server.request import Request

COLUMNS = (
    Column("alias", "a", "alias name", shown=True),
    Column("index", "i,idx", "index alias points to", shown=True),
    Column("filter", "f,fi", "filter", shown=True),
    Column("routing.index", "ri,routingIndex", "index routing", shown=True),
    Column("routing.search", "rs,routingSearch", "search routing", shown=True),
    Column("is_write_index", "w,isWriteIndex", "write index", shown=True),
)


def rows(request: Request) -> list[Row]:
    """Return a row for every index of every alias."""
    names = split_names(request.names.get("alias", ""))
    found, _ = find_aliases(request.node, None, names, index_options(request.params, EVERYTHING))
    return [_row(alias, index, body) for index, held in found.items() for alias, body in held.items()]


def _row(alias: str, index: str, body: dict[str, Any]) -> Row:
    return {
        "alias": alias,
        "index": index,
        "filter": "*" if "filter" in body else "-",
        "routing.index": body.get("index_routing", "-"),
        "routing.search": body.get("search_routing", "-"),
        "is_write_index": str(body.get("is_write_index", "-")).lower(),
    }


TABLE = Table(("/_cat/aliases", "/_cat/aliases/{alias}"), COLUMNS, rows, INDEX_OPTIONS)
