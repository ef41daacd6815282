"""The error for a query that does not exist, with the names that it may have been meant for."""

from collections.abc import Iterable, Sequence
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, unknown_named_object


def unknown_query(
    name: str, given: dict[str, Any], known: Sequence[str], *, key: str | None = None
) -> LocatedError:
    """Return the error for a name, with hints out of the known ones.

    key: what is not known inside the query of that name, if it is not the name itself.
    """
    field = name if key is None else key
    hint = did_you_mean(name, known)
    return unknown_named_object(f"unknown query [{name}]{hint}", field, Anchor(given, field))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint at the names that are like one, or nothing."""
    scored = sorted((-similarity(name, one), one) for one in known if similarity(name, one) > 0.5)
    if not scored:
        return ""
    names = [one for _, one in scored]
    if len(names) == 1:
        return f" did you mean [{names[0]}]?"
    return f" did you mean any of [{', '.join(names)}]?"


def similarity(one: str, other: str) -> float:
    """Return one minus the edit distance over the longer length.

    Names of unlikely length are like nothing.
    """
    if len(one) > 100:
        return 0.0
    previous = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(other, 1):
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b)))
        previous = current
    return 1.0 - previous[-1] / max(len(one), len(other), 1)
