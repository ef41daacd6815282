"""How the cluster does: colours, counts, and waiting for better."""

import re
from dataclasses import dataclass
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.cluster.state import ClusterState, IndexMetadata, ShardCopy
from lanner.engine.common.errors import IllegalArgument, IndexNotFound, NumberFormatError

GREEN, YELLOW, RED = "green", "yellow", "red"
_ORDER = (GREEN, YELLOW, RED)
LENIENT = IndexOptions(ignore_unavailable=False, expand_wildcards=("open", "closed", "hidden"))
PRIORITIES = ("immediate", "urgent", "high", "normal", "low", "languid")
_NODES = re.compile(r"(>=|<=|>|<|==|ge\(|le\(|gt\(|lt\()?(\d+)\)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRequest:
    """What to wait for, and for how long (milliseconds)."""

    wait_for_status: str | None = None
    wait_for_nodes: str | None = None
    wait_for_active_shards: str | None = None
    wait_for_no_relocating_shards: bool = False
    wait_for_no_initializing_shards: bool = False
    wait_for_events: str | None = None
    timeout: float = 30_000
    level: str = "cluster"
    expand_wildcards: tuple[str, ...] = ("open", "closed", "hidden")


def health(
    node: NodeContext, expression: str | None = None, request: HealthRequest | None = None
) -> dict[str, Any]:
    """The health answer; ``timed_out`` tells that the wait was in vain."""
    wanted = request or HealthRequest()
    check(wanted)
    waits = bool(
        wanted.wait_for_status or wanted.wait_for_nodes or wanted.wait_for_active_shards or expression
    )
    reached = _reached(node.cluster.state, expression, wanted)
    if not reached and waits:
        reached = node.cluster.wait(lambda state: _reached(state, expression, wanted), wanted.timeout / 1000)
    return render(node.cluster.state, expression, wanted, timed_out=not reached)


def check(request: HealthRequest) -> None:
    """Refuse unknown words."""
    status = request.wait_for_status
    if status is not None and status.lower() not in _ORDER:
        raise IllegalArgument(
            f"No enum constant org.opensearch.cluster.health.ClusterHealthStatus.{status.upper()}"
        )
    events = request.wait_for_events
    if events is not None and events.lower() not in PRIORITIES:
        raise IllegalArgument(f"No enum constant org.opensearch.common.Priority.{events.upper()}")


def status_of(copies: tuple[ShardCopy, ...]) -> str:
    """The colour of some shards."""
    if any(copy.primary and not copy.started for copy in copies):
        return RED
    return GREEN if all(copy.started for copy in copies) else YELLOW


def index_health(state: ClusterState, index: IndexMetadata) -> str:
    """The colour of an index."""
    return status_of(state.copies(index))


def _counts(copies: tuple[ShardCopy, ...]) -> dict[str, int]:
    return {
        "active_primary_shards": sum(copy.primary and copy.started for copy in copies),
        "active_shards": sum(copy.started for copy in copies),
        "relocating_shards": 0,
        "initializing_shards": 0,
        "unassigned_shards": sum(not copy.started for copy in copies),
    }


def _selected(
    state: ClusterState, expression: str | None, request: HealthRequest
) -> list[IndexMetadata] | None:
    """The indices in question; None when one of them is missing."""
    options = IndexOptions(expand_wildcards=request.expand_wildcards)
    try:
        return [state.indices[name] for name in resolve(state, expression, options)]
    except IndexNotFound:
        return None


def _reached(state: ClusterState, expression: str | None, request: HealthRequest) -> bool:
    """Whether everything that is waited for holds."""
    indices = _selected(state, expression, request)
    if indices is None:
        return False
    copies = tuple(copy for index in indices for copy in state.copies(index))
    if request.wait_for_status is not None:
        wanted = _ORDER.index(request.wait_for_status.lower())
        if _ORDER.index(status_of(copies)) > wanted:
            return False
    active = sum(copy.started for copy in copies)
    if request.wait_for_active_shards is not None:
        text = request.wait_for_active_shards
        if active < (len(copies) if text in ("all", "-1") else int(text)):
            return False
    return request.wait_for_nodes is None or _enough_nodes(request.wait_for_nodes, 1)


def _enough_nodes(text: str, count: int) -> bool:
    match = _NODES.fullmatch(text)
    if match is None:
        number_text = re.sub(r"^(>=|<=|>|<|(ge|le|gt|lt)\((?=.*\)$))", "", text)
        raise NumberFormatError(f'For input string: "{number_text.removesuffix(")")}"')
    number = int(match[2])
    match (match[1] or "==").rstrip("("):
        case ">=" | "ge":
            return count >= number
        case "<=" | "le":
            return count <= number
        case ">" | "gt":
            return count > number
        case "<" | "lt":
            return count < number
    return count == number


def render(
    state: ClusterState, expression: str | None, request: HealthRequest, *, timed_out: bool
) -> dict[str, Any]:
    """The answer for a state."""
    indices = _selected(state, expression, request)
    chosen = indices or []
    copies = tuple(copy for index in chosen for copy in state.copies(index))
    everything = tuple(copy for each in state.routing.values() for copy in each)
    active = sum(copy.started for copy in everything)
    counts = _counts(copies)
    status = RED if indices is None else status_of(copies)
    # the share is that of the whole cluster unless what was asked for is all there
    share = 100.0 if status == GREEN or indices is None else 100.0 * active / len(everything)
    answer: dict[str, Any] = {
        "cluster_name": state.cluster_name,
        "status": status,
        "timed_out": timed_out,
        "number_of_nodes": 1,
        "number_of_data_nodes": 1,
        "discovered_master": True,
        "discovered_cluster_manager": True,
        **counts,
        "delayed_unassigned_shards": 0,
        "number_of_pending_tasks": 0,
        "number_of_in_flight_fetch": 0,
        "task_max_waiting_in_queue_millis": 0,
        "active_shards_percent_as_number": share,
    }
    if request.level in ("indices", "shards"):
        answer["indices"] = {
            index.name: _render_index(state, index, shards=request.level == "shards") for index in chosen
        }
    elif request.level == "awareness_attributes":
        answer["awareness_attributes"] = {}
    return answer


def _render_index(state: ClusterState, index: IndexMetadata, *, shards: bool) -> dict[str, Any]:
    copies = state.copies(index)
    shown: dict[str, Any] = {
        "status": status_of(copies),
        "number_of_shards": index.number_of_shards,
        "number_of_replicas": index.number_of_replicas,
        **_counts(copies),
    }
    if shards:
        shown["shards"] = {}
        for number in range(index.number_of_shards):
            mine = tuple(copy for copy in copies if copy.shard == number)
            counts = _counts(mine)
            shown["shards"][str(number)] = {
                "status": status_of(mine),
                "primary_active": counts.pop("active_primary_shards") > 0,
                **counts,
            }
    return shown
