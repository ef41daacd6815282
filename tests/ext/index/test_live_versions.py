"""Rows by document and documents by id, against a list and a dict."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.index.document import Operation
from lanner.ext.index.live_versions import LiveVersions

INDEX, DELETE = 1, 2
IDS = st.sampled_from([b"a", b"b", b"c", b"d"])
STEPS = st.one_of(
    st.lists(st.tuples(IDS, st.sampled_from([INDEX, DELETE]), st.integers(1, 99)), unique_by=lambda o: o[0]),
    st.integers(1, 3),
    IDS,
)


@given(st.lists(STEPS, max_size=30))
def test_versions(steps: list[list[tuple[bytes, int, int]] | int | bytes]) -> None:
    versions = LiveVersions()
    rows: list[tuple[int, int, int, int]] = []
    docs: dict[bytes, int] = {}
    seq_no = 0
    for step in steps:
        if isinstance(step, bytes):
            versions.forget(step)
            docs.pop(step, None)
        elif isinstance(step, int):
            rows += [(0, 0, 0, 0)] * step
            versions.skip(len(rows))
        else:
            operations, starts, first, offset = [], [0], len(rows), 1000 * seq_no
            for id_, kind, length in step:
                operation = Operation(kind, id_)
                operation.place(seq_no, 1, length + 5)
                operations.append(operation)
                if kind == INDEX:
                    docs[id_] = len(rows)
                    rows.append((seq_no, length + 5, offset + starts[-1], length))
                starts.append(starts[-1] + length)
                seq_no += 1
            versions.note(first, operations, INDEX, offset, array("q", starts))
        assert len(versions) == len(rows)
        assert [(*versions.version(doc), *versions.place(doc)) for doc in range(len(rows))] == rows
        ids = [b"a", b"b", b"c", b"d"]
        assert {id_: versions.find(id_) for id_ in ids} == {id_: docs.get(id_, -1) for id_ in ids}
        assert dict(versions.find_all(ids)) == docs


def test_what_does_not_fit_is_refused() -> None:
    versions = LiveVersions()
    operation = Operation(INDEX, b"a")
    for first, starts in ((1, array("q", (0, 1))), (0, array("q", (0,))), (0, array("i", (0, 1)))):
        with pytest.raises(ValueError, match="not the next documents"):
            versions.note(first, [operation], INDEX, 0, starts)
    for doc in (-1, 0):
        with pytest.raises(ValueError, match="no document"):
            versions.version(doc)
        with pytest.raises(ValueError, match="no document"):
            versions.place(doc)
