"""What is asked of aliases: actions on them, read and applied all or nothing; and what there is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lanner.engine.cluster import blocks
from lanner.engine.cluster.aliases import check_alias, check_together
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.indices import without_backing
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import ClusterState, IndexMetadata
from lanner.engine.common.body import Anchor, LocatedXContentError, java_text, read_boolean, token_name
from lanner.engine.common.errors import (
    AliasesNotFound,
    IllegalArgument,
    IndexNotFound,
    LannerError,
    XContentParseError,
)
from lanner.engine.common.wildcards import matches

ADD, REMOVE, REMOVE_INDEX = "add", "remove", "remove_index"
ROUTING_KEYS = {
    "routing": ("index_routing", "search_routing"),
    **dict.fromkeys(("index_routing", "indexRouting", "index-routing"), ("index_routing",)),
    **dict.fromkeys(("search_routing", "searchRouting", "search-routing"), ("search_routing",)),
}
FLAGS = ("is_write_index", "is_hidden")
_NAMES = {"index": "indices", "indices": "indices", "alias": "aliases", "aliases": "aliases"}
_OPTIONS = IndexOptions(allow_no_indices=False, forbid_aliases=True, data_streams=False)


@dataclass(frozen=True, slots=True)
class AliasAction:
    """One step: add or remove aliases of indices, or remove indices. alias: as it is shown."""

    kind: str
    indices: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    alias: Mapping[str, Any] = field(default_factory=dict)
    must_exist: bool | None = None


# -- reading


def parse_actions(body: Any) -> list[AliasAction]:
    """Read the body of ``POST _aliases``."""
    if not isinstance(body, dict):
        raise LocatedXContentError(
            f"[aliases] Expected START_OBJECT but was: {token_name(body)}", Anchor(None, None)
        )
    actions: list[AliasAction] = []
    for key, given in body.items():
        if key != "actions":
            raise LocatedXContentError(f"[aliases] unknown field [{key}]", Anchor(body, key, "key"))
        if isinstance(given, list):
            actions += [_parse_action(one, Anchor(given, at)) for at, one in enumerate(given)]
        else:
            actions.append(_parse_action(given, Anchor(body, key)))
        for action in actions:
            fault = _fault(action)
            if fault is not None:
                raise _in_actions(fault, Anchor(given))
    return actions


def _parse_action(given: Any, place: Anchor) -> AliasAction:
    if not isinstance(given, dict):
        raise _in_actions(
            LocatedXContentError(f"[alias_action] Expected START_OBJECT but was: {token_name(given)}", place)
        )
    action = None
    for kind, body in given.items():
        if kind not in (ADD, REMOVE, REMOVE_INDEX):
            error = LocatedXContentError(f"[alias_action] unknown field [{kind}]", Anchor(given, kind, "key"))
            raise _in_actions(error, Anchor(given, kind))
        if not isinstance(body, dict):
            raise _in_actions(
                LocatedXContentError(
                    f"[alias_action] {kind} doesn't support values of type: {token_name(body)}",
                    Anchor(given, kind),
                )
            )
        if action is not None:
            cause = IllegalArgument("Too many operations declared on operation entry")
            reason = "Failed to build [alias_action] after last required field arrived"
            raise _in_actions(XContentParseError(reason, caused_by=cause), Anchor(given))
        action = _parse_one(kind, body)
    if action is None:
        raise _in_actions(IllegalArgument("No operation declared on operation entry"), Anchor(given))
    return action


def _fault(action: AliasAction) -> IllegalArgument | None:
    """What an action lacks."""
    if not action.indices:
        return IllegalArgument("One of [index] or [indices] is required")
    if not action.aliases and action.kind != REMOVE_INDEX:
        return IllegalArgument("One of [alias] or [aliases] is required")
    return None


def _parse_one(kind: str, body: dict[str, Any]) -> AliasAction:
    names: dict[str, tuple[str, ...]] = {}
    alias: dict[str, Any] = {}
    must_exist = None
    for key, value in body.items():
        place = Anchor(value if isinstance(value, list) else body, None if isinstance(value, list) else key)
        try:
            if key in _NAMES:
                if kind == REMOVE_INDEX and key.startswith("alias"):
                    raise IllegalArgument(f"[{key}] is unsupported for [{kind.upper()}]")
                wanted = _read_names(kind, body, key)
                if _NAMES[key] in names:
                    one, many = ("index", "indices") if key.startswith("ind") else ("alias", "aliases")
                    raise IllegalArgument(f"Only one of [{one}] and [{many}] is supported")
                names[_NAMES[key]] = wanted
            elif kind == REMOVE and key == "must_exist":
                must_exist = _read_flag(kind, body, key)
            elif kind == ADD and key == "filter":
                _check_kind(kind, body, key, dict)
                if value:
                    alias["filter"] = value
            elif kind == ADD and key in ROUTING_KEYS:
                _check_kind(kind, body, key, str, int)
                add_routing(alias, key, java_text(value))
            elif kind == ADD and key in FLAGS:
                alias[key] = _read_flag(kind, body, key)
            else:
                raise LocatedXContentError(f"[{kind}] unknown field [{key}]", Anchor(body, key, "key"))
        except LocatedXContentError as error:
            raise _in_one(kind, error, Anchor(body, key)) from None
        except LannerError as cause:
            reason = f"[{kind}] failed to parse field [{key}]"
            raise _in_one(kind, LocatedXContentError(reason, place, caused_by=cause), place) from None
    return AliasAction(kind, names.get("indices", ()), names.get("aliases", ()), alias, must_exist)


def _read_names(kind: str, body: dict[str, Any], key: str) -> tuple[str, ...]:
    value = body[key]
    if key in ("index", "alias"):
        _check_kind(kind, body, key, str)
        if not value:
            raise IllegalArgument(f"[{key}] can't be empty string")
        return (value,)
    _check_kind(kind, body, key, str, list)
    found = tuple(map(java_text, value)) if isinstance(value, list) else (value,)
    if not found:
        raise IllegalArgument(f"[{key}] can't be empty")
    if "" in found:
        raise IllegalArgument(f"[{key}] can't contain empty string")
    return found


def _read_flag(kind: str, body: dict[str, Any], key: str) -> bool:
    _check_kind(kind, body, key, bool, str)
    return read_boolean(body[key])


def _check_kind(kind: str, body: dict[str, Any], key: str, *allowed: type) -> None:
    """Refuse a value of another kind; a truth value is no number."""
    value = body[key]
    if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
        raise LocatedXContentError(
            f"[{kind}] {key} doesn't support values of type: {token_name(value)}", Anchor(body, key)
        )


def add_routing(alias: dict[str, Any], key: str, value: str) -> None:
    """Note a routing value; what is said of one side is stronger than what is said of both."""
    for side in ROUTING_KEYS[key]:
        if key != "routing" or side not in alias:
            alias[side] = value


def _in_one(kind: str, error: LannerError, place: Anchor) -> LannerError:
    reason = f"[alias_action] failed to parse field [{kind}]"
    return _in_actions(LocatedXContentError(reason, place, caused_by=error), place)


def _in_actions(error: LannerError, place: Anchor | None = None) -> LannerError:
    anchor = place or error.anchor  # type: ignore[attr-defined]
    return LocatedXContentError("[aliases] failed to parse field [actions]", anchor, caused_by=error)


# -- doing


def update_aliases(node: NodeContext, actions: list[AliasAction]) -> dict[str, Any]:
    """Do all of the actions or none."""
    if not actions:
        raise IllegalArgument("No action specified")
    node.cluster.apply(lambda state: _plan(state, actions))
    return {"acknowledged": True}


def _plan(state: ClusterState, actions: list[AliasAction]) -> Change:
    """What changes: indices are removed before all else."""
    resolved = [(action, _resolve(state, action)) for action in actions]
    for action, names in resolved:
        backing = [name for name in names if name in state.streams]
        if backing and action.kind != REMOVE_INDEX:
            raise IllegalArgument(
                f"The provided expressions [{','.join(action.indices)}] match a backing index belonging to "
                f"data stream [{state.streams[backing[0]]}]. Data streams and their backing indices don't "
                "support aliases."
            )
        for name in names:
            check = blocks.check_deleting if action.kind == REMOVE_INDEX else blocks.check_metadata
            check(state.indices[name])
    if not any(_does_something(state, action, names) for action, names in resolved):
        raise AliasesNotFound([name for action in actions for name in action.aliases])
    gone = dict.fromkeys(name for action, names in resolved if action.kind == REMOVE_INDEX for name in names)
    indices = {name: index for name, index in state.indices.items() if name not in gone}
    for action, names in resolved:
        for name in names if action.kind != REMOVE_INDEX else ():
            if name not in indices:
                raise _gone(name)
            indices[name] = _change(replace(state, indices=indices), indices[name], action)
    check_together(indices)
    changed = [
        replace(index, version=index.version + 1, aliases_version=index.aliases_version + 1)
        for name, index in indices.items()
        if index.aliases != state.indices[name].aliases
    ]
    return Change(changed=changed, removed=list(gone), named=without_backing(state, list(gone)))


def _gone(name: str) -> IndexNotFound:
    error = IndexNotFound(name)
    error.fields = {"index": name, "index_uuid": "_na_"}
    return error


def _resolve(state: ClusterState, action: AliasAction) -> list[str]:
    for name in action.indices:
        if "," in name:
            raise IndexNotFound(name)
    return resolve(state, ",".join(action.indices), _OPTIONS)


def _does_something(state: ClusterState, action: AliasAction, names: list[str]) -> bool:
    """Whether there is anything to do; AliasesNotFound when an alias is missing that must be there."""
    if action.kind != REMOVE or action.must_exist is False:
        return True
    held = {alias for name in names for alias in state.indices[name].aliases}
    missing = [wanted for wanted in action.aliases if not any(_names(wanted, alias) for alias in held)]
    if missing and action.must_exist:
        raise AliasesNotFound(missing)
    # an action before this one may add the alias
    return len(missing) < len(action.aliases)


def _change(state: ClusterState, index: IndexMetadata, action: AliasAction) -> IndexMetadata:
    aliases = dict(index.aliases)
    for name in action.aliases:
        if action.kind == ADD:
            check_alias(state, index.name, name, action.alias, index.settings, index.mapping)
            aliases[name] = dict(action.alias)
        else:
            aliases = {alias: body for alias, body in aliases.items() if not _names(name, alias)}
    return replace(index, aliases=dict(sorted(aliases.items())))


def _names(wanted: str, alias: str) -> bool:
    return wanted in (alias, "_all") or matches(wanted, alias)


# -- showing


def find_aliases(
    node: NodeContext, expression: str | None, names: list[str], options: IndexOptions
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Aliases by index, and the names that are missing. No names: all, and indices without any."""
    state = node.cluster.state
    found = {}
    for index in resolve(state, expression, replace(options, data_streams=False)):
        blocks.check_metadata_reading(state.indices[index])
        held = {
            alias: dict(body) for alias, body in state.indices[index].aliases.items() if _chosen(alias, names)
        }
        if held or not names:
            found[index] = held
    return found, _missing(names, {alias for held in found.values() for alias in held})


def _chosen(alias: str, names: Iterable[str]) -> bool:
    """Whether a list of names, patterns and exclusions means an alias."""
    chosen = not names
    for name in names:
        if name.startswith("-"):
            chosen = chosen and not matches(name[1:], alias)
        else:
            chosen = chosen or _names(name, alias)
    return chosen


def _missing(names: list[str], found: set[str]) -> list[str]:
    """Names without wildcards that were not found, and that nothing behind a wildcard excludes."""
    first = next((at for at, name in enumerate(names) if "*" in name), len(names))
    missing = set()
    for at, name in enumerate(names):
        if name == "_all" or "*" in name or (at > first and name.startswith("-")) or name in found:
            continue
        excluded = any(
            later.startswith("-") and (later == "-_all" or matches(later[1:], name))
            for later in names[max(at + 1, first) :]
        )
        if not excluded:
            missing.add(name)
    return sorted(missing)
