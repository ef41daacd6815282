"""Every way of matching: pruned equals exhaustive, one segment equals many, both equal the formula."""

import random

import pytest
from pyroaring import BitMap

from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight
from lanner.ext.query.dis_max import DisMaxWeight
from lanner.ext.query.multi_term import TermsWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.range import NumberRangeWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import TopDocs, search_top
from tests.ext.segments import merge_files, open_files, random_texts, segment
from tests.oracle.scoring import Collection

SIZES = (3000, 700, 1, 2500, 64)
ALWAYS = 2**62
# float sums in another order than the oracle's doubles, of up to five terms
TOLERANCE = 2e-5


class Shard:
    """The same documents in one segment and in several."""

    def __init__(self) -> None:
        texts = random_texts(sum(SIZES), seed=7)
        self.collection = Collection(texts)
        segments = []
        base = 0
        self.bases = [0]
        for size in SIZES:
            segments.append(segment(texts[base : base + size], base))
            base += size
            self.bases.append(base)
        self.many = IndexReader(segments)
        self.one = IndexReader([open_files(merge_files(segments)[0])])

    def number(self, reader: IndexReader, part: int, doc: int) -> int:
        return doc + (self.bases[part] if reader is self.many else 0)


@pytest.fixture(scope="module")
def shard() -> Shard:
    return Shard()


def terms(reader: IndexReader, words: list[str]) -> list[TermWeight]:
    similarity = BM25()
    return [TermWeight(reader, "body", word.encode(), similarity=similarity) for word in words]


def build(reader: IndexReader, kind: str, words: list[str]) -> Weight:
    parts = terms(reader, words)
    if kind == "or":
        return BooleanWeight(should=parts)
    if kind == "and":
        return BooleanWeight(must=parts)
    if kind in ("phrase", "sloppy"):
        places = range(len(words))
        slop = 3 if kind == "sloppy" else 0
        return PhraseWeight(
            reader, "body", [[w.encode()] for w in words], places, slop=slop, similarity=BM25()
        )
    if kind == "filtered":
        return BooleanWeight(
            must=parts[:1],
            should=parts[1:],
            filter=[NumberRangeWeight(reader, "views", 300, 12000)],
            must_not=[TermWeight(reader, "tag", b"t3")],
        )
    if kind == "two of":
        return BooleanWeight(should=parts, minimum_should_match=2)
    if kind == "dis_max":
        return DisMaxWeight(parts, 0.3)
    return BooleanWeight(
        must=[BooleanWeight(should=parts[:2]), DisMaxWeight(parts, 0.1)],
        filter=[TermsWeight(reader, "tag", [b"t1", b"t2"])],
        should=[ConstantWeight(TermWeight(reader, "tag", b"t1"), 2.0)],
    )


KINDS = ("or", "and", "phrase", "sloppy", "filtered", "two of", "dis_max", "nested")


def words_for(kind: str, collection: Collection, rnd: random.Random) -> list[str]:
    if kind in ("phrase", "sloppy"):
        tokens = rnd.choice(collection.documents)
        start = rnd.randrange(len(tokens))
        return list(tokens[start : start + rnd.randint(1, 3)])
    found = [f"w{min(799, int(rnd.paretovariate(0.5)))}" for _ in range(rnd.randint(1, 5))]
    return list(dict.fromkeys(found))


def close(a: list[float], b: list[float]) -> bool:
    return len(a) == len(b) and all(
        abs(x - y) <= TOLERANCE * max(1.0, abs(y)) for x, y in zip(a, b, strict=True)
    )


def exhaustive(reader: IndexReader, weight: Weight, k: int) -> TopDocs:
    """A lower bound on the score that everything passes keeps every document from being skipped."""
    return search_top(reader, weight, k, track=ALWAYS, min_score=-1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_pruned_equals_exhaustive_in_one_segment_and_in_many(shard: Shard, kind: str) -> None:
    rnd = random.Random(kind)
    for _ in range(120):
        words = words_for(kind, shard.collection, rnd)
        k = rnd.choice([1, 10, 100])
        best = []
        for reader in (shard.one, shard.many):
            pruned = search_top(reader, build(reader, kind, words), k, track=ALWAYS)
            full = exhaustive(reader, build(reader, kind, words), k)
            quick = search_top(reader, build(reader, kind, words), k, track=0)
            assert pruned.total == full.total == count(reader, build(reader, kind, words)), words
            assert close(pruned.scores, full.scores), words
            assert close(quick.scores, full.scores), words
            best.append(pruned)
        assert best[0].total == best[1].total
        assert close(best[0].scores, best[1].scores), words


@pytest.mark.parametrize("kind", ["or", "and", "phrase"])
def test_scores_are_those_of_the_formula(shard: Shard, kind: str) -> None:
    rnd = random.Random(kind)
    for _ in range(25):
        words = words_for(kind, shard.collection, rnd)
        wanted = shard.collection.matches(kind, words)
        for reader in (shard.one, shard.many):
            top = search_top(reader, build(reader, kind, words), 10, track=ALWAYS)
            assert top.total == len(wanted)
            assert close(top.scores, sorted(wanted.values(), reverse=True)[:10]), words
            for part, doc, score in zip(top.segments, top.docs, top.scores, strict=True):
                assert score == pytest.approx(wanted[shard.number(reader, part, doc)], rel=TOLERANCE)


@pytest.mark.parametrize("kind", KINDS)
def test_deleted_documents_are_never_found(shard: Shard, kind: str) -> None:
    rnd = random.Random(kind)
    gone = BitMap(rnd.sample(range(sum(SIZES)), 1500))
    readers = [
        IndexReader([shard.one.segments[0].with_deleted(gone)]),
        IndexReader(
            [
                part.with_deleted(BitMap(doc - lo for doc in gone if lo <= doc < lo + part.max_doc))
                for part, lo in zip(shard.many.segments, shard.bases, strict=False)
            ]
        ),
    ]
    for _ in range(40):
        words = words_for(kind, shard.collection, rnd)
        for reader in readers:
            pruned = search_top(reader, build(reader, kind, words), 10, track=ALWAYS)
            full = exhaustive(reader, build(reader, kind, words), 10)
            found = matching(reader, build(reader, kind, words))
            assert pruned.total == full.total == sum(map(len, found))
            assert close(pruned.scores, full.scores), words
            assert all(
                doc not in reader.segments[part].deleted
                for part, doc in zip(pruned.segments, pruned.docs, strict=True)
            )


def test_pages_by_score_have_no_gap_and_no_double(shard: Shard) -> None:
    for reader in (shard.one, shard.many):
        everything = exhaustive(reader, build(reader, "or", ["w3", "w9"]), 500)
        pages: list[tuple[int, int]] = []
        after = None
        while len(pages) < 500:
            page = search_top(reader, build(reader, "or", ["w3", "w9"]), 70, after=after)
            pages += zip(page.segments, page.docs, strict=True)
            after = (page.scores[-1], page.segments[-1], page.docs[-1])
        assert pages[:500] == list(zip(everything.segments, everything.docs, strict=True))


def test_totals_stop_where_they_were_asked_to(shard: Shard) -> None:
    weight = MatchAllWeight(shard.many)
    top = search_top(shard.many, weight, 3, track=100)
    assert (top.total, top.relation) == (100, "gte")
    assert [*zip(top.segments, top.docs, strict=True)] == [(0, 0), (0, 1), (0, 2)]
    assert search_top(shard.many, weight, 3, track=0).total == -1
    exact = search_top(shard.many, weight, 0, track=ALWAYS)
    assert (exact.total, exact.relation, len(exact)) == (sum(SIZES), "eq", 0)


def test_terminate_after_and_min_score(shard: Shard) -> None:
    top = search_top(shard.many, MatchAllWeight(shard.many), 10, terminate_after=5)
    assert top.terminated_early
    assert top.total == 5
    scores = exhaustive(shard.one, build(shard.one, "or", ["w1", "w40"]), 6265).scores
    floor = scores[50]
    top = search_top(shard.one, build(shard.one, "or", ["w1", "w40"]), 1000, track=ALWAYS, min_score=floor)
    assert top.total == sum(1 for score in scores if score >= floor)
