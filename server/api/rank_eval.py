"""``_rank_eval``: how good searches are, judged by rated documents."""

from typing import Any

from lanner.engine.common.errors import LannerError, ParseError
from lanner.server.api.search import answer_search, search_parameters, targets_for
from lanner.server.errors import as_error, locate_all, render_error
from lanner.server.options import INDEX_OPTIONS, NOT_CLOSED, index_options
from lanner.server.params import Params
from lanner.server.request import Request
from lanner.server.routing import Route


def rank_eval(request: Request) -> dict[str, Any]:
    """Judge searches."""
    from lanner.engine.search.rank_eval.evaluate import evaluate
    from lanner.engine.search.rank_eval.request import parse_rank_eval

    if not request.content:
        raise ParseError("request body or source parameter is required")
    params = request.params
    index_options(params, NOT_CLOSED)
    body = request.json()
    given = Params({name: params[name] for name in ("search_type",) if name in params})
    try:
        asked = parse_rank_eval(body, search_parameters(given))
    except LannerError as error:
        locate_all(error, body, request.content)
        raise
    return evaluate(
        asked,
        lambda wanted: answer_search(request.node, targets_for(request), wanted),
        lambda fault: {"error": render_error(as_error(fault))["error"]},
    )


ROUTES = tuple(
    Route(
        method,
        f"{index}/_rank_eval",
        rank_eval,
        "search",
        params=INDEX_OPTIONS | {"search_type"},
        source=True,
        body=True,
    )
    for index in ("", "/{index}")
    for method in ("GET", "POST")
)
