"""The best phrases, held against all phrases that there are."""

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.engine.search.suggest.candidates import Candidate, Choice, best_phrases


def candidate(term: str, *, own: bool = False) -> Candidate:
    return Candidate(term.encode(), 1, 1, 1.0 if own else 0.8, 0.0, own)


words = st.text("abc", min_size=1, max_size=2)


@given(
    st.lists(st.tuples(words, st.lists(words, max_size=3, unique=True)), min_size=1, max_size=4),
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(1, 3),
    st.data(),
)
@settings(max_examples=200)
def test_against_all_phrases(rows: Any, errors: int, most: int, gram_size: int, data: Any) -> None:
    choices = [
        Choice(candidate(word, own=True), [candidate(other) for other in others if other != word])
        for word, others in rows
    ]
    known: dict[Any, float] = {}

    def scored(words: tuple[Candidate, ...], original: Candidate) -> float:
        key = tuple(word.term for word in words[-gram_size:])
        if key not in known:
            known[key] = -float(data.draw(st.integers(0, 4)))
        return known[key]

    wanted = []
    for phrase in product(*([choice.original, *choice.others] for choice in choices)):
        if sum(not word.own for word in phrase) <= errors:
            total = sum(scored(phrase[: i + 1], choices[i].original) for i in range(len(phrase)))
            wanted.append((-total, [word.term for word in phrase]))
    wanted.sort()
    found = best_phrases(choices, scored, errors=errors, most=most, gram_size=gram_size)
    got = [(-phrase.log_score, [word.term for word in phrase.words]) for phrase in found]
    assert got == wanted[:most]
