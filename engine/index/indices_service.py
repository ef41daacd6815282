"""All indices of this node."""

import logging
import os
from collections.abc import Callable, Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lanner.engine.index.index_service import IndexService
from lanner.engine.index.index_settings import IndexSettings
from lanner.engine.index.leftover import is_leftover
from lanner.engine.index.shard import ShardServices
from lanner.engine.runtime.fsio import FileSystem

if TYPE_CHECKING:
    from lanner.engine.dsl.base import Lookup

_log = logging.getLogger(__name__)


class IndicesService:
    """Owns the index services by UUID. The cluster service calls it, one change at a time."""

    def __init__(self, files: FileSystem, data_path: str, services: ShardServices) -> None:
        self.folder = os.path.join(data_path, "indices")
        self._files = files
        self._services = services
        self._indices: dict[str, IndexService] = {}
        self.on_remove: Callable[[str], object] = lambda uuid: None  # told before an index is deleted
        self.lookup: Lookup | None = None  # reads the source of any document of the node

    def start(self) -> None:
        """Make the folder that holds the indices."""
        if not self._files.is_dir(self.folder):
            self._files.mkdir(self.folder)
            self._files.fsync_dir(os.path.dirname(self.folder))

    def make(self, name: str, uuid: str, settings: IndexSettings, mapping: Mapping[str, Any]) -> IndexService:
        """A service for an index, not yet part of the node."""
        return IndexService(
            name,
            uuid,
            settings,
            mapping,
            os.path.join(self.folder, uuid),
            self._files,
            self._services,
            self.lookup,
        )

    def add(self, index: IndexService) -> None:
        """Make an index part of the node."""
        self._indices[index.uuid] = index

    def index(self, uuid: str) -> IndexService:
        """The service of an index that is in the cluster state."""
        return self._indices[uuid]

    def get(self, uuid: str) -> IndexService | None:
        """The service of an index, if the node has it."""
        return self._indices.get(uuid)

    def __iter__(self) -> Iterator[IndexService]:
        return iter(list(self._indices.values()))

    def remove(self, uuid: str) -> None:
        """Delete an index with all its files."""
        index = self._indices.pop(uuid, None)
        if index is not None:
            self.on_remove(uuid)
            index.remove()

    def remove_folder(self, uuid: str) -> None:
        """Delete what is left of an index that was being deleted when the node stopped."""
        self._files.remove_tree(os.path.join(self.folder, uuid))

    def sweep(self, known: Container[str]) -> None:
        """Delete what interrupted creations left; a folder that holds more stays, with a warning."""
        for uuid in self._files.list(self.folder):
            folder = os.path.join(self.folder, uuid)
            if uuid in known:
                continue
            if is_leftover(self._files, folder):
                self._files.remove_tree(folder)
                _log.info("removed [%s], left by the creation of an index that was interrupted", folder)
            else:
                _log.warning("the cluster state does not know [%s], which is left as it is", folder)

    def close(self) -> None:
        """Flush and close everything."""
        for index in self:
            index.close()
        self._indices.clear()
