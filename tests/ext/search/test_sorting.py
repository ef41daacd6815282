"""Sorted searches against sorted() in Python."""

import random

import pytest

from lanner.ext.index.schema import Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_fields import search_sorted
from tests.ext.segments import BODY, TAG, VIEWS, document, open_files

ROWS = 4000


@pytest.fixture(scope="module")
def rows() -> list[tuple[bytes | None, list[int]]]:
    rnd = random.Random(3)
    return [
        (
            rnd.choice([None, b"red", b"green", b"blue", b"black"]),
            sorted(rnd.randint(-50, 50) for _ in range(rnd.choice([0, 1, 1, 3]))),
        )
        for _ in range(ROWS)
    ]


@pytest.fixture(scope="module")
def reader(rows: list[tuple[bytes | None, list[int]]]) -> IndexReader:
    segments = []
    for start in range(0, ROWS, 1500):
        buffer = WriteBuffer()
        documents = []
        for i, (tag, views) in enumerate(rows[start : start + 1500], start):
            values: list[tuple[Field, str | bytes | int]] = [(BODY, "all" if i % 3 else "all some")] + [
                (VIEWS, v) for v in views
            ]
            if tag is not None:
                values.append((TAG, tag))
            documents.append(document(i, values))
        buffer.add(documents)
        segments.append(open_files(buffer.write_segment()))
    return IndexReader(segments)


def numbers(reader: IndexReader, segments: list[int], docs: list[int]) -> list[int]:
    return [int(reader.segments[s].id(d)[1:]) for s, d in zip(segments, docs, strict=True)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("missing_first", [False, True])
@pytest.mark.parametrize("mode", ["min", "max"])
def test_two_keys(
    rows: list[tuple[bytes | None, list[int]]],
    reader: IndexReader,
    *,
    reverse: bool,
    missing_first: bool,
    mode: str,
) -> None:
    def key(i: int) -> tuple[object, ...]:
        tag, views = rows[i]
        first = (tag is None) != missing_first, tag or b""
        value = (views[0] if mode == "min" else views[-1]) if views else 0
        second = (not views) != missing_first, -value if reverse else value
        return (*first, *second, i)

    keys = [
        SortKey("term", "tag", missing_first=missing_first),
        SortKey("number", "views", reverse=reverse, missing_first=missing_first, mode=mode),
    ]
    wanted = sorted(range(ROWS), key=key)
    found: list[int] = []
    top = search_sorted(reader, MatchAllWeight(reader), 300, keys)
    assert numbers(reader, top.segments, top.docs) == wanted[:300]
    assert (top.total, top.relation) == (ROWS, "eq")
    for i, values in zip(wanted, top.values, strict=False):
        tag, views = rows[i]
        assert values == [tag, (views[0] if mode == "min" else views[-1]) if views else None]
    # pages: values that tie are passed over together, as the API does
    after = top.values[99]
    page = search_sorted(reader, MatchAllWeight(reader), 50, keys, after=after)
    beyond = [i for i in wanted if key(i)[:4] > key(wanted[99])[:4]]
    found = numbers(reader, page.segments, page.docs)
    assert found == beyond[:50]


def test_missing_value_stands_in(rows: list[tuple[bytes | None, list[int]]], reader: IndexReader) -> None:
    top = search_sorted(reader, MatchAllWeight(reader), ROWS, [SortKey("number", "views", missing_value=7)])
    wanted = sorted(range(ROWS), key=lambda i: (rows[i][1][0] if rows[i][1] else 7, i))
    assert numbers(reader, top.segments, top.docs) == wanted
    assert [v[0] for v in top.values] == [rows[i][1][0] if rows[i][1] else 7 for i in wanted]


def test_a_query_limits_the_hits_and_scores_come_when_asked_for(reader: IndexReader) -> None:
    from lanner.ext.query.similarity import BM25

    weight = TermWeight(reader, "body", b"some", similarity=BM25())
    top = search_sorted(reader, weight, 10, [SortKey("doc", reverse=True)], track_scores=True)
    assert top.total == len(range(0, ROWS, 3))
    assert numbers(reader, top.segments, top.docs) == [i for i in range(ROWS - 1, -1, -1) if i % 3 == 0][:10]
    assert top.max_score is not None
    assert all(score is not None and 0 < score <= top.max_score for score in top.scores)


@pytest.fixture(scope="module")
def large() -> tuple[list[int | None], IndexReader]:
    """Two segments of several windows: single values, ascending, one in seven missing; windows of none."""
    values = [None if i % 7 == 0 or 4096 <= i < 6144 else i // 10 for i in range(14_000)]
    segments = []
    for start in (0, 9000):
        buffer = WriteBuffer()
        part = values[start : start + 9000]
        buffer.add(
            [document(i, [] if value is None else [(VIEWS, value)]) for i, value in enumerate(part, start)]
        )
        segments.append(open_files(buffer.write_segment()))
    return values, IndexReader(segments)


@pytest.mark.parametrize("track", [0, 10**9])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("missing_first", [None, False, True])
def test_pages_follow_each_other(
    large: tuple[list[int | None], IndexReader], *, track: int, reverse: bool, missing_first: bool | None
) -> None:
    values, reader = large
    by_doc = SortKey("doc", reverse=reverse)
    if missing_first is None:
        keys = [by_doc]
        wanted = sorted(range(len(values)), reverse=reverse)
    else:
        keys = [SortKey("number", "views", reverse=reverse, missing_first=missing_first), by_doc]
        wanted = sorted(
            range(len(values)),
            key=lambda i: (
                (values[i] is None) != missing_first,
                (values[i] or 0) * (-1 if reverse else 1),
                -i if reverse else i,
            ),
        )
    found: list[int] = []
    after = None
    while len(found) < len(values):
        top = search_sorted(reader, MatchAllWeight(reader), 900, keys, track=track, after=after)
        found += numbers(reader, top.segments, top.docs)
        after = top.values[-1]
        if track:
            assert top.total == len(values)
    assert found == wanted
