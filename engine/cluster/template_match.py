"""Which templates mean an index, and what they give it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lanner.engine.cluster.state import COMPONENT_TEMPLATE, INDEX_TEMPLATE, LEGACY_TEMPLATE, ClusterState
from lanner.engine.common.settings import Flat
from lanner.engine.common.wildcards import matches

Body = Mapping[str, Any]
BACKING_PREFIX = ".ds-"  # of the names of the indices of data streams


@dataclass(frozen=True, slots=True)
class Composed:
    """What templates give a new index.

    mappings: bodies, each over those before it, that of the request last. name: of the composable template.
    """

    settings: Flat = field(default_factory=dict)
    mappings: tuple[Body, ...] = ()
    aliases: Mapping[str, Body] = field(default_factory=dict)
    name: str | None = None
    data_stream: Mapping[str, Any] | None = None


def compose_for(state: ClusterState, index: str, request_mapping: Body, *, hidden: bool) -> Composed:
    """What a new index gets: from the composable template that wins, else from all legacy ones."""
    name = match_template(state, index, hidden=hidden)
    if name is not None:
        composed = compose(state, name, state.all_named(INDEX_TEMPLATE)[name], index)
        return (
            replace(composed, mappings=(*composed.mappings, request_mapping)) if request_mapping else composed
        )
    return _compose_legacy(state, index, request_mapping, hidden=hidden)


def match_template(state: ClusterState, index: str, *, hidden: bool = False) -> str | None:
    """The composable template with the highest priority whose patterns match, or None."""
    found = [
        (-template.get("priority", 0), name)
        for name, template in state.all_named(INDEX_TEMPLATE).items()
        if _matches(template["index_patterns"], index, hidden=hidden)
    ]
    return min(found)[1] if found else None


def compose(state: ClusterState, name: str | None, template: Body, index: str | None = None) -> Composed:
    """A composable template with its components: later ones are stronger, the template strongest.

    index: the name of the index that it is for; those of a data stream get the field of the moment.
    """
    known = state.all_named(COMPONENT_TEMPLATE)
    parts = [known[each]["template"] for each in template.get("composed_of", ()) if each in known]
    parts.append(template.get("template", {}))
    settings: Flat = {}
    aliases: dict[str, Body] = {}
    for part in parts:
        settings.update(part.get("settings", {}))
    for part in reversed(parts):
        for alias, body in part.get("aliases", {}).items():
            aliases.setdefault(alias, body)
    mappings = [part["mappings"] for part in parts if part.get("mappings")]
    stream = template.get("data_stream")
    if stream is not None and index is not None and index.startswith(BACKING_PREFIX):
        timestamp = stream["timestamp_field"]["name"]
        mappings.insert(0, {"properties": {timestamp: {"type": "date"}}})
        mappings.append({"_data_stream_timestamp": {"enabled": True, "timestamp_field": {"name": timestamp}}})
    return Composed(settings, tuple(mappings), aliases, name, stream)


def _compose_legacy(state: ClusterState, index: str, request_mapping: Body, *, hidden: bool) -> Composed:
    found = [
        (-template["order"], name, template)
        for name, template in state.all_named(LEGACY_TEMPLATE).items()
        if _matches(template["index_patterns"], index, hidden=hidden)
    ]
    found.sort(key=lambda each: each[:2])
    mapping: Body = request_mapping
    aliases: dict[str, Body] = {}
    settings: Flat = {}
    for _, _, template in found:
        mapping = with_defaults(mapping, template["mappings"])
        for alias, body in template["aliases"].items():
            aliases.setdefault(alias, body)
    for _, _, template in reversed(found):
        settings.update(template["settings"])
    return Composed(settings, (mapping,) if mapping else (), aliases)


def _matches(patterns: Iterable[str], index: str, *, hidden: bool) -> bool:
    """Whether one of some patterns means an index; the one for everything does not mean hidden ones."""
    return any(matches(pattern, index) and not (hidden and pattern == "*") for pattern in patterns)


# -- patterns


def overlap(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether there is a name that both lists of patterns match."""
    mine = list(other)
    return any(_overlap(a, b) for a in one for b in mine)


def _overlap(one: str, other: str) -> bool:
    """Whether there is a name that both patterns match; takes the product of their lengths."""
    # reached[j]: the rest of `one` is to be held against the rest of `other` from j
    reached = {0}
    for at in range(len(one) + 1):
        waiting = list(reached)
        while waiting:  # a star of the other pattern may stand for nothing; a star of ours for any character
            j = waiting.pop()
            steps = []
            if j < len(other) and (other[j] == "*" or (at < len(one) and one[at] == "*")):
                steps.append(j + 1)
            for step in steps:
                if step not in reached:
                    reached.add(step)
                    waiting.append(step)
        if at == len(one):
            return len(other) in reached
        character = one[at]
        following = set()
        for j in reached:
            if character == "*":
                following.add(j)
            elif j < len(other):
                if other[j] == "*":
                    following.add(j)
                elif other[j] == character:
                    following.add(j + 1)
        reached = following
        if not reached:
            return False
    return False


# -- legacy mappings


def with_defaults(content: Body, defaults: Body) -> dict[str, Any]:
    """An object with what it lacks of another, also inside of objects that both have."""
    merged = dict(content)
    for key, default in defaults.items():
        if key not in merged:
            merged[key] = default
            continue
        given = merged[key]
        if isinstance(given, Mapping) and isinstance(default, Mapping):
            merged[key] = with_defaults(given, default)
        elif isinstance(given, list) and isinstance(default, list):
            merged[key] = _merge_lists(given, default)
    return merged


def _merge_lists(given: list[Any], defaults: list[Any]) -> list[Any]:
    """Both lists as one. Objects with one key count as named by it, as dynamic templates are."""
    if not all(isinstance(each, Mapping) and len(each) == 1 for each in (*given, *defaults)):
        return [*defaults, *(each for each in given if each not in defaults)]
    named = {key: value for each in given for key, value in each.items()}
    for each in defaults:
        for key, value in each.items():
            known = named.get(key)
            if key not in named:
                named[key] = value
            elif isinstance(known, Mapping) and isinstance(value, Mapping):
                named[key] = with_defaults(known, value)
    return [{key: value} for key, value in named.items()]
