"""``_analyze``: what an analyzer makes of a text."""

from typing import TYPE_CHECKING, Any

from lanner.engine.cluster.blocks import check_read
from lanner.engine.cluster.names import resolve_index
from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.server.request import Request
from lanner.server.routing import Route

if TYPE_CHECKING:
    from lanner.engine.analysis.analyzer import Analyzer
    from lanner.engine.index.index_service import IndexService


def run(request: Request) -> dict[str, Any]:
    """Return the tokens of a text."""
    from lanner.engine.analysis.analyze import analyze, parse_analyze_request  # off the start path

    if not request.content:
        raise ParseError("request body or source parameter is required")
    wanted = parse_analyze_request(request.json(), raw=request.content)
    name = request.names.get("index") or request.params.get("index")
    if name is None:
        return analyze(wanted)
    index = resolve_index(request.node.cluster.state, name)
    check_read(index)
    service = request.node.indices.index(index.uuid)
    limit = int(str(index.settings.get("index.analyze.max_token_count", 10_000)))
    return analyze(wanted, service.registry, lambda field: analyzer_of(service, field), max_token_count=limit)


def analyzer_of(service: "IndexService", field: str) -> "Analyzer | None":
    """Return the analyzer of a field, None for a field that is not mapped."""
    field_type = service.mapping.field_type(field)
    if field_type is None:
        return None
    if field_type.type_name in ("keyword", "join", "parent"):
        return service.registry.keyword_analyzer(field_type.get("normalizer"))
    analyzer: Analyzer | None = getattr(field_type, "analyzer", None)
    if analyzer is None:
        raise IllegalArgument(
            f"Can't process field [{field}], Analysis requests are only supported on tokenized fields"
        )
    return analyzer


ROUTES = tuple(
    Route(method, path, run, "analyze", params=frozenset({"index", "prefer_local"}), source=True, body=True)
    for path in ("/_analyze", "/{index}/_analyze")
    for method in ("GET", "POST")
)
