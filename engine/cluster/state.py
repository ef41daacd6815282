"""The cluster state.

An immutable whole of identity, nodes, indices and routing. Every change makes a new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from lanner.engine.common.settings import Flat
from lanner.engine.index.index_settings import IndexSettings

STARTED, UNASSIGNED = "STARTED", "UNASSIGNED"
OPEN, CLOSE = "open", "close"  # states of an index
# kinds of named objects
INDEX_TEMPLATE, COMPONENT_TEMPLATE, LEGACY_TEMPLATE = "index_template", "component_template", "template"
DATA_STREAM, EXCLUSION = "data_stream", "voting_exclusion"

Named = Mapping[str, Mapping[str, Any]]  # bodies by name


@dataclass(frozen=True, slots=True)
class ShardCopy:
    """One copy of a shard: where it is and how it does."""

    shard: int
    primary: bool
    state: str  # STARTED or UNASSIGNED
    node: str | None
    allocation_id: str | None
    reason: str = "INDEX_CREATED"  # why it is unassigned
    details: str | None = None
    since_millis: int = 0

    @property
    def started(self) -> bool:
        """Whether it answers."""
        return self.state == STARTED


@dataclass(frozen=True, slots=True)
class IndexMetadata:
    """What lasts of an index. `mapping` is the object that ``GET _mapping`` shows."""

    name: str
    uuid: str
    settings: IndexSettings
    mapping: Mapping[str, Any]
    aliases: Mapping[str, Mapping[str, Any]]
    routing_shards: int
    primary_terms: tuple[int, ...]
    allocation_ids: tuple[str, ...]
    state: str = "open"
    version: int = 1
    mapping_version: int = 1
    settings_version: int = 1
    aliases_version: int = 1
    rollover_info: Mapping[str, Any] = field(default_factory=dict)  # by alias: conditions met and the time
    revision: int = 0  # in the key-value store

    @property
    def number_of_shards(self) -> int:
        """Primary shards."""
        return self.settings.number_of_shards

    @property
    def number_of_replicas(self) -> int:
        """Wanted copies beside the primary."""
        return self.settings.number_of_replicas

    @property
    def hidden(self) -> bool:
        """Whether wildcards leave it out."""
        return self.settings.hidden

    @property
    def closed(self) -> bool:
        """Whether it answers neither reads nor writes."""
        return self.state == CLOSE

    def encode(self) -> bytes:
        """As the key-value store keeps it."""
        return msgspec.json.encode(
            {
                "name": self.name,
                "uuid": self.uuid,
                "settings": dict(self.settings),
                "mapping": dict(self.mapping),
                "aliases": {name: dict(alias) for name, alias in self.aliases.items()},
                "routing_shards": self.routing_shards,
                "primary_terms": self.primary_terms,
                "allocation_ids": self.allocation_ids,
                "state": self.state,
                "version": self.version,
                "mapping_version": self.mapping_version,
                "settings_version": self.settings_version,
                "aliases_version": self.aliases_version,
                "rollover_info": self.rollover_info,
            }
        )

    @classmethod
    def decode(cls, data: bytes, revision: int) -> "IndexMetadata":
        """Read what `encode` wrote."""
        value = msgspec.json.decode(data)
        return cls(
            name=value["name"],
            uuid=value["uuid"],
            settings=IndexSettings(value["settings"]),
            mapping=value["mapping"],
            aliases=value["aliases"],
            routing_shards=value["routing_shards"],
            primary_terms=tuple(value["primary_terms"]),
            allocation_ids=tuple(value["allocation_ids"]),
            state=value["state"],
            version=value["version"],
            mapping_version=value["mapping_version"],
            settings_version=value["settings_version"],
            aliases_version=value["aliases_version"],
            rollover_info=value.get("rollover_info", {}),
            revision=revision,
        )


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """A node as the cluster state shows it."""

    id: str
    name: str
    ephemeral_id: str
    transport_address: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ClusterState:
    """Everything at one version."""

    cluster_name: str
    cluster_uuid: str
    version: int
    state_uuid: str
    node: NodeFacts
    indices: Mapping[str, IndexMetadata] = field(default_factory=dict)  # by name, ordered by name
    persistent: Mapping[str, str | list[str]] = field(default_factory=dict)
    transient: Mapping[str, str | list[str]] = field(default_factory=dict)
    routing: Mapping[str, tuple[ShardCopy, ...]] = field(default_factory=dict)  # by UUID of the index
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names of indices, by alias
    named: Mapping[str, Named] = field(default_factory=dict)  # templates, data streams, ..., by kind
    streams: Mapping[str, str] = field(default_factory=dict)  # name of a data stream, by backing index
    #: what was worked out from this state, by whoever did: it is forgotten with it
    memo: dict[tuple[str, str], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    blocks: frozenset[str] = frozenset()  # settings that block the whole cluster

    def setting(self, name: str) -> str | list[str] | None:
        """A cluster setting: transient before persistent."""
        value = self.transient.get(name)
        return value if value is not None else self.persistent.get(name)

    def all_named(self, kind: str) -> Named:
        """The objects of a kind, ordered by name."""
        return self.named.get(kind, {})

    def write_index(self, stream: str) -> str:
        """The index that documents of a data stream go to: the newest."""
        name: str = self.all_named(DATA_STREAM)[stream]["indices"][-1]
        return name

    def copies(self, index: IndexMetadata) -> tuple[ShardCopy, ...]:
        """All copies of an index's shards."""
        return self.routing.get(index.uuid, ())


def aliases_of(indices: Mapping[str, IndexMetadata]) -> dict[str, tuple[str, ...]]:
    """Which indices each alias stands for."""
    found: dict[str, list[str]] = {}
    for index in indices.values():
        for alias in index.aliases:
            found.setdefault(alias, []).append(index.name)
    return {alias: tuple(names) for alias, names in found.items()}


def streams_of(named: Mapping[str, Named]) -> dict[str, str]:
    """Which data stream each backing index belongs to."""
    return {index: name for name, stream in named.get(DATA_STREAM, {}).items() for index in stream["indices"]}


def merged_settings(state: ClusterState) -> Flat:
    """All cluster settings, transient over persistent."""
    return {**state.persistent, **state.transient}
