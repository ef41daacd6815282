"""Slices: parts that a search is cut into, by shards first, then by documents."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pyroaring import BitMap

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.search.request_parts import Slice
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.slices import documents_of_part

if TYPE_CHECKING:
    from lanner.engine.search.query_phase import ShardTarget

_MOST = ("index.max_slices_per_scroll", 1024)


def sliced(targets: "list[ShardTarget]", wanted: Slice) -> "list[ShardTarget]":
    """Return the shards that a slice asks, each with the part of it that belongs to the slice."""
    per_index: dict[str, list[ShardTarget]] = {}
    for target in targets:
        per_index.setdefault(target.index_uuid, []).append(target)
    found = []
    for target in targets:
        most = target.settings.get(_MOST[0])
        limit = _MOST[1] if most is None else int(most)
        if wanted.max > limit:
            raise IllegalArgument(
                f"The number of slices [{wanted.max}] is too large. It must be less than [{limit}]. This "
                f"limit can be set by changing the [{_MOST[0]}] index level setting."
            )
        shards = per_index[target.index_uuid]
        part = _part(shards.index(target), len(shards), wanted)
        if part is not None:
            found.append(replace(target, slice=part) if part[1] > 1 else target)
    return found


def _part(shard: int, shards: int, wanted: Slice) -> tuple[int, int, str] | None:
    """Return (part, parts, field) of a shard, None if it has no part in the slice."""
    if wanted.max < shards:
        return (0, 1, wanted.field) if shard % wanted.max == wanted.id else None
    if wanted.id % shards != shard:
        return None
    parts = wanted.max // shards + (1 if wanted.max % shards > shard else 0)
    return wanted.id // shards, parts, wanted.field


def documents_of(reader: IndexReader, part: tuple[int, int, str]) -> list[BitMap]:
    """Return the documents of each segment that belong to a part.

    Without a field the sequence number tells, which stays the same as long as the document does.
    """
    number, parts, name = part
    field = None if name == "_id" else name
    return [documents_of_part(segment, field, number, parts) for segment in reader.segments]
