"""Endpoints that are not built and whose paths would mean something else: they are refused by name."""

from typing import NoReturn

from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.server.api.search import SEARCH_PARAMS
from lanner.server.request import Request
from lanner.server.routing import Handler, Route


def refuse(what: str, *, asks: bool = False) -> Handler:
    """Return a handler that refuses. asks: whether the endpoint does nothing without a body."""

    def handler(request: Request) -> NoReturn:
        """Refuse."""
        if asks and not request.content and "source" not in request.params:
            raise ParseError("request body or source parameter is required")
        raise IllegalArgument(f"{what} are not supported by this version")

    return handler


_TEMPLATES = refuse("search templates", asks=True)
ROUTES = (
    Route("GET", "/_snapshot", refuse("snapshots"), body=True),
    Route("GET", "/_script_context", refuse("scripts"), body=True),
    Route("GET", "/_script_language", refuse("scripts"), body=True),
    *(
        Route(method, f"{index}/_search/template", _TEMPLATES, params=SEARCH_PARAMS, source=True, body=True)
        for index in ("", "/{index}")
        for method in ("GET", "POST")
    ),
)
