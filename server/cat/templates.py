"""``_cat/templates``: one line per template, legacy ones first."""

from lanner.engine.cluster.state import INDEX_TEMPLATE, LEGACY_TEMPLATE
from lanner.engine.common.wildcards import matches
from lanner.server.cat.table import Column, Row, Table
from lanner.server.request import Request

COLUMNS = (
    Column("name", "n", "template name", shown=True),
    Column("index_patterns", "t", "template index patterns", shown=True),
    Column("order", "o,p", "template application order/priority number", shown=True),
    Column("version", "v", "version", shown=True),
    Column("composed_of", "c", "component templates comprising index template", shown=True),
)


def rows(request: Request) -> list[Row]:
    """Return a row per template whose name fits."""
    pattern = request.names.get("name", "*")
    state = request.node.cluster.state
    found: list[Row] = [
        {
            "name": name,
            "index_patterns": body["index_patterns"],
            "order": body["order"],
            "version": body.get("version"),
            "composed_of": "",
        }
        for name, body in state.all_named(LEGACY_TEMPLATE).items()
        if matches(pattern, name)
    ]
    found += [
        {
            "name": name,
            "index_patterns": body["index_patterns"],
            "order": body.get("priority", 0),
            "version": body.get("version"),
            "composed_of": body.get("composed_of", []),
        }
        for name, body in state.all_named(INDEX_TEMPLATE).items()
        if matches(pattern, name)
    ]
    return found


TABLE = Table(("/_cat/templates", "/_cat/templates/{name}"), COLUMNS, rows, listed=("/_cat/templates",))
