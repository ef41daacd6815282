"""The best hit of each group, against sorting everything in plain Python."""

import random
from typing import Any

import pytest
from pyroaring import BitMap

from lanner.ext.index.schema import NUMBER, TERM, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_groups import SeveralValuesError, search_groups
from tests.ext.segments import BODY, document, open_files

NAME = Field("name", 20, TERM, doc_values=True, postings=1)
SIZE = Field("size", 21, NUMBER, doc_values=True)
Row = dict[str, Any]


def segments(rnd: random.Random) -> tuple[list[SegmentReader], list[list[Row | None]]]:
    """Segments and what their documents hold; None for deleted ones."""
    readers, models = [], []
    for _ in range(rnd.randint(1, 4)):
        rows: list[Row | None] = []
        buffer = WriteBuffer()
        for i in range(rnd.choice((1, 30, 5000))):
            row = {
                "name": rnd.choice((None, *(b"g%d" % n for n in range(40)))),
                "size": rnd.choice((None, *range(-3, 60))),
                "rank": rnd.randrange(1000),
                "hit": rnd.random() < 0.6,
            }
            values: list[tuple[Field, Any]] = [(BODY, "x" if row["hit"] else "y")]
            values += [(field, row[field.name]) for field in (NAME, SIZE) if row[field.name] is not None]
            values.append((RANK, row["rank"]))
            buffer.add([document(i, values)])
            rows.append(row)
        gone = BitMap(i for i in range(len(rows)) if rnd.random() < 0.1)
        for i in gone:
            rows[i] = None
        readers.append(open_files(buffer.write_segment()).with_deleted(gone))
        models.append(rows)
    return readers, models


RANK = Field("rank", 22, NUMBER, doc_values=True)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("group", ["name", "size"])
def test_random_groups(seed: int, group: str) -> None:
    rnd = random.Random(seed)
    readers, models = segments(rnd)
    reader = IndexReader(readers)
    reverse = rnd.random() < 0.5
    k = rnd.choice((1, 3, 10, 100))
    top = search_groups(
        reader,
        TermWeight(reader, "body", b"x", BM25()),
        k,
        [SortKey("number", "rank", reverse=reverse)],
        group,
    )
    hits = [
        (-row["rank"] if reverse else row["rank"], s, doc, row[group])
        for s, rows in enumerate(models)
        for doc, row in enumerate(rows)
        if row is not None and row["hit"]
    ]
    best: dict[Any, tuple[int, int, int]] = {}
    for rank, s, doc, value in sorted(hits, key=lambda hit: hit[:3]):
        best.setdefault(value, (rank, s, doc))
    expected = sorted((place, value) for value, place in best.items() if value is not None)
    if None in best:
        expected = sorted([*expected, (best[None], None)], key=lambda one: one[0])
    expected = expected[:k]
    assert top.total == len(hits)
    assert list(zip(top.segments, top.docs, strict=True)) == [place[1:] for place, _ in expected]
    assert top.groups == [value for _, value in expected]


def test_by_score_and_document() -> None:
    buffer = WriteBuffer()
    texts = ["x x x", "x y y y", "x x y y", "x x x x"]
    names = [b"a", b"b", b"a", b"b"]
    buffer.add(
        [document(i, [(BODY, t), (NAME, n)]) for i, (t, n) in enumerate(zip(texts, names, strict=True))]
    )
    reader = IndexReader([open_files(buffer.write_segment())])
    weight = TermWeight(reader, "body", b"x", BM25())
    top = search_groups(reader, weight, 5, [SortKey("score", reverse=True)], "name")
    assert top.docs == [3, 0]
    assert top.max_score == top.scores[0]
    assert search_groups(reader, weight, 5, [SortKey("doc")], "name").docs == [0, 1]
    assert search_groups(reader, weight, 1, [SortKey("doc", reverse=True)], "name").docs == [3]
    assert search_groups(reader, weight, 0, [SortKey("doc")], "name").total == 4


def test_several_values() -> None:
    buffer = WriteBuffer()
    buffer.add([document(0, [(SIZE, 1)]), document(1, [(SIZE, 1), (SIZE, 2)])])
    reader = IndexReader([open_files(buffer.write_segment())])
    with pytest.raises(SeveralValuesError, match="1"):
        search_groups(reader, MatchAllWeight(reader), 5, [SortKey("doc")], "size")
