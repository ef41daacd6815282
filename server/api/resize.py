"""Shrink, split and clone an index."""

from collections.abc import Callable
from typing import Any

from lanner.engine.cluster import resize
from lanner.engine.common.errors import IllegalArgument
from lanner.server.detached import detach
from lanner.server.options import CLUSTER_TIMEOUTS, active_shards, check_timeouts
from lanner.server.request import Request
from lanner.server.routing import Route


def run(request: Request, kind: str) -> dict[str, Any]:
    """Make an index out of another one."""
    params = request.params
    check_timeouts(params)
    params.millis("task_execution_timeout")
    if not params.boolean("copy_settings", True):
        raise IllegalArgument("parameter [copy_settings] can not be explicitly set to [false]")
    body = resize.parse_body(request.json() if request.content else {})
    wanted = resize.ResizeRequest(
        kind, request.names["index"], request.names["target"], body, active_shards(params)
    )
    if params.boolean("wait_for_completion", True):
        return resize.resize(request.node, wanted)
    return detach(
        request,
        "generic",
        "indices:admin/resize",
        f"{kind} from [{wanted.source}] to [{wanted.target}]",
        lambda: resize.resize(request.node, wanted),
    )


def _handler(kind: str) -> Callable[[Request], dict[str, Any]]:
    return lambda request: run(request, kind)


_PARAMS = CLUSTER_TIMEOUTS | {
    "wait_for_active_shards",
    "copy_settings",
    "wait_for_completion",
    "task_execution_timeout",
}
ROUTES = tuple(
    Route(method, f"/{{index}}/_{kind}/{{target}}", handler, "generic", params=_PARAMS, body=True)
    for kind, handler in ((kind, _handler(kind)) for kind in (resize.SHRINK, resize.SPLIT, resize.CLONE))
    for method in ("PUT", "POST")
)
