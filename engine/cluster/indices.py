"""Deleting and showing indices; their mappings; refresh, flush and forced merge."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster import blocks, index_settings
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.names import IndexOptions, check_destructive, resolve
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import DATA_STREAM, ClusterState, IndexMetadata
from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.index.shard import Shard

if TYPE_CHECKING:
    from lanner.engine.mapping.mapping import Mapping as IndexMapping


def delete_indices(node: NodeContext, expression: str, options: IndexOptions) -> dict[str, Any]:
    """Delete indices; aliases are refused, and so is what a data stream writes to."""
    strict = replace(options, forbid_aliases=True, data_streams=False)

    def plan(state: ClusterState) -> Change:
        check_destructive(state, node.settings, expression)
        names = resolve(state, expression, strict)
        for name in names:
            blocks.check_deleting(state.indices[name])
        return Change(removed=names, named=without_backing(state, names))

    node.cluster.apply(plan)
    return {"acknowledged": True}


def without_backing(state: ClusterState, names: list[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """The data streams that lose indices, without them; IllegalArgument for an index that is written to."""
    changed: dict[tuple[str, str], dict[str, Any]] = {}
    for name in names:
        stream = state.streams.get(name)
        if stream is None:
            continue
        if state.write_index(stream) == name:
            raise IllegalArgument(
                f"index [{name}] is the write index for data stream [{stream}] and cannot be deleted"
            )
        body = state.all_named(DATA_STREAM)[stream]
        kept = [each for each in body["indices"] if each not in names]
        changed[DATA_STREAM, stream] = {**body, "indices": kept}
    return changed


def get_indices(
    node: NodeContext,
    expression: str,
    options: IndexOptions,
    *,
    flat_settings: bool = False,
    include_defaults: bool = False,
    human: bool = False,
) -> dict[str, Any]:
    """Aliases, mappings and settings of indices."""
    state = node.cluster.state
    answer: dict[str, Any] = {}
    for name in resolve(state, expression, options):
        index = state.indices[name]
        blocks.check_metadata_reading(index)
        shown: dict[str, Any] = {
            "aliases": {alias: dict(body) for alias, body in index.aliases.items()},
            "mappings": dict(index.mapping),
            "settings": index_settings.render(index.settings, flat=flat_settings, human=human),
        }
        if include_defaults:
            shown["defaults"] = index_settings.render_defaults(index.settings, flat=flat_settings)
        if name in state.streams:
            shown["data_stream"] = state.streams[name]
        answer[name] = shown
    return answer


def put_mapping(
    node: NodeContext, expression: str, body: Mapping[str, Any], options: IndexOptions
) -> dict[str, Any]:
    """Merge a mapping into all of the indices, or into none."""
    state = node.cluster.state
    names = resolve(state, expression, options)
    for name in names:
        blocks.check_metadata(state.indices[name])
    for name in names:  # what one refuses, none takes
        node.indices.index(state.indices[name].uuid).mapping.merge(dict(body))
    for name in names:
        merge_mapping(node, state.indices[name].uuid, body)
    return {"acknowledged": True}


def merge_mapping(node: NodeContext, uuid: str, body: Mapping[str, Any]) -> "IndexMapping":
    """Merge a mapping into an index, durably; the mapping that holds then."""
    service = node.indices.index(uuid)

    def change(index: IndexMetadata) -> IndexMetadata | None:
        merged = service.mapping.merge(dict(body))
        rendered = merged.render()
        if rendered == index.mapping:
            return None
        blocks.check_metadata(index)
        new = replace(index, mapping=rendered, mapping_version=index.mapping_version + 1)
        pending.append(merged)
        return new

    pending: list[IndexMapping] = []
    node.cluster.update_index(uuid, change, lambda: service.use_mapping(pending[-1]))
    return service.mapping


def get_mapping(node: NodeContext, expression: str | None, options: IndexOptions) -> dict[str, Any]:
    """The mappings of indices."""
    state = node.cluster.state
    found = [state.indices[name] for name in resolve(state, expression, options)]
    for index in found:
        blocks.check_metadata_reading(index)
    return {index.name: {"mappings": dict(index.mapping)} for index in found}


def refresh(node: NodeContext, expression: str | None, options: IndexOptions) -> dict[str, Any]:
    """Make what was written visible to searches."""
    return _broadcast(node, expression, options, lambda shard: shard.refresh())


def flush(
    node: NodeContext, expression: str | None, options: IndexOptions, *, force: bool = False
) -> dict[str, Any]:
    """Make commit points and trim the translogs."""
    return _broadcast(node, expression, options, lambda shard: shard.flush(force=force))


def clear_caches(
    node: NodeContext, expression: str | None, options: IndexOptions, *, queries: bool
) -> dict[str, Any]:
    """Forget what caches hold of indices. queries: what filters let through; there are no others here."""
    return _broadcast(
        node,
        expression,
        options,
        lambda shard: shard.clear_caches() if queries else None,
        check=blocks.check_metadata_reading,
    )


def force_merge(
    node: NodeContext,
    expression: str | None,
    options: IndexOptions,
    *,
    max_num_segments: int = -1,
    only_expunge_deletes: bool = False,
    flush: bool = True,
    primary_only: bool = False,
) -> dict[str, Any]:
    """Merge segments until at most so many are left."""
    return _broadcast(
        node,
        expression,
        options,
        lambda shard: shard.force_merge(
            None if max_num_segments < 1 else max_num_segments,
            only_expunge_deletes=only_expunge_deletes,
            flush=flush,
        ),
        check=blocks.check_metadata,
        replicas=not primary_only,
    )


def shards_of(node: NodeContext, index: IndexMetadata) -> list[tuple[int, Shard | LannerError]]:
    """The primaries of an index: each an active shard, or why it is not."""
    service = node.indices.index(index.uuid)
    found: list[tuple[int, Shard | LannerError]] = []
    for number in range(index.number_of_shards):
        try:
            found.append((number, service.shard(number)))
        except LannerError as error:
            found.append((number, error))
    return found


def shard_failure(index: str, shard: int, error: LannerError, *, node: str | None = None) -> dict[str, Any]:
    """An entry of ``_shards.failures``."""
    failure: dict[str, Any] = {"shard": shard, "index": index}
    if node is not None:
        failure["node"] = node
    return {**failure, "status": "INTERNAL_SERVER_ERROR", "reason": error.render()}


def _broadcast(
    node: NodeContext,
    expression: str | None,
    options: IndexOptions,
    act: Callable[[Shard], object],
    *,
    check: Callable[[IndexMetadata], None] | None = None,
    replicas: bool = True,
) -> dict[str, Any]:
    """Run something on every active shard of some indices; the ``_shards`` answer.

    check: raises when it may not be done to an index. replicas: whether copies that are nowhere count.
    """
    state = node.cluster.state
    total = successful = 0
    failures: list[dict[str, Any]] = []
    names = resolve(state, expression, options)
    if check is not None:
        blocks.check_all(check, (state.indices[name] for name in names))
    for name in names:
        index = state.indices[name]
        total += index.number_of_shards * (1 + (index.number_of_replicas if replicas else 0))
        for number, shard in shards_of(node, index):
            if isinstance(shard, LannerError):
                continue
            try:
                act(shard)
                successful += 1
            except LannerError as error:
                failures.append(shard_failure(name, number, error))
    shards: dict[str, Any] = {"total": total, "successful": successful, "failed": len(failures)}
    if failures:
        shards["failures"] = failures
    return {"_shards": shards}
