"""Searches that end early: by time, because somebody cancelled them, or after enough hits."""

import time

import pytest

from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_docs import search_top
from lanner.ext.search.top_fields import search_sorted
from tests.ext.segments import random_texts, segment

ALWAYS = 2**62


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    texts = random_texts(5000, seed=3, longest=20)
    return IndexReader([segment(texts[:3000]), segment(texts[3000:], 3000)])


def weights(reader: IndexReader) -> list[Weight]:
    words = [TermWeight(reader, "body", word, similarity=BM25()) for word in (b"w0", b"w1", b"w2")]
    return [
        MatchAllWeight(reader),
        words[0],
        BooleanWeight(should=words),
        BooleanWeight(must=words[:2]),
        BooleanWeight(must=words[:1], should=words[1:]),
    ]


def test_a_deadline_in_the_past_ends_a_search_before_its_first_window(reader: IndexReader) -> None:
    for weight in weights(reader):
        limits = Limits(deadline_ns=1)
        top = search_top(reader, weight, 10, track=ALWAYS, limits=limits)
        assert top.timed_out
        assert len(top) == 0
        fields = search_sorted(reader, weight, 10, [SortKey("number", "views")], limits=Limits(deadline_ns=1))
        assert fields.timed_out
        assert len(fields) == 0


def test_a_deadline_far_off_changes_nothing(reader: IndexReader) -> None:
    for weight in weights(reader):
        limits = Limits(deadline_ns=time.monotonic_ns() + 10**12)
        top = search_top(reader, weight, 10, track=ALWAYS, limits=limits)
        free = search_top(reader, weight, 10, track=ALWAYS)
        assert not top.timed_out
        assert (top.total, list(top.segments), list(top.docs)) == (
            free.total,
            list(free.segments),
            list(free.docs),
        )
        assert list(top.scores) == pytest.approx(list(free.scores), rel=1e-6)
        assert count(reader, weight, limits=limits) == free.total


def test_a_cancelled_search_ends_without_having_timed_out(reader: IndexReader) -> None:
    for weight in weights(reader):
        limits = Limits()
        limits.cancel()
        assert limits.is_cancelled
        top = search_top(reader, weight, 10, track=ALWAYS, limits=limits)
        assert (len(top), top.timed_out) == (0, False)


def test_terminate_after_counts_hits_and_keeps_the_best_of_them(reader: IndexReader) -> None:
    for weight in weights(reader):
        total = count(reader, weight)
        for most in (1, 7, total, total + 1):
            top = search_top(reader, weight, 10, track=ALWAYS, terminate_after=most)
            assert top.total == min(most, total)
            assert len(top) == min(most, total, 10)
            assert top.terminated_early == (most <= total)
            assert list(top.scores) == sorted(top.scores, reverse=True)
            fields = search_sorted(reader, weight, 10, [SortKey("doc")], track=ALWAYS, terminate_after=most)
            assert (fields.total, fields.terminated_early) == (min(most, total), most <= total)
