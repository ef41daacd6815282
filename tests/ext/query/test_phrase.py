"""Phrases against enumeration; sloppy ones against the matcher of Lucene written out with lists."""

import random
from collections.abc import Sequence

import pytest

from lanner.ext.index.schema import DOCS, TERM, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.similarity import BM25, BooleanSimilarity
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.query.model import phrase_freq, sloppy_freq
from tests.ext.segments import document, merge_files, open_files, segment
from tests.oracle.scoring import K1, Collection

ALWAYS = 2**62
TOLERANCE = 2e-5


def texts(n: int, seed: int, *, longest: int = 14) -> list[list[str]]:
    """Short texts of few words, so that phrases and repetitions are frequent."""
    rnd = random.Random(seed)
    return [
        [
            rnd.choice("abcd") if rnd.random() < 0.8 else f"x{rnd.randrange(50)}"
            for _ in range(rnd.randint(1, longest))
        ]
        for _ in range(n)
    ]


def positions(tokens: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    return [[i for i, token in enumerate(tokens) if token == word] for word in words]


def wanted_scores(
    collection: Collection, words: Sequence[str], places: Sequence[int], slop: int
) -> dict[int, float]:
    found = {}
    weight = (K1 + 1) * sum(map(collection.idf, words))
    for doc, tokens in enumerate(collection.documents):
        at = positions(tokens, words)
        freq = sloppy_freq(words, places, at, slop) if slop else phrase_freq(at, places)
        if freq:
            found[doc] = weight * collection.saturation(doc, freq)
    return found


def phrase(reader: IndexReader, words: Sequence[str], places: Sequence[int], slop: int = 0) -> PhraseWeight:
    return PhraseWeight(
        reader, "body", [[word.encode()] for word in words], places, slop=slop, similarity=BM25()
    )


@pytest.fixture(scope="module")
def documents() -> list[list[str]]:
    return texts(2300, seed=4)


@pytest.fixture(scope="module")
def collection(documents: list[list[str]]) -> Collection:
    return Collection(documents)


@pytest.fixture(scope="module")
def readers(documents: list[list[str]]) -> list[tuple[IndexReader, list[int]]]:
    cuts = [0, 100, 2148, 2300]
    parts = [segment(documents[a:b], a) for a, b in zip(cuts, cuts[1:], strict=False)]
    return [(IndexReader(parts), cuts), (IndexReader([open_files(merge_files(parts)[0])]), [0])]


def check(
    readers: list[tuple[IndexReader, list[int]]],
    wanted: dict[int, float],
    words: Sequence[str],
    places: Sequence[int],
    slop: int,
) -> None:
    for reader, bases in readers:
        found = {
            bases[i] + d
            for i, docs in enumerate(matching(reader, phrase(reader, words, places, slop)))
            for d in docs
        }
        assert found == set(wanted), (words, places, slop)
        assert count(reader, phrase(reader, words, places, slop)) == len(wanted)
        for k, track in ((3000, ALWAYS), (3, 0), (3, ALWAYS)):
            top = search_top(reader, phrase(reader, words, places, slop), k, track=track)
            best = sorted(wanted.values(), reverse=True)[:k]
            assert list(top.scores) == pytest.approx(best, rel=TOLERANCE), (words, places, slop)
            for part, doc, score in zip(top.segments, top.docs, top.scores, strict=True):
                assert score == pytest.approx(wanted[bases[part] + doc], rel=TOLERANCE), (words, places, slop)


def test_exact(collection: Collection, readers: list[tuple[IndexReader, list[int]]]) -> None:
    rnd = random.Random(1)
    for _ in range(60):
        words = [
            rnd.choice(["a", "b", "c", "d", f"x{rnd.randrange(60)}"])
            for _ in range(rnd.choice([1, 2, 2, 3, 5]))
        ]
        start = rnd.randrange(4)
        places = [start]
        while len(places) < len(words):
            places.append(places[-1] + rnd.choice([1, 1, 1, 2, 3]))  # a gap is a stop word that was taken out
        check(readers, wanted_scores(collection, words, places, 0), words, places, 0)


def test_sloppy(collection: Collection, readers: list[tuple[IndexReader, list[int]]]) -> None:
    rnd = random.Random(2)
    for _ in range(40):
        words = [
            rnd.choice(["a", "b", "c", "d", f"x{rnd.randrange(60)}"]) for _ in range(rnd.choice([2, 2, 3, 4]))
        ]
        slop = rnd.choice([1, 2, 3, 5, 10])
        places = range(len(words))
        check(readers, wanted_scores(collection, words, places, slop), words, places, slop)


# phrase, slop, text: the frequency that OpenSearch 2.19.1 explains
EXPLAINED = [
    ("a b", 1, "a x b", 1 / 2),
    ("b a", 1, "a b", 0),
    ("b a", 2, "a b", 1 / 3),
    ("d b", 2, "a d b d", 4 / 3),
    ("d c", 1, "b a d c c d d c", 2),
    ("c c", 3, "d c d x d x c a x a b x c b", 0),
    ("a b a b", 3, "d x b b a b x d a c x a b c", 0),
    ("a a", 3, "x a a a a c a", 3.5),
    ("a b d", 5, "c b a b d a b a d x d x", 7 / 3),
    ("c c c", 5, "a d a x a b c c a c d c d d c", 13 / 12),
]


@pytest.mark.parametrize(("words", "slop", "text", "freq"), EXPLAINED)
def test_the_model_says_what_opensearch_explains(words: str, slop: int, text: str, freq: float) -> None:
    terms = words.split()
    assert sloppy_freq(terms, range(len(terms)), positions(text.split(), terms), slop) == pytest.approx(freq)


def test_a_sloppy_phrase_may_come_more_often_than_its_rarest_term() -> None:
    """What bounds an exact phrase must not leave out a sloppy one."""
    exact, many = ["b", "a", "x", "x", "x", "x"], ["a", "a", "a", "b", "a", "a", "a"]
    documents = [exact] * 128 + [["b", *["x"] * 6]] * 200 + [many] + [["b", *["x"] * 6]] * 55
    collection = Collection(documents)
    wanted = wanted_scores(collection, ["b", "a"], [0, 1], 10)
    assert max(wanted, key=lambda doc: wanted[doc]) == 328
    reader = IndexReader([segment(documents)])
    top = search_top(reader, phrase(reader, ["b", "a"], [0, 1], 10), 1, track=0)
    assert list(top.docs) == [328]
    assert top.scores[0] == pytest.approx(wanted[328], rel=TOLERANCE)


def test_one_term_is_counted_as_often_as_it_comes_whatever_the_slop() -> None:
    reader = IndexReader([segment([["a", "a", "b", "a"], ["b"]])])
    scores = [list(search_top(reader, phrase(reader, ["a"], [0], slop), 5).scores) for slop in (0, 4)]
    assert scores[0] == scores[1]


def test_positions_go_on_after_a_gap_between_values() -> None:
    from tests.ext.segments import BODY

    buffer = WriteBuffer()
    buffer.add([document(0, [(BODY, "a b"), (BODY, "c d")])])
    reader = IndexReader([open_files(buffer.write_segment())])
    assert count(reader, phrase(reader, ["b", "c"], [0, 1])) == 0
    assert count(reader, phrase(reader, ["b", "c"], [0, 101])) == 1
    assert count(reader, phrase(reader, ["b", "c"], [0, 1], 99)) == 0
    assert count(reader, phrase(reader, ["b", "c"], [0, 1], 100)) == 1


def test_boolean_similarity_gives_a_phrase_its_boost() -> None:
    reader = IndexReader([segment([["a", "b"], ["a", "b", "a", "b"]])])
    weight = PhraseWeight(reader, "body", [[b"a"], [b"b"]], [0, 1], boost=2.5, similarity=BooleanSimilarity())
    assert list(search_top(reader, weight, 5).scores) == [2.5, 2.5]


@pytest.mark.parametrize("slop", [0, 1, 3])
def test_alternatives(
    documents: list[list[str]],
    collection: Collection,
    readers: list[tuple[IndexReader, list[int]]],
    slop: int,
) -> None:
    """Several terms at a place: any of them will do, and each counts for the weight."""
    rnd = random.Random(2)
    for _ in range(25):
        groups = [rnd.sample(["a", "b", "c", "d", "x1", "nowhere"], rnd.choice([1, 2, 3])) for _ in range(2)]
        groups += [["x7"]] * (slop == 0 and rnd.random() < 0.3)
        if slop and not set(groups[0]).isdisjoint(groups[1]):
            continue  # what Lucene makes of terms that places share stands in the test over HTTP
        places = list(range(len(groups)))
        weight = (K1 + 1) * sum(
            collection.idf(w) for group in groups for w in group if collection.doc_freq[w]
        )
        wanted = {}
        for doc, tokens in enumerate(documents):
            at = [[i for i, token in enumerate(tokens) if token in group] for group in groups]
            freq = sloppy_freq(places, places, at, slop) if slop else phrase_freq(at, places)
            if freq:
                wanted[doc] = weight * collection.saturation(doc, freq)
        for reader, bases in readers:
            terms = [[word.encode() for word in group] for group in groups]
            for k, track in ((3000, ALWAYS), (3, 0)):
                found = PhraseWeight(reader, "body", terms, places, slop=slop, similarity=BM25())
                top = search_top(reader, found, k, track=track)
                best = sorted(wanted.values(), reverse=True)[:k]
                assert list(top.scores) == pytest.approx(best, rel=TOLERANCE), (groups, slop)
                for part, doc, score in zip(top.segments, top.docs, top.scores, strict=True):
                    assert score == pytest.approx(wanted[bases[part] + doc], rel=TOLERANCE), (groups, slop)


def test_long_texts_with_many_positions() -> None:
    """More positions of one document than a block holds, and fewer."""
    rnd = random.Random(9)
    documents = [[rnd.choice("aab") for _ in range(rnd.choice([3, 30, 700]))] for _ in range(400)]
    collection = Collection(documents)
    reader = IndexReader([segment(documents)])
    for words in (["a", "b"], ["b", "b", "a"], ["a", "a", "a", "a"]):
        places = range(len(words))
        check([(reader, [0])], wanted_scores(collection, words, places, 0), words, places, 0)
    check([(reader, [0])], wanted_scores(collection, ["b", "a"], [0, 1], 2), ["b", "a"], [0, 1], 2)


def test_what_cannot_be_a_phrase_is_refused() -> None:
    reader = IndexReader([segment([["a", "b"]])])
    for terms, places, slop in (
        ([], [], 0),
        ([[b"a"]], [0, 1], 0),
        ([[b"a"]], [0], -1),
        ([[]], [0], 0),
    ):
        with pytest.raises(ValueError, match=r"phrase|synonym"):
            PhraseWeight(reader, "body", terms, places, slop=slop)
    plain = Field("plain", 11, TERM, postings=DOCS)
    buffer = WriteBuffer()
    buffer.add([document(0, [(plain, b"a")])])
    reader = IndexReader([open_files(buffer.write_segment())])
    with pytest.raises(ValueError, match="without position data"):
        PhraseWeight(reader, "plain", [[b"a"], [b"b"]], [0, 1])
