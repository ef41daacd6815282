"""Nested rows through buffers, deletions and merges, and what they belong to: against slow obvious code."""

import random
from typing import Any

import numpy as np
import pytest
from pyroaring import BitMap

from lanner.ext.index.document import Document
from lanner.ext.index.field_values import RowValues
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight
from lanner.ext.query.nested import BlockJoinWeight, RowsWeight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import BODY, TAG, VIEWS, merge_files, open_files

WORDS = ("red", "green", "blue", "grey")
MODES = ("none", "avg", "max", "min", "sum")
Model = list[tuple[bytes | None, list[str], bytes]]  # a block: path, words, id


def add_row(out: RowValues, rnd: random.Random, words: list[str]) -> None:
    out.append((BODY, " ".join(words)))
    out.append((TAG, b"t%d" % rnd.randrange(3)))
    out.append((VIEWS, rnd.randrange(50)))


def block(number: int, rnd: random.Random) -> tuple[Document, Model]:
    """A document with rows of paths a, a.b and c."""
    model: Model = []
    document = RowValues()

    def row(path: bytes, around: RowValues) -> None:
        own = RowValues(path, around)
        words = rnd.choices(WORDS, k=rnd.randrange(4))
        add_row(own, rnd, words)
        if path == b"a":
            for _ in range(rnd.choice((0, 0, 1, 3))):
                row(b"a.b", own)
        own.block.append(own)
        model.append((path, words, b""))

    for path, most in ((b"a", rnd.choice((0, 1, 4, 40))), (b"c", rnd.choice((0, 0, 2)))):
        for _ in range(rnd.randint(0, most)):
            row(path, document)
    words = rnd.choices(WORDS, k=rnd.randrange(4))
    add_row(document, rnd, words)
    id_ = b"d%d" % number
    model.append((None, words, id_))
    return Document(id_, b'{"n":%d}' % number, None, number, 1, 1, document), model


def segments_of(rnd: random.Random, sizes: list[int]) -> tuple[list[SegmentReader], list[list[Model]]]:
    """Segments with some documents deleted in the buffer, some afterwards; and the blocks that live."""
    readers, models, number = [], [], 0
    for size in sizes:
        buffer = WriteBuffer()
        blocks = []
        for _ in range(size):
            document, model = block(number, rnd)
            first = buffer.add([document])
            blocks.append((first, model))
            number += 1
        gone = set()
        for first, model in blocks:
            if rnd.random() < 0.1:
                buffer.delete(first + len(model) - 1)
                gone.add(first)
        deleted = buffer.deleted()
        assert set(deleted) == {f + i for f, m in blocks if f in gone for i in range(len(m))}
        reader = open_files(buffer.write_segment())
        reader.check()
        for first, model in blocks:
            last = first + len(model) - 1
            assert reader.block_start(last) == first
            assert reader.document_of(first) == last
            if rnd.random() < 0.1:
                deleted.add_range(first, last + 1)
                gone.add(first)
        readers.append(reader.with_deleted(deleted))
        models.append([model for first, model in blocks if first not in gone])
    return readers, models


def flat(models: list[list[Model]]) -> list[Model]:
    return [model for part in models for model in part]


def expected(
    blocks: list[Model],
    path: bytes,
    around: bytes | None,
    word: str,
    scores: dict[tuple[int, int], float],
    mode: str,
) -> dict[tuple[int, int], float]:
    """Rows (block, place) around matching rows with their scores."""
    found: dict[tuple[int, int], list[float]] = {}
    for b, model in enumerate(blocks):
        for i, (kind, words, _) in enumerate(model):
            if kind == path and word in words:
                parent = next((j for j in range(i + 1, len(model)) if model[j][0] == around), None)
                if parent is not None:
                    found.setdefault((b, parent), []).append(scores[b, i])
    combine: Any = {
        "none": lambda given: 0.0,
        "avg": lambda given: sum(given) / len(given),
        "max": max,
        "min": min,
        "sum": sum,
    }[mode]
    return {row: combine(given) for row, given in found.items()}


def places(readers: list[SegmentReader], models: list[list[Model]]) -> dict[tuple[int, int], tuple[int, int]]:
    """(segment, doc) of live rows -> (block, place)."""
    found, b = {}, 0
    for s, (reader, blocks) in enumerate(zip(readers, models, strict=True)):
        live = [doc for doc in range(reader.max_doc) if doc not in reader.deleted]
        assert len(live) == sum(map(len, blocks))
        rows = iter(live)
        for model in blocks:
            for i in range(len(model)):
                found[s, next(rows)] = (b, i)
            b += 1
    return found


@pytest.mark.parametrize("seed", range(12))
def test_join_of_random_blocks(seed: int) -> None:
    rnd = random.Random(seed)
    sizes = [rnd.choice((1, 20, 300)) for _ in range(rnd.randint(1, 3))]
    readers, models = segments_of(rnd, sizes)
    if seed % 2 and any(models):
        files, _ = merge_files(readers)
        readers, models = [open_files(files)], [flat(models)]
        readers[0].check()
    where = places(readers, models)
    blocks = flat(models)
    whole, searched = IndexReader(readers), IndexReader([reader.searchable() for reader in readers])
    assert searched.num_docs == len(blocks)
    assert count(searched, MatchAllWeight(searched)) == len(blocks)
    for word in WORDS:
        term = word.encode()
        plain = search_top(searched, TermWeight(searched, "body", term), 10_000, track=2**40)
        documents = {where[s, d] for s, d in zip(plain.segments, plain.docs, strict=True)}
        assert documents == {
            (b, i)
            for b, m in enumerate(blocks)
            for i, (path, words, _) in enumerate(m)
            if path is None and word in words
        }
        assert plain.total == len(documents)
        every = search_top(whole, TermWeight(whole, "body", term, BM25()), 100_000, track=2**40)
        scores = {
            where[s, d]: score for s, d, score in zip(every.segments, every.docs, every.scores, strict=True)
        }
        for path, around in (
            (b"a", None),
            (b"a.b", None),
            (b"a.b", b"a"),
            (b"c", None),
            (b"c", b"a"),
            (b"no", None),
        ):
            for mode in MODES:
                reader = searched if around is None else whole
                weight: Any = BlockJoinWeight(TermWeight(reader, "body", term, BM25()), path, around, mode)
                if rnd.random() < 0.3:
                    weight = BooleanWeight(must=[weight], filter=[RowsWeight(reader, around)])
                top = search_top(reader, weight, 100_000, track=2**40)
                got = {
                    where[s, d]: score for s, d, score in zip(top.segments, top.docs, top.scores, strict=True)
                }
                want = expected(blocks, path, around, word, scores, mode)
                assert got.keys() == want.keys()
                assert got == pytest.approx(want, rel=1e-6)
                best = search_top(reader, weight, 3, track=0)
                assert best.scores == top.scores[:3]
                assert best.docs == top.docs[:3]
                assert count(reader, weight) == len(want)


def test_two_levels_at_once() -> None:
    rnd = random.Random(5)
    readers, models = segments_of(rnd, [400])
    where, blocks = places(readers, models), flat(models)
    reader = IndexReader([one.searchable() for one in readers])
    inner = BlockJoinWeight(ConstantWeight(TermWeight(reader, "body", b"red"), 2.0), b"a.b", b"a", "sum")
    outer = BlockJoinWeight(
        BooleanWeight(must=[inner, TermWeight(reader, "body", b"blue")]), b"a", None, "max"
    )
    got = {where[0, doc] for doc in matching(reader, outer)[0]}
    want = set()
    for b, model in enumerate(blocks):
        reds = 0
        for path, words, _ in model:
            if path == b"a.b":
                reds += "red" in words
            elif path == b"a":
                if reds and "blue" in words:
                    want.add((b, len(model) - 1))
                reds = 0
    assert got == want


def test_merging_keeps_blocks_whole() -> None:
    rnd = random.Random(9)
    readers, models = segments_of(rnd, [60, 200, 5])
    files, doc_maps = merge_files(readers)
    merged = open_files(files)
    assert merged.max_doc == sum(len(model) for model in flat(models))
    row = 0
    for model in flat(models):
        last = row + len(model) - 1
        assert merged.id(last) == model[-1][2]
        assert merged.lookup(model[-1][2]) == last
        assert merged.block_start(last) == row
        row = last + 1
    for reader, doc_map in zip(readers, doc_maps, strict=True):
        assert np.array_equal(
            np.asarray(doc_map) < 0, [doc in reader.deleted for doc in range(reader.max_doc)]
        )


def test_without_nested_rows_nothing_is_made() -> None:
    buffer = WriteBuffer()
    buffer.add([Document(b"1", b"{}", None, 0, 1, 1, RowValues()), Document(b"2", b"{}", None, 1, 1, 1, [])])
    reader = open_files(buffer.write_segment())
    assert not reader.has_nested
    assert reader.searchable() is reader
    assert reader.block_start(1) == 1
    assert "_nested_path" not in reader.fields_by_name


def test_a_refused_block_leaves_nothing_alive() -> None:
    buffer = WriteBuffer()
    good, model = block(0, random.Random(2))
    bad = RowValues()
    row = RowValues(b"a", bad)
    row.append((TAG, b"x" * 40_000))
    row.block.append(row)
    with pytest.raises(ValueError, match="immense"):
        buffer.add([Document(b"bad", b"{}", None, 0, 1, 1, bad)])
    for doc in range(buffer.max_doc):
        buffer.delete(doc)
    first = buffer.add([good])
    reader = open_files(buffer.write_segment()).with_deleted(buffer.deleted())
    assert reader.num_docs == len(model)
    assert reader.block_start(first + len(model) - 1) == first
    assert set(buffer.deleted()) == set(range(first))
    weight = RowsWeight(IndexReader([reader.searchable()]), None)
    assert matching(IndexReader([reader.searchable()]), weight) == [BitMap([reader.max_doc - 1])]
