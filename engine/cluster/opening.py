"""Closing indices and opening them again."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lanner.engine.cluster import blocks
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import check_limit, enough_copies
from lanner.engine.cluster.names import IndexOptions, check_destructive, resolve
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import CLOSE, OPEN, ClusterState, IndexMetadata
from lanner.engine.common.errors import IllegalArgument, IllegalStateError

_VERIFIED = "index.verified_before_close"


def close_indices(
    node: NodeContext, expression: str, options: IndexOptions, wait_for_active_shards: str | None = None
) -> dict[str, Any]:
    """Flush indices and close them: they keep their name, mapping and settings, and answer nothing else."""
    closed: list[str] = []

    def plan(state: ClusterState) -> Change:
        check_destructive(state, node.settings, expression)
        if state.setting("cluster.indices.close.enable") == "false":
            raise IllegalStateError(
                "index close is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: "
                "closed indices still consume a significant amount of diskspace"
            )
        names = resolve(state, expression, options)
        found = [state.indices[name] for name in names if not state.indices[name].closed]
        for index in found:
            blocks.check_metadata(index)
        writers = [index.name for index in found if _is_write_index(state, index.name)]
        if writers:
            raise IllegalArgument(
                f"cannot close the following data stream write indices [{','.join(writers)}]"
            )
        closed.extend(index.name for index in found)
        return Change(changed=[_in_state(index, CLOSE, {_VERIFIED: "true"}) for index in found])

    node.cluster.apply(plan)
    return {
        "acknowledged": True,
        "shards_acknowledged": bool(closed),
        "indices": {name: {"closed": True} for name in closed},
    }


def open_indices(
    node: NodeContext, expression: str, options: IndexOptions, wait_for_active_shards: str | None = None
) -> dict[str, Any]:
    """Open closed indices."""
    acknowledged = True

    def plan(state: ClusterState) -> Change:
        nonlocal acknowledged
        check_destructive(state, node.settings, expression)
        found = [state.indices[name] for name in resolve(state, expression, options)]
        for index in found:
            blocks.check_metadata(index)
        shut = [index for index in found if index.closed]
        check_limit(state, *shut)
        wanted = wait_for_active_shards or "1"
        acknowledged = all(enough_copies(index, wanted) for index in found)
        return Change(changed=[_in_state(index, OPEN, {_VERIFIED: None}) for index in shut])

    node.cluster.apply(plan)
    return {"acknowledged": True, "shards_acknowledged": acknowledged}


def _is_write_index(state: ClusterState, name: str) -> bool:
    stream = state.streams.get(name)
    return stream is not None and state.write_index(stream) == name


def _in_state(index: IndexMetadata, state: str, settings: Mapping[str, str | None]) -> IndexMetadata:
    """An index in another state; each change of it begins a new era of its primaries."""
    return replace(
        index,
        state=state,
        settings=index.settings.changed(settings),
        version=index.version + 1,
        settings_version=index.settings_version + 1,
        primary_terms=tuple(term + 1 for term in index.primary_terms),
    )
