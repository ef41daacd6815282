"""``_analyze``: what an analyzer makes of a text."""

from typing import Any

from lanner.engine.analysis.analyze import analyze, parse_analyze_request
from lanner.engine.common.errors import ParseError
from lanner.server.request import Request
from lanner.server.routing import Route


def run(request: Request) -> dict[str, Any]:
    """Return the tokens of a text."""
    if not request.content:
        raise ParseError("request body or source parameter is required")
    wanted = parse_analyze_request(request.json_map())
    index = request.names.get("index") or request.params.get("index")
    if index is None:
        return analyze(wanted, None, None)
    from lanner.engine.cluster.indices import analysis_of

    registry, field_analyzer = analysis_of(request.node, index)
    return analyze(wanted, registry, field_analyzer)


ROUTES = tuple(
    Route(method, path, run, "analyze", params=frozenset({"index", "prefer_local"}), source=True, body=True)
    for path in ("/_analyze", "/{index}/_analyze")
    for method in ("GET", "POST")
)
