"""Nodes: what they were asked for, what their threads do, and settings that are kept apart."""

import sys
import threading
import traceback
from pathlib import Path
from typing import Any

from lanner.engine.cluster.deciders import describe_node
from lanner.engine.cluster.index_settings import iso
from lanner.server import host
from lanner.server.api.nodes import answer, selected
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route

_TICKS = 100  # of the clock that counts the time of threads, a second
_MOST_FRAMES = 30
_KINDS = ("cpu", "wait", "block")


def usage(request: Request) -> dict[str, Any]:
    """Return how often each handler ran since the start."""
    node = request.node
    if not selected(node, request.names.get("node", "_all")):
        return answer(request, None)
    wanted = split_names(request.names.get("metrics", "_all"))
    body: dict[str, Any] = {"timestamp": host.now_millis(), "since": node.started_millis}
    if "_all" in wanted or "rest_actions" in wanted:
        body["rest_actions"] = dict(sorted(request.application.uses().items()))
    if "_all" in wanted or "aggregations" in wanted:
        body["aggregations"] = {}
    return answer(request, body)


def hot_threads(request: Request) -> Response:
    """Return which threads worked most for a while, and where they are."""
    params = request.params
    kind = params.get("type", "cpu")
    if kind not in _KINDS or not selected(request.node, request.names.get("node", "_all")):
        return Response("")
    interval = params.millis("interval", 500.0)
    most = params.integer("threads", 3)
    params.integer("snapshots", 10)
    idle = params.boolean("ignore_idle_threads", True)
    params.millis("timeout")
    before = _ticks()
    threading.Event().wait(interval / 1000)
    after = _ticks()
    spent = {thread: ticks - before.get(thread, 0) for thread, ticks in after.items()}
    frames = sys._current_frames()
    lines = [
        f"::: {describe_node(request.node.cluster.state)}",
        f"   Hot threads at {iso(host.now_millis())}, interval={params.get('interval', '500ms')}, "
        f"busiestThreads={most}, ignoreIdleThreads={str(idle).lower()}:",
    ]
    known = {thread.native_id: thread for thread in threading.enumerate()}
    busiest = sorted((thread for thread in spent if spent[thread]), key=lambda thread: -spent[thread])
    for native in busiest[:most]:
        thread = known.get(native)
        if thread is None or thread.ident is None:
            continue
        millis = 1000 * spent[native] / _TICKS
        lines += [
            "   ",
            f"   {100 * millis / max(interval, 1):.1f}% ({millis:.0f}ms out of {interval:.0f}ms) cpu usage "
            f"by thread '{thread.name}'",
        ]
        if thread.ident in frames:
            stack = traceback.format_stack(frames[thread.ident])[-_MOST_FRAMES:]
            lines += [f"       {line.strip().splitlines()[0]}" for line in reversed(stack)]
    return Response("\n".join([*lines, "\n"]))


def _ticks() -> dict[int, int]:
    """Return the time that each thread of this process has worked, in ticks."""
    found = {}
    for folder in Path("/proc/self/task").iterdir():
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        found[int(folder.name)] = int(fields[11]) + int(fields[12])
    return found


def reload_secure_settings(request: Request) -> dict[str, Any]:
    """Say of each node that it has no keystore to read again."""
    if request.content:
        request.json_map()
    if not selected(request.node, request.names.get("node", "_all")):
        return answer(request, None)
    fault = {"type": "illegal_state_exception", "reason": "Keystore is missing"}
    return answer(request, {"name": request.node.name, "reload_exception": fault})


_HOT = frozenset({"interval", "threads", "snapshots", "ignore_idle_threads", "type", "timeout"})
_TIMEOUT = frozenset({"timeout"})
ROUTES = (
    *(
        Route("GET", f"/_nodes{node}/usage{metrics}", usage, params=_TIMEOUT, body=True)
        for node in ("", "/{node}")
        for metrics in ("", "/{metrics}")
    ),
    *(
        Route("GET", f"{prefix}{node}/{name}", hot_threads, "generic", params=_HOT, body=True)
        for prefix in ("/_nodes", "/_cluster/nodes")
        for node in ("", "/{node}")
        for name in ("hot_threads", "hotthreads")
    ),
    *(
        Route(
            "POST",
            f"/_nodes{node}/reload_secure_settings",
            reload_secure_settings,
            params=_TIMEOUT,
            body=True,
        )
        for node in ("", "/{node}")
    ),
)
