"""Creating, deleting and showing indices; refresh, flush and forced merge."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lanner.engine.cluster import blocks, index_settings
from lanner.engine.cluster.aliases import check_together, new_aliases
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.names import IndexOptions, check_new_name, date_math_name, resolve
from lanner.engine.cluster.state import IndexMetadata
from lanner.engine.common.errors import IllegalArgument, IndexNotFound, IndicesLimit, LannerError, ParseError
from lanner.engine.common.ids import random_uuid
from lanner.engine.common.settings import Flat, flatten
from lanner.engine.common.versions import CREATED
from lanner.engine.index.index_settings import INDEX_TABLE, IndexSettings
from lanner.engine.index.routing import default_routing_shards
from lanner.engine.index.shard import Shard

if TYPE_CHECKING:
    from lanner.engine.mapping.mapping import Mapping as IndexMapping

_KEYS = ("settings", "mappings", "aliases")


def create_index(
    node: NodeContext,
    name: str,
    body: Mapping[str, Any] | None = None,
    *,
    wait_for_active_shards: str | None = None,
) -> dict[str, Any]:
    """Create an index."""
    provided, name = name, date_math_name(name)
    state = node.cluster.state
    check_new_name(state, name)
    node.cluster.check_free(name)
    index = build_metadata(node, name, body or {}, provided_name=provided)
    acknowledged = check_active_shards(index, wait_for_active_shards)
    if index.aliases:
        check_together({**state.indices, name: index})
    _check_limit(node, index)
    node.cluster.create_index(index)
    return {"acknowledged": True, "shards_acknowledged": acknowledged, "index": name}


def build_metadata(
    node: NodeContext, name: str, body: Mapping[str, Any], *, provided_name: str | None = None
) -> IndexMetadata:
    """The metadata of a new index from the body of a create request; raises for everything wrong with it."""
    for key in body:
        if key not in _KEYS:
            raise ParseError(f"unknown key [{key}] for create index")
    for key in _KEYS:
        if body.get(key) is not None and not isinstance(body[key], Mapping):
            raise ParseError(f"key [{key}] must be an object")
    given = index_settings.prefixed(flatten(body.get("settings") or {}))
    INDEX_TABLE.check(given)
    uuid = random_uuid()
    flat: Flat = {key: value for key, value in given.items() if value is not None}
    flat.setdefault("index.number_of_shards", "1")
    flat.setdefault("index.number_of_replicas", "1")
    flat.setdefault("index.replication.type", "DOCUMENT")
    flat["index.provided_name"] = provided_name or name
    flat["index.creation_date"] = str(node.clock.millis())
    flat["index.uuid"] = uuid
    flat["index.version.created"] = str(CREATED)
    settings = IndexSettings(flat)
    shards = settings.number_of_shards
    routing_shards = default_routing_shards(shards)
    if "index.number_of_routing_shards" in flat:
        routing_shards = settings.value("index.number_of_routing_shards")
        if routing_shards < shards or routing_shards % shards:
            raise IllegalArgument(
                f"the number of source shards [{shards}] must be a factor of [{routing_shards}]"
            )
    mapping = _new_mapping(settings, body.get("mappings"))
    _check_sort(settings, mapping)
    return IndexMetadata(
        name=name,
        uuid=uuid,
        settings=settings,
        mapping=mapping,
        aliases=new_aliases(node.cluster.state, name, body.get("aliases") or {}, settings, mapping),
        routing_shards=routing_shards,
        primary_terms=(1,) * shards,
        allocation_ids=tuple(random_uuid() for _ in range(shards)),
    )


def check_active_shards(index: IndexMetadata, wait_for: str | None) -> bool:
    """Whether as many copies as asked for will be active here; IllegalArgument for impossible numbers."""
    copies = 1 + index.number_of_replicas
    if wait_for is None:
        return True
    wanted = copies if wait_for in ("all", "-1") else int(wait_for)
    if wanted > copies:
        raise IllegalArgument(
            f"invalid wait_for_active_shards[{wait_for}]: cannot be greater than number of shard copies "
            f"[{copies}]"
        )
    return wanted <= 1


def delete_indices(node: NodeContext, expression: str, options: IndexOptions) -> dict[str, Any]:
    """Delete indices; aliases are refused."""
    strict = IndexOptions(
        options.ignore_unavailable, options.allow_no_indices, options.expand_wildcards, forbid_aliases=True
    )
    state = node.cluster.state
    names = resolve(state, expression, strict)
    for name in names:
        blocks.check_deleting(state.indices[name])
    node.cluster.delete_indices(names)
    return {"acknowledged": True}


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
        answer[name] = shown
    return answer


def put_mapping(
    node: NodeContext, expression: str, body: Mapping[str, Any], options: IndexOptions
) -> dict[str, Any]:
    """Merge a mapping into all of the indices, or into none."""
    state = node.cluster.state
    names = resolve(state, expression, options)
    if not names:
        raise IndexNotFound(expression)
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


def force_merge(
    node: NodeContext,
    expression: str | None,
    options: IndexOptions,
    *,
    max_num_segments: int = -1,
    only_expunge_deletes: bool = False,
    flush: bool = True,
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
    node: NodeContext, expression: str | None, options: IndexOptions, act: Callable[[Shard], object]
) -> dict[str, Any]:
    """Run something on every active shard of some indices; the ``_shards`` answer."""
    state = node.cluster.state
    total = successful = 0
    failures: list[dict[str, Any]] = []
    for name in resolve(state, expression, options):
        index = state.indices[name]
        total += index.number_of_shards * (1 + index.number_of_replicas)
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


def _check_limit(node: NodeContext, index: IndexMetadata) -> None:
    """Refuse more shards than ``cluster.max_shards_per_node``."""
    state = node.cluster.state
    allowed = int(str(state.setting("cluster.max_shards_per_node") or 1000))
    new = index.number_of_shards * (1 + index.number_of_replicas)
    now = sum(each.number_of_shards * (1 + each.number_of_replicas) for each in state.indices.values())
    if now + new > allowed:
        raise IndicesLimit(
            f"Validation Failed: 1: this action would add [{new}] total shards, but this cluster currently "
            f"has [{now}]/[{allowed}] maximum shards open;"
        )


def _new_mapping(settings: IndexSettings, body: Any) -> dict[str, Any]:
    """The rendered mapping of a new index; checks analysis and mapping."""
    if not body and not settings.analysis and not settings.similarity:
        return {}
    from lanner.engine.analysis.registry import AnalysisRegistry  # off the start path
    from lanner.engine.mapping.mapping import Mapping as IndexMapping
    from lanner.engine.mapping.similarity import check_similarities

    check_similarities(settings.plain)
    registry = AnalysisRegistry(settings.analysis, settings.analysis_limits)
    return IndexMapping.parse(dict(body or {}), registry, settings.plain).render()


def _check_sort(settings: IndexSettings, mapping: Mapping[str, Any]) -> None:
    """Refuse to sort an index by fields that its mapping does not have."""
    given = settings.get("index.sort.field", [])
    for name in given if isinstance(given, list) else given.split(","):
        below: Any = mapping
        for part in name.split("."):
            properties = below.get("properties") or below.get("fields") or {}
            below = properties.get(part, {})
        if not below:
            raise IllegalArgument(f"unknown index sort field:[{name}]")
