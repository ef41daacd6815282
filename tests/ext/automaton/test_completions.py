"""Proposals of a segment: stretches and their best ones, held against lists."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.ext.automaton.automaton import any_text, concatenate, text
from lanner.ext.automaton.completions import Completions, completions_of
from lanner.ext.automaton.determinize import determinize
from lanner.ext.automaton.machine import AutomatonMachine, SpellingMachine
from lanner.ext.index.document import Document
from lanner.ext.index.schema import DOCS, TERM, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer

FIELD = Field("c", 20, TERM, postings=DOCS)
HEAVIEST = 2**31 - 1


def term(key: str, weight: int, shown: str) -> bytes:
    return key.encode() + b"\0" + (HEAVIEST - weight).to_bytes(4, "big") + shown.encode()


def make(rows: list[list[bytes]]) -> Completions:
    buffer = WriteBuffer()
    buffer.add(
        [
            Document(str(i).encode(), b"{}", None, i, 1, 1, [(FIELD, one) for one in row])
            for i, row in enumerate(rows)
        ]
    )
    files = {name: b"".join(map(bytes, parts)) for name, parts in buffer.write_segment().items()}
    found = completions_of(SegmentReader(files["idx"], files["src"], name="s"), "c")
    assert found is not None
    return found


proposals = st.tuples(st.text("abé", min_size=1, max_size=5), st.integers(0, 6) | st.just(HEAVIEST))


@given(st.lists(proposals, min_size=1, max_size=400), st.data())
@settings(max_examples=60)
def test_the_best_of_a_stretch(given: list[tuple[str, int]], data: Any) -> None:
    terms = sorted({term(key, weight, key.upper()) for key, weight in given})
    made = make([[one] for one in terms])
    weights = [HEAVIEST - int.from_bytes(one[one.index(0) + 1 :][:4], "big") for one in terms]
    for _ in range(10):
        lo = data.draw(st.integers(0, len(terms) - 1))
        hi = data.draw(st.integers(lo + 1, len(terms)))
        best = max(weights[lo:hi])
        assert made.best(lo, hi) == (weights.index(best, lo), best)
    ord_ = data.draw(st.integers(0, len(terms) - 1))
    key = terms[ord_][: terms[ord_].index(0)]
    assert made.proposal(ord_) == (key, key.decode().upper().encode())
    assert made.docs(ord_) == [ord_]


@given(st.lists(proposals, min_size=1, max_size=200), st.text("abé", max_size=4))
@settings(max_examples=100)
def test_what_begins_so(given: list[tuple[str, int]], prefix: str) -> None:
    terms = sorted({term(key, weight, "x") for key, weight in given})
    made = make([[one] for one in terms])
    wanted = [i for i, one in enumerate(terms) if one.startswith(prefix.encode())]
    lo, hi = made.stretch(prefix.encode())
    assert list(range(lo, hi)) == wanted
    automaton = determinize(concatenate([text(prefix), any_text()]), 10_000)
    found = made.stretches(AutomatonMachine(automaton), b"", by_bytes=False)
    assert [ord_ for low, high, _ in found for ord_ in range(low, high)] == wanted
    assert {begins for _, _, begins in found} <= {prefix.encode()}


def edits_to(word: str, other: str) -> int:
    """Insertions, deletions and changes, by the full table."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        row, above = [i], row
        for j, b in enumerate(other, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)))
    return row[-1]


@given(
    st.lists(proposals, min_size=1, max_size=200), st.text("abé", min_size=1, max_size=4), st.integers(0, 2)
)
@settings(max_examples=100)
def test_what_begins_almost_so(given: list[tuple[str, int]], word: str, edits: int) -> None:
    terms = sorted({term("q" + key, weight, "x") for key, weight in given})
    made = make([[one] for one in terms])
    for by_bytes in (False, True):
        spelled = word.encode().decode("latin-1") if by_bytes else word
        found = made.stretches(SpellingMachine(spelled, edits, swaps=False), b"q", by_bytes=by_bytes)
        got = [ord_ for low, high, _ in found for ord_ in range(low, high)]
        wanted = []
        for ord_, one in enumerate(terms):
            raw = one[1 : one.index(0)]
            key = raw.decode("latin-1") if by_bytes else raw.decode()
            if any(edits_to(spelled, key[:n]) <= edits for n in range(len(key) + 1)):
                wanted.append(ord_)
        assert got == wanted


def test_contexts_are_listed_once() -> None:
    made = make(
        [[term("\x01a\x1dsea", 1, "sea")], [term("\x01a\x1dsalt", 2, "salt")], [term("\x01ab\x1dx", 1, "x")]]
    )
    assert made.contexts(b"\x01a", 0x1D) == [b"\x01a\x1d", b"\x01ab\x1d"]
    assert made.contexts(b"\x01ab", 0x1D) == [b"\x01ab\x1d"]
    assert made.contexts(b"\x02", 0x1D) == []
