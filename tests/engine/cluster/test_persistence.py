"""The key-value store: guards, revisions, durability."""

from pathlib import Path

import pytest

from lanner.engine.cluster.persistence import ConflictError, LocalCoord


def test_guards_and_revisions(tmp_path: Path) -> None:
    store = LocalCoord(str(tmp_path / "state.db"))
    first = store.transact({"a": 0}, {"a": b"1", "b": b"2"})
    with pytest.raises(ConflictError):
        store.transact({"a": 0}, {"a": b"x"})
    second = store.transact({"a": first}, {"a": b"3"}, ["b"])
    assert second == first + 1
    entry = store.get("a")
    assert entry is not None
    assert (entry.value, entry.create_revision, entry.mod_revision) == (b"3", first, second)
    assert store.get("b") is None
    with pytest.raises(ConflictError):
        store.transact({"a": second, "b": 7}, {"a": b"half"})
    assert store.get("a") == entry
    store.close()
    again = LocalCoord(str(tmp_path / "state.db"))
    assert again.get("a") == entry
    again.transact({}, {"k/1": b"", "k/2": b"", "l": b""})
    assert [key for key, _ in again.range("k/")] == ["k/1", "k/2"]
    again.close()
