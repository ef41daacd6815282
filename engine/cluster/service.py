"""The one writer of the cluster state. A change is stored first, then applied to the node, then published."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from lanner.engine.cluster.blocks import check_change, of_cluster
from lanner.engine.cluster.persistence import Entry, KeyValue
from lanner.engine.cluster.state import (
    STARTED,
    UNASSIGNED,
    ClusterState,
    IndexMetadata,
    Named,
    NodeFacts,
    ShardCopy,
    aliases_of,
    merged_settings,
    streams_of,
)
from lanner.engine.common.errors import DiskFull, IndexNotFound, LannerError, ResourceAlreadyExists
from lanner.engine.common.ids import random_uuid
from lanner.engine.index.index_service import IndexService
from lanner.engine.index.indices_service import IndicesService
from lanner.engine.runtime.clock import Clock

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What somebody wants to be different. All of it happens at once, or nothing.

    created: new indices. changed: newer metadata of indices. removed: names of indices that go with all their
    files. named: bodies of named objects by kind and name, None for those that go.
    """

    created: Sequence[IndexMetadata] = ()
    changed: Sequence[IndexMetadata] = ()
    removed: Sequence[str] = ()
    named: Mapping[tuple[str, str], Mapping[str, Any] | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.removed or self.named)


class ClusterService:
    """Owns the state. Readers take `state`; it never changes under their hands."""

    def __init__(
        self, store: KeyValue, indices: IndicesService, node: NodeFacts, cluster_name: str, clock: Clock
    ) -> None:
        self._store = store
        self._indices = indices
        self._clock = clock
        self._lock = threading.RLock()
        self._published = threading.Condition(self._lock)
        self.state = ClusterState(cluster_name, "_na_", 0, "_na_", node)

    # ---- start

    def start(self) -> None:
        """Read what is stored and open all indices, each shard under a new primary term."""
        with self._lock:
            cluster_uuid = self._identity()
            settings = self._store.get("settings")
            self._finish_deletions()
            indices: dict[str, IndexMetadata] = {}
            changed: dict[str, IndexMetadata] = {}
            for _, entry in self._store.range("index/"):
                found = IndexMetadata.decode(entry.value, entry.mod_revision)
                terms = tuple(term + 1 for term in found.primary_terms)
                changed[found.name] = replace(found, primary_terms=terms)
            if changed:
                revision = self._transact(
                    {f"index/{index.uuid}": index.revision for index in changed.values()},
                    {f"index/{index.uuid}": index.encode() for index in changed.values()},
                )
                for name in sorted(changed):
                    indices[name] = replace(changed[name], revision=revision)
            self._indices.sweep({index.uuid for index in indices.values()})
            routing = {}
            for index in indices.values():
                service = self._indices.make(index.name, index.uuid, index.settings, index.mapping)
                self._indices.add(service)
                service.open(index.primary_terms)
                if index.closed:
                    service.shut()
                routing[index.uuid] = self._route(index, service.failures)
            self._publish(
                replace(
                    self.state,
                    cluster_uuid=cluster_uuid,
                    indices=indices,
                    routing=routing,
                    named=self._read_named(),
                    persistent=msgspec.json.decode(settings.value) if settings is not None else {},
                )
            )

    # ---- reading

    def wait(self, holds: Callable[[ClusterState], bool], seconds: float) -> bool:
        """Wait until the state is as wanted; False when time ran out."""
        with self._published:
            return self._published.wait_for(lambda: holds(self.state), timeout=max(0.0, seconds))

    # ---- changing

    def create_index(self, index: IndexMetadata) -> None:
        """Create an index whose name is free; its shards are open when this returns."""
        self.apply(lambda _: Change(created=[index]))

    def create_filled(self, index: IndexMetadata, fill: Callable[[IndexService], None]) -> None:
        """Create an index that holds documents from the start: `fill` writes them to its open shards.

        Nobody sees the index before it is filled; if that is interrupted, nothing of it is left.
        """
        leftover = f"deleted/{index.uuid}"
        with self._lock:
            check_change(self.state, creates=True, only_removes=False)
            self.check_free(index.name)
            self._transact({}, {leftover: b""})
        service = self._make([index])[0]
        try:
            service.open(index.primary_terms)
            for error in service.failures.values():
                raise error
            fill(service)
            with self._lock:
                self._check_names([index])
                revision = self._transact(*_creation([index]), [leftover])
                self._indices.add(service)
                stored = replace(index, revision=revision)
                self._publish(_with(self.state, [stored], {index.uuid: self._route(stored, {})}))
        except BaseException:
            service.remove()
            self._transact({}, {}, [leftover])
            raise

    def delete_indices(self, names: Sequence[str]) -> None:
        """Delete indices with all their files."""
        self.apply(lambda _: Change(removed=names))

    def apply(self, plan: Callable[[ClusterState], Change]) -> None:
        """Make a change, all or nothing.

        `plan` gives it from the newest state, and runs with nobody else changing it. Mappings of indices that
        are there already stay as they are. New indices are open when this returns.
        """
        with self._lock:
            change = plan(self.state)
            if not change:
                return
            if self.state.blocks:
                only_removes = not (change.created or change.changed or change.named)
                check_change(self.state, creates=bool(change.created), only_removes=only_removes)
            self._check_names(change.created)
            gone = [self.index(name) for name in change.removed]
            services = self._make(change.created)
            try:
                guards, puts = _creation(change.created)
                deletes = [key for index in gone for key in (f"index/{index.uuid}", f"name/{index.name}")]
                guards |= {f"index/{index.uuid}": index.revision for index in (*change.changed, *gone)}
                puts |= {f"index/{index.uuid}": index.encode() for index in change.changed}
                puts |= {f"deleted/{index.uuid}": b"" for index in gone}
                for (kind, name), body in change.named.items():
                    if body is None:
                        deletes.append(f"named/{kind}/{name}")
                    else:
                        puts[f"named/{kind}/{name}"] = msgspec.json.encode(body)
                revision = self._transact(guards, puts, deletes)
            except BaseException as error:
                for service in services:
                    service.remove()
                if isinstance(error, OSError) and change.created:
                    raise DiskFull(f"index [{change.created[0].name}] cannot be created: {error}") from error
                raise
            for service, index in zip(services, change.created, strict=True):
                self._indices.add(service)
                service.open(index.primary_terms)
            before = self.state
            indices = [replace(index, revision=revision) for index in (*change.created, *change.changed)]
            for index in indices:
                self._follow(before.indices.get(index.name), index)
            routing = {
                index.uuid: self._route(index, self._indices.index(index.uuid).failures) for index in indices
            }
            state = _with(before, indices, routing)
            self._publish(_without(_with_named(state, change.named), gone))
            for index in change.changed:
                if index.closed:
                    self._indices.index(index.uuid).shut()
            for index in gone:
                self._indices.remove(index.uuid)
            if gone:
                self._transact({}, {}, [f"deleted/{index.uuid}" for index in gone])

    def update_index(
        self,
        uuid: str,
        change: Callable[[IndexMetadata], IndexMetadata | None],
        stored: Callable[[], None] = lambda: None,
    ) -> IndexMetadata:
        """Change the metadata of an index (None: nothing to change); the new metadata.

        `change` sees the newest metadata and runs with nobody else changing the state; `stored` is called
        when the change is durable, before anybody sees it.
        """
        with self._lock:
            old = next((index for index in self.state.indices.values() if index.uuid == uuid), None)
            if old is None:
                raise IndexNotFound(uuid)
            new = change(old)
            if new is None:
                return old
            if self.state.blocks:
                check_change(self.state, creates=False, only_removes=False)
            new = replace(new, version=old.version + 1)
            revision = self._transact({f"index/{uuid}": old.revision}, {f"index/{uuid}": new.encode()})
            new = replace(new, revision=revision)
            stored()
            self._follow(old, new)
            self._put(new, self._route(new, self._indices.index(uuid).failures))
            return new

    def put_settings(
        self, persistent: Mapping[str, str | list[str]], transient: Mapping[str, str | list[str]]
    ) -> None:
        """Replace the cluster settings."""
        with self._lock:
            if persistent != self.state.persistent:
                self._transact({}, {"settings": msgspec.json.encode(dict(persistent))})
            self._publish(replace(self.state, persistent=dict(persistent), transient=dict(transient)))

    def shard_failed(self, uuid: str, shard: int, error: Exception) -> None:
        """Note that a shard cannot go on."""
        with self._lock:
            service = self._indices.get(uuid)
            index = next((index for index in self.state.indices.values() if index.uuid == uuid), None)
            if service is None or index is None:
                return
            service.fail(shard, error)
            self._put(index, self._route(index, service.failures))

    def retry_shards(self, *, everything: bool = False) -> bool:
        """Open failed shards again from what is on disk; whether some are left that are worth it.

        everything: also those that failed too often, or not for the disk. What was under way when a shard
        failed may be found or not, so its primary term is raised, as at a start.
        """
        with self._lock:
            for index in list(self.state.indices.values()):
                service = self._indices.index(index.uuid)
                shards = list(service.failures) if everything else service.retriable
                if not shards:
                    continue
                terms = list(index.primary_terms)
                for shard in shards:
                    terms[shard] += 1
                new = replace(index, primary_terms=tuple(terms))
                try:
                    revision = self._transact(
                        {f"index/{new.uuid}": new.revision}, {f"index/{new.uuid}": new.encode()}
                    )
                except OSError as error:
                    _log.warning("shards of [%s] stay closed: %s", new.name, error)
                    continue
                new = replace(new, revision=revision)
                for shard in shards:
                    service.reopen_shard(shard, terms[shard])
                self._put(new, self._route(new, service.failures))
            return any(self._indices.index(index.uuid).retriable for index in self.state.indices.values())

    def index(self, name: str) -> IndexMetadata:
        """The metadata of an index; IndexNotFound when there is none."""
        found = self.state.indices.get(name)
        if found is None:
            raise IndexNotFound(name)
        return found

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    # ---- inside

    def _make(self, indices: Sequence[IndexMetadata]) -> list[IndexService]:
        """Services of new indices, their folders on the disk; after an error nothing is left."""
        made: list[IndexService] = []
        try:
            for index in indices:
                service = self._indices.make(index.name, index.uuid, index.settings, index.mapping)
                service.create()
                made.append(service)
        except OSError as error:
            for service in made:
                service.remove()
            raise DiskFull(f"index [{index.name}] cannot be created: {error}") from error
        return made

    def _check_names(self, created: Sequence[IndexMetadata]) -> None:
        for index in created:
            self.check_free(index.name)

    def _follow(self, old: IndexMetadata | None, new: IndexMetadata) -> None:
        """Let the node follow newer metadata: settings, and opening again. Closing comes after publishing."""
        if old is None:
            return
        service = self._indices.index(new.uuid)
        if new.settings is not old.settings:
            service.use_settings(new.settings)
        if old.closed and not new.closed:
            service.open(new.primary_terms)

    def _read_named(self) -> dict[str, Named]:
        """Templates, data streams and other objects that are stored by name."""
        found: dict[str, dict[str, Any]] = {}
        for key, entry in self._store.range("named/"):
            _, kind, name = key.split("/", 2)
            found.setdefault(kind, {})[name] = msgspec.json.decode(entry.value)
        return dict(found)

    def _identity(self) -> str:
        """The UUID of the cluster; made at the first start."""
        entry: Entry | None = self._store.get("cluster")
        if entry is None:
            uuid = random_uuid()
            self._transact({"cluster": 0}, {"cluster": msgspec.json.encode({"uuid": uuid})})
            return uuid
        value: str = msgspec.json.decode(entry.value)["uuid"]
        return value

    def _finish_deletions(self) -> None:
        """Remove the files of indices whose deletion was interrupted."""
        for key, _ in self._store.range("deleted/"):
            self._indices.remove_folder(key.removeprefix("deleted/"))
            self._transact({}, {}, [key])

    def check_free(self, name: str) -> None:
        """Raise ResourceAlreadyExists when there is an index of this name."""
        existing = self.state.indices.get(name)
        if existing is not None:
            raise ResourceAlreadyExists(
                f"index [{name}/{existing.uuid}] already exists", index=name, index_uuid=existing.uuid
            )

    def _transact(
        self, guards: Mapping[str, int], puts: Mapping[str, bytes], deletes: Sequence[str] = ()
    ) -> int:
        return self._store.transact(guards, puts, deletes)

    def _put(self, index: IndexMetadata, copies: tuple[ShardCopy, ...]) -> None:
        self._publish(_with(self.state, [index], {index.uuid: copies}))

    def _route(self, index: IndexMetadata, failures: Mapping[int, Exception]) -> tuple[ShardCopy, ...]:
        """Where the copies of an index are: primaries here, replicas nowhere, on a node of its own."""
        now = self._clock.millis()
        node = self.state.node.id
        copies = []
        for shard in range(index.number_of_shards):
            error = failures.get(shard)
            if error is None:
                copies.append(ShardCopy(shard, True, STARTED, node, index.allocation_ids[shard]))
            else:
                reason = error.reason if isinstance(error, LannerError) else str(error)
                copies.append(
                    ShardCopy(shard, True, UNASSIGNED, None, None, "ALLOCATION_FAILED", reason, now)
                )
            copies.extend(
                ShardCopy(shard, False, UNASSIGNED, None, None, since_millis=now)
                for _ in range(index.number_of_replicas)
            )
        return tuple(copies)

    def _publish(self, state: ClusterState) -> None:
        self.state = replace(
            state,
            version=self.state.version + 1,
            state_uuid=random_uuid(),
            aliases=aliases_of(state.indices),
            streams=streams_of(state.named),
            blocks=of_cluster(merged_settings(state)),
        )
        self._published.notify_all()


def _creation(indices: Sequence[IndexMetadata]) -> tuple[dict[str, int], dict[str, bytes]]:
    """Guards and values of the keys of new indices."""
    values: dict[str, bytes] = {}
    for index in indices:
        values[f"name/{index.name}"] = index.uuid.encode()
        values[f"index/{index.uuid}"] = index.encode()
    return dict.fromkeys(values, 0), values


def _with(
    state: ClusterState, indices: Sequence[IndexMetadata], routing: Mapping[str, tuple[ShardCopy, ...]]
) -> ClusterState:
    """A state with these indices, new or newer."""
    known = {**state.indices, **{index.name: index for index in indices}}
    return replace(state, indices=dict(sorted(known.items())), routing={**state.routing, **routing})


def _without(state: ClusterState, gone: Sequence[IndexMetadata]) -> ClusterState:
    """A state without these indices."""
    names, uuids = {index.name for index in gone}, {index.uuid for index in gone}
    return replace(
        state,
        indices={name: index for name, index in state.indices.items() if name not in names},
        routing={uuid: copies for uuid, copies in state.routing.items() if uuid not in uuids},
    )


def _with_named(
    state: ClusterState, changes: Mapping[tuple[str, str], Mapping[str, Any] | None]
) -> ClusterState:
    """A state with other named objects."""
    named = {kind: dict(bodies) for kind, bodies in state.named.items()}
    for (kind, name), body in changes.items():
        bodies = named.setdefault(kind, {})
        if body is None:
            bodies.pop(name, None)
        else:
            bodies[name] = body
    return replace(state, named={kind: dict(sorted(bodies.items())) for kind, bodies in named.items()})
