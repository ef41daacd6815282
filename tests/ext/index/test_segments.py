"""What goes into a buffer comes out of a segment, before and after merges."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.ext.errors import CorruptIndexError, FormatVersionError
from lanner.ext.index.document import Document
from lanner.ext.index.schema import POSITIONS, TEXT, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader
from tests.ext.segments import BODY, TAG, VIEWS, document, merge_files, open_files, random_texts, segment

VALUES = st.lists(
    st.one_of(
        st.tuples(st.just(BODY), st.text(alphabet="ab \u00e9\U0001f600", max_size=20)),
        st.tuples(st.just(TAG), st.binary(max_size=6)),
        st.tuples(st.just(VIEWS), st.integers(-(2**63), 2**63 - 1)),
    ),
    max_size=8,
)


def expect(reader: SegmentReader, doc: int, values: list[tuple[Any, Any]]) -> None:
    assert reader.numbers("views", doc) == sorted(v for f, v in values if f is VIEWS)
    assert reader.terms("tag", doc) == sorted({v for f, v in values if f is TAG})


@settings(max_examples=60, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_doc_values_and_postings_survive_a_flush_and_a_merge(rows: list[Any], rnd: random.Random) -> None:
    cut = rnd.randrange(len(rows) + 1)
    readers = []
    for part, base in ((rows[:cut], 0), (rows[cut:], cut)):
        if part:
            buffer = WriteBuffer()
            buffer.add([document(base + i, values) for i, values in enumerate(part)])
            reader = open_files(buffer.write_segment())
            reader.check()
            for i, values in enumerate(part):
                expect(reader, i, values)
            gone = BitMap(i for i in range(len(part)) if rnd.random() < 0.2)
            readers.append((reader.with_deleted(gone), base))
    files, doc_maps = merge_files([reader for reader, _ in readers])
    merged = open_files(files)
    merged.check()
    for (reader, base), doc_map in zip(readers, doc_maps, strict=True):
        for doc in range(reader.max_doc):
            if doc in reader.deleted:
                assert doc_map[doc] == -1
                assert merged.lookup(b"d%d" % (base + doc)) == -1
            else:
                new = int(doc_map[doc])
                expect(merged, new, rows[base + doc])
                assert merged.id(new) == b"d%d" % (base + doc)
                assert merged.source(new) == b'{"n":%d}' % (base + doc)
                assert merged.lookup(b"d%d" % (base + doc)) == new
    searcher = IndexReader([merged])
    for tag in {v for values in rows for f, v in values if f is TAG}:
        wanted = {
            int(doc_map[doc])
            for (reader, base), doc_map in zip(readers, doc_maps, strict=True)
            for doc in range(reader.max_doc)
            if doc not in reader.deleted and (TAG, tag) in rows[base + doc]
        }
        assert set(matching(searcher, TermWeight(searcher, "tag", tag))[0]) == wanted


def test_an_id_that_was_written_twice_is_found_once() -> None:
    buffer = WriteBuffer()
    buffer.add([Document(b"a", b"1", None, 0, 1, 1, []), Document(b"b", b"2", b"r", 1, 1, 1, [])])
    buffer.delete(0)
    buffer.add([Document(b"a", b"3", None, 2, 1, 2, [])])
    assert (buffer.max_doc, buffer.num_docs) == (3, 2)
    reader = open_files(buffer.write_segment()).with_deleted(buffer.deleted())
    assert reader.lookup(b"a") == 2
    assert reader.versions(2) == (2, 1, 2)
    assert (reader.source(2), reader.routing(2), reader.routing(1)) == (b"3", None, b"r")
    assert reader.lookup(b"c") == -1
    merged = open_files(merge_files([reader])[0])
    assert [merged.source(doc) for doc in range(merged.max_doc)] == [b"2", b"3"]


def test_immense_terms_are_refused() -> None:
    buffer = WriteBuffer()
    with pytest.raises(ValueError, match="immense term"):
        buffer.add([document(0, [(TAG, b"x" * 40000)])])
    whole = Field("whole", 9, TEXT, postings=POSITIONS, chain=AnalysisRegistry({}).analyzer("keyword").chain)
    with pytest.raises(ValueError, match="immense term"):
        buffer.add([document(1, [(whole, "y" * 40000)])])


def test_every_flipped_byte_is_noticed() -> None:
    """A bit of each byte of a small segment is flipped: opening and reading it all never passes unnoticed."""
    texts = random_texts(40, seed=1, words=30, longest=10)
    buffer = WriteBuffer()
    buffer.add([document(i, [(BODY, " ".join(t)), (TAG, b"t"), (VIEWS, i)]) for i, t in enumerate(texts)])
    files = {suffix: b"".join(map(bytes, parts)) for suffix, parts in buffer.write_segment().items()}
    for suffix, whole in files.items():
        for at in range(0, len(whole), 3):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << (at % 8)
            with pytest.raises((CorruptIndexError, FormatVersionError)):
                reader_of({**files, suffix: bytes(damaged)}).check()


def reader_of(files: dict[str, bytes]) -> SegmentReader:
    return SegmentReader(files["idx"], files["src"])


@pytest.mark.parametrize("suffix", ["idx", "src"])
def test_every_cut_is_noticed(suffix: str) -> None:
    reader = segment(random_texts(10, seed=2, words=20, longest=8))
    reader.check()
    buffer = WriteBuffer()
    buffer.add([document(0, [(TAG, b"t")])])
    files = {name: b"".join(map(bytes, parts)) for name, parts in buffer.write_segment().items()}
    for length in range(len(files[suffix])):
        with pytest.raises(CorruptIndexError):
            reader_of({**files, suffix: files[suffix][:length]})
