"""``_cat/pit_segments``: the segments of points in time. There is none, so any id is invalid."""

from lanner.engine.common.errors import ActionRequestValidation, IllegalArgument
from lanner.server.cat import segments
from lanner.server.cat.table import Row, Table
from lanner.server.params import split_names
from lanner.server.request import Request


def rows(request: Request) -> list[Row]:
    """Return no row for all points in time; refuse ids."""
    given = split_names(request.names.get("pit_id", ""))
    if not given and request.content:
        body = request.json_map().get("pit_id", [])
        given = [str(each) for each in (body if isinstance(body, list) else [body])]
    if not given:
        raise ActionRequestValidation("Validation Failed: 1: no pit ids specified;")
    if given != ["_all"]:
        raise IllegalArgument(f"invalid id: [{given[0]}]")
    return []


TABLE = Table(("/_cat/pit_segments", "/_cat/pit_segments/{pit_id}"), segments.COLUMNS, rows)
