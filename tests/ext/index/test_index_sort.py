"""Sorted indices: a merge that sorts writes what a flush of the sorted documents would have written."""

import random
from typing import Any

import pytest
from pyroaring import BitMap

from lanner.ext.index.index_sort import SortKey
from lanner.ext.index.segment_merger import merge_segments
from lanner.ext.index.write_buffer import WriteBuffer
from tests.ext.codec.raw import RawSegment
from tests.ext.index.test_merging import rows, write
from tests.ext.segments import TAG, VIEWS, document, open_files

Row = list[tuple[Any, Any]]
ASCENDING = SortKey("views", False, False, False)
KEYS = [
    (ASCENDING,),
    (SortKey("views", True, True, True),),
    (SortKey("tag", False, True, True), SortKey("views", True, False, False)),
    (SortKey("nowhere", False, False, False), SortKey("tag", True, False, False)),
]
NAMES = ("_id", "body", "bare", "tag", "flat", "views", "_seq_no")


def by_keys(some: list[tuple[int, Row]], keys: tuple[SortKey, ...]) -> list[tuple[int, Row]]:
    """Sorted by the last key first, as Python's sort keeps what is equal in its order."""
    fields = {"views": VIEWS, "tag": TAG}
    for key in reversed(keys):
        having, missing = [], []
        for doc, row in some:
            found = [value for field, value in row if field is fields.get(key.field)]
            if found:
                having.append((max(found) if key.greatest else min(found), (doc, row)))
            else:
                missing.append((doc, row))
        having.sort(key=lambda pair: pair[0], reverse=key.descending)
        ordered = [each for _, each in having]
        some = missing + ordered if key.missing_first else ordered + missing
    return some


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_sorting_merge_is_like_a_fresh_index_of_sorted_documents(
    keys: tuple[SortKey, ...], seed: int
) -> None:
    rnd = random.Random(seed)
    everything = rows(2500, seed)
    cuts = [0, 600, 601, 1900, 2500]
    parts, kept = [], []
    for a, b in zip(cuts, cuts[1:], strict=False):
        gone = BitMap(doc for doc in range(b - a) if rnd.random() < 0.2)
        parts.append(open_files(write(everything[a:b], a)).with_deleted(gone))
        kept += [(doc, everything[doc]) for doc in range(a, b) if doc - a not in gone]
    wanted = by_keys(kept, keys)
    buffer = WriteBuffer()
    buffer.add([document(doc, row) for doc, row in wanted])
    fresh_files = buffer.write_segment()
    made, doc_maps = merge_segments(parts, keys)
    merged_files = {suffix: list(pieces) for suffix, pieces in made.items()}
    reader = open_files(merged_files)
    reader.check()
    assert [reader.id(doc) for doc in range(reader.max_doc)] == [b"d%d" % doc for doc, _ in wanted]
    assert [reader.source(doc) for doc in range(reader.max_doc)] == [b'{"n":%d}' % doc for doc, _ in wanted]
    places = {doc: place for place, (doc, _) in enumerate(wanted)}
    for start, doc_map in zip(cuts, doc_maps, strict=False):
        assert doc_map.tolist() == [places.get(start + i, -1) for i in range(len(doc_map))]
    merged, fresh = RawSegment(merged_files), RawSegment(fresh_files)
    for name in NAMES:
        # the stored impacts go by the average length of all that was merged, deleted documents included
        sections = {key: part for key, part in merged.column(name).items() if key != "postings"}
        assert sections == {key: part for key, part in fresh.column(name).items() if key != "postings"}, name


def test_sorted_segments_merge_to_a_sorted_one() -> None:
    everything = rows(1500, 4)
    halves = []
    for a, b in ((0, 700), (700, 1500)):
        made, _ = merge_segments([open_files(write(everything[a:b], a))], KEYS[2])
        halves.append(open_files({suffix: list(pieces) for suffix, pieces in made.items()}))
    made, _ = merge_segments(halves, KEYS[2])
    merged = open_files({suffix: list(pieces) for suffix, pieces in made.items()})
    wanted = by_keys(list(enumerate(everything)), KEYS[2])
    assert [merged.id(doc) for doc in range(merged.max_doc)] == [b"d%d" % doc for doc, _ in wanted]
