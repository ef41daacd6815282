"""Boundaries of sentences and words. Expected values are those of java.text.BreakIterator of JDK 25."""

import pytest

from lanner.engine.search.fetch.highlight.breaks import DONE, WordBreaks, sentence_breaks


def sentences(text: str) -> list[int]:
    breaks = sentence_breaks(text)
    at, found = 0, [0]
    while (at := breaks.following(at)) != DONE:
        found.append(at)
    return found


def words(text: str) -> list[int]:
    breaks = WordBreaks(text)
    at, found = 0, [0]
    while (at := breaks.following(at)) != DONE:
        found.append(at)
    return found


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


def test_words_are_found_from_anywhere() -> None:
    text = "the  wind's rise, 3.5 times. " * 40 + "x" * 600 + " end"
    breaks = WordBreaks(text)
    every = words(text)
    for offset in range(0, len(text) + 1, 7):
        assert breaks.following(offset) == next((at for at in every if at > offset), DONE)
        assert breaks.preceding(offset) == next((at for at in reversed(every) if at < offset), DONE)


def test_stops_without_end_take_linear_time() -> None:
    assert sentences("." * 100_000 + "a" + ".)" * 50_000) == [0, 200_001]
