"""Postings as bytes: decoded by slow Python they are what was indexed, and their bounds hold."""

import random

import numpy as np
import pytest
from pyroaring import BitMap

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.ext.codec.postings_writer import SEED_RANKS
from lanner.ext.index.schema import DOCS, FREQS, POSITIONS, TEXT, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.codec.raw import RawSegment
from tests.ext.segments import BODY, document, merge_files, open_files
from tests.oracle.codec import PostingsDecoder
from tests.oracle.scoring import K1, B, stored_length

WHITESPACE = AnalysisRegistry({}).analyzer("whitespace").chain
# around the sizes of a block, of a long record, of one with window bounds, and of nothing in particular
SIZES = (1, 2, 127, 128, 129, 255, 256, 257, 383, 384, 1023, 1024, 1025, 5000)
N = 5200


def text_field(postings: int, gap: int = 100) -> Field:
    return Field("body", 8, TEXT, postings=postings, norms=True, chain=WHITESPACE, position_gap=gap)


@pytest.fixture(scope="module")
def texts() -> list[list[str]]:
    """Document i has the word sN if it was drawn among N; some words come very often in some documents."""
    rnd = random.Random(1)
    texts: list[list[str]] = [[] for _ in range(N)]
    for size in SIZES:
        for doc in rnd.sample(range(N), size):
            texts[doc] += [f"s{size}"] * rnd.choice([1, 1, 1, 2, 9, 300 if size < 300 else 3])
    for tokens in texts:
        rnd.shuffle(tokens)
    return texts


def decoder(raw: RawSegment, postings: int) -> PostingsDecoder:
    return PostingsDecoder(
        raw.column("body"), with_freqs=postings >= FREQS, with_positions=postings >= POSITIONS
    )


@pytest.mark.parametrize("postings", [DOCS, FREQS, POSITIONS])
def test_what_is_written_is_what_came(texts: list[list[str]], postings: int) -> None:
    field = text_field(postings)
    buffer = WriteBuffer()
    buffer.add([document(i, [(field, " ".join(tokens))]) for i, tokens in enumerate(texts)])
    files = buffer.write_segment()
    reader = open_files(files)
    reader.check()
    halves = []
    for a, b in ((0, 2000), (2000, N)):
        half = WriteBuffer()
        half.add([document(i, [(field, " ".join(texts[i]))]) for i in range(a, b)])
        halves.append(open_files(half.write_segment()))
    merged = merge_files(halves)[0]
    terms = reader.fields_by_name["body"].terms
    assert terms is not None
    for written in (files, merged):
        decoded = decoder(RawSegment(written), postings)
        for size in SIZES:
            word = f"s{size}"
            found = decoded.term(terms.ord(word.encode()))
            assert found.docs == [doc for doc, tokens in enumerate(texts) if word in tokens]
            assert len(found.docs) == size
            if postings >= FREQS:
                assert found.freqs == [texts[doc].count(word) for doc in found.docs]
            if postings >= POSITIONS:
                assert found.positions == [
                    [i for i, token in enumerate(texts[doc]) if token == word] for doc in found.docs
                ]
    if postings == DOCS:
        return  # a flush takes the average length of all tokens, a merge that of distinct ones
    # a merge writes what a flush of the same documents would have written
    one, two = RawSegment(files), RawSegment(merged)
    assert one.column("body") == two.column("body")
    assert one.about("body") == two.about("body")


def test_bounds_are_bounds_and_seeds_can_be_reached(texts: list[list[str]]) -> None:
    buffer = WriteBuffer()
    buffer.add([document(i, [(BODY, " ".join(tokens))]) for i, tokens in enumerate(texts)])
    files = buffer.write_segment()
    raw = RawSegment(files)
    about = raw.about("body")
    assert about["average"] == np.float32(about["sum_total_term_freq"] / about["doc_count"])
    decoded = decoder(raw, POSITIONS)
    terms = open_files(files).fields_by_name["body"].terms
    assert terms is not None
    for size in (size for size in SIZES if size >= 256):
        found = decoded.term(terms.ord(f"s{size}".encode()))
        lengths = [stored_length(len(texts[doc])) for doc in found.docs]
        impacts = [
            freq / (freq + K1 * (1 - B + B * length / about["average"]))
            for freq, length in zip(found.freqs, lengths, strict=True)
        ]
        best = sorted(impacts, reverse=True)
        assert best[0] <= found.max_impact <= best[0] + 1e-6
        for rank, seed in zip(SEED_RANKS, found.seeds, strict=True):
            assert best[rank - 1] - 1e-6 <= seed <= best[rank - 1]
        for block, bound in enumerate(found.block_max):
            top = max(impacts[128 * block : 128 * (block + 1)], default=0)
            assert top * 255 <= bound < top * 255 + 1.01
        assert len(found.window_max) == 3
        for window, bound in enumerate(found.window_max):
            top = max(
                (x for doc, x in zip(found.docs, impacts, strict=True) if doc // 2048 == window), default=0
            )
            assert top * 255 <= bound < top * 255 + 1.01


def test_bounds_keep_away_from_rounding_in_long_texts() -> None:
    """Small impacts lose most of their digits: every hit must still pass the threshold that the seeds set."""
    texts = [["t", *[f"f{i}"] * (400 + i % 7)] for i in range(300)] + [["z"] for _ in range(20000)]
    buffer = WriteBuffer()
    buffer.add([document(i, [(BODY, " ".join(tokens))]) for i, tokens in enumerate(texts)])
    reader = IndexReader([open_files(buffer.write_segment())])
    for k in (1, 10, 100):
        quick = search_top(reader, TermWeight(reader, "body", b"t", similarity=BM25()), k, track=0)
        every = search_top(reader, TermWeight(reader, "body", b"t", similarity=BM25()), k, min_score=-1.0)
        assert list(quick.docs) == list(every.docs)
        assert list(quick.scores) == list(every.scores)


def test_a_value_that_comes_twice_in_a_document_counts_once() -> None:
    """Without frequencies the average length is that of the distinct values: impacts must go by the same."""
    from tests.ext.segments import TAG

    buffer = WriteBuffer()
    buffer.add(
        [document(i, [(TAG, b"a"), (TAG, b"a"), (TAG, b"a"), (TAG, b"b%d" % (i % 3))]) for i in range(600)]
    )
    reader = IndexReader([open_files(buffer.write_segment())])
    assert reader.field_statistics("tag") == (600, 1200, 1200)
    top = search_top(reader, TermWeight(reader, "tag", b"a", similarity=BM25()), 10, track=0)
    assert list(top.docs) == list(range(10))


@pytest.mark.parametrize("shift", [7, 8, 15, 16, 24, 29, 30])
@pytest.mark.parametrize("n", [1, 3, 300])
def test_positions_far_apart(shift: int, n: int) -> None:
    """Gaps of every width up to 30 bits; a lone posting has room for less than 2**30."""
    gap = (1 << shift) - 1
    field = text_field(POSITIONS, gap)
    buffer = WriteBuffer()
    buffer.add([document(i, [(field, "a"), (field, "b"), (field, "c a")]) for i in range(n)])
    files = buffer.write_segment()
    merged = merge_files([open_files(files)])[0]
    places = {"a": [0, 2 * (gap + 1) + 1], "b": [gap + 1], "c": [2 * (gap + 1)]}
    for written in (files, merged):
        decoded = decoder(RawSegment(written), POSITIONS)
        for ord_, word in enumerate("abc"):
            assert decoded.term(ord_).positions == [places[word]] * n
        if shift < 30:
            reader = IndexReader([open_files(written)])
            for words, distance, hits in (
                ("ab", gap + 1, n),
                ("ab", gap, 0),
                ("bc", gap + 1, n),
                ("ca", 1, n),
            ):
                weight = PhraseWeight(reader, "body", [[w.encode()] for w in words], [0, distance])
                assert count(reader, weight) == hits, (words, distance)


@pytest.mark.parametrize("share", [50, 3, 1])
def test_bitmaps_are_those_of_roaring(share: int) -> None:
    n = 140_000 if share == 1 else 70_000
    tag = Field("body", 8, TEXT, postings=DOCS, chain=WHITESPACE)
    rnd = random.Random(share)
    docs = sorted({*(d for d in range(n) if rnd.random() < 1 / share), n - 1})
    chosen = set(docs)
    buffer = WriteBuffer()
    buffer.add([document(i, [(tag, "x")] if i in chosen else []) for i in range(n)])
    files = buffer.write_segment()
    raw = RawSegment(files)
    found = decoder(raw, DOCS).term(0)
    at, length = found.bitmap
    stored = raw.column("body")["bitmaps"][at : at + length]
    assert BitMap.deserialize(stored) == BitMap(docs)
    own = BitMap(docs).serialize()
    if share > 1:  # where it has no runs, which the format here never has
        assert stored[: len(own)] == own
        assert stored[len(own) :] == bytes(-len(own) % 16)
    reader = IndexReader([open_files(files)])
    assert matching(reader, TermWeight(reader, "body", b"x")) == [BitMap(docs)]


def test_rare_terms_have_no_bitmap() -> None:
    tag = Field("body", 8, TEXT, postings=DOCS, chain=WHITESPACE)
    buffer = WriteBuffer()
    buffer.add([document(i, [(tag, "x")] if i % 100 == 0 else []) for i in range(30_000)])
    assert decoder(RawSegment(buffer.write_segment()), DOCS).term(0).bitmap == (0, 0)


def test_norms_are_lengths_to_four_significant_bits() -> None:
    codes = sorted({stored_length(n) for n in range(300_000)})
    lengths = [*range(60), 100, 127, 128, 129, 1000, 4095, 4096, 5000, 65535, 65536, 250_000]
    buffer = WriteBuffer()
    buffer.add([document(i, [(BODY, "x " * length)]) for i, length in enumerate(lengths)])
    raw = RawSegment(buffer.write_segment())
    norms = list(raw.column("body")["norms"])
    assert norms[0] == 255  # the field is there, without a token
    assert norms[1:] == [codes.index(stored_length(length)) for length in lengths[1:]]
    assert raw.about("body")["doc_count"] == len(lengths) - 1  # the empty text has no token
