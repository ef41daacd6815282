"""What cluster and document operations need of the node that runs them."""

from collections.abc import Mapping
from typing import Protocol

from lanner.engine.cluster.service import ClusterService
from lanner.engine.common.ids import DocumentIds
from lanner.engine.index.indices_service import IndicesService
from lanner.engine.runtime.clock import Clock
from lanner.engine.runtime.thread_pool import ThreadPools


class NodeContext(Protocol):
    """Satisfied by lanner.engine.node.Node."""

    @property
    def id(self) -> str:
        """The node's id."""

    @property
    def name(self) -> str:
        """The node's name."""

    @property
    def cluster_name(self) -> str:
        """The cluster's name."""

    @property
    def cluster(self) -> ClusterService:
        """The cluster state and its only writer."""

    @property
    def indices(self) -> IndicesService:
        """The indices of the node."""

    @property
    def pools(self) -> ThreadPools:
        """The thread pools."""

    @property
    def clock(self) -> Clock:
        """The time."""

    @property
    def document_ids(self) -> DocumentIds:
        """Makes ids for documents that come without."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings that the node was started with."""

    @property
    def auto_create_index(self) -> str:
        """``action.auto_create_index``."""
