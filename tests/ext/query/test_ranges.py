"""Ranges as terms: the dictionary's answer against the definition of each relation."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from lanner.ext.index.schema import DOCS, TERM, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.ranges import RangesWeight
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader
from tests.ext.segments import document, open_files

RANGES = Field("ranges", 12, TERM, postings=DOCS)
END = st.integers(0, 12)
RANGE = st.tuples(END, END).map(lambda ends: (min(ends), max(ends)))
RELATIONS: dict[str, Callable[[int, int, tuple[int, int]], bool]] = {
    "intersects": lambda low, high, wanted: low <= wanted[1] and high >= wanted[0],
    "contains": lambda low, high, wanted: low <= wanted[0] and high >= wanted[1],
    "within": lambda low, high, wanted: low >= wanted[0] and high <= wanted[1],
}


@settings(max_examples=150)
@given(st.lists(st.lists(RANGE, max_size=3), min_size=1, max_size=40), RANGE)
def test_relations(rows: list[list[tuple[int, int]]], wanted: tuple[int, int]) -> None:
    buffer = WriteBuffer()
    # the upper byte is the greatest possible, so that the last range of all has no successor
    ends = {n: bytes([255 if n == 12 else n, 255]) for n in range(13)}
    documents = [
        document(i, [(RANGES, ends[low] + ends[high]) for low, high in row]) for i, row in enumerate(rows)
    ]
    buffer.add(documents)
    reader = IndexReader([open_files(buffer.write_segment())])
    for relation, holds in RELATIONS.items():
        weight = RangesWeight(reader, "ranges", ends[wanted[0]], ends[wanted[1]], relation)
        (found,) = matching(reader, weight)
        assert set(found) == {
            i for i, row in enumerate(rows) if any(holds(low, high, wanted) for low, high in row)
        }


def test_a_column_that_is_not_there() -> None:
    buffer = WriteBuffer()
    buffer.add([document(0, [])])
    reader = IndexReader([open_files(buffer.write_segment())])
    assert matching(reader, RangesWeight(reader, "ranges", b"a", b"b", "within")) == [BitMap()]
