"""``_segments``: what the shards of indices are made of."""

from typing import Any

from lanner.engine.cluster.stats import segments
from lanner.server.options import INDEX_OPTIONS, NOT_CLOSED, index_options
from lanner.server.request import Request
from lanner.server.routing import Route


def run(request: Request) -> dict[str, Any]:
    """Return the segments of indices."""
    request.params.boolean("verbose")
    return segments(
        request.node, request.names.get("index", "_all"), index_options(request.params, NOT_CLOSED)
    )


ROUTES = tuple(
    Route("GET", path, run, params=INDEX_OPTIONS | {"verbose"}, body=True, human=True)
    for path in ("/_segments", "/{index}/_segments")
)
