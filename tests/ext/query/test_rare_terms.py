"""Rare terms, which are intersected unpacked, in a segment of several groups of 65,536 documents."""

import random
from collections.abc import Callable
from itertools import combinations

import pytest
from pyroaring import BitMap

from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.synonym import SynonymWeight
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.query.model import phrase_freq
from tests.ext.segments import BODY, document, open_files
from tests.oracle.scoring import Collection

N_DOCS = 150_000
ALWAYS = 2**62
# one document in so many; a: only in the last group; g: in none of group 1; f: frequent; e comes beside b
DENSITIES = {"a": 40, "b": 60, "c": 300, "d": 5000, "f": 4, "g": 200}
PHRASES = [("b", "e"), ("a", "b"), ("b", "b"), ("b", "c"), ("b", "e", "c"), ("c", "f"), ("b", "f", "g")]
MANY = 300  # occurrences that a byte cannot count


@pytest.fixture(scope="module")
def texts() -> list[list[str]]:
    rnd = random.Random(8)
    made = []
    for doc in range(N_DOCS):
        tokens = []
        for word, one_in in DENSITIES.items():
            if (word == "a" and doc < 130_000) or (word == "g" and 65_536 <= doc < 131_072):
                continue
            if rnd.random() * one_in < 1:
                tokens += [word] * (MANY if rnd.random() < 0.001 else rnd.choice((1, 1, 1, 2, 5)))
        if "b" in tokens and rnd.random() < 0.7:
            tokens.insert(tokens.index("b") + 1, "e")
        elif rnd.random() < 0.01:
            tokens.append("e")
        made.append(tokens or ["x"])
    return made


@pytest.fixture(scope="module")
def collection(texts: list[list[str]]) -> Collection:
    return Collection(texts)


@pytest.fixture(scope="module")
def reader(texts: list[list[str]]) -> IndexReader:
    buffer = WriteBuffer()
    buffer.add([document(i, [(BODY, " ".join(tokens))]) for i, tokens in enumerate(texts)])
    return IndexReader([open_files(buffer.write_segment())])


def term(reader: IndexReader, word: str) -> TermWeight:
    return TermWeight(reader, "body", word.encode(), BM25())


def check(reader: IndexReader, make: Callable[[], Weight], wanted: dict[int, float]) -> None:
    assert count(reader, make()) == len(wanted)
    assert set(matching(reader, make())[0]) == set(wanted)
    for k, track in ((10, ALWAYS), (10, 0), (200, 50), (0, ALWAYS)):
        top = search_top(reader, make(), k, track=track)
        if track == ALWAYS:
            assert top.total == len(wanted)
        best = sorted(wanted.values(), reverse=True)[:k]
        assert list(top.scores) == pytest.approx(best, rel=2e-5)
        for doc, score in zip(top.docs, top.scores, strict=True):
            assert score == pytest.approx(wanted[doc], rel=2e-5)


@pytest.mark.parametrize(
    "words", [*combinations("abcdefg", 2), *combinations("abceg", 3), ("b", "c", "e", "f")]
)
def test_all_of_them(
    words: tuple[str, ...], texts: list[list[str]], collection: Collection, reader: IndexReader
) -> None:
    docs = set.intersection(*({d for d, tokens in enumerate(texts) if word in tokens} for word in words))
    wanted = {d: sum(collection.term(d, word) for word in words) for d in docs}
    check(reader, lambda: BooleanWeight(must=[term(reader, word) for word in words]), wanted)


@pytest.mark.parametrize("words", PHRASES)
def test_phrases(
    words: tuple[str, ...], texts: list[list[str]], collection: Collection, reader: IndexReader
) -> None:
    wanted = {}
    weight = 2.2 * sum(map(collection.idf, words))
    for doc, tokens in enumerate(texts):
        if set(words) <= set(tokens):
            at = [[i for i, token in enumerate(tokens) if token == word] for word in words]
            freq = phrase_freq(at, range(len(words)))
            if freq:
                wanted[doc] = weight * collection.saturation(doc, freq)
    assert wanted

    def make() -> PhraseWeight:
        terms = [[word.encode()] for word in words]
        return PhraseWeight(reader, "body", terms, range(len(words)), similarity=BM25())

    check(reader, make, wanted)


def test_words_that_count_as_one(texts: list[list[str]], reader: IndexReader) -> None:
    wanted = [d for d, tokens in enumerate(texts) if {"a", "c"} & set(tokens) and "b" in tokens]
    either = SynonymWeight(reader, "body", [b"a", b"c"], similarity=BM25())
    both = BooleanWeight(must=[either, term(reader, "b")])
    assert search_top(reader, both, 10, track=ALWAYS).total == len(wanted)


def test_deleted_documents_do_not_count(texts: list[list[str]], reader: IndexReader) -> None:
    having = [d for d, tokens in enumerate(texts) if {"b", "e"} <= set(tokens)]
    gone = having[::3]
    less = IndexReader([reader.segments[0].with_deleted(BitMap(gone))])

    def both() -> BooleanWeight:
        return BooleanWeight(must=[term(less, "b"), term(less, "e")])

    assert count(less, both()) == len(having) - len(gone)
    top = search_top(less, both(), 500, track=ALWAYS)
    assert top.total == len(having) - len(gone)
    assert not set(gone) & set(top.docs)


def test_what_is_kept_has_a_bound(reader: IndexReader) -> None:
    kept = reader.segments[0].unpacked
    both = [term(reader, "b"), term(reader, "c")]
    search_top(reader, BooleanWeight(must=both), 10, track=ALWAYS)
    assert len(kept)
    assert 0 < kept.size <= kept.most
