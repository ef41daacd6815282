"""The passages of the unified highlighter, step by step: what ext/highlight has to find."""

from math import log
from typing import NamedTuple

from tests.oracle.breaks import sentences, words


class Mark(NamedTuple):
    """A term and where it stands, in all values with one character between two."""

    term: bytes
    start: int
    end: int


class Passage(NamedTuple):
    """A stretch of a value, how good it is, and its marks, which begin in it."""

    value: int
    start: int
    end: int
    score: float
    marks: list[Mark]


def boundaries(text: str, kind: str) -> list[int]:
    """Return where a text may be cut."""
    return sentences(text) if kind == "sentence" else words(text) if kind == "word" else [0, len(text)]


def passages(values: list[str], marks: list[Mark], kind: str, most: int) -> list[Passage]:
    """Return the best passages, in the order of the text."""
    freqs: dict[bytes, int] = {}
    for mark in marks:
        freqs[mark.term] = freqs.get(mark.term, 0) + 1
    count = 1 + (sum(map(len, values)) + len(values) - 1) / 87.0
    weights = {term: 2.2 * log(1 + (count + 0.5) / (freq + 0.5)) for term, freq in freqs.items()}
    found = []
    base = 0
    for number, value in enumerate(values):
        at = boundaries(value, kind)
        inside = sorted(
            (m for m in marks if base <= m.start <= base + len(value)), key=lambda m: (m.start, m.end)
        )
        while inside:
            first = inside[0].start - base
            start = max(b for b in at if b <= first)
            end = min((b for b in at if b > first), default=len(value))
            taken = [m for m in inside if m.start - base < end] or inside[:1]
            inside = inside[len(taken) :]
            within: dict[bytes, int] = {}
            for mark in taken:
                within[mark.term] = within.get(mark.term, 0) + 1
            norm = 1.2 * (0.25 + 0.75 * ((end - start) / 87.0))
            score = 0.0
            for term, freq in within.items():
                score += freq / (freq + norm) * weights[term]
            found.append(Passage(number, start, end, score * (1 + 1 / log(87.0 + base + start)), taken))
        base += len(value) + 1
    best = sorted(found, key=lambda one: (one.score, one.value, one.start))[-most:]
    return sorted(best, key=lambda one: (one.value, one.start))


def shown(values: list[str], passage: Passage) -> str:
    """Return a passage with its marks in angle brackets."""
    value = values[passage.value]
    base = sum(len(one) + 1 for one in values[: passage.value])
    at, text = passage.start, ""
    for mark in passage.marks:
        start, end = max(mark.start - base, at), mark.end - base
        if end > at:
            text += f"{value[at:start]}<{value[start:end]}>"
            at = end
    return (text + value[at : passage.end]).strip("".join(map(chr, range(33))))
