"""From method and path to a route: a trie of path segments.

A segment of a pattern is a word or ``{name}``, which matches any one segment. Words win over names; where a
word leads nowhere the name is tried. One node answers for a path, whatever the method. Segments are split
before ``%2F`` is decoded, so an id may hold a slash.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from lanner.server.request import Request

INLINE = None  # the pool of handlers that run on the event loop
Handler = Callable[["Request"], Any]
Placement = str | None | Callable[["Request"], str | None]
METHOD_ORDER = ("GET", "PUT", "HEAD", "DELETE", "POST")


@dataclass(frozen=True, slots=True)
class Route:
    """One line of a ROUTES table.

    pool: the thread pool that runs the handler, INLINE, or a function that decides for one request. params:
    the names that the endpoint takes beside the common ones. source: the body may stand in the URL. body: a
    body is taken. with_q: parameters that only count beside ``q``. human: sizes and times are also given as
    texts when ``human`` is asked for. action: of the task that stands for a request while it is on a pool;
    none if it is empty.
    """

    method: str
    path: str
    handler: Handler
    pool: Placement = "management"
    params: frozenset[str] = frozenset()
    source: bool = False
    body: bool = False
    human: bool = False
    with_q: frozenset[str] = frozenset()
    action: str = ""


@dataclass(slots=True)
class _Node:
    words: dict[str, "_Node"] = field(default_factory=dict)
    name: "_Node | None" = None
    routes: dict[str, tuple[Route, tuple[tuple[int, str], ...]]] = field(default_factory=dict)


class Router:
    """All routes of the service."""

    __slots__ = ("_fixed", "_root", "routes")

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)
        self._root = _Node()
        self._fixed: dict[str, _Node] = {}
        for route in self.routes:
            self._add(route)

    def _add(self, route: Route) -> None:
        node = self._root
        names: list[tuple[int, str]] = []
        segments = [segment for segment in route.path.split("/") if segment]
        for position, segment in enumerate(segments):
            if segment[0] == "{":
                names.append((position, segment[1:-1]))
                if node.name is None:
                    node.name = _Node()
                node = node.name
            else:
                node = node.words.setdefault(segment, _Node())
        if route.method in node.routes:
            raise ValueError(f"two routes for {route.method} {route.path}")
        node.routes[route.method] = (route, tuple(names))
        if not names:
            self._fixed[route.path] = node

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a raw path with the values of its names, or None."""
        fixed = self._fixed.get(path)
        if fixed is not None and (found := fixed.routes.get(method)) is not None:
            return found[0], {}
        segments = _segments(path)
        node = self._node(segments)
        match = None if node is None else node.routes.get(method)
        if match is None:
            return None
        route, names = match
        return route, {name: unquote(segments[i]) if "%" in segments[i] else segments[i] for i, name in names}

    def methods(self, path: str) -> list[str]:
        """Return the methods that a path takes, empty for an unknown path."""
        node = self._node(_segments(path))
        return [] if node is None else [method for method in METHOD_ORDER if method in node.routes]

    def _node(self, segments: list[str]) -> _Node | None:
        """Return the node that a path stands for: words before names, names where words lead nowhere."""
        last = len(segments)
        waiting = [(self._root, 0)]
        while waiting:
            node, at = waiting.pop()
            while True:
                if at == last:
                    if node.routes:
                        return node
                    break
                segment = segments[at]
                word = node.words.get(segment)
                at += 1
                if not segment and (at > 1 or last == 1):  # an empty one is a name at the beginning only
                    break
                if word is not None:
                    if node.name is not None:
                        waiting.append((node.name, at))
                    node = word
                elif node.name is not None:
                    node = node.name
                else:
                    break
        return None


def _segments(path: str) -> list[str]:
    """Split a path; a slash at the end does not count, an empty segment inside is none that a route has."""
    if path[:1] != "/":
        return [""]
    segments = path.split("/")
    del segments[0]
    if segments and not segments[-1]:
        segments.pop()
    return segments
