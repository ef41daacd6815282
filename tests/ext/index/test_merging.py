"""Merges: what lives goes on, with the statistics of a fresh index of it."""

import random

import pytest
from pyroaring import BitMap

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.ext.errors import CorruptIndexError, FormatVersionError
from lanner.ext.index.document import Document
from lanner.ext.index.schema import DOCS, POSITIONS, TERM, TEXT, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.codec.raw import RawSegment
from tests.ext.segments import BODY, TAG, VIEWS, document, merge_files, open_files

WHITESPACE = AnalysisRegistry({}).analyzer("whitespace").chain
BARE = Field("bare", 11, TEXT, postings=POSITIONS, chain=WHITESPACE)  # no norms, no doc values
FLAT = Field("flat", 12, TERM, postings=DOCS)


def rows(n: int, seed: int) -> list[list[tuple[Field, object]]]:
    rnd = random.Random(seed)

    def text() -> str:
        return " ".join(f"w{int(rnd.paretovariate(0.7))}" for _ in range(rnd.choice([0, 1, 4, 30])))

    return [
        [(BODY, text()), (BARE, text())]
        + [(TAG, b"%d" % rnd.randrange(50)) for _ in range(rnd.choice([0, 1, 3]))]
        + [(FLAT, b"f%d" % rnd.randrange(5)) for _ in range(rnd.choice([0, 1]))]
        + [(VIEWS, rnd.randint(-(2**40), 2**40)) for _ in range(rnd.choice([0, 1, 2]))]
        for _ in range(n)
    ]


def write(some: list[list[tuple[Field, object]]], base: int = 0) -> dict[str, list[bytes | memoryview]]:
    buffer = WriteBuffer()
    buffer.add([document(base + i, row) for i, row in enumerate(some)])
    return buffer.write_segment()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_merge_with_deletions_is_like_a_fresh_index(seed: int) -> None:
    """Statistics and all sections but the stored impacts are equal to the byte."""
    rnd = random.Random(seed)
    everything = rows(3000, seed)
    cuts = [0, 700, 701, 2100, 3000]
    parts, kept = [], []
    for a, b in zip(cuts, cuts[1:], strict=False):
        gone = BitMap(doc for doc in range(b - a) if rnd.random() < 0.25)
        parts.append(open_files(write(everything[a:b], a)).with_deleted(gone))
        kept += [(doc, everything[doc]) for doc in range(a, b) if doc - a not in gone]
    buffer = WriteBuffer()
    buffer.add([document(doc, row) for doc, row in kept])
    fresh_files = buffer.write_segment()
    merged_files, _ = merge_files(parts)
    open_files(merged_files).check()
    merged, fresh = RawSegment(merged_files), RawSegment(fresh_files)
    for name in ("_id", "body", "bare", "tag", "flat", "views", "_seq_no"):
        about, wanted = dict(merged.about(name)), dict(fresh.about(name))
        about.pop("average", None)
        wanted.pop("average", None)
        assert about == wanted
        # the stored impacts go by the average length of all that was merged, deleted documents included
        sections = {key: part for key, part in merged.column(name).items() if key != "postings"}
        assert sections == {key: part for key, part in fresh.column(name).items() if key != "postings"}, name
        assert len(merged.column(name).get("postings", b"")) == len(fresh.column(name).get("postings", b""))


def test_a_search_with_a_threshold_after_a_merge_with_deletions() -> None:
    """The texts that are left are shorter, or longer, than those that the impacts were computed among."""
    for n_words, other in ((5, 900), (500, 1)):
        texts = [["t"] * (1 + i % 3) + ["u"] * n_words for i in range(1200)] + [["long"] * other] * 600
        segment = open_files(write([[(BODY, " ".join(tokens))] for tokens in texts]))
        merged = open_files(merge_files([segment.with_deleted(BitMap(range(1200, 1800)))])[0])
        for reader in (IndexReader([merged]), IndexReader([segment, merged])):
            for k in (1, 10, 100):
                quick = search_top(reader, TermWeight(reader, "body", b"t", similarity=BM25()), k, track=0)
                every = search_top(
                    reader, TermWeight(reader, "body", b"t", similarity=BM25()), k, min_score=-1.0
                )
                assert [*zip(quick.segments, quick.docs, quick.scores, strict=True)] == [
                    *zip(every.segments, every.docs, every.scores, strict=True)
                ]


def test_nothing_left() -> None:
    segment = open_files(write(rows(100, 5))).with_deleted(BitMap(range(100)))
    merged = open_files(merge_files([segment, segment])[0])
    merged.check()
    assert (merged.max_doc, merged.num_docs, merged.lookup(b"d1")) == (0, 0, -1)
    reader = IndexReader([merged])
    assert search_top(reader, TermWeight(reader, "body", b"w1", similarity=BM25()), 10).total == 0
    again = open_files(merge_files([merged, open_files(write(rows(3, 6)))])[0])
    assert again.max_doc == 3


def test_columns_that_only_some_segments_have() -> None:
    one = open_files(write([[(TAG, b"x")], []]))
    two = open_files(write([[(VIEWS, 7)], [(BODY, "a b")]], 2))
    merged = open_files(merge_files([one, two])[0])
    merged.check()
    assert [merged.terms("tag", doc) for doc in range(4)] == [[b"x"], [], [], []]
    assert [merged.numbers("views", doc) for doc in range(4)] == [[], [], [7], []]
    assert merged.fields["body"].doc_count == 1


def test_texts_without_tokens_do_not_count() -> None:
    reader = IndexReader([open_files(write([[(BODY, "a")], [(BODY, "")], [(BODY, "b a")]]))])
    assert reader.field_statistics("body") == (2, 3, 3)


def test_the_same_id_many_times() -> None:
    """More documents of one id than a short record holds."""
    buffer = WriteBuffer()
    buffer.add([Document(b"a", b"%d" % i, None, i, 1, i + 1, []) for i in range(700)])
    for doc in range(699):
        buffer.delete(doc)
    reader = open_files(buffer.write_segment())
    assert reader.with_deleted(buffer.deleted()).lookup(b"a") == 699
    assert reader.with_deleted(BitMap(range(500, 700))).lookup(b"a") == 499
    assert reader.with_deleted(BitMap(range(700))).lookup(b"a") == -1


def test_how_many_segments_a_merge_takes() -> None:
    segment = open_files(write([[]]))
    assert open_files(merge_files([segment] * 256)[0]).max_doc == 256
    for n in (0, 257):
        with pytest.raises(ValueError, match="1 to 256"):
            merge_files([segment] * n)


def test_deletions_beyond_a_segment_are_refused() -> None:
    segment = open_files(write([[], []]))
    with pytest.raises(ValueError, match="not in a segment"):
        segment.with_deleted(BitMap([2]))


def test_a_check_finds_damage_that_opening_was_told_to_overlook() -> None:
    """Opening without checksums is for files just written; a check compares before it reads anything."""
    files = write(rows(400, 9))
    index, source = (b"".join(map(bytes, files[suffix])) for suffix in ("idx", "src"))
    rnd = random.Random(1)
    for _ in range(400):
        damaged = bytearray(index)
        for _ in range(rnd.choice([1, 8])):
            damaged[rnd.randrange(len(damaged))] ^= 1 << rnd.randrange(8)
        if damaged == index:
            continue
        with pytest.raises((CorruptIndexError, FormatVersionError)):
            SegmentReader(bytes(damaged), source, verify=False).check()
