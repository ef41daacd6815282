"""What explanations ask of postings for one document, against the texts themselves."""

import random
from collections import Counter

import pytest

from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.synonym import SynonymWeight
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader
from tests.ext.query.model import phrase_freq, sloppy_freq
from tests.ext.segments import segment

CUT = 400


@pytest.fixture(scope="module")
def texts() -> list[list[str]]:
    rnd = random.Random(7)
    return [[rnd.choice("abcdefgh") for _ in range(rnd.randint(1, 60))] for _ in range(700)]


@pytest.fixture(scope="module")
def reader(texts: list[list[str]]) -> IndexReader:
    return IndexReader([segment(texts[:CUT]), segment(texts[CUT:], CUT)])


def places(texts: list[list[str]]) -> list[tuple[int, int, list[str]]]:
    """Some documents as (segment, document, text), in no order."""
    chosen = [
        (i, doc, text)
        for i, part in enumerate((texts[:CUT], texts[CUT:]))
        for doc, text in enumerate(part)
        if doc % 7 == 0
    ]
    random.Random(1).shuffle(chosen)
    return chosen


def test_terms(reader: IndexReader, texts: list[list[str]]) -> None:
    weights = {word: TermWeight(reader, "body", word.encode()) for word in ("a", "h", "nowhere")}
    both = SynonymWeight(reader, "body", [b"a", b"h"])
    for part, doc, text in places(texts):
        for word, weight in weights.items():
            assert weight.freq(part, doc) == text.count(word)
        assert both.freq(part, doc) == text.count("a") + text.count("h")


@pytest.mark.parametrize("slop", [0, 2])
def test_phrases(reader: IndexReader, texts: list[list[str]], slop: int) -> None:
    words = ["a", "b", "c"]
    weight = PhraseWeight(reader, "body", [[word.encode()] for word in words], [0, 1, 2], slop=slop)
    for part, doc, text in places(texts):
        at = [[i for i, token in enumerate(text) if token == word] for word in words]
        wanted = sloppy_freq(words, range(3), at, slop) if slop else phrase_freq(at, range(3))
        assert weight.freq(part, doc) == pytest.approx(wanted)


def test_lengths_and_totals(reader: IndexReader, texts: list[list[str]]) -> None:
    first = reader.segments[0].fields_by_name["body"]
    counts = Counter(word for text in texts[:CUT] for word in text)
    assert {word: first.total_term_freq(word.encode()) for word in counts} == counts
    assert first.total_term_freq(b"nowhere") == 0
    for doc, text in enumerate(texts[:CUT]):
        assert first.length(doc) == len(text) if first.norm(doc) <= 39 else first.length(doc) <= len(text)
        assert (first.norm(doc) <= 39) == (len(text) < 40)
    tags = reader.segments[0].fields_by_name["tag"]
    assert (tags.norm(0), tags.length(0)) == (1, 1)
    assert tags.total_term_freq(b"t0") == len(range(0, CUT, 7))
    with pytest.raises(ValueError, match="no document"):
        first.norm(CUT)
