"""The less common parts of a search body that are objects of their own."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.object_parser import OBJECT, TEXT, WHOLE, Field, parse_object
from lanner.engine.common.units import parse_time
from lanner.engine.dsl import DslQuery, parse_query_at

SCORE_MODES = ("avg", "max", "min", "total", "multiply")


@dataclass(frozen=True, slots=True)
class Slice:
    """Part number id of max. field: whose numbers divide the documents of a shard."""

    id: int
    max: int
    field: str = "_id"


def parse_slice(container: dict[str, Any], key: str) -> Slice:
    """Return a body's ``slice``."""
    given = container[key]
    if not isinstance(given, dict):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    number: dict[str, int] = {}

    def read_id(value: Any, name: str) -> int:
        found = int(WHOLE.read(value, name))  # type: ignore[misc]
        if found < 0:
            raise IllegalArgument("id must be greater than or equal to 0")
        number["id"] = found
        return found

    def read_max(value: Any, name: str) -> int:
        found = int(WHOLE.read(value, name))  # type: ignore[misc]
        if found <= 1:
            raise IllegalArgument("max must be greater than 1")
        if number.get("id", -1) >= found:
            raise IllegalArgument("max must be greater than id")
        return found

    fields = {"field": TEXT, "id": Field(WHOLE.kinds, read_id), "max": Field(WHOLE.kinds, read_max)}
    values = parse_object("slice", given, fields)
    return Slice(values.get("id", -1), values.get("max", -1), values.get("field", "_id"))


@dataclass(frozen=True, slots=True)
class Pit:
    """A point in time to search. keep_alive: milliseconds from now on, None to leave it as it is."""

    id: str
    keep_alive: float | None = None


def parse_pit(container: dict[str, Any], key: str) -> Pit:
    """Return a body's ``pit``."""
    given = container[key]
    if not isinstance(given, dict):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    keep_alive = Field((str,), lambda value, name: parse_time(value, name))
    values = parse_object("pit", given, {"id": Field((str,), required=True), "keep_alive": keep_alive})
    return Pit(values["id"], values.get("keep_alive"))


@dataclass(frozen=True, slots=True)
class Rescore:
    """A second look at the best hits of a shard. window: how many, None for the default."""

    query: DslQuery
    window: int | None = None
    query_weight: float = 1.0
    rescore_weight: float = 1.0
    mode: str = "total"


def parse_rescore(container: dict[str, Any], key: str) -> tuple[Rescore, ...]:
    """Return a body's ``rescore``: one or a list, in order."""
    given = container[key]
    if isinstance(given, list):
        return tuple(_rescore(one) for one in given)
    if not isinstance(given, dict):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    return (_rescore(given),)


def _rescore(given: Any) -> Rescore:
    if not isinstance(given, dict):
        raise LocatedError(f"unexpected token [{token_name(given)}] after [rescore]", Anchor(None))
    window: int | None = None
    found: dict[str, Any] | None = None
    for key, value in given.items():
        if key == "window_size" and not isinstance(value, dict | list):
            window = int(WHOLE.read(value, key))  # type: ignore[misc]
        elif key == "query" and isinstance(value, dict):
            found = _query_rescore(value)
        elif isinstance(value, dict):
            raise LocatedError(f"rescore doesn't support rescorer with name [{key}]", Anchor(given, key))
        else:
            raise LocatedError(f"rescore doesn't support [{key}]", Anchor(given, key))
    if found is None:
        raise LocatedError("missing rescore type", Anchor(given, None, "close"))
    return Rescore(window=window, **found)


def _query_rescore(given: dict[str, Any]) -> dict[str, Any]:
    def number(value: Any, key: str) -> float:
        return float(value)

    def mode(value: Any, key: str) -> str:
        name = java_text(value).lower()
        if name not in SCORE_MODES and name != "sum":
            raise IllegalArgument(f"illegal score_mode [{value}]")
        return "total" if name == "sum" else name

    weight = Field((int, float, str), number)
    fields = {
        "rescore_query": OBJECT,
        "query_weight": weight,
        "rescore_query_weight": weight,
        "score_mode": Field((str,), mode),
    }
    values = parse_object("query", given, fields)
    if "rescore_query" not in values:
        raise IllegalArgument("rescore_query cannot be null")
    return {
        "query": parse_query_at(given, "rescore_query"),
        "query_weight": values.get("query_weight", 1.0),
        "rescore_weight": values.get("rescore_query_weight", 1.0),
        "mode": values.get("score_mode", "total"),
    }


def parse_indices_boost(container: dict[str, Any], key: str) -> tuple[tuple[str, float], ...]:
    """Return a body's ``indices_boost``: (name or pattern, factor), the first that fits counts."""
    given = container[key]
    if not isinstance(given, dict | list):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    found = []
    for i, part in enumerate(given if isinstance(given, list) else [given]):
        if not isinstance(part, dict):
            raise LocatedError(
                f"Expected [START_OBJECT] in [{key}] but found [{token_name(part)}]", Anchor(given, i)
            )
        for name, factor in part.items():
            if isinstance(factor, bool) or not isinstance(factor, int | float):
                raise LocatedError(
                    f"Expected [VALUE_NUMBER] in [{key}] but found [{token_name(factor)}]", Anchor(part, name)
                )
            found.append((name, float(factor)))
    return tuple(found)
