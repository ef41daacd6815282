"""``_list``: tables of indices and shards, a page at a time, oldest index first."""

import base64
import binascii
from collections.abc import Callable
from typing import Any

from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.server.cat import indices, shards
from lanner.server.cat.table import PARAMS, Page, Row, Table
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route

MOST_SHARDS = 20_000
LEAST_SHARDS = 2000
MOST_INDICES = 5000
_PATHS = ("/_list/indices", "/_list/indices/{index}", "/_list/shards", "/_list/shards/{index}")
Key = tuple[int, str, int]  # creation of the index, its name, shard


def listing(request: Request) -> Response:
    """Return the paths of all listings."""
    return Response("".join(f"{line}\n" for line in (":‑|", *_PATHS)))


def _key(request: Request, row: Row) -> Key:
    index = request.node.cluster.state.indices[str(row["index"])]
    return int(index.settings.text("index.creation_date")), index.name, int(row.get("shard", 0))


def _page(request: Request, table: Table, name: str, default: int, least: int, most: int) -> Response:
    """Return a page of a table's rows."""
    params = request.params
    size = params.integer("size", default)
    order = params.get("sort", "asc")
    if order not in ("asc", "desc"):
        raise IllegalArgument("value of sort can either be asc or desc")
    if size <= 0:
        raise IllegalArgument("size must be greater than zero")
    if size < least:
        raise IllegalArgument(f"size should at least be [{least}]")
    if size > most:
        raise IllegalArgument(f"size should be less than [{most}]")
    down = order == "desc"
    after = _read_token(params["next_token"]) if params.get("next_token") else None
    keyed = sorted(((_key(request, row), row) for row in table.rows(request)), key=lambda each: each[0])
    if down:
        # shards stay in order within their index
        keyed.sort(key=lambda each: (-each[0][0], _Backwards(each[0][1]), each[0][2]))
    rest = keyed
    if after is not None:
        rest = [each for each in keyed if _is_after(each[0], after, down=down)]
    rows = [row for _, row in rest[:size]]
    token = _make_token(rest[size - 1][0]) if len(rest) > size else None
    return table.answer(request, Page(name, rows, token))


class _Backwards(str):
    """A text that sorts the other way round."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return str(self) > str(other)


def _is_after(key: Key, mark: Key, *, down: bool) -> bool:
    if key[:2] == mark[:2]:
        return key[2] > mark[2]
    return key[:2] < mark[:2] if down else key[:2] > mark[:2]


def _make_token(key: Key) -> str:
    created, name, shard = key
    return base64.b64encode(f"{created}|{name}|{shard}".encode()).decode()


def _read_token(token: str) -> Key:
    try:
        created, name, shard = base64.b64decode(token, validate=True).decode().split("|")
        return int(created), name, int(shard)
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise ParseError(
            "Parameter [next_token] has been tainted and is incorrect. Please provide a valid [next_token]."
        ) from None


def list_indices(request: Request) -> Response:
    """Return a page of indices."""
    return _page(request, indices.TABLE, "indices", 500, 1, MOST_INDICES)


def list_shards(request: Request) -> Response:
    """Return a page of shards."""
    return _page(request, shards.TABLE, "shards", LEAST_SHARDS, LEAST_SHARDS, MOST_SHARDS)


_MORE = frozenset({"next_token", "size", "sort"})
_LISTINGS: tuple[tuple[str, Callable[[Request], Any], Table], ...] = (
    ("indices", list_indices, indices.TABLE),
    ("shards", list_shards, shards.TABLE),
)
ROUTES = (
    Route("GET", "/_list", listing, body=True),
    *(
        Route("GET", f"/_list/{name}{index}", handler, params=PARAMS | table.params | _MORE, body=True)
        for name, handler, table in _LISTINGS
        for index in ("", "/{index}")
    ),
)
