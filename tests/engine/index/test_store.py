"""Files of segments: what is left of one that could not be finished."""

from collections.abc import Iterator

import pytest

from lanner.ext.errors import CorruptIndexError
from tests.crash.shards import make_shard, make_store
from tests.crash.simulated import MemoryFileSystem


def test_nothing_is_left_of_a_segment_whose_parts_cannot_be_made() -> None:
    files = MemoryFileSystem(folders={"/d"})
    make_shard(files, "/d")
    store = make_store(files, "/d")
    before = files.list(store.index_folder)

    def damaged() -> Iterator[bytes]:
        yield b"x" * (3 << 20)
        raise CorruptIndexError("[idx] a section does not match its checksum")

    with pytest.raises(CorruptIndexError):
        store.write_segment("_0", {"src": [b"rows"], "idx": damaged()})
    assert files.list(store.index_folder) == before
