"""Sets of documents: terms, prefixes, ranges of terms and numbers, existence, given documents."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from lanner.ext.index.schema import DOCS, NUMBER, TERM, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.query.exists import ExistsWeight
from lanner.ext.query.multi_term import PrefixWeight, TermRangeWeight, TermsWeight
from lanner.ext.query.range import NumberRangeWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import TAG, document, open_files
from tests.oracle.codec import Dictionary

LEAST, GREATEST = -(2**63), 2**63 - 1
ODD = st.lists(st.sampled_from([0, 1, 97, 254, 255]), max_size=4).map(bytes)
BARE = Field("bare", 12, TERM, postings=DOCS)
COLUMN = Field("column", 13, NUMBER, doc_values=True)
POINTS = Field("points", 14, NUMBER, points=True)
BOTH = Field("both", 15, NUMBER, doc_values=True, points=True)


def tagged(rows: list[list[bytes]]) -> IndexReader:
    buffer = WriteBuffer()
    buffer.add([document(i, [(TAG, tag) for tag in tags]) for i, tags in enumerate(rows)])
    return IndexReader([open_files(buffer.write_segment())])


def found(reader: IndexReader, weight: Weight) -> set[int]:
    (docs,) = matching(reader, weight)
    assert count(reader, weight) == len(docs)
    assert search_top(reader, weight, 1, track=2**62).total == len(docs)
    # asked about documents instead of listing them
    everything = MatchAllWeight(reader)
    assert matching(reader, BooleanWeight(must=[everything], must_not=[weight])) == [
        BitMap(range(reader.max_doc)) - docs
    ]
    assert matching(reader, BooleanWeight(filter=[everything, weight])) == [docs]
    return set(docs)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(ODD, max_size=3), min_size=1, max_size=60),
    st.lists(ODD, max_size=4),
    st.one_of(st.none(), ODD),
    st.one_of(st.none(), ODD),
    st.booleans(),
    st.booleans(),
)
def test_terms_prefixes_and_ranges_of_terms(
    rows: list[list[bytes]],
    some: list[bytes],
    lower: bytes | None,
    upper: bytes | None,
    left: bool,
    right: bool,
) -> None:
    reader = tagged(rows)
    dictionary = Dictionary(tag for tags in rows for tag in tags)

    def having(terms: list[bytes]) -> set[int]:
        return {doc for doc, tags in enumerate(rows) if set(tags) & set(terms)}

    assert found(reader, TermsWeight(reader, "tag", some)) == having(some)
    for prefix in (lower or b"", b"\xff", b"\xff\xff", b"a\xff"):
        assert found(reader, PrefixWeight(reader, "tag", prefix)) == having(dictionary.prefixed(prefix))
    weight = TermRangeWeight(reader, "tag", lower, upper, include_lower=left, include_upper=right)
    assert found(reader, weight) == having(
        dictionary.between(lower, upper, include_lower=left, include_upper=right)
    )


def test_terms_of_every_length_of_postings() -> None:
    sizes = [1, 2, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 5000]
    rows = [[b"%d" % size for size in sizes if i % 5000 < size] for i in range(5000)]
    reader = tagged(rows)
    for size in sizes:
        assert found(reader, TermsWeight(reader, "tag", [b"%d" % size])) == set(range(size))
        assert reader.doc_freq("tag", b"%d" % size) == size
    assert found(reader, TermsWeight(reader, "tag", [b"1", b"128", b"257"])) == set(range(257))
    assert found(reader, PrefixWeight(reader, "tag", b"102")) == set(range(1025))


def numbers(n: int, seed: int, spread: int, *, several: bool, missing: bool) -> list[list[int]]:
    """Values that are near each other inside a window, so that windows are decided as a whole."""
    rnd = random.Random(seed)
    rows = []
    for i in range(n):
        how_many = 0 if missing and rnd.random() < 0.3 else rnd.choice([1, 3]) if several else 1
        base = (i // 2048) * spread
        rows.append(
            sorted(max(LEAST, min(GREATEST, base + rnd.randint(-spread, spread))) for _ in range(how_many))
        )
    return rows


def segment_of(rows: list[list[int]]) -> SegmentReader:
    buffer = WriteBuffer()
    buffer.add(
        [document(i, [(f, v) for f in (COLUMN, POINTS, BOTH) for v in row]) for i, row in enumerate(rows)]
    )
    return open_files(buffer.write_segment())


# one spread for each width of a column
@pytest.mark.parametrize("spread", [0, 20, 5000, 10**9, 2**61])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n", [1, 65, 2047, 2049, 6200])
def test_ranges_of_numbers(spread: int, n: int, *, several: bool, missing: bool) -> None:
    rows = numbers(n, n, spread, several=several, missing=missing)
    segment = segment_of(rows)
    gone = BitMap(range(0, n, 7))
    rnd = random.Random(spread)
    values = [v for row in rows for v in row] or [0]
    ends = [
        LEAST,
        GREATEST,
        min(values),
        max(values),
        0,
        *(rnd.choice(values) + rnd.choice([-1, 0, 1]) for _ in range(4)),
    ]
    for _ in range(14):
        lo, hi = (max(LEAST, min(GREATEST, rnd.choice(ends))) for _ in range(2))
        wanted = {doc for doc, row in enumerate(rows) if any(lo <= v <= hi for v in row)}
        for name in ("column", "points", "both"):
            for reader in (IndexReader([segment]), IndexReader([segment.with_deleted(gone)])):
                weight = NumberRangeWeight(reader, name, lo, hi)
                (docs,) = matching(reader, weight)
                alive = wanted - set(reader.segments[0].deleted)
                assert set(docs) == alive, (name, lo, hi)
                assert count(reader, weight) == len(alive)
                probed = BooleanWeight(filter=[DocSetWeight(reader, [BitMap(range(0, n, 3))]), weight])
                assert set(matching(reader, probed)[0]) == {doc for doc in alive if doc % 3 == 0}
    for doc in rnd.sample(range(n), min(n, 50)):
        assert segment.numbers("column", doc) == rows[doc]


def test_existence_and_given_documents() -> None:
    n = 4100
    rows: list[list[tuple[Field, Any]]] = [
        [(TAG, b"t")] * (i % 2) + [(COLUMN, i)] * (i % 3 == 0) + [(BARE, b"x")] for i in range(n)
    ]
    buffer = WriteBuffer()
    buffer.add([document(i, row) for i, row in enumerate(rows)])
    reader = IndexReader([open_files(buffer.write_segment())])
    assert found(reader, ExistsWeight(reader, "tag")) == set(range(1, n, 2))
    assert found(reader, ExistsWeight(reader, "column")) == set(range(0, n, 3))
    assert (
        found(reader, ExistsWeight(reader, "bare")) == set()
    )  # neither doc values nor norms: others have to tell
    assert found(reader, ExistsWeight(reader, "nothing")) == set()
    given_docs = BitMap([0, 63, 64, 2047, 2048, 4099])
    assert found(reader, DocSetWeight(reader, [given_docs])) == set(given_docs)
    assert found(reader, DocSetWeight(reader, [BitMap()])) == set()
    with pytest.raises(ValueError, match="beyond"):
        DocSetWeight(reader, [BitMap([n])])
    with pytest.raises(ValueError, match="each segment"):
        DocSetWeight(reader, [])
