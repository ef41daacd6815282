"""Terms looked for in texts. Expected tokens are those of the whole analysis, taken apart in Python."""

from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.highlight.marks import PlacedToken, TermFinder
from tests.ext.highlight.test_passages import CHAIN, TERMS, VALUES, units

MOST = st.one_of(st.none(), st.integers(0, 100))


def tokens_in(values: list[str], gap: int, most: int) -> list[PlacedToken]:
    found, base, position = [], 0, 0
    for value in values:
        at = units(value)
        tokens = [token for token in CHAIN.tokens(value) if at[token[1]] <= most]
        for term, start, end, place, *_ in tokens:
            found.append(PlacedToken(term, base + at[start], base + at[end], position + place))
        position += (tokens[-1][3] + 1 if tokens else 0) + gap
        base += len(value) + 1
    return found


@given(VALUES, TERMS, st.integers(0, 200), MOST)
def test_tokens_of_some_terms(values: list[str], terms: set[bytes], gap: int, most: int | None) -> None:
    every = tokens_in(values, gap, 10**9 if most is None else most)
    finder = TermFinder(CHAIN, terms)
    found = finder.tokens(values, gap) if most is None else finder.tokens(values, gap, most)
    assert found == [token for token in every if token.term in terms]
    assert all(isinstance(token, PlacedToken) for token in found)


@given(VALUES, TERMS)
def test_other_terms_are_asked_about_once(values: list[str], terms: set[bytes]) -> None:
    asked: list[bytes] = []

    def keeps(term: bytes) -> bool:
        asked.append(term)
        return len(term) > 2

    finder = TermFinder(CHAIN, terms, keeps=keeps)
    every = tokens_in(values, 1, 10**9)
    for _ in range(2):
        assert finder.tokens(values, 1) == [one for one in every if one.term in terms or len(one.term) > 2]
    assert sorted(asked) == sorted({token.term for token in every} - terms)
    assert len(finder.find(values)) == sum(token.term in terms for token in every)


def test_many_terms() -> None:
    terms = [f"w{i}".encode() for i in range(5000)]
    finder = TermFinder(CHAIN, terms)
    text = " ".join(f"w{i}" for i in range(0, 10_000, 3))
    assert len(finder.find([text])) == len(finder.tokens([text], 1)) == 1667


def test_more_terms_than_are_remembered() -> None:
    text = " ".join(f"w{i}" for i in range(70_000))
    finder = TermFinder(CHAIN, [], keeps=lambda term: term.endswith(b"00"))
    for _ in range(2):
        assert len(finder.tokens([text], 1)) == sum(i % 100 == 0 for i in range(100, 70_000))


def test_no_terms() -> None:
    finder = TermFinder(CHAIN, [])
    assert finder.tokens(["wind"], 1) == []
    assert len(finder.find(["wind"])) == 0
