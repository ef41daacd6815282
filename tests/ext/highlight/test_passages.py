"""Passages of texts, and the terms marked in them. Expected values are those of a slow oracle."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import Chain
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer
from lanner.ext.highlight.breaks import BoundedSentences, Breaks, SentenceBreaks, WholeText, WordBreaks
from lanner.ext.highlight.marks import Marks, TermFinder
from lanner.ext.highlight.passages import fragments
from tests.oracle import passages as oracle

CHAIN = Chain((), StandardTokenizer(), (LowercaseFilter(),))
KINDS = {"sentence": SentenceBreaks, "word": WordBreaks, "whole": WholeText}
PIECES = [
    "wind",
    "Wind",
    "sea",
    "the",
    "U.S.",
    "3.5",
    "\u98a8",
    "\U0001d400",
    "(of)",
    '"sea"',
    "caf\u00e9",
    "end.",
    "End! ",
    "\n",
    "x,sea",
]
VALUES = st.lists(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join), min_size=1, max_size=3)
TERMS = st.sets(
    st.sampled_from([b"wind", b"sea", b"the", b"end", b"x", "\u98a8".encode(), "\U0001d400".encode()]),
    min_size=1,
)


def units(text: str) -> list[int]:
    """Return the code point of each UTF-16 unit, and of the end."""
    found = [i for i, char in enumerate(text) for _ in range(1 + (char > "\uffff"))]
    return [*found, len(text)]


def marks_in(values: list[str], terms: set[bytes], most: int = 2**31) -> list[oracle.Mark]:
    found, base = [], 0
    for value in values:
        at = units(value)
        for term, start, end, *_ in CHAIN.tokens(value):
            if term in terms and at[start] <= most:
                found.append(oracle.Mark(term, at[start] + base, at[end] + base))
        base += len(value) + 1
    return found


@given(VALUES, TERMS, st.sampled_from(list(KINDS)), st.integers(1, 6), st.integers(0, 200))
def test_the_best_passages_are_shown(
    values: list[str], terms: set[bytes], kind: str, n: int, most: int
) -> None:
    marks = marks_in(values, terms, most)
    found = TermFinder(CHAIN, terms).find(values, most)
    assert len(found) == len(marks)
    if not marks:
        return
    expected = oracle.passages(values, marks, kind, n)
    shown = [oracle.shown(values, one) for one in expected]
    assert fragments(values, found, KINDS[kind], n, "<", ">") == shown
    named = Marks()
    for mark in marks:
        named.add(*mark)
    expected.sort(key=lambda one: -one.score)
    shown = [oracle.shown(values, one) for one in expected]
    assert fragments(values, named, KINDS[kind], n, "<", ">", by_score=True) == shown


def test_marks_are_put_in_order_and_may_overlap() -> None:
    marks = Marks()
    for term, start, end in ((b"c", 8, 11), (b"b", 2, 7), (b"a", 0, 4), (b"a", 0, 4)):
        marks.add(term, start, end)
    assert fragments(["one two three"], marks, WholeText, 1, "<", ">") == ["<one ><two> <thr>ee"]


def test_what_is_around_marks_is_encoded() -> None:
    found = TermFinder(CHAIN, [b"b"]).find(["a b c"])
    assert fragments(["a b c"], found, WholeText, 1, "<", ">", encode=str.upper) == ["A <B> C"]


@pytest.mark.parametrize(
    ("size", "expected"),
    [  # as the reference answers
        (10, ["Three <sea>.", "eleven twelve <sea>"]),
        (30, ["Three <sea>.", "eight nine ten eleven twelve <sea>"]),
        (60, ["Three <sea>.", "Four five six seven eight nine ten eleven twelve <sea>."]),
        (200, ["Three <sea>. Four five six seven eight nine ten eleven twelve <sea>."]),
    ],
)
def test_short_sentences_come_together_and_long_ones_are_cut(size: int, expected: list[str]) -> None:
    text = "One two. Three sea. Four five six seven eight nine ten eleven twelve sea."
    breaks_of = partial(BoundedSentences, most=size)
    found = fragments([text], TermFinder(CHAIN, [b"sea"]).find([text]), breaks_of, 5, "<", ">")
    assert found == expected


def test_halves_of_characters_do_no_harm() -> None:
    text = "wind \ud800 wind"
    found = TermFinder(CHAIN, [b"wind"]).find([text])
    assert fragments([text], found, WholeText, 1, "<", ">") == ["<wind> \ud800 <wind>"]


def test_nothing_to_show_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        fragments(["wind"], Marks(), WholeText, 1, "<", ">")
    with pytest.raises(ValueError, match="nothing"):
        fragments(["wind"], TermFinder(CHAIN, [b"wind"]).find(["wind"]), WholeText, 0, "<", ">")


def test_breaks_must_be_breaks() -> None:
    def none(text: str) -> Breaks:
        return text  # type: ignore[return-value]

    with pytest.raises(TypeError):
        fragments(["wind"], TermFinder(CHAIN, [b"wind"]).find(["wind"]), none, 1, "<", ">")
