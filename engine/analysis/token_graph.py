"""The graph that the tokens of a text are: what queries do where words stand beside several words.

Nodes are positions, edges are tokens. Source: GraphTokenStreamFiniteStrings of Lucene 9.12.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanner.engine.analysis.analyzer import QueryToken


class Edge(NamedTuple):
    """A token between two nodes."""

    term: bytes
    to: int
    increment: int  # of the position, on any path


class Stretch(NamedTuple):
    """A part of the graph between two nodes that all paths go through."""

    #: the terms of the only position that there is; None: there are several ways
    terms: tuple[bytes, ...] | None
    start: int
    end: int


class TokenGraph:
    """Edges by the node that they leave; all lie on ways from node 0 to the last."""

    def __init__(self, edges: dict[int, list[Edge]], last: int) -> None:
        self.edges = edges
        self.last = last

    def stretches(self) -> Iterator[Stretch]:
        """Yield the parts in order."""
        start = reached = 0
        for node in range(self.last + 1):
            if node == reached and node > start:  # no edge goes over it
                yield self._stretch(start, node)
                start = node
            for edge in self.edges.get(node, ()):
                reached = max(reached, edge.to)

    def _stretch(self, start: int, end: int) -> Stretch:
        edges = self.edges[start]
        if len({edge.to for edge in edges}) > 1:
            return Stretch(None, start, end)
        return Stretch(tuple(dict.fromkeys(edge.term for edge in edges)), start, end)

    def paths(self, start: int, end: int) -> Iterator[list[Edge]]:
        """Yield the ways between two nodes; there may be exponentially many."""
        if start == end:
            return
        path: list[Edge] = []
        pending = [iter(self.edges[start])]
        while pending:
            edge = next(pending[-1], None)
            if edge is None:
                pending.pop()
                if path:
                    path.pop()
                continue
            if edge.to == end:
                yield [*path, edge]
                continue
            path.append(edge)
            pending.append(iter(self.edges[edge.to]))


def read_graph(tokens: "Sequence[QueryToken]") -> TokenGraph | None:
    """Return the graph of tokens, None if each of them spans one position only."""
    if all(token.position_length == 1 for token in tokens):
        return None
    edges: dict[int, list[Edge]] = {}
    last = node = -1
    position = -1
    gap = 0
    increment = 1
    for token in tokens:
        step = token.position - position
        position = token.position
        if step == 0:
            node -= gap
        else:
            node += 1
            gap = step - 1
            increment = step
        to = node + token.position_length + gap
        last = max(last, to)
        edges.setdefault(node, []).append(Edge(token.term, to, increment))
        node += gap
    return _live(edges, last)


def _live(edges: dict[int, list[Edge]], last: int) -> TokenGraph:
    """Return the graph without edges that lead nowhere or that nothing leads to."""
    nodes = sorted(edges)
    ends = {last}
    for node in reversed(nodes):
        edges[node] = [edge for edge in edges[node] if edge.to in ends]
        if edges[node]:
            ends.add(node)
    starts = {0}
    for node in nodes:
        if node in starts:
            starts.update(edge.to for edge in edges[node])
    return TokenGraph({node: edges[node] for node in nodes if node in starts and edges[node]}, last)
