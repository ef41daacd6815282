"""What names and patterns stand for: indices, aliases, data streams, each by itself."""

from dataclasses import replace
from typing import Any

from lanner.engine.cluster.names import IndexOptions, date_math_name, resolve
from lanner.engine.cluster.state import DATA_STREAM, ClusterState
from lanner.engine.common.wildcards import is_pattern, matches


def resolve_names(state: ClusterState, names: list[str], options: IndexOptions) -> dict[str, Any]:
    """The whole answer of ``GET /_resolve/index``; what is not there is left out."""
    alone = replace(options, forbid_aliases=True, data_streams=False, ignore_unavailable=True)
    expands = bool(options.states & {"open", "closed"})
    indices: set[str] = set()
    aliases: set[str] = set()
    streams: set[str] = set()
    for given in names:
        name = "*" if given == "_all" else date_math_name(given)
        if is_pattern(name):
            if expands:
                indices.update(resolve(state, name, alone))
                aliases.update(alias for alias in state.aliases if matches(name, alias))
                streams.update(stream for stream in state.all_named(DATA_STREAM) if matches(name, stream))
        elif name in state.indices:
            indices.add(name)
        elif name in state.aliases:
            aliases.add(name)
        elif name in state.all_named(DATA_STREAM):
            streams.add(name)
    return {
        "indices": [_render_index(state, name) for name in sorted(indices)],
        "aliases": [{"name": alias, "indices": sorted(state.aliases[alias])} for alias in sorted(aliases)],
        "data_streams": [
            {
                "name": stream,
                "backing_indices": state.all_named(DATA_STREAM)[stream]["indices"],
                "timestamp_field": state.all_named(DATA_STREAM)[stream]["timestamp_field"],
            }
            for stream in sorted(streams)
        ],
    }


def _render_index(state: ClusterState, name: str) -> dict[str, Any]:
    index = state.indices[name]
    shown: dict[str, Any] = {"name": name}
    if index.aliases:
        shown["aliases"] = sorted(index.aliases)
    attributes = ["closed" if index.closed else "open"]
    if index.hidden:
        attributes.append("hidden")
    shown["attributes"] = sorted(attributes)
    if name in state.streams:
        shown["data_stream"] = state.streams[name]
    return shown
