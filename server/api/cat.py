"""``_cat``: tables for people and scripts."""

from lanner.server.cat import TABLES
from lanner.server.cat.table import PARAMS, Table
from lanner.server.options import check_timeouts
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Handler, Route


def listing(request: Request) -> Response:
    """Return the paths of all tables."""
    lines = [path for table in TABLES for path in (table.paths if table.listed is None else table.listed)]
    return Response("".join(f"{line}\n" for line in ("=^.^=", *lines)))


def handler_of(table: Table) -> Handler:
    """Return the handler that shows a table. What may stand in its path may be a parameter as well."""
    names = table.names

    def show(request: Request) -> Response:
        check_timeouts(request.params)
        for name in names:
            given = request.params.get(name)
            if given:
                request.names.setdefault(name, given)
        return table.answer(request)

    return show


ROUTES = (
    Route("GET", "/_cat", listing, body=True),
    *(
        Route("GET", path, handler_of(table), params=PARAMS | table.params | table.names, body=True)
        for table in TABLES
        for path in table.paths
    ),
)
