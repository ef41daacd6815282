"""Rollover: a new index behind an alias or in a data stream, once conditions hold."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lanner.engine.cluster.blocks import check_all, check_metadata
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import check_active_shards, new_index
from lanner.engine.cluster.data_streams import new_backing_index
from lanner.engine.cluster.indices import shards_of
from lanner.engine.cluster.names import check_new_name, date_math_name
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import DATA_STREAM, ClusterState, IndexMetadata
from lanner.engine.cluster.template_match import compose_for
from lanner.engine.common.errors import IllegalArgument, LannerError, ParseError
from lanner.engine.common.object_parser import OBJECT, WHOLE, Field, parse_object
from lanner.engine.common.units import parse_size, parse_time

_NUMBERED = re.compile(r"(.*)-(\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RolloverRequest:
    """What is to be rolled over, when, and what the new index is to be like."""

    target: str
    new_name: str | None = None
    conditions: Mapping[str, Any] = field(default_factory=dict)  # as given, by name
    body: Mapping[str, Any] = field(default_factory=dict)  # settings, mappings, aliases of the new index
    dry_run: bool = False
    wait_for_active_shards: str | None = None


def _read_age(value: Any, key: str) -> str:
    try:
        parse_time(value, key)
    except ParseError as error:
        raise IllegalArgument(error.reason) from None
    return str(value)


def _read_size(value: Any, key: str) -> str:
    parse_size(value, key)
    return str(value)


_CONDITIONS = {"max_age": Field((str,), _read_age), "max_docs": WHOLE, "max_size": Field((str,), _read_size)}


def _read_conditions(value: Any, key: str) -> dict[str, Any]:
    return parse_object("conditions", value, _CONDITIONS)


def _read_mappings(value: Any, key: str) -> Any:
    if "_doc" in value:
        raise IllegalArgument("The mapping definition cannot be nested under a type")
    return value


_BODY = {
    "conditions": Field((dict,), _read_conditions),
    "settings": OBJECT,
    "mappings": Field((dict,), _read_mappings),
    "aliases": OBJECT,
}


def parse_body(body: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read the body of a request: conditions, and what the new index is to be like."""
    given = parse_object("rollover", body, _BODY)
    return given.pop("conditions", {}), given


def rollover(node: NodeContext, request: RolloverRequest) -> dict[str, Any]:
    """Roll over if any of the conditions holds, or if there are none."""
    answer: dict[str, Any] = {}

    def plan(state: ClusterState) -> Change:
        target = request.target
        check_all(check_metadata, _behind(state, target))
        if target in state.all_named(DATA_STREAM):
            old, make = _in_stream(node, state, request)
        elif target in state.aliases:
            old, make = _behind_alias(node, state, request)
        elif target in state.indices:
            raise IllegalArgument(
                "rollover target is a [concrete index] but one of [alias,data_stream] was expected"
            )
        else:
            raise IllegalArgument(f"rollover target [{target}] does not exist")
        change = make()
        new = change.created[0]
        met = _evaluate(node, old, request.conditions)
        due = not met or any(met.values())
        acknowledged = check_active_shards(new, request.wait_for_active_shards)
        done = due and not request.dry_run
        answer.update(
            {
                "acknowledged": done,
                "shards_acknowledged": done and acknowledged,
                "old_index": old.name,
                "new_index": new.name,
                "rolled_over": done,
                "dry_run": request.dry_run,
                "conditions": {f"[{name}: {request.conditions[name]}]": holds for name, holds in met.items()},
            }
        )
        if not done:
            return Change()
        info = {
            "met_conditions": {name: request.conditions[name] for name, holds in met.items() if holds},
            "time": node.clock.millis(),
        }
        newer = next((index for index in change.changed if index.name == old.name), old)
        newer = replace(
            newer,
            rollover_info={**old.rollover_info, target: info},
            version=old.version + 1,
        )
        others = [index for index in change.changed if index.name != old.name]
        return replace(change, changed=[*others, newer])

    node.cluster.apply(plan)
    return answer


def _behind(state: ClusterState, target: str) -> list[IndexMetadata]:
    """The indices that a name stands for."""
    stream = state.all_named(DATA_STREAM).get(target)
    names = state.aliases.get(target, ()) if stream is None else stream["indices"]
    return [state.indices[name] for name in names]


def _in_stream(
    node: NodeContext, state: ClusterState, request: RolloverRequest
) -> tuple[IndexMetadata, Callable[[], Change]]:
    """The newest index of a data stream, and what gives the change that adds another."""
    if request.new_name is not None:
        raise IllegalArgument("new index name may not be specified when rolling over a data stream")
    if request.body:
        raise IllegalArgument(
            "aliases, mappings, and index settings may not be specified when rolling over a data stream"
        )
    name = request.target
    body = state.all_named(DATA_STREAM)[name]

    def make() -> Change:
        generation = body["generation"] + 1
        index = new_backing_index(node, state, name, generation)
        newer = {**body, "generation": generation, "indices": [*body["indices"], index.name]}
        return Change(created=[index], named={(DATA_STREAM, name): newer})

    return state.indices[state.write_index(name)], make


def _behind_alias(
    node: NodeContext, state: ClusterState, request: RolloverRequest
) -> tuple[IndexMetadata, Callable[[], Change]]:
    """The index that an alias writes to, and what gives the change that puts another behind it."""
    alias = request.target
    members = [state.indices[name] for name in state.aliases[alias]]
    writers = [index for index in members if index.aliases[alias].get("is_write_index")]
    if not writers and len(members) == 1 and "is_write_index" not in members[0].aliases[alias]:
        writers = members
    if not writers:
        raise IllegalArgument(f"rollover target [{alias}] does not point to a write index")
    old = writers[0]
    explicit = "is_write_index" in old.aliases[alias]

    def make() -> Change:
        provided = request.new_name or next_name(old.settings.text("index.provided_name"), old.name)
        name = date_math_name(provided)
        check_new_name(state, name)
        _check_templates(state, name, alias)
        wanted = dict(request.body)
        mine = {key: value for key, value in old.aliases[alias].items() if key == "is_hidden"}
        wanted["aliases"] = {
            **(wanted.get("aliases") or {}),
            alias: {**mine, "is_write_index": True} if explicit else mine,
        }
        if explicit:
            aliases = {**old.aliases, alias: {**old.aliases[alias], "is_write_index": False}}
        else:
            aliases = {each: body for each, body in old.aliases.items() if each != alias}
        newer = replace(old, aliases=aliases, aliases_version=old.aliases_version + 1)
        after = replace(state, indices={**state.indices, old.name: newer})
        index = new_index(node, after, name, wanted, provided_name=provided)
        return Change(created=[index], changed=[newer])

    return old, make


def _check_templates(state: ClusterState, name: str, alias: str) -> None:
    """Refuse a new index that templates put behind the alias as well."""
    composed = compose_for(state, name, {}, hidden=False)
    if alias in composed.aliases:
        raise IllegalArgument(
            f"Rollover alias [{alias}] can point to multiple indices, found duplicated alias "
            f"[[{', '.join(composed.aliases)}]] in index template [{composed.name}]"
        )


def next_name(provided: str, name: str) -> str:
    """The name after this one: with the number at its end one higher, at least six digits long."""
    dated = provided.startswith("<") and provided.endswith(">")
    found = _NUMBERED.fullmatch(provided[1:-1] if dated else name)
    if found is None:
        raise IllegalArgument(f"index name [{name}] does not match pattern '^.*-\\d+$'")
    following = f"{found[1]}-{int(found[2]) + 1:06d}"
    return f"<{following}>" if dated else following


def _evaluate(node: NodeContext, index: IndexMetadata, conditions: Mapping[str, Any]) -> dict[str, bool]:
    """Which conditions hold for an index."""
    if not conditions:
        return {}
    stats = [shard.stats() for _, shard in shards_of(node, index) if not isinstance(shard, LannerError)]
    age = node.clock.millis() - int(index.settings.text("index.creation_date"))
    measures: dict[str, Callable[[], tuple[float, float]]] = {
        "max_docs": lambda: (sum(each.num_docs for each in stats), conditions["max_docs"]),
        "max_size": lambda: (
            sum(each.store_bytes for each in stats),
            parse_size(conditions["max_size"], "max_size"),
        ),
        "max_age": lambda: (age, parse_time(conditions["max_age"], "max_age")),
    }
    found = {name: measures[name]() for name in conditions}
    return {name: value >= limit for name, (value, limit) in found.items()}
