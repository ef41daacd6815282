"""The order by ``_id`` and by ``_index``, which no column has.

Ids get numbers for one search: their places among those of the shard, times two, so that there is room
between them. Numbers of different shards do not compare: a reduce compares what `BoundSort.shared` makes
of them.
"""

from bisect import bisect_left
from typing import Any

import numpy as np

from lanner.engine.common.body import java_text
from lanner.engine.search.sort import BoundSort, Sort
from lanner.engine.search.sort_numbers import column_of
from lanner.ext.codec.column_reader import ColumnReader
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey


class Ids:
    """The ids of a shard in order."""

    def __init__(self) -> None:
        self.ordered: list[bytes] = []

    def columns(self, reader: IndexReader) -> list[ColumnReader | None]:
        """Return for each segment a column with the numbers of its ids; takes time for every document."""
        ids = [[segment.id(doc) for doc in range(segment.max_doc)] for segment in reader.segments]
        self.ordered = sorted({one for each in ids for one in each})
        numbers = {one: 2 * at for at, one in enumerate(self.ordered)}
        return [
            column_of(
                np.arange(len(each), dtype=np.int64),
                np.fromiter((numbers[one] for one in each), np.int64, len(each)),
                len(each),
            )
            for each in ids
        ]

    def show(self, number: int) -> str:
        """Return the id of a number."""
        return self.ordered[number // 2].decode("utf-8", "replace")

    def read(self, value: Any) -> int:
        """Return the number of an id; that of one that is not there is between those of its neighbours."""
        wanted = java_text(value).encode("utf-8", "replace")
        at = bisect_left(self.ordered, wanted)
        return 2 * at if at < len(self.ordered) and self.ordered[at] == wanted else 2 * at - 1


def by_id(sort: Sort) -> BoundSort:
    """Return the order by ids; the columns are to be made by `columns`."""
    ids = Ids()
    key = SortKey("number", "_id", reverse=sort.reverse)
    return BoundSort(key, ids.show, ids.read, shared=ids.show, columns=ids.columns)


def by_index(sort: Sort, index: str) -> BoundSort:
    """Return the order by the name of the index, which is the same for all documents of a shard."""

    def read(value: Any) -> int:
        text = java_text(value)
        return (text > index) - (text < index)

    def show(value: Any) -> str:
        return index

    key = SortKey("number", "_index", reverse=sort.reverse, missing_value=0)
    return BoundSort(key, show, read, shared=show)
