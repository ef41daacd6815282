"""One order over shards whose values do not compare: of other types, or numbers of a shard alone."""

from collections.abc import Callable, Sequence
from typing import Any

from lanner.engine.common.errors import IllegalArgument, SearchPhaseExecution
from lanner.engine.search.query_phase import ShardResult
from lanner.engine.search.sort import BoundSort
from lanner.engine.search.sort_numbers import number_of


def comparable_values(results: Sequence[ShardResult]) -> list[list[list[Any]]]:
    """Return the sort values of each shard's hits as what compares: plain numbers, where types differ.

    Raises the error of the whole search for types without a common order.
    """
    readers: list[list[Callable[[Any], Any] | None]] = [[None] * len(result.sorts) for result in results]
    columns = list(zip(*(result.sorts for result in results), strict=True))
    for at, sorts in enumerate(columns):
        for reader, one in zip(readers, sorts, strict=True):
            reader[at] = one.shared
        if len({_kind(one) for one in sorts}) < 2 or not _mixes_numbers(sorts):
            continue
        for reader, one in zip(readers, sorts, strict=True):
            if one.field is not None:
                reader[at] = number_of(one.field)
    return [
        [
            [
                value if read is None or value is None else read(value)
                for read, value in zip(reader, row, strict=True)
            ]
            for row in result.values or []
        ]
        for reader, result in zip(readers, results, strict=True)
    ]


def _kind(sort: BoundSort) -> str | None:
    return None if sort.field is None else sort.field.type_name


def _mixes_numbers(sorts: Sequence[BoundSort]) -> bool:
    """Return whether there are numbers; refuse words among them, and unsigned ones among others."""
    fields = [one.field for one in sorts if one.field is not None]
    odd = [one for one in fields if one.type_name == "unsigned_long"]
    words = [one for one in fields if one.sort_kind == "term" and one.type_name != "boolean"]
    for found in (odd, words):
        if found and len(found) < len(fields):
            error = SearchPhaseExecution("", phase="fetch", grouped=True, failed_shards=[])
            error.caused_by = IllegalArgument(
                f"Can't do sort across indices, as a field has [{found[0].type_name}] type in one index, and "
                "different type in another index!"
            )
            error.root_causes = []  # type: ignore[attr-defined]
            raise error
    return len(words) < len(fields)
