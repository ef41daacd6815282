"""Positions, functions, coverings and machines over many windows, against plain Python over the texts."""

import random
from math import log1p
from typing import Any

import pytest

from lanner.engine.query.pattern import wildcard_automaton
from lanner.ext.automaton.machine import AutomatonMachine, SpellingMachine
from lanner.ext.query import function_score as functions
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight
from lanner.ext.query.covering import CoveringWeight
from lanner.ext.query.function_score import FunctionScoreWeight
from lanner.ext.query.multi_term import MachineWeight
from lanner.ext.query.positions import PositionsWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import random_texts, segment

N = 5000
TEXTS = random_texts(N, 4, words=60, longest=30)
SIMILARITY = BM25()


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return IndexReader([segment(TEXTS[:4200]), segment(TEXTS[4200:], base=4200, name="t")])


def numbers(reader: IndexReader, weight: Weight) -> set[int]:
    """The matching documents, numbered through."""
    found = matching(reader, weight)
    return {doc for docs in found[:1] for doc in docs} | {4200 + doc for docs in found[1:] for doc in docs}


def scores(reader: IndexReader, weight: Weight) -> dict[int, float]:
    top = search_top(reader, weight, N, track=2**62)
    return {
        doc + 4200 * segment: score
        for segment, doc, score in zip(top.segments, top.docs, top.scores, strict=True)
    }


def term(reader: IndexReader, word: str) -> TermWeight:
    return TermWeight(reader, "body", word.encode())


def both(reader: IndexReader, *words: str) -> BooleanWeight:
    return BooleanWeight(must=[term(reader, word) for word in words])


def spans(reader: IndexReader, words: list[str], program: list[Any]) -> PositionsWeight:
    terms = [term(reader, word) for word in words]
    return PositionsWeight(
        both(reader, *words), terms, program, scored=terms, field="body", similarity=SIMILARITY
    )


@pytest.mark.parametrize("slop", [0, 1, 5])
def test_two_terms_near_each_other(reader: IndexReader, slop: int) -> None:
    for one, other in (("w0", "w1"), ("w3", "w40"), ("w20", "w5")):
        leaves = [("term", 0, 0, ()), ("term", 1, 0, ())]
        ordered = {
            i
            for i, text in enumerate(TEXTS)
            if any(text[a] == one and other in text[a + 1 : a + 2 + slop] for a in range(len(text)))
        }
        reverse = {
            i
            for i, text in enumerate(TEXTS)
            if any(text[a] == other and one in text[a + 1 : a + 2 + slop] for a in range(len(text)))
        }
        near = spans(reader, [one, other], [*leaves, ("ordered_near", slop, 0, (0, 1))])
        assert numbers(reader, near) == ordered
        assert set(scores(reader, near)) == ordered
        around = spans(reader, [one, other], [*leaves, ("unordered_near", slop, 0, (0, 1))])
        assert numbers(reader, around) == ordered | reverse
        # asked about documents instead of listing them
        probed = BooleanWeight(must=[term(reader, one)], filter=[around])
        assert numbers(reader, probed) == ordered | reverse
        without = BooleanWeight(must=[term(reader, one)], must_not=[near])
        assert numbers(reader, without) == numbers(reader, term(reader, one)) - ordered


def test_intervals_of_two_terms(reader: IndexReader) -> None:
    one, other = "w2", "w7"
    terms = [term(reader, one), term(reader, other)]
    program = [("term", 0, 0, ()), ("term", 1, 0, ()), ("unordered", 0, 0, (0, 1))]
    weight = PositionsWeight(both(reader, one, other), terms, program, least=2)
    expected = {}
    for i, text in enumerate(TEXTS):
        a = [p for p, word in enumerate(text) if word == one]
        b = [p for p, word in enumerate(text) if word == other]
        pairs = {(min(x, y), max(x, y)) for x in a for y in b}
        smallest = [p for p in pairs if not any(q != p and p[0] <= q[0] and q[1] <= p[1] for q in pairs)]
        if smallest:
            total = sum(1 / (end - start + 1 - 2 + 1) for start, end in smallest)
            expected[i] = total / (1 + total)
    assert scores(reader, weight) == pytest.approx(expected, rel=1e-5)
    assert len(expected) > 300


def test_programs_that_do_not_fit_are_refused(reader: IndexReader) -> None:
    some = term(reader, "w1")
    for program in ([], [("term", 1, 0, ())], [("ordered", 0, 0, (0,))], [("ordered", 0, 0, ())]):
        with pytest.raises(ValueError, match=r"."):
            PositionsWeight(some, [some], program)


@pytest.mark.parametrize("boost_mode", ["multiply", "replace", "sum", "avg", "max", "min"])
@pytest.mark.parametrize("score_mode", ["multiply", "sum", "avg", "first", "max", "min"])
def test_functions(reader: IndexReader, score_mode: str, boost_mode: str) -> None:
    base = scores(reader, TermWeight(reader, "body", b"w5", SIMILARITY))
    weight = FunctionScoreWeight(
        TermWeight(reader, "body", b"w5", SIMILARITY),
        [
            (term(reader, "w1"), functions.constant(3.0)),
            (None, functions.field_value("views", "long", factor=2.0, modifier="ln1p", missing=None)),
            (
                term(reader, "w9"),
                functions.decay(
                    "views",
                    "long",
                    curve="linear",
                    mode="min",
                    origin=60.0,
                    scale=9000.0,
                    offset=4.0,
                    weight=5.0,
                ),
            ),
        ],
        score_mode=score_mode,
        boost_mode=boost_mode,
        max_boost=7.5,
        min_score=1.5,
    )
    expected = {}
    for doc, score in base.items():
        values = []
        if "w1" in TEXTS[doc]:
            values.append((3.0, 3.0))
        values.append((log1p(2.0 * 3 * doc), 1.0))
        if "w9" in TEXTS[doc]:
            away = max(0.0, abs(3 * doc - 60.0) - 4.0)
            values.append((5.0 * max(0.0, (9000.0 - away) / 9000.0), 5.0))
        factor = values[0][0]
        for value, _ in values[1:]:
            factor = {
                "multiply": factor * value,
                "sum": factor + value,
                "avg": factor + value,
                "first": factor,
                "max": max(factor, value),
                "min": min(factor, value),
            }[score_mode]
        if score_mode == "avg":
            factor /= sum(own for _, own in values)
        factor = min(factor, 7.5)
        combined = {
            "multiply": score * factor,
            "replace": factor,
            "sum": score + factor,
            "avg": (score + factor) / 2,
            "max": max(score, factor),
            "min": min(score, factor),
        }[boost_mode]
        if combined >= 1.5:
            expected[doc] = combined
    found = scores(reader, weight)
    assert weight.fault == 0
    edge = found.keys() ^ expected.keys()
    assert all(abs((found.get(doc) or expected[doc]) - 1.5) < 1e-5 for doc in edge)
    assert {doc: found[doc] for doc in found.keys() & expected.keys()} == pytest.approx(
        {doc: expected[doc] for doc in found.keys() & expected.keys()}, rel=2e-5
    )


def test_the_first_document_at_fault_is_noted(reader: IndexReader) -> None:
    for given, fault in (
        (
            functions.field_value("nosuch", "long", factor=1.0, modifier="none", missing=None),
            functions.MISSING,
        ),
        (
            functions.field_value("views", "long", factor=-1.0, modifier="none", missing=None),
            functions.NEGATIVE,
        ),
        (
            functions.field_value("views", "long", factor=-1.0, modifier="sqrt", missing=None),
            functions.INVALID,
        ),
    ):
        weight = FunctionScoreWeight(MatchAllWeight(reader), [(None, given)])
        search_top(reader, weight, 5, track=2**62)
        assert weight.fault == fault
        assert weight.faulty_doc == (0 if fault == functions.MISSING else 1)


def test_random_scores_depend_on_seed_and_value(reader: IndexReader) -> None:
    found = [
        scores(
            reader, FunctionScoreWeight(MatchAllWeight(reader), [(None, functions.random(field, seed=seed))])
        )
        for field, seed in (("tag", 1), ("tag", 1), ("tag", 2), ("views", 1), ("_id", 1), (None, 1))
    ]
    assert found[0] == found[1] != found[2]
    assert len(set(found[0].values())) == 7
    assert all(len(set(one.values())) > 4900 for one in found[3:])
    assert all(0 <= score < 1 for one in found for score in one.values())


def test_covering(reader: IndexReader) -> None:
    # views is three times the number of the document: only the first ones can be covered
    words = ["w0", "w1", "w2", "w3", "w4", "w5", "w6"]
    weight = CoveringWeight([ConstantWeight(term(reader, word), 1.0) for word in words], "views")
    expected = {}
    for i, text in enumerate(TEXTS):
        count = len(set(text) & set(words))
        if count and count >= 3 * i:
            expected[i] = float(count)
    assert scores(reader, weight) == expected
    assert 1 <= len(expected) <= 3


def test_machines(reader: IndexReader) -> None:
    words = {word for text in TEXTS for word in text}
    for machine, chosen in (
        (AutomatonMachine(wildcard_automaton("w?")), {word for word in words if len(word) == 2}),
        (AutomatonMachine(wildcard_automaton("*7")), {word for word in words if word.endswith("7")}),
        (
            SpellingMachine("w1", 1),
            {word for word in words if word[1:2] == "1" or len(word) == 2 or word[-1] == "1"},
        ),
    ):
        expected = {i for i, text in enumerate(TEXTS) if chosen & set(text)}
        assert numbers(reader, MachineWeight(reader, "body", machine)) == expected


def test_many_texts_in_many_orders(reader: IndexReader) -> None:
    """What holds the whole phrase holds its parts, however these are asked for."""
    rnd = random.Random(6)
    for _ in range(20):
        text = rnd.choice([text for text in TEXTS if len(text) > 6])
        start = rnd.randrange(len(text) - 3)
        words = text[start : start + 3]
        if len(set(words)) < 3:
            continue
        leaves: list[Any] = [("term", i, 0, ()) for i in range(3)]
        terms = [term(reader, word) for word in words]
        docs = both(reader, *words)
        block = numbers(reader, PositionsWeight(docs, terms, [*leaves, ("block", 0, 0, (0, 1, 2))], least=3))
        ordered = numbers(
            reader, PositionsWeight(docs, terms, [*leaves, ("ordered", 0, 0, (0, 1, 2))], least=3)
        )
        unordered = numbers(
            reader, PositionsWeight(docs, terms, [*leaves, ("unordered", 0, 0, (0, 1, 2))], least=3)
        )
        near = numbers(reader, spans(reader, words, [*leaves, ("ordered_near", 0, 0, (0, 1, 2))]))
        plain = {
            i for i, other in enumerate(TEXTS) if any(other[j : j + 3] == words for j in range(len(other)))
        }
        assert block == near == plain
        assert plain <= ordered <= unordered == numbers(reader, docs)
