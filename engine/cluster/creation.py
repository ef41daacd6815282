"""Making indices: what a request and the templates that match its name give a new one."""

from collections.abc import Mapping, Sequence
from typing import Any

from lanner.engine.cluster.aliases import check_together, new_aliases
from lanner.engine.cluster.blocks import check_metadata
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.index_settings import expanded, prefixed
from lanner.engine.cluster.names import check_new_name, date_math_name
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import ClusterState, IndexMetadata
from lanner.engine.cluster.template_match import Composed, compose_for
from lanner.engine.common.errors import IllegalArgument, IndicesLimit, ParseError
from lanner.engine.common.ids import random_uuid
from lanner.engine.common.settings import Flat, flatten
from lanner.engine.common.versions import CREATED
from lanner.engine.index.index_settings import INDEX_TABLE, IndexSettings
from lanner.engine.index.routing import default_routing_shards

_SORTABLE = (
    "boolean",
    "byte",
    "date",
    "date_nanos",
    "double",
    "float",
    "integer",
    "ip",
    "keyword",
    "long",
    "short",
)
_UNSORTABLE = {
    "binary": "can't sort on binary field",
    "geo_point": "can't sort on geo_point field without using specific sorting feature, like geo_distance",
}
_SORT_SETTINGS = (  # their values, in small letters, and what is said of others
    ("index.sort.order", ("asc", "desc"), "Illegal sort order:%s"),
    ("index.sort.mode", ("max", "min"), "Illegal index sort mode:[%s], must be one of [MAX, MIN]"),
    ("index.sort.missing", ("_last", "_first"), "Illegal missing value:[%s], must be one of [_last, _first]"),
)
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
    acknowledged = True

    def plan(state: ClusterState) -> Change:
        nonlocal acknowledged
        index = new_index(node, state, name, body or {}, provided_name=provided)
        acknowledged = check_active_shards(index, wait_for_active_shards)
        return Change(created=[index])

    node.cluster.apply(plan)
    return {"acknowledged": True, "shards_acknowledged": acknowledged, "index": name}


def new_index(
    node: NodeContext,
    state: ClusterState,
    name: str,
    body: Mapping[str, Any],
    *,
    provided_name: str | None = None,
    composed: Composed | None = None,
) -> IndexMetadata:
    """The metadata of a new index whose name is free and that there is room for; raises if that is not so.

    composed: what is beneath the request, by default what templates give an index of this name.
    """
    given = _read_body(body)
    check_new_name(state, name)
    if name in state.indices:
        check_metadata(state.indices[name])
    node.cluster.check_free(name)
    index = build_metadata(node, state, name, body, given, provided_name=provided_name, composed=composed)
    if index.aliases:
        check_together({**state.indices, name: index})
    check_limit(state, index)
    return index


def _read_body(body: Mapping[str, Any]) -> dict[str, str | list[str] | None]:
    """The settings of a create request, by full names, if its keys and they are good."""
    for key in body:
        if key not in _KEYS:
            raise ParseError(f"unknown key [{key}] for create index")
    for key in _KEYS:
        if body.get(key) is not None and not isinstance(body[key], Mapping):
            raise ParseError(f"key [{key}] must be an object")
    given = prefixed(flatten(body.get("settings") or {}))
    INDEX_TABLE.check(given)
    return given


def build_metadata(
    node: NodeContext,
    state: ClusterState,
    name: str,
    body: Mapping[str, Any],
    given: Mapping[str, str | list[str] | None],
    *,
    provided_name: str | None = None,
    composed: Composed | None = None,
) -> IndexMetadata:
    """The metadata of a new index from a create request; raises for everything wrong with it.

    given: its settings, by full names.
    """
    mapping_body = body.get("mappings") or {}
    if composed is None:
        composed = compose_for(state, name, mapping_body, hidden=given.get("index.hidden") == "true")
        if composed.data_stream is not None:
            raise IllegalArgument(
                f"cannot create index with name [{name}], because it matches with template [{composed.name}] "
                "that creates data streams only, use create data stream api instead"
            )
    settings = _new_settings(node, state, composed.settings, given, provided_name or name)
    shards = settings.number_of_shards
    mapping = make_mapping(settings, composed.mappings)
    _check_sort(settings, mapping)
    aliases = dict(body.get("aliases") or {})
    for alias, inner in composed.aliases.items():
        aliases.setdefault(alias.replace("{index}", name), inner)
    return IndexMetadata(
        name=name,
        uuid=settings.text("index.uuid"),
        settings=settings,
        mapping=mapping,
        aliases=new_aliases(state, name, aliases, settings, mapping),
        routing_shards=_routing_shards(settings),
        primary_terms=(1,) * shards,
        allocation_ids=tuple(random_uuid() for _ in range(shards)),
    )


def _new_settings(
    node: NodeContext,
    state: ClusterState,
    beneath: Flat,
    given: Mapping[str, str | list[str] | None],
    provided_name: str,
) -> IndexSettings:
    """The settings of a new index: those of templates, over them those of the request, and what all have."""
    flat: Flat = {key: value for key, value in beneath.items() if key not in given}
    flat.update((key, value) for key, value in given.items() if value is not None)
    flat.setdefault("index.number_of_shards", "1")
    flat.setdefault("index.number_of_replicas", str(state.setting("cluster.default_number_of_replicas") or 1))
    flat.setdefault("index.replication.type", "DOCUMENT")
    flat["index.provided_name"] = provided_name
    flat["index.creation_date"] = str(node.clock.millis())
    flat["index.uuid"] = random_uuid()
    flat["index.version.created"] = str(CREATED)
    return expanded(IndexSettings(flat))


def _routing_shards(settings: IndexSettings) -> int:
    """Into how many parts the hashes of routing values are sorted."""
    shards = settings.number_of_shards
    if "index.number_of_routing_shards" not in settings:
        return default_routing_shards(shards)
    routing_shards: int = settings.value("index.number_of_routing_shards")
    if routing_shards < shards or routing_shards % shards:
        raise IllegalArgument(
            f"the number of source shards [{shards}] must be a factor of [{routing_shards}]"
        )
    return routing_shards


def check_template_settings(flat: Mapping[str, str | list[str]]) -> list[IllegalArgument]:
    """What is wrong with settings of a template, in the order of their names."""
    return list(INDEX_TABLE.complaints(flat))


def check_active_shards(index: IndexMetadata, wait_for: str | None) -> bool:
    """Whether as many copies as asked for will be active here; IllegalArgument for impossible numbers."""
    copies = 1 + index.number_of_replicas
    if wait_for is None:
        return True
    if wait_for not in ("all", "-1") and int(wait_for) > copies:
        raise IllegalArgument(
            f"invalid wait_for_active_shards[{wait_for}]: cannot be greater than number of shard copies "
            f"[{copies}]"
        )
    return enough_copies(index, wait_for)


def enough_copies(index: IndexMetadata, wait_for: str) -> bool:
    """Whether as many copies as asked for are active here, where there can be one."""
    return (1 + index.number_of_replicas if wait_for in ("all", "-1") else int(wait_for)) <= 1


def check_limit(state: ClusterState, *more: IndexMetadata) -> None:
    """Refuse more shards than ``cluster.max_shards_per_node``."""
    allowed = int(str(state.setting("cluster.max_shards_per_node") or 1000))
    new = sum(_copies(index) for index in more)
    now = sum(_copies(index) for index in state.indices.values() if not index.closed)
    if new and now + new > allowed:
        raise IndicesLimit(
            f"Validation Failed: 1: this action would add [{new}] total shards, but this cluster currently "
            f"has [{now}]/[{allowed}] maximum shards open;"
        )


def _copies(index: IndexMetadata) -> int:
    return index.number_of_shards * (1 + index.number_of_replicas)


def make_mapping(settings: IndexSettings, bodies: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The rendered mapping that some bodies give, each over those before it; checks analysis and mapping."""
    if not any(bodies) and not settings.analysis and not settings.similarity:
        return {}
    from lanner.engine.analysis.registry import AnalysisRegistry  # off the start path
    from lanner.engine.mapping.mapping import Mapping as IndexMapping
    from lanner.engine.mapping.similarity import check_similarities

    check_similarities(settings.plain)
    registry = AnalysisRegistry(settings.analysis, settings.analysis_limits)
    return IndexMapping.compose([dict(body) for body in bodies], registry, settings.plain).render()


def _check_sort(settings: IndexSettings, mapping: Mapping[str, Any]) -> None:
    """Refuse to sort an index by fields that its mapping does not have, or that cannot be sorted by."""
    fields = settings.listed("index.sort.field")
    for setting, allowed, complaint in _SORT_SETTINGS:
        values = settings.listed(setting)
        if values and len(values) != len(fields):
            raise IllegalArgument(
                f"index.sort.field:[{', '.join(fields)}] {setting}:[{', '.join(values)}], size mismatch"
            )
        for value in values:
            if value.lower() not in allowed:
                raise IllegalArgument(complaint % (value if setting != "index.sort.mode" else value.upper()))
    for name in fields:
        below: Any = mapping
        for part in name.split("."):
            properties = below.get("properties") or below.get("fields") or {}
            below = properties.get(part, {})
        if not below:
            raise IllegalArgument(f"unknown index sort field:[{name}]")
        kind = below.get("type")
        if kind in _UNSORTABLE:
            raise IllegalArgument(_UNSORTABLE[kind])
        if (kind in ("text", "wildcard") and not below.get("fielddata")) or not below.get("doc_values", True):
            raise IllegalArgument(f"docvalues not found for index sort field:[{name}]")
        if kind not in _SORTABLE:
            raise IllegalArgument(f"invalid index sort field:[{name}]")
