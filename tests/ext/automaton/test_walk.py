"""The walk over a dictionary against every term tried in turn, with distances by the plain table."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.engine.query.pattern import text_automaton, wildcard_automaton
from lanner.ext.automaton.machine import AutomatonMachine, Machine, SpellingMachine
from lanner.ext.automaton.term_walk import matching_terms
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.search.reader import IndexReader
from tests.ext.segments import TAG, document, open_files

LETTERS = "abcAé字😀"


def distance(one: str, other: str, *, swaps: bool) -> int:
    """Optimal string alignment by the whole table."""
    table = [[i + j if i * j == 0 else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != other[j - 1]),
            )
            if swaps and i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def dictionary(terms: list[bytes]) -> IndexReader:
    buffer = WriteBuffer()
    buffer.add([document(i, [(TAG, term)]) for i, term in enumerate(terms)])
    return IndexReader([SegmentReader(*_files(buffer), name="s")])


def _files(buffer: WriteBuffer) -> list[bytes]:
    files = buffer.write_segment()
    return [b"".join(map(bytes, files["idx"])), b"".join(map(bytes, files["src"]))]


def tried(terms: set[str], machine: Machine) -> dict[bytes, int]:
    return {term.encode(): value for term in terms if (value := machine.value_of(term)) >= 0}


WORDS = st.text(LETTERS, max_size=7)


@settings(max_examples=150, deadline=None)
@given(st.sets(WORDS, min_size=1, max_size=80), WORDS, st.integers(0, 2), st.integers(0, 3), st.booleans())
def test_spellings(terms: set[str], word: str, edits: int, prefix: int, swaps: bool) -> None:
    prefix = min(prefix, len(word))
    reader = dictionary([term.encode() for term in terms])
    found = matching_terms(reader, "tag", SpellingMachine(word, edits, prefix=prefix, swaps=swaps))
    assert found == {
        term.encode(): d
        for term in terms
        if term[:prefix] == word[:prefix]
        and (d := distance(term[prefix:], word[prefix:], swaps=swaps)) <= edits
    }


@settings(max_examples=150, deadline=None)
@given(st.sets(WORDS, min_size=1, max_size=80), st.text(LETTERS + "*?\\", max_size=7), st.booleans())
def test_wildcards(terms: set[str], pattern: str, any_case: bool) -> None:
    reader = dictionary([term.encode() for term in terms])
    automaton = wildcard_automaton(pattern, any_case=any_case)
    found = matching_terms(reader, "tag", AutomatonMachine(automaton))
    assert set(found) == {term.encode() for term in terms if automaton.accepts(term)}
    assert found == tried(terms, AutomatonMachine(automaton))
    assert set(found) == {term.encode() for term in terms if fits(pattern, term, any_case=any_case)}


@settings(max_examples=150, deadline=None)
@given(
    st.sets(WORDS, min_size=1, max_size=200),
    st.text("abc?", max_size=4),
    st.sampled_from(["*{}*", "*{}", "?*{}*a"]),
    st.integers(1, 300),
)
def test_wildcards_that_refuse_nothing(terms: set[str], inner: str, around: str, most: int) -> None:
    pattern = around.format(inner)
    reader = dictionary([term.encode() for term in terms])
    found = matching_terms(reader, "tag", AutomatonMachine(wildcard_automaton(pattern)), most)
    expected = sorted(term.encode() for term in terms if fits(pattern, term, any_case=False))
    assert list(found) == expected[:most]


def fits(pattern: str, term: str, *, any_case: bool) -> bool:
    """Whether a term fits, by recursion; no pattern fits nothing."""
    if not pattern:
        return False

    def same(a: str, b: str) -> bool:
        return a == b or (any_case and a.swapcase() == b)

    def rest(p: int, t: int) -> bool:
        if p == len(pattern):
            return t == len(term)
        if pattern[p] == "*":
            return any(rest(p + 1, i) for i in range(t, len(term) + 1))
        literal = pattern[p] == "\\" and p + 1 < len(pattern)
        if t == len(term):
            return False
        if pattern[p] == "?":
            return rest(p + 1, t + 1)
        return same(pattern[p + literal], term[t]) and rest(p + 1 + literal, t + 1)

    return rest(0, 0)


def test_terms_that_are_no_text_end_the_walk_too() -> None:
    rnd = random.Random(3)
    terms = {
        bytes(rnd.choices([0x61, 0x62, 0x80, 0xC3, 0xFF, 0xED], k=rnd.randint(1, 5))) for _ in range(300)
    }
    reader = dictionary(list(terms))
    for machine in (
        AutomatonMachine(wildcard_automaton("*")),
        AutomatonMachine(wildcard_automaton("a?b*")),
        AutomatonMachine(text_automaton("ab", prefix=True)),
        SpellingMachine("abba", 2),
    ):
        found = matching_terms(reader, "tag", machine)
        assert {term for term in found if term.isascii()} <= terms
    assert len(matching_terms(reader, "tag", AutomatonMachine(wildcard_automaton("*")))) == len(terms)


def test_it_sees_few_terms_of_many() -> None:
    reader = open_large()
    found = matching_terms(reader, "tag", SpellingMachine("1234567", 1))
    assert b"1234567" in found
    assert all(distance(term.decode(), "1234567", swaps=True) == value for term, value in found.items())
    assert len(matching_terms(reader, "tag", AutomatonMachine(wildcard_automaton("12*7")))) > 10


def open_large() -> IndexReader:
    buffer = WriteBuffer()
    buffer.add([document(i, [(TAG, b"%d" % (i * 617 % 9_999_991))]) for i in range(20_000)])
    buffer.add([document(20_000, [(TAG, b"1234567")])])
    return IndexReader([open_files(buffer.write_segment())])
