"""The compiled core on a seeded corpus: indexing, flush, merge and every kind of query.

Each result is checked before it is timed.

ci/bench                                    this file, and a comparison with the run before
python -m pytest bench --benchmark-only     the same by hand
"""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from bench import corpus
from lanner.ext.index.segment_merger import merge_segments
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.range import NumberRangeWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_docs import search_top
from lanner.ext.search.top_fields import search_sorted

DOCS = 30_000
SIMILARITY = BM25()


@functools.cache
def reader() -> IndexReader:
    return IndexReader([corpus.segment(corpus.texts(DOCS))])


def terms(*ranks: int) -> list[TermWeight]:
    return [TermWeight(reader(), "body", b"word%d" % rank, similarity=SIMILARITY) for rank in ranks]


QUERIES: dict[str, Callable[[], Weight]] = {
    "frequent term": lambda: terms(3)[0],
    "rare term": lambda: terms(9000)[0],
    "any of two": lambda: BooleanWeight(should=terms(40, 900)),
    "any of five": lambda: BooleanWeight(should=terms(4, 40, 90, 400, 2000)),
    "all of two": lambda: BooleanWeight(must=terms(40, 900)),
    "phrase": lambda: PhraseWeight(reader(), "body", [[b"word1"], [b"word2"]], [0, 1], similarity=SIMILARITY),
    "filtered": lambda: BooleanWeight(
        must=terms(40),
        filter=[TermWeight(reader(), "tag", b"tag3"), NumberRangeWeight(reader(), "views", 1000, 60_000)],
    ),
}


@pytest.mark.parametrize("name", QUERIES)
def bench_ten_best(benchmark: Any, name: str) -> None:
    make = QUERIES[name]
    full = search_top(reader(), make(), 10, min_score=-1.0)
    assert search_top(reader(), make(), 10, track=0).scores == pytest.approx(full.scores, rel=1e-5)
    benchmark(lambda: search_top(reader(), make(), 10, track=0))


@pytest.mark.parametrize("name", QUERIES)
def bench_count(benchmark: Any, name: str) -> None:
    make = QUERIES[name]
    assert count(reader(), make()) == search_top(reader(), make(), 0, track=2**62, min_score=-1.0).total
    benchmark(lambda: count(reader(), make()))


def bench_sort_by_number(benchmark: Any) -> None:
    keys = [SortKey("number", "views", reverse=True)]
    top = benchmark(lambda: search_sorted(reader(), MatchAllWeight(reader()), 10, keys))
    assert [values[0] for values in top.values] == sorted(
        (i * 7919 % 100_000 for i in range(DOCS)), reverse=True
    )[:10]


def bench_indexing(benchmark: Any) -> None:
    bodies = corpus.texts(2000, seed=2)

    def index() -> WriteBuffer:
        buffer = WriteBuffer()
        buffer.add(corpus.documents(bodies))
        return buffer

    assert benchmark(index).max_doc == 2000


def bench_flush(benchmark: Any) -> None:
    buffer = WriteBuffer()
    buffer.add(corpus.documents(corpus.texts(5000, seed=3)))
    assert set(benchmark(buffer.write_segment)) == {"idx", "src"}


def bench_merge(benchmark: Any) -> None:
    parts = [corpus.segment(corpus.texts(2000, seed=seed), first=2000 * seed) for seed in range(5)]
    made = benchmark(lambda: {name: list(file) for name, file in merge_segments(parts)[0].items()})
    assert sum(len(memoryview(part)) for part in made["idx"]) > 0
