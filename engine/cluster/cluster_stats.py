"""What all indices are together: counts, field types, parts of analyzers."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.health import status_of
from lanner.engine.cluster.state import ClusterState
from lanner.engine.cluster.stats import node_blocks

_BLOCKS = ("docs", "store", "fielddata", "query_cache", "completion", "segments")
METRICS = ("shards", *_BLOCKS, "mappings", "analysis")
_NAMED_ANALYZERS = ("analyzer", "search_analyzer", "search_quote_analyzer")


def cluster_status(state: ClusterState) -> str:
    """The colour of the cluster."""
    return status_of(tuple(copy for copies in state.routing.values() for copy in copies))


def indices_stats(node: NodeContext, metrics: Iterable[str] = METRICS) -> dict[str, Any]:
    """``indices`` of the statistics of the cluster."""
    state = node.cluster.state
    wanted = set(metrics)
    blocks = node_blocks(node, [name for name in _BLOCKS if name in wanted])
    made: dict[str, Any] = {
        "shards": lambda: _shards(state),
        **{name: lambda name=name: blocks[name] for name in _BLOCKS if name in blocks},
        "mappings": lambda: {"field_types": _field_types(state)},
        "analysis": lambda: _analysis(state),
    }
    return {
        "count": len(state.indices),
        **{name: made[name]() for name in METRICS if name in wanted and name in made},
    }


def _shards(state: ClusterState) -> dict[str, Any]:
    started = [
        (
            sum(copy.started for copy in state.copies(index)),
            sum(copy.started and copy.primary for copy in state.copies(index)),
        )
        for index in state.indices.values()
    ]
    total, primaries = sum(each[0] for each in started), sum(each[1] for each in started)
    if not total:
        return {}
    return {
        "total": total,
        "primaries": primaries,
        "replication": (total - primaries) / primaries if primaries else 0.0,
        "index": {
            "shards": _spread([each[0] for each in started]),
            "primaries": _spread([each[1] for each in started]),
            "replication": _spread([(copies - own) / own if own else 0.0 for copies, own in started]),
        },
    }


def _spread(values: list[int] | list[float]) -> dict[str, Any]:
    return {"min": min(values), "max": max(values), "avg": sum(values) / len(values)}


class _Uses:
    """How often names are used, and in how many indices."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._indices: Counter[str] = Counter()

    def add(self, names: Iterable[str]) -> None:
        """Count the names that one index uses."""
        found = Counter(names)
        self._counts.update(found)
        self._indices.update(found.keys())

    def render(self) -> list[dict[str, Any]]:
        """The names in order."""
        return [
            {"name": name, "count": self._counts[name], "index_count": self._indices[name]}
            for name in sorted(self._counts)
        ]


def _definitions(mapping: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The definitions of all fields, objects and multi-fields of a mapping."""
    found: list[Mapping[str, Any]] = []
    waiting = [mapping]
    while waiting:
        body = waiting.pop()
        for below in (*body.get("properties", {}).values(), *body.get("fields", {}).values()):
            found.append(below)
            waiting.append(below)
    return found


def _field_types(state: ClusterState) -> list[dict[str, Any]]:
    uses = _Uses()
    for index in state.indices.values():
        uses.add(field.get("type", "object") for field in _definitions(index.mapping))
    return uses.render()


def _analysis(state: ClusterState) -> dict[str, Any]:
    """Types of what indices define, and what they use that is there without being defined."""
    parts = ("char_filter", "tokenizer", "filter", "analyzer")
    types = {part: _Uses() for part in parts}
    built_in = {part: _Uses() for part in parts}
    for index in state.indices.values():
        analysis = index.settings.analysis
        defined: dict[str, Mapping[str, Any]] = {part: analysis.get(part) or {} for part in parts}
        for part in parts:
            types[part].add(str(body.get("type", "custom")) for body in defined[part].values())
        used: dict[str, list[str]] = {
            "analyzer": [
                field[key]
                for field in _definitions(index.mapping)
                for key in _NAMED_ANALYZERS
                if key in field
            ]
        }
        for part in parts[:3]:
            used[part] = [name for body in defined["analyzer"].values() for name in _named(body.get(part))]
        for part in parts:
            built_in[part].add(name for name in used[part] if name not in defined[part])
    return {f"{part}_types": types[part].render() for part in parts} | {
        f"built_in_{part}s": built_in[part].render() for part in parts
    }


def _named(value: Any) -> list[str]:
    """The names in a list, or the one name."""
    return [str(each) for each in value] if isinstance(value, list) else [] if value is None else [str(value)]
