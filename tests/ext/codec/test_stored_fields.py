"""Rows of documents: as bytes, in blocks, and out of blocks."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from lanner.ext.codec.stored_fields import BLOCK_BYTES
from lanner.ext.errors import CorruptIndexError
from lanner.ext.index.document import Document
from lanner.ext.index.rows import pack_row, split_rows, unpack_row
from lanner.ext.index.write_buffer import WriteBuffer
from tests.ext.segments import merge_files, open_files
from tests.oracle.codec import read_vint, vint

LENGTHS = (0, 1, 126, 127, 128, 129, 16382, 16383, 16384, 2_000_000)


@given(st.integers(0, 2**64 - 1))
def test_integers_of_variable_length(value: int) -> None:
    assert read_vint(vint(value), 0) == (value, len(vint(value)))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("routing", [None, b"", b"r" * 127, b"r" * 128])
def test_a_row_is_laid_out_as_described(length: int, routing: bytes | None) -> None:
    id_, source = b"i" * min(length, 512), b"s" * length
    body = vint(len(id_)) + id_ + (vint(0) if routing is None else vint(len(routing) + 1) + routing) + source
    packed = pack_row(id_, routing, source)
    assert packed == vint(len(body)) + body
    start, stop = split_rows(packed, 1)
    assert unpack_row(packed, start, stop) == (id_, routing, source)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.binary(max_size=20), st.none() | st.binary(max_size=5), st.binary(max_size=300)),
        max_size=30,
    )
)
def test_rows_of_a_block(rows: list[tuple[bytes, bytes | None, bytes]]) -> None:
    block = b"".join(pack_row(*row) for row in rows)
    bounds = split_rows(block, len(rows))
    assert [unpack_row(block, a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True)] == rows
    for wrong in (len(rows) + 1, len(rows) - 1):
        if wrong >= 0:
            with pytest.raises(CorruptIndexError):
                split_rows(block, wrong)


def test_every_cut_of_a_row_is_noticed() -> None:
    packed = pack_row(b"id", b"routing", b"")
    start, stop = split_rows(packed, 1)
    for cut in range(start, stop):
        with pytest.raises(CorruptIndexError):
            unpack_row(packed, start, cut)
    with pytest.raises(ValueError, match="outside"):
        unpack_row(packed, 0, len(packed) + 1)


def test_blocks_big_rows_and_copies_of_blocks() -> None:
    rnd = random.Random(1)
    rows = [
        (
            b"d%d" % i,
            rnd.choice([None, b"", b"route"]),
            rnd.randbytes(3_000_000 if i == 500 else rnd.choice([0, 30, 600, BLOCK_BYTES, 3 * BLOCK_BYTES])),
        )
        for i in range(1000)
    ]

    def write(part: list[tuple[bytes, bytes | None, bytes]]) -> WriteBuffer:
        buffer = WriteBuffer()
        buffer.add(
            [Document(id_, source, routing, i, 1, 1, []) for i, (id_, routing, source) in enumerate(part)]
        )
        return buffer

    reader = open_files(write(rows).write_segment())
    reader.check()
    order = list(range(1000))
    rnd.shuffle(order)
    assert all(reader.stored_row(doc) == rows[doc] for doc in order)
    gone = BitMap(range(0, 400, 3))
    # blocks of the second part are copied as they are, the others are packed anew
    parts = [
        open_files(write(rows[:400]).write_segment(), "a"),
        open_files(write(rows[400:]).write_segment(), "b"),
    ]
    files, doc_maps = merge_files([parts[0].with_deleted(gone), parts[1]])
    merged = open_files(files)
    merged.check()
    for doc, row in enumerate(rows):
        new = int(doc_maps[doc >= 400][doc - (400 if doc >= 400 else 0)])
        if doc in gone:
            assert new == -1
        else:
            assert merged.stored_row(new) == row
    for outside in (1000, 2**32 - 1):
        with pytest.raises(ValueError, match="no document"):
            reader.source(outside)
