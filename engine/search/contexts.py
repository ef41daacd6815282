"""Points in time that outlive a request: of scrolls, and of those that ask for one.

A context holds searchers of shards until its time is over, somebody closes it, or its index is deleted. How
many may be open is limited. Expired ones are closed whenever contexts are opened or looked for, and by a
sweep while there are any.
"""

import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from lanner.engine.common.errors import IllegalArgument, LannerError, RejectedExecution, SearchContextMissing
from lanner.engine.common.ids import random_uuid
from lanner.engine.common.units import parse_time
from lanner.engine.runtime.clock import Clock

if TYPE_CHECKING:
    from lanner.engine.search.query_phase import ShardTarget

SCROLL = "scroll"
PIT = "pit"
_LIMITS = {
    SCROLL: ("search.max_open_scroll_context", 500, "scroll"),
    PIT: ("search.max_open_pit_context", 300, "Point In Time"),
}
_MAX_KEEP_ALIVE = {SCROLL: "search.max_keep_alive", PIT: "point_in_time.max_keep_alive"}
_DAY = 24 * 3600 * 1000.0
_DEFAULT_KEEP_ALIVE = 5 * 60 * 1000.0
_SWEEP_SECONDS = 60.0
Shards = list[tuple[str, int]]  # index and number
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[str, int, str, Shards]).decode


@dataclass(slots=True, eq=False)
class Context:
    """Open searchers. targets: shards whose acquire gives the same point in time again and again.

    state: what whoever opened it keeps here from one request to the next, under the lock.
    """

    id: str
    kind: str
    number: int
    targets: "list[ShardTarget]"
    searchers: list[Any]
    created_millis: int
    keep_alive: float
    expires: float
    state: dict[str, Any] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class ContextService:
    """All open contexts. setting: a cluster setting's value, None for the default."""

    def __init__(
        self,
        clock: Clock,
        setting: Callable[[str], Any],
        later: Callable[[float, Callable[[], None]], None],
    ) -> None:
        self._clock = clock
        self._setting = setting
        self._later = later
        self._sweeping = False
        self._open: dict[str, Context] = {}
        self._numbers = 0
        self._lock = threading.Lock()

    def open(self, kind: str, targets: "list[ShardTarget]", keep_alive: float) -> Context:
        """Hold the present of some shards; raises what a shard answers. keep_alive: milliseconds."""
        from dataclasses import replace

        keep_alive = self.check_keep_alive(kind, keep_alive)
        self._close_expired()
        name, default, words = _LIMITS[kind]
        given = self._setting(name)
        most = default if given is None else int(given)
        with self._lock:
            held = sum(len(one.searchers) for one in self._open.values() if one.kind == kind)
            if held + len(targets) > most:
                raise RejectedExecution(
                    f"Trying to create too many {words} contexts. Must be less than or equal to: [{most}]. "
                    f"This limit can be set by changing the [{name}] setting."
                )
            number = self._numbers + 1
            self._numbers += max(len(targets), 1)
        searchers: list[Any] = []
        try:
            for target in targets:
                searchers.append(target.acquire())  # noqa: PERF401 - those before a failing one are closed
        except LannerError:
            for searcher in searchers:
                searcher.close()
            raise
        frozen = [
            replace(target, acquire=searcher.acquire)
            for target, searcher in zip(targets, searchers, strict=True)
        ]
        shards = [(target.index, target.shard) for target in targets]
        key = urlsafe_b64encode(_encode((kind, number, random_uuid(), shards))).decode()
        context = Context(
            key,
            kind,
            number,
            frozen,
            searchers,
            self._clock.millis(),
            keep_alive,
            self._clock.monotonic() + keep_alive / 1000,
        )
        with self._lock:
            self._open[key] = context
            sweep = not self._sweeping
            self._sweeping = True
        if sweep:
            self._later(_SWEEP_SECONDS, self._sweep)
        return context

    def check_keep_alive(self, kind: str, millis: float) -> float:
        """Return a time to live within the limits; nothing or less stands for the default."""
        name = _MAX_KEEP_ALIVE[kind]
        given = self._setting(name)
        most = _DAY if given is None else parse_time(given, name)
        if millis > most:
            raise IllegalArgument(
                f"Keep alive for request ({_shown(millis)}) is too large. It must be less than "
                f"({_shown(most)}). This limit can be set by changing the [{name}] cluster level setting."
            )
        return millis if millis > 0 else _DEFAULT_KEEP_ALIVE

    def get(self, kind: str, key: str) -> Context:
        """Return an open context; raises SearchContextMissing, or IllegalArgument for what is no id."""
        first, shards = read_key(kind, key)
        self._close_expired()
        context = self._open.get(key)
        if context is None:
            raise SearchContextMissing(first, shards)
        return context

    def extend(self, context: Context, keep_alive: float | None) -> None:
        """Let a context live on from now, for its own time unless another is given."""
        if keep_alive is not None:
            context.keep_alive = self.check_keep_alive(context.kind, keep_alive)
        context.expires = self._clock.monotonic() + context.keep_alive / 1000

    def all(self, kind: str) -> list[Context]:
        """Return the open contexts of a kind, the oldest first."""
        self._close_expired()
        return [one for one in list(self._open.values()) if one.kind == kind]

    def close(self, key: str) -> int:
        """Close a context; return how many searchers it held, 0 if it was not open."""
        with self._lock:
            context = self._open.pop(key, None)
        if context is None:
            return 0
        for searcher in context.searchers:
            searcher.close()
        return len(context.searchers)

    def close_index(self, uuid: str) -> None:
        """Close the contexts that hold a shard of an index."""
        for context in list(self._open.values()):
            if any(target.index_uuid == uuid for target in context.targets):
                self.close(context.id)

    def close_all(self) -> None:
        """Close everything."""
        for key in list(self._open):
            self.close(key)

    def _close_expired(self) -> None:
        now = self._clock.monotonic()
        for context in list(self._open.values()):
            if context.expires <= now:
                self.close(context.id)

    def _sweep(self) -> None:
        self._close_expired()
        with self._lock:
            self._sweeping = bool(self._open)
        if self._sweeping:
            self._later(_SWEEP_SECONDS, self._sweep)


def read_key(kind: str, key: str) -> tuple[int, Shards]:
    """Return the number of the first searcher and the shards that a context's id stands for."""
    try:
        name, first, _, shards = _decode(urlsafe_b64decode(key.encode()))
        if name != kind:
            raise ValueError(name)
        return first, shards
    except (ValueError, msgspec.MsgspecError):
        cause = IllegalArgument("Last unit does not have enough valid bits")
        reason = "Cannot parse scroll id" if kind == SCROLL else f"invalid id: [{key}]"
        raise IllegalArgument(reason, caused_by=cause) from None


def _shown(millis: float) -> str:
    """Return a duration in the largest unit of which it has at least one, cut off."""
    for unit, size in (("d", _DAY), ("h", 3600_000.0), ("m", 60_000.0), ("s", 1000.0)):
        if millis >= size:
            tenths = int(millis / size * 10)
            return f"{tenths // 10}{unit}" if tenths % 10 == 0 else f"{tenths / 10}{unit}"
    return f"{int(millis)}ms"
