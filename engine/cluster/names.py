"""Index expressions: names, aliases, lists, wildcards, exclusions, ``_all``, date math."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lanner.engine.cluster.state import CLOSE, DATA_STREAM, OPEN, ClusterState, IndexMetadata
from lanner.engine.common.errors import (
    IllegalArgument,
    IndexClosed,
    IndexNotFound,
    InvalidIndexName,
    LannerError,
)
from lanner.engine.common.wildcards import matches

FORBIDDEN = '[ , ", *, \\, <, |, ,, >, /, ?]'
FORBIDDEN_CHARACTERS = frozenset(' "*\\<|,>/?')
_MAX_NAME_BYTES = 255


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """How an expression is read. `expand_wildcards`: open, closed, hidden, none, all."""

    ignore_unavailable: bool = False
    allow_no_indices: bool = True
    expand_wildcards: tuple[str, ...] = ("open",)
    forbid_closed: bool = False
    forbid_aliases: bool = False
    data_streams: bool = True  # whether their names stand for what backs them

    @property
    def states(self) -> frozenset[str]:
        """What wildcards stand for: some of open, closed, hidden."""
        found: set[str] = set()
        for word in self.expand_wildcards:
            if word == "none":
                found.clear()
            elif word == "all":
                found.update(("open", "closed", "hidden"))
            else:
                found.add(word)
        return frozenset(found)


STRICT_EXPAND_OPEN = IndexOptions()


def resolve(
    state: ClusterState, expression: str | None, options: IndexOptions = STRICT_EXPAND_OPEN
) -> list[str]:
    """Names of the indices that an expression stands for, each once, in the order of the expression."""
    text = expression or "_all"
    if text.endswith(","):
        text = text.rstrip(",") or text  # as Java splits; nothing but commas is not taken for everything
    states = options.states
    kind = "index_or_alias" if states & {"open", "closed"} else "index_expression"
    found: dict[str, None] = {}
    wildcard_seen = False
    parts = text.split(",")
    for part in parts:
        exclude = wildcard_seen and part.startswith("-")
        name = part[1:] if exclude else part
        if "*" in name:
            name = date_math_name(name)
        if is_all(name) and len(parts) == 1:
            found.update(dict.fromkeys(_usable(state, _expand(state, "*", states, options), options)))
            if not found and not options.allow_no_indices:
                raise _nothing_exists(name, states)
            return list(found)
        if "*" in name:
            wildcard_seen = True
            matched = _expand(state, name, states, options)
            if not (matched or exclude or options.allow_no_indices):
                there = options.ignore_unavailable and _expand(state, name, _EVERY_STATE, options)
                raise _left_out(name, kind) if there else IndexNotFound(name, resource_type=kind)
        else:
            matched = _concrete(state, name, options, kind, alone=len(parts) == 1)
        for each in matched if exclude else _usable(state, matched, options):
            if exclude:
                found.pop(each, None)
            else:
                found[each] = None
    if not found and not options.allow_no_indices:
        if len(parts) > 1:
            raise _left_out(parts, kind if "*" in text else "index_expression")
        if "*" in text:
            there = options.ignore_unavailable and _expand(state, text, _EVERY_STATE, options)
            raise _left_out(text, kind) if there else IndexNotFound(text, resource_type=kind)
        known = text in state.indices or text in state.aliases or text in state.all_named(DATA_STREAM)
        raise _left_out(text) if known else IndexNotFound(text, resource_type="index_expression")
    return list(found)


def check_destructive(state: ClusterState, node_settings: Mapping[str, str], expression: str | None) -> None:
    """Refuse to remove, close, open or block what is not named, where settings ask for names."""
    name = "action.destructive_requires_name"
    value = state.setting(name)
    if (node_settings.get(name, "false") if value is None else value) != "true":
        return
    parts = (expression or "_all").split(",")
    if any("*" in part or is_all(part) for part in parts):
        raise IllegalArgument("Wildcard expressions or all indices are not allowed")


def is_all(name: str) -> bool:
    """Whether a part stands for everything."""
    return name in ("_all", "*")


def resolve_index(state: ClusterState, name: str) -> IndexMetadata:
    """The one index that a name or alias stands for; for reading one document."""
    index = state.indices.get(name)
    if index is not None:
        return index
    names = state.aliases.get(name)
    if names is None:
        if name == "_all":
            raise _nothing_exists(name)
        check_reading(name)
        resolved = date_math_name(name)
        if resolved != name:
            return resolve_index(state, resolved)
        if name in state.all_named(DATA_STREAM):
            raise _left_out(name, excluded_ds="true")
        raise IndexNotFound(name, resource_type="index_expression")
    if len(names) > 1:
        listed = ", ".join(names)
        raise IllegalArgument(
            f"alias [{name}] has more than one index associated with it [{listed}], "
            "can't execute a single index op"
        )
    return state.indices[names[0]]


def resolve_write_index(state: ClusterState, name: str) -> IndexMetadata | None:
    """The index that writes to this name go to; None when there is no such index or alias."""
    index = state.indices.get(name)
    if index is not None:
        return index
    names = state.aliases.get(name)
    if names is None:
        stream = name in state.all_named(DATA_STREAM)
        return state.indices[state.write_index(name)] if stream else None
    writers = [each for each in names if state.indices[each].aliases[name].get("is_write_index")]
    if not writers and len(names) == 1 and "is_write_index" not in state.indices[names[0]].aliases[name]:
        writers = list(names)
    if not writers:
        raise IllegalArgument(
            f"no write index is defined for alias [{name}]. The write index may be explicitly disabled using "
            "is_write_index=false or the alias points to multiple indices without one being designated as a "
            "write index"
        )
    return state.indices[writers[0]]


def _left_out(name: str | list[str], kind: str = "index_expression", **why: str) -> IndexNotFound:
    """The error for what is there, but not for this request."""
    error = IndexNotFound("null")
    error.fields = {"resource.id": name, "resource.type": kind, **why}
    return error


def _nothing_exists(name: str, states: frozenset[str] = frozenset()) -> IndexNotFound:
    """The error for what stands for everything, when that is nothing."""
    error = _left_out(name) if states else IndexNotFound(name, resource_type="index_expression")
    if name == "_all":
        error.reason += " and no indices exist"
    return error


def check_reading(name: str) -> None:
    """Refuse names that cannot be an index even in an expression."""
    if name.startswith("_"):
        raise _invalid(name, "must not start with '_'.")


def check_new_name(state: ClusterState, name: str) -> None:
    """Refuse names that a new index may not have."""
    complaint = name_complaint(name)
    if complaint is None and name.lower() != name:
        complaint = "must be lowercase"
    if complaint is None and name in state.aliases:
        complaint = "already exists as alias"
    if complaint is not None:
        raise _invalid(name, complaint)


def name_complaint(name: str) -> str | None:
    """What is wrong with a name for anything that stands beside indices; None if nothing is."""
    size = len(name.encode())
    if not name or FORBIDDEN_CHARACTERS.intersection(name):
        return f"must not contain the following characters {FORBIDDEN}"
    if "#" in name:
        return "must not contain '#'"
    if ":" in name:
        return "must not contain ':'"
    if name[0] in "_-+":
        return "must not start with '_', '-', or '+'"
    if size > _MAX_NAME_BYTES:
        return f"index name is too long, ({size} > {_MAX_NAME_BYTES})"
    if name in (".", ".."):
        return "must not be '.' or '..'"
    return None


def _invalid(name: str, complaint: str) -> LannerError:
    return InvalidIndexName(f"Invalid index name [{name}], {complaint}", index=name, index_uuid="_na_")


_EVERY_STATE = frozenset(("open", "closed", "hidden"))


def _expand(state: ClusterState, pattern: str, states: frozenset[str], options: IndexOptions) -> list[str]:
    """Names of the indices that a pattern matches, by their own name, an alias or a data stream."""
    if not states & {"open", "closed"}:
        return []
    found: set[str] = set()
    for name, index in state.indices.items():
        if index.hidden and "hidden" not in states and not (pattern[0] == "." and name[0] == "."):
            continue
        if pattern == "*" or matches(pattern, name):
            found.add(name)
    if pattern != "*" and not options.forbid_aliases:
        for alias, names in state.aliases.items():
            if matches(pattern, alias) and ("hidden" in states or not _hidden(state, alias, pattern)):
                found.update(names)
    if options.data_streams:
        for stream, body in state.all_named(DATA_STREAM).items():
            if matches(pattern, stream):
                found.update(body["indices"])
    wanted = {OPEN if state == "open" else CLOSE for state in states & {"open", "closed"}}
    return sorted(name for name in found if state.indices[name].state in wanted)


def _hidden(state: ClusterState, alias: str, pattern: str) -> bool:
    """Whether wildcards leave an alias out; one that starts with a dot is found by a pattern that does."""
    body = state.indices[state.aliases[alias][0]].aliases[alias]
    return bool(body.get("is_hidden")) and not (pattern[0] == "." and alias[0] == ".")


def _concrete(state: ClusterState, name: str, options: IndexOptions, kind: str, *, alone: bool) -> list[str]:
    """The indices behind a name without wildcards; alone: the expression has no other part."""
    check_reading(name)
    if name in state.indices:
        return [name]
    aliased = state.aliases.get(name)
    if aliased is not None:
        if options.forbid_aliases:
            if options.ignore_unavailable:
                return []
            raise IllegalArgument(
                f"The provided expression [{name}] matches an alias, specify the corresponding concrete "
                "indices instead."
            )
        return list(aliased)
    stream = state.all_named(DATA_STREAM).get(name)
    if stream is not None and options.data_streams:
        return list(stream["indices"])
    resolved = date_math_name(name)
    if resolved != name:
        return _concrete(state, resolved, options, kind, alone=alone)
    # without wildcards to expand, a single name is one that may match nothing
    expands = bool(options.states & {"open", "closed"})
    if options.ignore_unavailable or (alone and not expands and options.allow_no_indices):
        return []
    raise IndexNotFound(name, resource_type=kind)


def _usable(state: ClusterState, names: Iterable[str], options: IndexOptions) -> list[str]:
    """Of some indices those that answer; IndexClosed where closed ones may not be named."""
    found = []
    for name in names:
        index = state.indices[name]
        if not (index.closed and options.forbid_closed):
            found.append(name)
        elif options.ignore_unavailable:
            continue
        elif options.states & {"open", "closed"} == {"closed"}:
            raise IllegalArgument("To expand [CLOSE] wildcard, please set forbid_closed_indices to `false`")
        else:
            raise IndexClosed("closed", index=index.name, index_uuid=index.uuid)
    return found


def date_math_name(name: str) -> str:
    """The name that a name in angle brackets stands for now; other names as they are."""
    if not (name.startswith("<") and name.endswith(">")):
        return name
    from lanner.engine.cluster.date_names import resolve_index_name  # rare

    return resolve_index_name(name)
