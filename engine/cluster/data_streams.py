"""Data streams: a name for a row of hidden indices, of which the newest takes the documents."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import new_index
from lanner.engine.cluster.health import status_of
from lanner.engine.cluster.names import name_complaint
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import DATA_STREAM, INDEX_TEMPLATE, ClusterState, IndexMetadata
from lanner.engine.cluster.template_match import BACKING_PREFIX, compose, match_template
from lanner.engine.common.errors import IllegalArgument, IndexNotFound, ResourceAlreadyExists
from lanner.engine.common.wildcards import is_pattern, matches


def create_data_stream(node: NodeContext, name: str) -> dict[str, Any]:
    """Make a data stream with its first index."""

    def plan(state: ClusterState) -> Change:
        if name in state.all_named(DATA_STREAM):
            raise ResourceAlreadyExists(f"data_stream [{name}] already exists")
        _check_name(name)
        index = new_backing_index(node, state, name, 1)
        if name in state.indices or name in state.aliases:
            what = "index" if name in state.indices else "alias"
            raise IllegalArgument(f"data stream [{name}] conflicts with {what}")
        timestamp = _template(state, name)[1]["data_stream"]["timestamp_field"]["name"]
        body = {"timestamp_field": timestamp, "generation": 1, "indices": [index.name]}
        return Change(created=[index], named={(DATA_STREAM, name): body})

    node.cluster.apply(plan)
    return {"acknowledged": True}


def makes_stream(state: ClusterState, name: str) -> bool:
    """Whether something of this name would be a data stream, by the template that matches."""
    template = match_template(state, name)
    return template is not None and "data_stream" in state.all_named(INDEX_TEMPLATE)[template]


def new_backing_index(node: NodeContext, state: ClusterState, stream: str, generation: int) -> IndexMetadata:
    """The next index of a data stream, as the stream's template wants it."""
    template, body = _template(state, stream)
    name = f"{BACKING_PREFIX}{stream}-{generation:06d}"
    composed = compose(state, template, body, name)
    hidden = replace(composed, settings={**composed.settings, "index.hidden": "true"})
    return new_index(node, state, name, {}, composed=hidden)


def delete_data_streams(node: NodeContext, names: Sequence[str]) -> dict[str, Any]:
    """Remove data streams with their indices; names that are none do nothing."""

    def plan(state: ClusterState) -> Change:
        found = [
            stream for stream in state.all_named(DATA_STREAM) if any(matches(name, stream) for name in names)
        ]
        indices = [index for stream in found for index in state.all_named(DATA_STREAM)[stream]["indices"]]
        return Change(removed=indices, named={(DATA_STREAM, stream): None for stream in found})

    node.cluster.apply(plan)
    return {"acknowledged": True}


def select(state: ClusterState, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Data streams by name, all if none is named; IndexNotFound for one that is not there."""
    known = state.all_named(DATA_STREAM)
    found: dict[str, Mapping[str, Any]] = {}
    for name in names or ["*"]:
        if not is_pattern(name) and name != "_all" and name not in known:
            raise IndexNotFound(name)
        found.update(
            (stream, body) for stream, body in known.items() if name == "_all" or matches(name, stream)
        )
    return dict(sorted(found.items()))


def get_data_streams(node: NodeContext, names: Sequence[str]) -> dict[str, Any]:
    """What data streams are made of."""
    state = node.cluster.state
    shown = []
    for name, body in select(state, names).items():
        indices = [state.indices[index] for index in body["indices"]]
        copies = tuple(copy for index in indices for copy in state.copies(index))
        stream = {
            "name": name,
            "timestamp_field": {"name": body["timestamp_field"]},
            "indices": [{"index_name": index.name, "index_uuid": index.uuid} for index in indices],
            "generation": body["generation"],
            "status": status_of(copies).upper(),
        }
        template = match_template(state, name)
        shown.append(stream if template is None else {**stream, "template": template})
    return {"data_streams": shown}


def _template(state: ClusterState, stream: str) -> tuple[str, Mapping[str, Any]]:
    """The template that a data stream takes its indices from."""
    name = match_template(state, stream)
    if name is None:
        raise IllegalArgument(f"no matching index template found for data stream [{stream}]")
    body = state.all_named(INDEX_TEMPLATE)[name]
    if "data_stream" not in body:
        raise IllegalArgument(
            f"matching index template [{name}] for data stream [{stream}] has no data stream template"
        )
    return name, body


def _check_name(name: str) -> None:
    complaint = name_complaint(name)
    if complaint is None:
        if name.lower() != name:
            complaint = "must be lowercase"
        elif name.startswith("."):
            complaint = "must not start with '.'"
    if complaint is not None:
        raise IllegalArgument(f"data_stream [{name}] {complaint}")
