"""Random combinations of every kind of query against sets and sums in Python."""

import random

import pytest

from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight
from lanner.ext.query.multi_term import TermsWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.search.count import count, matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import TopDocs, search_top
from tests.ext.query.trees import Model, Scores, Shard, build
from tests.oracle.generate import Tree, rows, tree

ALWAYS = 2**62
TOLERANCE = 2e-5  # sums of floats in another order than the model's doubles

# sizes of the segments: a window is 2,048 documents, a word of its bits 64, a long record begins at 256
SHAPES = {
    "one document": (1,),
    "below a window": (2047,),
    "a window": (2048,),
    "above a window": (2049,),
    "several windows": (6200,),
    "several segments": (64, 2049, 1, 63, 900, 2048),
}


def check_best(top: TopDocs, shard: Shard, wanted: Scores, k: int) -> None:
    """Compare the hits with the model's; which of equals come is left open by rounding."""
    best = sorted(wanted.values(), reverse=True)[:k]
    assert list(top.scores) == pytest.approx(best, rel=TOLERANCE, abs=1e-6)
    places = list(zip(top.segments, top.docs, strict=True))
    assert len(set(places)) == len(places)
    for (segment, doc), score in zip(places, top.scores, strict=True):
        assert score == pytest.approx(wanted[shard.number(segment, doc)], rel=TOLERANCE, abs=1e-6)


def check(shard: Shard, query: Tree, wanted: Scores) -> None:
    reader = shard.reader

    def weight() -> Weight:
        return build(reader, query)

    found = {shard.number(i, doc) for i, docs in enumerate(matching(reader, weight())) for doc in docs}
    assert found == set(wanted)
    assert count(reader, weight()) == len(wanted)
    for k in (1, 10, 400):
        for track in (ALWAYS, 0, 20):
            top = search_top(reader, weight(), k, track=track)
            check_best(top, shard, wanted, k)
            if track == ALWAYS:
                assert (top.total, top.relation) == (len(wanted), "eq")
            elif track:
                assert (top.total, top.relation) == ((20, "gte") if len(wanted) > 20 else (len(wanted), "eq"))
    everything = search_top(reader, weight(), 10, track=ALWAYS, min_score=-1.0)
    check_best(everything, shard, wanted, 10)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("deletions", [0.0, 0.3])
def test_random_queries_find_what_sets_say(shape: str, deletions: float) -> None:
    sizes = SHAPES[shape]
    rnd = random.Random(f"{shape} {deletions}")
    documents = rows(sum(sizes), seed=len(shape))
    deleted = [doc for doc in range(len(documents)) if rnd.random() < deletions]
    shard = Shard(documents, sizes, deleted)
    model = Model(documents, deleted)
    for _ in range(60):
        query = tree(rnd, rnd.choice([1, 2, 3]))
        check(shard, query, model.find(query))


def test_a_merge_with_deletions_leaves_the_statistics_of_the_rest() -> None:
    rnd = random.Random(11)
    documents = rows(5000, seed=11)
    deleted = {doc for doc in range(len(documents)) if len(documents[doc].tokens) > 8 or rnd.random() < 0.1}
    reader = Shard(documents, (2500, 1200, 1300), sorted(deleted)).merged()
    kept = [row for doc, row in enumerate(documents) if doc not in deleted]
    model = Model(kept)
    assert reader.field_statistics("body") == (
        model.collection.n_docs,
        sum(map(len, model.collection.documents)),
        sum(map(len, model.collection.freqs)),
    )
    for _ in range(80):
        query = tree(rnd, 2)
        wanted = model.find(query)
        for track in (0, ALWAYS):
            top = search_top(reader, build(reader, query), 10, track=track)
            assert list(top.scores) == pytest.approx(
                sorted(wanted.values(), reverse=True)[:10], rel=TOLERANCE, abs=1e-6
            )


def test_a_combination_needs_a_clause_that_matches() -> None:
    shard = Shard(rows(5, seed=1), (5,))
    with pytest.raises(ValueError, match="needs a clause"):
        BooleanWeight(must_not=[MatchAllWeight(shard.reader)])


def test_more_should_clauses_wanted_than_there_are() -> None:
    reader = Shard(rows(50, seed=1), (50,)).reader
    for n in (0, 1, 2):
        weight = BooleanWeight(
            must=[MatchAllWeight(reader)],
            should=[MatchAllWeight(reader) for _ in range(n)],
            minimum_should_match=n + 1,
        )
        assert count(reader, weight) == 0
        assert len(search_top(reader, weight, 10, track=ALWAYS)) == 0


def test_many_clauses_are_counted_beyond_one_byte() -> None:
    reader = Shard(rows(50, seed=1), (50,)).reader
    for least, found in ((299, 50), (300, 50), (301, 0)):
        clauses = [MatchAllWeight(reader) for _ in range(300)]
        for must in ([], [MatchAllWeight(reader)]):
            weight = BooleanWeight(must=must, should=clauses, minimum_should_match=least)
            assert count(reader, weight) == found


def test_a_set_scores_where_it_stands_alone_and_wrapped() -> None:
    documents = rows(300, seed=2)
    reader = Shard(documents, (300,)).reader

    def best(weight: Weight) -> list[float]:
        return sorted(set(search_top(reader, weight, 5).scores))

    tags = TermsWeight(reader, "tag", [b"t1", b"t2", b"t3"])
    assert best(tags) == [1.0]
    assert best(BooleanWeight(must=[tags])) == [0.0]
    assert best(BooleanWeight(must=[ConstantWeight(tags, 1.0)])) == [1.0]
    assert best(BooleanWeight(filter=[ConstantWeight(tags, 1.0)])) == [0.0]


def test_a_reader_without_segments_finds_nothing() -> None:
    reader = IndexReader([])
    assert count(reader, MatchAllWeight(reader)) == 0
    top = search_top(reader, MatchAllWeight(reader), 10)
    assert (list(top.docs), top.total, top.max_score) == ([], 0, None)
