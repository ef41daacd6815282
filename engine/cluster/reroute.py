"""Commands that place copies of shards. On a node of its own there is nothing to place, and each says why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lanner.engine.cluster.deciders import NO, YES, decision, decisions, describe_node, reasons
from lanner.engine.cluster.state import ClusterState, IndexMetadata, ShardCopy
from lanner.engine.common.body import Anchor, LocatedXContentError, anchored, token_name
from lanner.engine.common.errors import (
    IllegalArgument,
    IndexNotFound,
    LannerError,
    NamedObjectNotFound,
    ParseError,
)

_FIELDS = {
    "cancel": ("index", "shard", "node"),
    "move": ("index", "shard", "from_node", "to_node"),
    "allocate_replica": ("index", "shard", "node"),
    "allocate_empty_primary": ("index", "shard", "node"),
    "allocate_stale_primary": ("index", "shard", "node"),
}
_FLAGS = {
    "cancel": "allow_primary",
    "allocate_empty_primary": "accept_data_loss",
    "allocate_stale_primary": "accept_data_loss",
}


@dataclass(frozen=True, slots=True)
class Command:
    """One command with its parameters."""

    name: str
    parameters: Mapping[str, Any]


def parse_commands(body: Any) -> list[Command]:
    """Read the body of a request."""
    if not isinstance(body, dict):
        raise LocatedXContentError(
            f"[cluster_reroute] Expected START_OBJECT but was: {token_name(body)}", Anchor(None)
        )
    commands: list[Command] = []
    for key, value in body.items():
        if key != "commands":
            raise LocatedXContentError(f"[cluster_reroute] unknown field [{key}]", Anchor(body, key, "key"))
        if not isinstance(value, list):
            raise LocatedXContentError(
                f"[cluster_reroute] commands doesn't support values of type: {token_name(value)}",
                Anchor(body, key),
            )
        commands += [_parse(value, at) for at in range(len(value))]
    return commands


def _parse(commands: list[Any], at: int) -> Command:
    given = commands[at]
    if not isinstance(given, dict):
        text = f"allocation command is malformed, got [{token_name(given)}] instead"
        raise _in_commands(ParseError(text), Anchor(commands, at))
    if not given:
        place = Anchor(given)
        fault = anchored(NamedObjectNotFound("[{line}:{column}] unknown field [null]"), place)
        raise _in_commands(fault, place)
    name, parameters = next(iter(given.items()))
    if name not in _FIELDS:
        place = Anchor(given, name)
        raise _in_commands(
            anchored(NamedObjectNotFound(f"[{{line}}:{{column}}] unknown field [{name}]"), place), place
        )
    if not isinstance(parameters, dict):
        raise _in_commands(
            ParseError(f"[{name}] command does not support [{token_name(parameters)}]"), Anchor(given, name)
        )
    flag = _FLAGS.get(name)
    for key in parameters:
        if key not in _FIELDS[name] and key != flag:
            raise _in_commands(
                ParseError(f"[{name}] command does not support field [{key}]"), Anchor(parameters, key)
            )
    for key in _FIELDS[name]:
        if key not in parameters:
            lacking: LannerError = (
                IllegalArgument(f"Argument [{key}] must be defined")
                if name.startswith("allocate_")
                else ParseError(f"[{name}] command missing the {key} parameter")
            )
            raise _in_commands(lacking, Anchor(parameters))
    values = {key: parameters[key] for key in _FIELDS[name]}
    try:
        values["shard"] = int(values["shard"])
    except (TypeError, ValueError):
        raise _in_commands(
            ParseError(f"[{name}] command does not support [{values['shard']}] as a shard"),
            Anchor(parameters, "shard"),
        ) from None
    if flag is not None:
        values[flag] = parameters.get(flag, False) in (True, "true")
    return Command(name, values)


def _in_commands(fault: LannerError, place: Anchor) -> LannerError:
    return LocatedXContentError("[cluster_reroute] failed to parse field [commands]", place, caused_by=fault)


def explain_commands(state: ClusterState, commands: list[Command], *, strict: bool) -> list[dict[str, Any]]:
    """What becomes of each command. strict: a command that cannot be done is an error."""
    shown = []
    for command in commands:
        found, error = _judge(state, command)
        if strict and error is not None:
            raise IllegalArgument(error)
        shown.append({"command": command.name, "parameters": dict(command.parameters), "decisions": found})
    return shown


def _judge(state: ClusterState, command: Command) -> tuple[list[dict[str, Any]], str | None]:
    """The decisions about a command, and the error when one of them is no."""
    name, given = command.name, command.parameters
    for key in _FIELDS[name][2:]:
        if given[key] not in (state.node.id, state.node.name):
            raise IllegalArgument(f"failed to resolve [{given[key]}], no matching nodes")
    index = state.indices.get(given["index"])
    if index is None:
        error = IndexNotFound(given["index"])
        error.fields = {"index": given["index"], "index_uuid": "_na_"}
        raise error
    shard = given["shard"]
    copies = [copy for copy in state.copies(index) if copy.shard == shard]
    here = next((copy for copy in copies if copy.started), None)
    if name == "cancel":
        return _cancel(state, shard, here, allowed=given["allow_primary"])
    if name == "move":
        return _move(state, index, shard, here)
    if not copies:
        raise IllegalArgument(f"No shard was specified to find the shard [{shard}] of [{index.name}]")
    if name == "allocate_replica":
        return _allocate_replica(state, index, copies)
    text = f"primary [{index.name}][{shard}] is already assigned"
    if here is None:
        text = f"allocating a primary shard [{index.name}][{shard}] is not supported by this version"
    return [decision(f"{name} (allocation command)", NO, text)], f"[{name}] {text}"


def _cancel(
    state: ClusterState, shard: int, here: ShardCopy | None, *, allowed: bool
) -> tuple[list[dict[str, Any]], str | None]:
    node = describe_node(state)
    if here is None:
        text = f"can't cancel {shard}, failed to find it on node {node}"
    elif not allowed:
        text = f"can't cancel {shard} on node {node}, shard is primary and started"
    else:
        text = f"shard {shard} on node {node} can be cancelled"
        return [decision("cancel_allocation_command", YES, text)], None
    return [decision("cancel_allocation_command", NO, text)], f"[cancel_allocation] {text}"


def _move(
    state: ClusterState, index: IndexMetadata, shard: int, here: ShardCopy | None
) -> tuple[list[dict[str, Any]], str | None]:
    node = describe_node(state)
    if here is None:
        text = f"can't move {shard}, failed to find it on node {node}"
        return [decision("move_allocation_command", NO, text)], f"[move_allocation] {text}"
    found = decisions(state, index, here, by_hand=True)
    text = f"can't move {shard}, from {node}, to {node}, since its not allowed, reason: {reasons(found)}"
    return found, f"[move_allocation] {text}"


def _allocate_replica(
    state: ClusterState, index: IndexMetadata, copies: list[ShardCopy]
) -> tuple[list[dict[str, Any]], str | None]:
    place = f"[{index.name}][{copies[0].shard}]"
    waiting = next((copy for copy in copies if not copy.primary and not copy.started), None)
    if waiting is None:
        text = f"all copies of {place} are already assigned. Use the move allocation command instead"
        return [decision("allocate_replica (allocation command)", NO, text)], f"[allocate_replica] {text}"
    found = decisions(state, index, waiting, by_hand=True)
    return found, (
        f"[allocate_replica] allocation of {place} on node {describe_node(state)} is not allowed, reason: "
        f"{reasons(found)}"
    )
