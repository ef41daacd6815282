"""Parts of a segment, against the same sum in plain Python."""

import random

import pytest

from lanner.ext.index.schema import NUMBER, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.search.slices import documents_of_part
from tests.ext.segments import document, open_files

SIZE = Field("size", 12, NUMBER, doc_values=True, points=True)
N_DOCS = 700


def part_of(key: int, parts: int) -> int:
    return (key * 0x9E3779B97F4A7C15 % 2**64 >> 32) % parts


@pytest.fixture(scope="module")
def sizes() -> list[list[int]]:
    rnd = random.Random(3)
    return [[rnd.randint(-(2**62), 2**62) for _ in range(rnd.choice((0, 1, 1, 3)))] for _ in range(N_DOCS)]


@pytest.fixture(scope="module")
def segment(sizes: list[list[int]]) -> SegmentReader:
    buffer = WriteBuffer()
    buffer.add([document(i, [(SIZE, size) for size in found]) for i, found in enumerate(sizes)])
    return open_files(buffer.write_segment())


@pytest.mark.parametrize("parts", [1, 2, 7, 1024])
def test_parts_by_values(segment: SegmentReader, sizes: list[list[int]], parts: int) -> None:
    for number in range(min(parts, 20)):
        wanted = {i for i, found in enumerate(sizes) if part_of(min(found, default=0), parts) == number}
        assert set(documents_of_part(segment, "size", number, parts)) == wanted


def test_parts_by_sequence_number(segment: SegmentReader) -> None:
    for number in range(3):
        wanted = {i for i in range(N_DOCS) if part_of(segment.versions(i)[0], 3) == number}
        assert set(documents_of_part(segment, None, number, 3)) == wanted


def test_a_missing_column_counts_as_zero(segment: SegmentReader) -> None:
    assert [len(documents_of_part(segment, "none", number, 2)) for number in range(2)] == [N_DOCS, 0]


@pytest.mark.parametrize(("number", "parts"), [(-1, 2), (2, 2), (0, 0)])
def test_parts_that_are_none(segment: SegmentReader, number: int, parts: int) -> None:
    with pytest.raises(ValueError, match="there is no part"):
        documents_of_part(segment, "size", number, parts)
