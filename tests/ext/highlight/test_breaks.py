"""Boundaries of sentences and words. Expected values are those of java.text.BreakIterator of JDK 25.

Those of random texts are told by regular expressions.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.highlight.breaks import Breaks, SentenceBreaks, WholeText, WordBreaks
from tests.oracle import breaks as oracle

SIGNS = (
    " \t\n\r\x0b\x1c\x85\u00a0\u2007\u2028\u2029\u3000\u0964\u0965.,!?"
    "\u3002\uff01\uff0e\"'()[]\u00ab\u00bb\u201c\u201d-_$%#&@:;"
    "\u00a2\u20ac\u2030\u066a\u066b\u00ad\u2027\u203f\u0301\u200d\ufe0f"
    "\u0903\u093e\u00b2\u2167\u0661\U0001d7d8\U0001f600\U0001d400"
    "azAZ\u00e9\u00c9019\u3041\u30a1\u30fc\u30fd\u3005\u4e00"
)
TEXTS = st.one_of(
    st.text(alphabet="aZ1.!?,' \"()\n-_$%#x  .", max_size=400),
    st.text(alphabet=SIGNS, max_size=400),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
)


def listed(breaks: Breaks) -> list[int]:
    at, found = 0, [0]
    while (at := breaks.following(at)) >= 0:
        found.append(at)
    return found


def sentences(text: str) -> list[int]:
    return listed(SentenceBreaks(text))


def words(text: str) -> list[int]:
    return listed(WordBreaks(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello there. How are you? fine.", [0, 13, 26, 31]),
        ("Mr. Smith went. he said.", [0, 4, 24]),
        ("A one.Two", [0, 9]),
        ("Line one\nLine two", [0, 17]),
        ("para one\u2029para two. X", [0, 9, 19, 20]),
        ('He said "Hi." Then left.', [0, 14, 24]),
        ("Wow!! (yes) ok", [0, 6, 14]),
        ("3.5 is. 4 next. Ab", [0, 16, 18]),
        ("etc...) And", [0, 8, 11]),
        ("\u4f60\u597d\u3002\u518d\u89c1\u3002", [0, 3, 6]),
        ("a. (b)", [0, 3, 6]),
        ("U.S.A. is", [0, 9]),
        ("U.S. It e.g. - End.\nEnd.\n(see - It End.\n", [0, 5, 20, 25, 40]),
    ],
)
def test_sentences(text: str, expected: list[int]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a \n b", [0, 1, 3, 4, 5]),
        ("it's", [0, 4]),
        ("a--b", [0, 1, 2, 3, 4]),
        ("x.1", [0, 1, 3]),
        ("1.x", [0, 1, 2, 3]),
        ("a1.2b", [0, 5]),
        ("$5.00 5%", [0, 5, 6, 8]),
        ("a_b", [0, 3]),
        ("a@b.c", [0, 1, 2, 5]),
        ("\u3072\u3089\u304c\u306a\u6f22\u5b57", [0, 4, 6]),
        ("5%a", [0, 2, 3]),
        ("1..2", [0, 1, 2, 4]),
    ],
)
def test_words(text: str, expected: list[int]) -> None:
    assert words(text) == expected


@given(TEXTS)
def test_boundaries_are_those_of_the_oracle(text: str) -> None:
    assert sentences(text) == oracle.sentences(text)
    assert words(text) == oracle.words(text)


@given(TEXTS, st.lists(st.integers(0, 400), max_size=5))
def test_boundaries_are_found_from_anywhere(text: str, offsets: list[int]) -> None:
    several = SentenceBreaks(text)
    for offset in offsets:
        for breaks, every in ((several, oracle.sentences(text)), (WordBreaks(text), oracle.words(text))):
            assert breaks.following(offset) == next((at for at in every if at > offset), -1)
            assert breaks.preceding(offset) == next((at for at in reversed(every) if at < offset), -1)


def test_words_are_found_from_anywhere() -> None:
    text = "the  wind's rise, 3.5 times. " * 40 + "x" * 600 + " end"
    breaks = WordBreaks(text)
    every = words(text)
    for offset in range(0, len(text) + 1, 7):
        assert breaks.following(offset) == next((at for at in every if at > offset), -1)
        assert breaks.preceding(offset) == next((at for at in reversed(every) if at < offset), -1)


def test_a_whole_text_has_two_boundaries() -> None:
    assert listed(WholeText("One. Two.")) == [0, 9]
    assert WholeText("One. Two.").preceding(4) == 0


def test_stops_without_end_take_linear_time() -> None:
    assert sentences("." * 100_000 + "a" + ".)" * 50_000) == [0, 200_001]
    assert sentences("." + "(" * 100_000 + ".") == [0, 100_002]
