"""Statistics of indices."""

from typing import Any

from lanner.engine.cluster.stats import index_stats
from lanner.engine.common.errors import IllegalArgument
from lanner.server.options import INDEX_OPTIONS, NOT_CLOSED, OPEN, index_options
from lanner.server.params import split_names, unrecognized
from lanner.server.request import Request
from lanner.server.routing import Route
from lanner.server.totals import with_fields

METRICS = (
    "docs",
    "store",
    "indexing",
    "search",
    "get",
    "merge",
    "refresh",
    "flush",
    "warmer",
    "query_cache",
    "fielddata",
    "segments",
    "translog",
    "completion",
    "request_cache",
    "recovery",
)
PARAMS = INDEX_OPTIONS | {
    "completion_fields",
    "fielddata_fields",
    "fields",
    "forbid_closed_indices",
    "groups",
    "include_segment_file_sizes",
    "include_unloaded_segments",
    "level",
    "metric",
    "types",
}


def run(request: Request) -> dict[str, Any]:
    """Return the statistics of indices."""
    params = request.params
    metrics = split_names(request.names.get("metrics") or params.get("metric", "_all"))
    if metrics == ["_all"]:
        wanted = None
    elif "_all" in metrics:
        raise IllegalArgument(
            f"request [{request.path}] contains _all and individual metrics [{','.join(metrics)}]"
        )
    else:
        wrong = [name for name in metrics if name not in METRICS]
        if wrong:
            raise unrecognized(request.path, wrong, METRICS, "metric")
        wanted = frozenset(metrics)
    level = params.get("level", "indices")
    if level not in ("cluster", "indices", "shards"):
        raise IllegalArgument(
            f"level parameter must be one of [cluster] or [indices] or [shards] but was [{level}]"
        )
    options = NOT_CLOSED if params.boolean("forbid_closed_indices", True) else OPEN
    for name in ("include_segment_file_sizes", "include_unloaded_segments"):
        params.boolean(name)
    shown = index_stats(
        request.node,
        request.names.get("index", "_all"),
        wanted,
        index_options(params, options),
        level=level,
        groups=params.names("groups") or (),
    )
    return with_fields(shown, params)


ROUTES = tuple(
    Route("GET", f"{index}/_stats{metrics}", run, params=PARAMS, body=True, human=True)
    for index in ("", "/{index}")
    for metrics in ("", "/{metrics}")
)
