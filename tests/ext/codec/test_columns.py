"""Columns of numbers: every width, missing and several values, least and greatest value of each window."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.ext.codec.column_reader import ColumnReader, PointsReader
from lanner.ext.codec.columns import WINDOW_SIZE, write_column, write_points
from lanner.ext.errors import CorruptIndexError
from tests.oracle.codec import width_of

LEAST, GREATEST = -(2**63), 2**63 - 1
VALUE = st.one_of(
    st.integers(LEAST, GREATEST),
    st.integers(-3, 3),
    st.integers(0, 300),
    st.integers(-40_000, 40_000),
    st.sampled_from([LEAST, GREATEST]),
)


def view(array: np.ndarray) -> memoryview:
    return memoryview(array.tobytes())


def open_column(rows: list[list[int]]) -> tuple[ColumnReader, dict[str, np.ndarray]]:
    docs = np.array([doc for doc, row in enumerate(rows) for _ in row], np.uint32)
    values = np.array([value for row in rows for value in sorted(row)], np.int64)
    about, arrays = write_column(docs, values, len(rows))
    starts, present = arrays.get("starts"), arrays.get("present")
    reader = ColumnReader(
        len(rows),
        about,
        view(arrays["dv"]),
        None if starts is None else view(starts),
        None if present is None else view(present),
        view(arrays["zones"]),
    )
    return reader, arrays


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(VALUE, max_size=3), min_size=1, max_size=150))
def test_values_come_back(rows: list[list[int]]) -> None:
    column, arrays = open_column(rows)
    assert [column.values(doc) for doc in range(len(rows))] == [sorted(row) for row in rows]
    values = [value for row in rows for value in row]
    assert column.width == width_of(values)
    assert (column.n_values, column.n_docs) == (len(values), sum(1 for row in rows if row))
    assert ("starts" in arrays) == any(len(row) > 1 for row in rows)
    assert ("present" in arrays) == (not all(rows))
    with pytest.raises(ValueError, match="no document"):
        column.values(len(rows))


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_the_narrowest_width_is_taken(width: int) -> None:
    span = (1 << 8 * width) - 1
    least = LEAST if width == 8 else -7
    column, _ = open_column([[least], [least + span], []])
    assert (column.width, column.minimum) == (width, least)
    assert [column.values(doc) for doc in range(3)] == [[least], [least + span], []]
    if width < 8:
        wider, _ = open_column([[least], [least + span + 1]])
        assert wider.width == 2 * width


@pytest.mark.parametrize("n", [1, WINDOW_SIZE, WINDOW_SIZE + 1, 5 * WINDOW_SIZE - 1])
@pytest.mark.parametrize("keep", [1, 3, WINDOW_SIZE + 5])
def test_zones_are_the_ends_of_each_window(n: int, keep: int) -> None:
    rows = [[(i * 7919) % 1000 - 500] if i % keep == keep - 1 else [] for i in range(n)]
    _, arrays = open_column(rows)
    for window, (least, greatest) in enumerate(arrays["zones"].tolist()):
        values = [v for row in rows[window * WINDOW_SIZE : (window + 1) * WINDOW_SIZE] for v in row]
        assert (least, greatest) == ((min(values), max(values)) if values else (GREATEST, LEAST))
    assert len(arrays["zones"]) == -(-n // WINDOW_SIZE)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), VALUE), max_size=80))
def test_points_are_all_values_in_order(pairs: list[tuple[int, int]]) -> None:
    pairs.sort()
    docs = np.array([doc for doc, _ in pairs], np.uint32)
    values = np.array([value for _, value in pairs], np.int64)
    about, arrays = write_points(docs, values)
    PointsReader(51, about, view(arrays["values"]), view(arrays["docs"]))
    cells = arrays["values"].astype(object) + about["minimum"]
    assert sorted(zip(cells, arrays["docs"].tolist(), strict=True)) == sorted((v, d) for d, v in pairs)
    assert list(cells) == sorted(cells)
    if pairs:
        assert arrays["values"].itemsize == width_of(values.tolist())


def test_sections_that_do_not_fit_are_refused() -> None:
    _, arrays = open_column([[1], [2, 3], []])
    about = {"width": 1, "minimum": 1, "values": 3, "docs": 2}
    good = [view(arrays["dv"]), view(arrays["starts"]), view(arrays["present"]), view(arrays["zones"])]
    ColumnReader(3, about, *good)
    for part in range(4):
        cut = [*good[:part], good[part][:-1], *good[part + 1 :]]
        with pytest.raises(CorruptIndexError):
            ColumnReader(3, about, *cut)
    with pytest.raises(CorruptIndexError):
        ColumnReader(3, {**about, "width": 3}, *good)
    points_about, points = write_points(np.array([0, 1], np.uint32), np.array([5, 6], np.int64))
    with pytest.raises(CorruptIndexError):
        PointsReader(2, points_about, view(points["values"])[:-1], view(points["docs"]))
