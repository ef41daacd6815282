"""From an index expression to the shards that a search asks."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from lanner.engine.cluster.aliases import resolve_narrowed
from lanner.engine.cluster.blocks import check_read
from lanner.engine.cluster.names import IndexOptions
from lanner.engine.cluster.state import IndexMetadata
from lanner.engine.common.body import parse_integer
from lanner.engine.common.errors import AlreadyClosed, IllegalArgument, LannerError
from lanner.engine.document.get import source_of
from lanner.engine.index.routing import shard_of
from lanner.server.options import NOT_CLOSED
from lanner.server.params import split_names

if TYPE_CHECKING:
    from lanner.engine.index.index_service import IndexService
    from lanner.engine.index.searcher import Searcher
    from lanner.engine.node import Node
    from lanner.engine.search.query_phase import ShardTarget

_PREFERENCES = ("_local", "_primary", "_replica", "_primary_first", "_replica_first", "_only_local")
MOST_CACHED = 256  # expressions
_EXPENSIVE = "search.allow_expensive_queries"
_WITH_VALUE = re.compile(r"(_shards|_prefer_nodes|_only_nodes):(.*)", re.DOTALL)


class TargetCache:
    """The targets of the expressions that were asked for under the cluster state of the moment."""

    def __init__(self, node: "Node") -> None:
        self._node = node
        self._state: object = None
        self._found: dict[str, list[ShardTarget]] = {}

    def of(self, expression: str) -> "list[ShardTarget]":
        """Return what targets_of does without options."""
        state = self._node.cluster.state
        if state is not self._state:
            self._found = {}
            self._state = state
        found = self._found.get(expression)
        if found is None:
            found = targets_of(self._node, expression)
            if len(self._found) < MOST_CACHED:
                self._found[expression] = found
        return found


def targets_of(
    node: "Node",
    expression: str,
    options: IndexOptions = NOT_CLOSED,
    *,
    routing: str | None = None,
    preference: str | None = None,
) -> "list[ShardTarget]":
    """Return a target for every shard of the indices; routing and preference may leave some out.

    First come the first shards of all indices by name, then the second ones: the order of equal hits.
    """
    from lanner.engine.search.query_phase import ShardTarget  # off the start path

    state = node.cluster.state
    chosen = chosen_shards(preference)
    found: list[ShardTarget] = []
    allow_expensive = state.setting(_EXPENSIVE) != "false"
    values = None if routing is None else split_names(routing)
    for narrowed in resolve_narrowed(state, expression, options, values):
        index = narrowed.index
        check_read(index)
        service = node.indices.index(index.uuid)
        routed = None if narrowed.routing is None else routed_shards(index, narrowed.routing)
        for number in range(index.number_of_shards):
            if chosen is not None and number not in chosen:
                continue
            if routed is not None and number not in routed:
                continue
            found.append(
                ShardTarget(
                    index.name,
                    index.uuid,
                    number,
                    node.id,
                    service.mapping,
                    index.settings,
                    acquirer(service, number),
                    narrowed.filter,
                    partial(source_of, node),
                    allow_expensive=allow_expensive,
                )
            )
    found.sort(key=lambda target: (target.shard, target.index))
    return found


def routed_shards(index: IndexMetadata, routing: Iterable[str]) -> set[int]:
    """Return the shards that routing values stand for."""
    return {shard_of(value, index.number_of_shards, index.routing_shards) for value in routing}


def acquirer(service: "IndexService", number: int) -> "Callable[[], Searcher]":
    """Return the function that opens a point in time of a shard."""
    return partial(_acquire, service, number)


def _acquire(service: "IndexService", number: int) -> "Searcher":
    try:
        return service.shard(number).acquire_searcher(search=True)
    except LannerError:
        raise
    except (KeyError, ValueError) as fault:
        raise AlreadyClosed(f"[{service.name}][{number}] {fault}") from None


def chosen_shards(preference: str | None) -> set[int] | None:
    """Return the numbers of the shards that a preference names, None for all."""
    if not preference or not preference.startswith("_") or preference in _PREFERENCES:
        return None
    match = _WITH_VALUE.match(preference)
    if match is None:
        raise IllegalArgument(f"no Preference for [{preference.partition(':')[0]}]")
    if match[1] != "_shards":
        return None
    numbers, _, rest = match[2].partition("|")
    found = {parse_integer(number) for number in numbers.split(",")}
    if rest and rest not in _PREFERENCES and _WITH_VALUE.match(rest) is None:
        raise IllegalArgument(f"no Preference for [{rest.partition(':')[0]}]")
    return found


def count_documents(node: "Node", expression: str) -> int:
    """Return the number of documents in indices."""
    from lanner.engine.search.count import count
    from lanner.engine.search.request import EXACT, SearchRequest

    answer = count(
        targets_of(node, expression),
        SearchRequest(size=0, track_total_hits=EXACT),
        now_millis=node.clock.millis(),
    )
    found: int = answer["count"]
    return found
