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
MOST_HEADS = 1024  # of paths without their last segment, which tell most of the way
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

    __slots__ = ("_fixed", "_heads", "_root", "routes")

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)
        self._root = _Node()
        self._fixed: dict[str, _Node] = {}
        self._heads: dict[str, tuple[list[_Node], list[str]]] = {}  # paths without their last segment
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
        node, segments = self._at(path)
        match = None if node is None else node.routes.get(method)
        if match is None:
            return None
        route, names = match
        values = {}
        for at, name in names:
            value = segments[at]
            values[name] = unquote(value) if "%" in value else value
        return route, values

    def methods(self, path: str) -> list[str]:
        """Return the methods that a path takes, empty for an unknown path."""
        node, _ = self._at(path)
        return [] if node is None else [method for method in METHOD_ORDER if method in node.routes]

    def _at(self, path: str) -> tuple[_Node | None, list[str]]:
        """Return the node that a path stands for, and its segments; a slash at the end does not count.

        An empty segment is a name at the beginning only.
        """
        if path[:1] != "/":
            return None, []
        head, _, last = (path[:-1] if path[-1] == "/" else path).rpartition("/")
        known = self._heads.get(head)
        if known is None:
            known = self._remember(head)
        nodes, segments = known
        if not last:
            return (self._root if path == "/" else None), []
        for node in nodes:
            for below in (node.words.get(last), node.name):
                if below is not None and below.routes:
                    return below, [*segments, last]
        return None, []

    def _remember(self, head: str) -> tuple[list[_Node], list[str]]:
        """Find the nodes that a path leads to, words before names, and its segments; keep both."""
        segments = head.split("/")[1:]
        nodes = [self._root]
        for at, segment in enumerate(segments):
            nodes = [
                below
                for node in nodes
                for below in (node.words.get(segment), node.name if segment or at == 0 else None)
                if below is not None
            ]
        if len(self._heads) >= MOST_HEADS:
            self._heads.clear()
        self._heads[head] = nodes, segments
        return nodes, segments
