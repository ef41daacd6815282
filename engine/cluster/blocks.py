"""Blocks of an index: settings that refuse kinds of operations."""

from collections.abc import Callable, Iterable, Mapping

from lanner.engine.cluster.state import ClusterState, IndexMetadata
from lanner.engine.common.errors import ClusterBlock, FloodStage

# setting: number, text; in the order in which the API lists several
_READ_ONLY = ("index.blocks.read_only", "FORBIDDEN/5/index read-only (api)")
_READ = ("index.blocks.read", "FORBIDDEN/7/index read (api)")
_WRITE = ("index.blocks.write", "FORBIDDEN/8/index write (api)")
_METADATA = ("index.blocks.metadata", "FORBIDDEN/9/index metadata (api)")
_ALLOW_DELETE = (
    "index.blocks.read_only_allow_delete",
    "TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block",
)
ALL = (_READ_ONLY, _READ, _WRITE, _METADATA, _ALLOW_DELETE)


# of the whole cluster: the setting, then as above
_CLUSTER_READ_ONLY = ("cluster.blocks.read_only", "FORBIDDEN/6/cluster read-only (api)")
_CREATE = ("cluster.blocks.create_index", "FORBIDDEN/10/cluster create-index blocked (api)")
_CLUSTER_ALLOW_DELETE = (
    "cluster.blocks.read_only_allow_delete",
    "FORBIDDEN/13/cluster read-only / allow delete (api)",
)
OF_CLUSTER = (_CLUSTER_READ_ONLY, _CREATE, _CLUSTER_ALLOW_DELETE)


def of_cluster(settings: Mapping[str, str | list[str]]) -> frozenset[str]:
    """The settings of blocks of the whole cluster that are on."""
    return frozenset(name for name, _ in OF_CLUSTER if settings.get(name) == "true")


def check_cluster_write(state: ClusterState) -> None:
    """Refuse writing any document."""
    _check_cluster(state, _CLUSTER_READ_ONLY, _CLUSTER_ALLOW_DELETE)


def check_change(state: ClusterState, *, creates: bool, only_removes: bool) -> None:
    """Refuse a change of indices and templates."""
    if creates:
        _check_cluster(state, _CREATE)
    _check_cluster(state, _CLUSTER_READ_ONLY, *(() if only_removes else (_CLUSTER_ALLOW_DELETE,)))


def _check_cluster(state: ClusterState, *blocks: tuple[str, str]) -> None:
    found = [text for name, text in blocks if name in state.blocks]
    if found:
        raise ClusterBlock(f"blocked by: [{', '.join(found)}];")


def check_write(index: IndexMetadata) -> None:
    """Refuse writing documents."""
    _check(index, _WRITE, _READ_ONLY, _ALLOW_DELETE)


def check_read(index: IndexMetadata) -> None:
    """Refuse reading documents."""
    _check(index, _READ)


def check_metadata(index: IndexMetadata) -> None:
    """Refuse changing mapping or settings."""
    _check(index, _METADATA, _READ_ONLY, _ALLOW_DELETE)


def check_metadata_reading(index: IndexMetadata) -> None:
    """Refuse showing mapping, settings or aliases."""
    _check(index, _METADATA)


def check_deleting(index: IndexMetadata) -> None:
    """Refuse deleting an index; a full disk is no reason."""
    _check(index, _METADATA, _READ_ONLY)


def check_all(check: Callable[[IndexMetadata], None], indices: Iterable[IndexMetadata]) -> None:
    """Refuse what a check refuses for any of some indices, and say it for all of those."""
    refusals = []
    for index in indices:
        try:
            check(index)
        except ClusterBlock as refusal:
            refusals.append(refusal)
    if refusals:
        raise type(refusals[0])("".join(refusal.reason for refusal in refusals))


def active(index: IndexMetadata) -> list[str]:
    """The blocks that are set, as errors list them."""
    return [text for name, text in ALL if name in index.settings.blocks]


def _check(index: IndexMetadata, *blocks: tuple[str, str]) -> None:
    on = index.settings.blocks
    if not on:
        return
    found = [text for name, text in blocks if name in on]
    if found:
        kind = FloodStage if found == [_ALLOW_DELETE[1]] else ClusterBlock
        raise kind(f"index [{index.name}] blocked by: [{', '.join(found)}];")
