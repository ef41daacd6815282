"""How alike words are, held against full tables and figures from the papers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.engine.search.suggest.distances import jaro_winkler, levenshtein, ngram


@st.composite
def near_words(draw: st.DrawFn) -> tuple[str, str]:
    """A word, and another at most two edits away, of which a swap of neighbours is one."""
    word = draw(st.text("abc\U0001f600", max_size=9))
    other = word
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(other)))
        kind = draw(st.sampled_from(["insert", "delete", "change", "swap"]))
        char = draw(st.sampled_from("abcd"))
        if kind == "insert":
            other = other[:at] + char + other[at:]
        elif kind == "delete":
            other = other[:at] + other[at + 1 :]
        elif kind == "change":
            other = other[:at] + char + other[at + 1 :]
        else:
            other = other[:at] + other[at : at + 2][::-1] + other[at + 2 :]
    return word, other


def units(text: str) -> list[int]:
    raw = text.encode("utf-16-le")
    return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]


@given(near_words())
def test_levenshtein_has_the_distance_of_the_full_table(pair: tuple[str, str]) -> None:
    a, b = map(units, pair)
    row = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        above, row = row, [i]
        for j in range(1, len(b) + 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])))
    longer = max(len(a), len(b))
    wanted = (1.0 if len(a) == len(b) else 0.0) if not a or not b else 1 - row[-1] / longer
    assert levenshtein(*pair, 2) == pytest.approx(wanted, rel=1e-6, abs=1e-6)


@given(near_words())
def test_ngram_has_the_distance_of_the_full_table(pair: tuple[str, str]) -> None:
    a, b = map(units, pair)
    longer = max(len(a), len(b), 1)
    if len(a) < 2 or len(b) < 2:
        same = sum(x == y for x, y in zip(a, b, strict=False))
        wanted = (1.0 if len(a) == len(b) else 0.0) if not a or not b else same / longer
    else:
        pairs_a, pairs_b = list(zip([0, *a], a, strict=False)), list(zip([0, *b], b, strict=False))
        row = [float(i) for i in range(len(a) + 1)]
        for j in range(1, len(b) + 1):
            above, row = row, [float(j)]
            for i in range(1, len(a) + 1):
                one, other = pairs_a[i - 1], pairs_b[j - 1]
                counted = 1 if one[0] == 0 == other[0] else 2
                cost = ((one[0] != other[0]) + (one[1] != other[1])) / counted
                row.append(min(row[-1] + 1, above[i] + 1, above[i - 1] + cost))
        wanted = 1 - row[-1] / longer
    assert ngram(*pair, 2) == pytest.approx(wanted, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("word", "other", "wanted"),
    # Winkler 1990, table of examples: jaro 0.944, 0.767 and 0.822
    [("MARTHA", "MARHTA", 0.9611), ("DIXON", "DICKSONX", 0.8133), ("DWAYNE", "DUANE", 0.84)],
)
def test_jaro_winkler_of_the_paper(word: str, other: str, wanted: float) -> None:
    assert jaro_winkler(word, other, 2) == pytest.approx(wanted, abs=1e-4)
