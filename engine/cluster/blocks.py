"""Blocks of an index: settings that refuse kinds of operations."""

from lanner.engine.cluster.state import IndexMetadata
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


def active(index: IndexMetadata) -> list[str]:
    """The blocks that are set, as errors list them."""
    return [text for name, text in ALL if index.settings.get(name) == "true"]


def _check(index: IndexMetadata, *blocks: tuple[str, str]) -> None:
    settings = index.settings
    found = [text for name, text in blocks if settings.get(name) == "true"]
    if found:
        kind = FloodStage if found == [_ALLOW_DELETE[1]] else ClusterBlock
        raise kind(f"index [{index.name}] blocked by: [{', '.join(found)}];")
