"""Segments of every released format version stay readable and give the same answers."""

from collections.abc import Container
from pathlib import Path

import pytest
from pyroaring import BitMap

from lanner.ext.codec.sections import VERSION
from lanner.ext.index.schema import Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.multi_term import PrefixWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.range import NumberRangeWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_docs import search_top
from lanner.ext.search.top_fields import search_sorted
from tests.ext.golden.write_golden import N, documents
from tests.ext.segments import TAG, VIEWS, merge_files, open_files
from tests.oracle.scoring import Collection

FOLDER = Path(__file__).parent
VERSIONS = range(1, VERSION + 1)


def golden(version: int) -> SegmentReader:
    return SegmentReader(*((FOLDER / f"version{version}.{suffix}").read_bytes() for suffix in ("idx", "src")))


@pytest.fixture(params=[(version, merged) for version in VERSIONS for merged in (False, True)])
def reader(request: pytest.FixtureRequest) -> IndexReader:
    """A segment as it was written, and what a merge makes of it."""
    version, merged = request.param
    segment = golden(version)
    segment.check()
    return IndexReader([open_files(merge_files([segment])[0]) if merged else segment])


def test_documents(reader: IndexReader) -> None:
    (segment,) = reader.segments
    assert segment.max_doc == N
    for doc, document in enumerate(documents()):
        row = (
            segment.id(doc),
            segment.source(doc),
            segment.routing(doc),
            segment.versions(doc),
            segment.lookup(document.id),
        )
        versions = (document.seq_no, document.primary_term, document.version)
        assert row == (document.id, document.source, document.routing, versions, doc)
        for name in ("tag", "stored"):
            assert segment.terms(name, doc) == sorted({v for f, v in document.values if f.name == name})
        assert segment.numbers("views", doc) == sorted(v for f, v in document.values if f.name == "views")


def collection() -> Collection:
    return Collection(
        [[w for f, v in d.values if f.name == "body" for w in str(v).split()] for d in documents()]
    )


def test_statistics(reader: IndexReader) -> None:
    body = collection()
    assert reader.field_statistics("body") == (N, sum(map(len, body.documents)), sum(map(len, body.freqs)))
    assert reader.field_statistics("frequencies") == (N, sum(i % 3 + 1 for i in range(N)), N)
    assert {word: reader.doc_freq("body", word.encode()) for word in body.doc_freq} == body.doc_freq


def check(reader: IndexReader, weight: Weight, wanted: dict[int, float]) -> None:
    assert set(matching(reader, weight)[0]) == set(wanted)
    top = search_top(reader, weight, 20, track=0)
    assert list(top.scores) == pytest.approx(sorted(wanted.values(), reverse=True)[:20], rel=2e-5)
    assert [wanted[doc] for doc in top.docs] == pytest.approx(list(top.scores), rel=2e-5)


def test_searches(reader: IndexReader) -> None:
    body = collection()
    for words in (["all"], ["most", "w3"], ["w0", "w1", "w50", "w96"]):
        weights = [TermWeight(reader, "body", word.encode(), similarity=BM25()) for word in words]
        check(reader, BooleanWeight(should=weights), body.matches("or", words))
        check(reader, BooleanWeight(must=weights), body.matches("and", words))
    for words in (["all", "w0"], ["most", "most"], ["most", "w0"], ["w1", "w2"]):
        phrase = PhraseWeight(
            reader, "body", [[w.encode()] for w in words], range(len(words)), similarity=BM25()
        )
        check(reader, phrase, body.matches("phrase", words))
    assert matching(reader, PrefixWeight(reader, "tag", b"\xff"))[0] == BitMap(having(TAG, [b"\xff\0"]))
    wanted = having(VIEWS, range(-5, 6))
    assert list(matching(reader, NumberRangeWeight(reader, "views", -5, 5))[0]) == wanted
    greatest = [max((int(v) for f, v in d.values if f is VIEWS), default=None) for d in documents()]
    order = sorted(
        (doc for doc in range(N) if greatest[doc] is not None), key=lambda doc: -(greatest[doc] or 0)
    )
    found = search_sorted(reader, MatchAllWeight(reader), 50, [SortKey("number", "views", reverse=True)])
    assert list(found.docs) == order[:50]


def having(field: Field, values: Container[object]) -> list[int]:
    return [doc for doc, d in enumerate(documents()) if any(f is field and v in values for f, v in d.values)]
