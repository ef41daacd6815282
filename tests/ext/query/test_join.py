"""Joins over a column of terms, against slow obvious code."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from pyroaring import BitMap

from lanner.ext.index.document import Document
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.query.join import MODES, JoinWeight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count
from lanner.ext.search.ordinals import numbers_of
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import BODY, TAG, merge_files, open_files

WORDS = ("red", "green", "blue")
MOST = 2**31 - 1
Place = tuple[int, int]  # segment, doc


def filled(
    rnd: random.Random, sizes: list[int], n_tags: int
) -> tuple[list[SegmentReader], dict[Place, bytes | None]]:
    """Segments with deleted documents, and the tag of each document, deleted or not."""
    readers, tags, number = [], {}, 0
    for s, size in enumerate(sizes):
        buffer = WriteBuffer()
        for doc in range(size):
            tag = (
                b"%s%d" % (b"x" * rnd.choice((0, 0, 60)), rnd.randrange(n_tags))
                if rnd.random() < 0.9
                else None
            )
            values: list[Any] = [(BODY, " ".join(rnd.choices(WORDS, k=rnd.randrange(5))))]
            if tag is not None:
                values.append((TAG, tag))
            buffer.add([Document(b"d%d" % number, b"{}", None, number, 1, 1, values)])
            tags[s, doc] = tag
            number += 1
        reader = open_files(buffer.write_segment())
        gone = BitMap(doc for doc in range(size) if rnd.random() < 0.15)
        readers.append(reader.with_deleted(gone) if gone else reader)
    return readers, tags


def hits(reader: IndexReader, weight: Any) -> dict[Place, float]:
    top = search_top(reader, weight, 100_000, track=2**40)
    assert top.total == len(top.docs) == count(reader, weight)
    return {(s, d): score for s, d, score in zip(top.segments, top.docs, top.scores, strict=True)}


def expected(
    sought: dict[Place, float],
    wanted: set[Place],
    tags: dict[Place, bytes | None],
    mode: str,
    least: int,
    most: int,
) -> dict[Place, float]:
    found: dict[bytes, list[np.float32]] = {}
    for place in sorted(sought):
        tag = tags[place]
        if tag is not None:
            found.setdefault(tag, []).append(np.float32(sought[place]))
    scores = {}
    for tag, given in found.items():
        if not max(least, 1) <= len(given) <= most:
            continue
        total = given[0]
        for one in given[1:]:
            total = np.float32(total + one)
        scores[tag] = {
            "none": np.float32(1),
            "sum": total,
            "avg": np.float32(total / np.float32(len(given))),
            "min": min(given),
            "max": max(given),
        }[mode]
    return {
        place: float(scores[tag]) for place in wanted if (tag := tags[place]) in scores and tag is not None
    }


@pytest.mark.parametrize("seed", range(12))
def test_join_of_random_documents(seed: int) -> None:
    rnd = random.Random(seed)
    sizes = [rnd.choice((1, 30, 700, 3000)) for _ in range(rnd.choice((1, 2, 5)))]
    readers, tags = filled(rnd, sizes, rnd.choice((1, 7, 300)))
    reader = IndexReader(readers)
    red, green, blue = (hits(reader, TermWeight(reader, "body", word.encode(), BM25())) for word in WORDS)
    for mode in MODES:
        for least, most in ((1, MOST), (0, MOST), (2, MOST), (1, 1), (2, 4), (5000, MOST)):
            sought = TermWeight(reader, "body", b"red", BM25())
            wanted = TermWeight(reader, "body", b"blue")
            weight = JoinWeight(sought, wanted, "tag", mode, least=least, most=most)
            want = expected(red, set(blue), tags, mode, least, most)
            assert hits(reader, weight) == want
            both = BooleanWeight(must=[weight], filter=[TermWeight(reader, "body", b"green")])
            kept = {place: score for place, score in want.items() if place in green}
            assert hits(reader, both).keys() == kept.keys()
            if mode != "none":
                assert hits(reader, both) == kept


def test_boost_multiplies_the_score_that_was_made() -> None:
    readers, tags = filled(random.Random(3), [500, 500], 40)
    reader = IndexReader(readers)
    sought = TermWeight(reader, "body", b"red", BM25())
    plain = hits(reader, JoinWeight(sought, MatchAllWeight(reader), "tag", "avg"))
    more = hits(reader, JoinWeight(sought, MatchAllWeight(reader), "tag", "avg", boost=1.3))
    assert more == {
        place: float(np.float32(np.float32(score) * np.float32(1.3))) for place, score in plain.items()
    }


def test_join_of_a_join() -> None:
    readers, tags = filled(random.Random(4), [300, 300], 60)
    reader = IndexReader(readers)
    inner = JoinWeight(
        TermWeight(reader, "body", b"red"), TermWeight(reader, "body", b"green"), "tag", "none"
    )
    outer = JoinWeight(ConstantWeight(inner, 2.0), MatchAllWeight(reader), "tag", "sum")
    places = dict.fromkeys(hits(reader, inner), 2.0)
    live = {(s, d) for s, d in tags if d not in readers[s].deleted}
    assert hits(reader, outer) == expected(places, live, tags, "sum", 1, MOST)


def test_nothing_to_join() -> None:
    readers, _ = filled(random.Random(5), [50, 50], 10)
    reader = IndexReader(readers)
    every = MatchAllWeight(reader)
    nothing = DocSetWeight(reader, [BitMap(), BitMap()])
    for weight in (
        JoinWeight(nothing, every, "tag", "none"),
        JoinWeight(every, nothing, "tag", "sum"),
        JoinWeight(every, every, "body", "sum"),
        JoinWeight(every, every, "no such column", "none"),
    ):
        assert hits(reader, weight) == {}
    with pytest.raises(ValueError, match="unknown mode"):
        JoinWeight(every, every, "tag", "total")
    with pytest.raises(ValueError, match="different readers"):
        JoinWeight(MatchAllWeight(IndexReader(readers[:1])), every, "tag", "sum")


@pytest.mark.parametrize("seed", range(6))
def test_numbers_of_terms_over_segments(seed: int) -> None:
    rnd = random.Random(seed)
    readers, tags = filled(rnd, [rnd.choice((1, 40, 900)) for _ in range(rnd.choice((1, 2, 9)))], 500)
    if seed == 5:
        readers = [open_files(merge_files(readers)[0])]
    reader = IndexReader(readers)
    terms = sorted({tag for tag in tags.values() if tag is not None})
    seen = Counter[bytes]()
    for s, segment in enumerate(readers):
        own = sorted({tag for doc in range(segment.max_doc) for tag in segment.terms("tag", doc)})
        seen.update(own)
        found = numbers_of(reader, "tag", s)
        if seed < 5:
            assert found == [terms.index(tag) for tag in own]
        else:
            assert found == list(range(len(own)))
    assert set(seen) <= set(terms)
    assert numbers_of(reader, "views", 0) == []
