"""Aliases: those of a new index, and what a search through an alias is narrowed to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from lanner.engine.cluster.names import (
    IndexOptions,
    date_math_name,
    is_all,
    name_complaint,
    resolve,
)
from lanner.engine.cluster.state import DATA_STREAM, ClusterState, IndexMetadata, aliases_of
from lanner.engine.common.body import locate
from lanner.engine.common.errors import IllegalArgument, IllegalStateError, InvalidAliasName, LannerError
from lanner.engine.common.wildcards import matches
from lanner.engine.index.index_settings import IndexSettings

if TYPE_CHECKING:
    from lanner.engine.dsl import DslQuery


@dataclass(frozen=True, slots=True)
class Narrowed:
    """An index as an expression names it.

    filter: what an alias leaves of it, None for everything. routing: the values whose shards are asked, None
    for all shards.
    """

    index: IndexMetadata
    filter: "DslQuery | None" = None
    routing: frozenset[str] | None = None


def resolve_narrowed(
    state: ClusterState, expression: str, options: IndexOptions, routing: Iterable[str] | None = None
) -> list[Narrowed]:
    """The indices that an expression stands for, each as its aliases narrow it."""
    asked = None if routing is None else frozenset(routing)
    found = []
    for name in resolve(state, expression, options):
        index = state.indices[name]
        if not any("filter" in alias or "search_routing" in alias for alias in index.aliases.values()):
            found.append(Narrowed(index, None, asked))
            continue
        through = _named_by(index, expression)
        if through is None:
            found.append(Narrowed(index, None, asked))
        else:
            found.append(Narrowed(index, _filter(through), _routing(through, asked)))
    return found


def new_aliases(
    state: ClusterState,
    index: str,
    body: Mapping[str, Any],
    settings: IndexSettings,
    mapping: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    """The aliases of a new index, as they are shown."""
    aliases: dict[str, dict[str, Any]] = {}
    for name, given in body.items():
        alias = read_alias(given)
        check_alias(state, index, name, alias, settings, mapping)
        aliases[name] = alias
    return aliases


def read_alias(given: Any) -> dict[str, Any]:
    """An alias as it is shown, from the body of a request or a template."""
    if not isinstance(given, Mapping):
        raise IllegalArgument("No alias is specified")
    alias: dict[str, Any] = {}
    if isinstance(given.get("filter"), Mapping) and given["filter"]:
        alias["filter"] = given["filter"]
    routing = given.get("routing")
    for key in ("index_routing", "search_routing"):
        value = given.get(key, routing)
        if isinstance(value, str):
            alias[key] = value
    for key in ("is_write_index", "is_hidden"):
        if isinstance(given.get(key), bool):
            alias[key] = given[key]
    return alias


def check_alias(
    state: ClusterState,
    index: str,
    name: str,
    alias: Mapping[str, Any],
    settings: IndexSettings,
    mapping: Mapping[str, Any],
) -> None:
    """Refuse an alias that an index may not have."""
    if name in state.indices:
        raise InvalidAliasName(
            f"Invalid alias name [{name}], an index exists with the same name as the alias",
            index=name,
            index_uuid=state.indices[name].uuid,
        )
    check_alias_name(name)
    if name == index:
        raise _not_unique(name, f"alias of [{index}]", "index")
    if name in state.all_named(DATA_STREAM):
        raise _not_unique(name, f"alias of [{index}]", "data stream")
    if "filter" in alias:
        check_filter(name, alias["filter"], index, settings, mapping)
    if "," in alias.get("index_routing", ""):
        raise IllegalArgument(f"alias [{name}] has several index routing values associated with it")


def check_together(indices: Mapping[str, IndexMetadata]) -> None:
    """Refuse aliases with several write indices, or hidden in a part of their indices."""
    for name, members in aliases_of(indices).items():
        writers = [each for each in members if indices[each].aliases[name].get("is_write_index")]
        if len(writers) > 1:
            raise IllegalStateError(f"alias [{name}] has more than one write index [{','.join(writers)}]")
        hidden = [each for each in members if indices[each].aliases[name].get("is_hidden")]
        if hidden and len(hidden) < len(members):
            shown = [each for each in members if each not in hidden]
            raise IllegalStateError(
                f"alias [{name}] has is_hidden set to true on indices [{','.join(hidden)}] but does not have "
                f"is_hidden set to true on indices [{','.join(shown)}]; alias must have the same is_hidden "
                "setting on all indices"
            )


def _named_by(index: IndexMetadata, expression: str) -> list[Mapping[str, Any]] | None:
    """The aliases by which an expression names an index; None when it names the index itself."""
    parts = expression.split(",") if expression else ["_all"]
    names: dict[str, None] = {}
    wildcard_seen = False
    for part in parts:
        exclude = wildcard_seen and part.startswith("-")
        name = date_math_name(part[1:] if exclude else part)
        wildcard = "*" in name or is_all(name)
        wildcard_seen = wildcard_seen or wildcard
        for known in (index.name, *index.aliases):
            if known == name or (wildcard and (is_all(name) or matches(name, known))):
                if exclude:
                    names.pop(known, None)
                else:
                    names[known] = None
    if index.name in names:
        return None
    return [index.aliases[name] for name in names]


def _filter(aliases: list[Mapping[str, Any]]) -> "DslQuery | None":
    """What any of some aliases lets through; None when one has no filter."""
    filters = [alias["filter"] for alias in aliases if "filter" in alias]
    if not filters or len(filters) < len(aliases):
        return None
    from lanner.engine.dsl import parse_query  # off the start path

    return parse_query(filters[0] if len(filters) == 1 else {"bool": {"should": filters}})


def _routing(aliases: list[Mapping[str, Any]], asked: frozenset[str] | None) -> frozenset[str] | None:
    """The routing values of some aliases, kept to those asked for; None when one of them has none."""
    values: frozenset[str] = frozenset()
    for alias in aliases:
        if "search_routing" not in alias:
            return asked
        given = frozenset(alias["search_routing"].split(","))
        values |= given if asked is None else given & asked
    return values or None


def check_alias_name(name: str) -> None:
    """Refuse names that no alias may have."""
    complaint = name_complaint(name)
    if complaint is not None:
        raise InvalidAliasName(f"Invalid alias name [{name}]: {complaint}")


def _not_unique(name: str, what: str, other: str) -> LannerError:
    return IllegalArgument(
        "index, alias, and data stream names need to be unique, but the following duplicates were found "
        f"[{name} ({what}) conflicts with {other}]"
    )


def check_filter(
    name: str, body: Any, index: str, settings: IndexSettings, mapping: Mapping[str, Any]
) -> None:
    """Refuse a filter that is no query of the index."""
    from lanner.engine.analysis.registry import AnalysisRegistry  # off the start path
    from lanner.engine.dsl import DslContext, parse_query
    from lanner.engine.dsl.range import DirectError
    from lanner.engine.mapping.mapping import Mapping as IndexMapping
    from lanner.engine.mapping.types.date import DateFieldType

    fields = IndexMapping.parse(
        dict(mapping), AnalysisRegistry(settings.analysis, settings.analysis_limits), settings.plain
    )
    try:
        query = parse_query(body)
        query.resolve(DslContext(fields, index=index, now=DateFieldType.clock, settings=settings))
    except (LannerError, DirectError) as fault:
        error = fault.error if isinstance(fault, DirectError) else fault
        cause = locate(error, body, msgspec.json.encode(body))
        raise IllegalArgument(f"failed to parse filter for alias [{name}]", caused_by=cause) from None
