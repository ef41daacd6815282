"""What spans and intervals mark in a text: terms inside of the spans that are found, all of intervals.

Spans are looked for in the tokens of one text, which are few; every step goes through lists in order, so that
the work grows with their lengths. Source: the span queries of Lucene 9.12 and what its highlighters do.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lanner.engine.query.positions import Place

Fits = Callable[[bytes], bool]


class Span(NamedTuple):
    """Positions from start to end, which is not included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Spans:
    """A tree of spans of a field, and what the terms inside count."""

    place: Place
    boost: float
    takes: Callable[[str], bool]

    def takes_term(self, term: bytes) -> bool:
        """Return whether a term may belong to what the tree finds, or to what that must not meet."""
        pending = [self.place]
        while pending:
            one = pending.pop()
            fits = leaf_of(one)
            if fits is not None and fits(term):
                return True
            pending += one.parts
        return False

    def marked(self, tokens: Sequence[Any]) -> list[int]:
        """Return which tokens are terms of the tree and stand inside of what it finds."""
        leaves = [fits for fits in map(leaf_of, leaves_of(self.place)) if fits is not None]
        found = spans_of(self.place, tokens)
        inside: list[int] = []
        reached = -1  # the end of all spans that begin so far
        at = 0
        for i, token in enumerate(tokens):
            while at < len(found) and found[at].start <= token.position:
                reached = max(reached, found[at].end)
                at += 1
            if token.position < reached and any(fits(token.term) for fits in leaves):
                inside.append(i)
        return inside


def leaves_of(place: Place) -> list[Place]:
    """Return the leaves of a tree that documents are found by: not those of what is excluded."""
    found = []
    pending = [place]
    while pending:
        one = pending.pop()
        if one.term is not None or one.several is not None:
            found.append(one)
        pending += one.parts[:1] if one.operation in ("span_not", "not_containing") else one.parts
    return found


def leaf_of(place: Place) -> Fits | None:
    """Return what tells whether a token is of a leaf; None for what is no leaf."""
    if place.term is not None:
        term = place.term[1]
        return lambda given: given == term
    if place.several is None:
        return None
    machine = place.several.terms.machine()
    return lambda given: bool(machine.value_of(given.decode("utf-8", "replace")) >= 0)


def spans_of(place: Place, tokens: Sequence[Any]) -> list[Span]:
    """Return the spans of a tree in a text, in order."""
    leaf = leaf_of(place)
    if leaf is not None:
        return [Span(token.position, token.position + 1) for token in tokens if leaf(token.term)]
    if place.operation in ("ordered_near", "unordered_near"):
        gaps, parts = [], []
        gap = 0
        for part in place.parts:
            if part.operation == "gap":
                gap += part.a
                continue
            parts.append(spans_of(part, tokens))
            gaps.append(gap)
            gap = 0
        if not parts or not all(parts):
            return []
        near = _ordered(parts, gaps, place.a) if place.operation == "ordered_near" else _close(parts, place.a)
        return sorted(set(near))
    parts = [spans_of(part, tokens) for part in place.parts]
    if place.operation == "span_or":
        return sorted({span for part in parts for span in part})
    if place.operation == "span_first":
        return [span for span in parts[0] if span.end <= place.a]
    if place.operation == "span_not":
        return [one for one in parts[0] if not _meets(one, parts[1], place.a, place.b)]
    if place.operation == "span_containing":
        return [one for one in parts[0] if _holds(one, parts[1])]
    if place.operation == "span_within":
        return [one for one in parts[0] if _held(one, parts[1])]
    return parts[0] if parts else []


def _ordered(parts: list[list[Span]], gaps: list[int], slop: int) -> list[Span]:
    """Return what follows each span of the first part as soon as it can."""
    found = []
    starts = [[span.start for span in part] for part in parts]
    for first in parts[0]:
        last, width = first, 0
        for part, places, gap in zip(parts[1:], starts[1:], gaps[1:], strict=True):
            at = bisect_left(places, last.end + gap)
            if at == len(part):
                break
            width += part[at].start - last.end - gap
            last = part[at]
        else:
            if width <= slop:
                found.append(Span(first.start, last.end))
    return found


def _close(parts: list[list[Span]], slop: int) -> list[Span]:
    """Return groups of one span of each part, in any order: the one that is behind moves on."""
    found = []
    heads = [0] * len(parts)
    while True:
        chosen = [part[head] for part, head in zip(parts, heads, strict=True)]
        start, end = min(span.start for span in chosen), max(span.end for span in chosen)
        if end - start - sum(span.end - span.start for span in chosen) <= slop:
            found.append(Span(start, end))
        behind = min(range(len(parts)), key=lambda i: chosen[i])
        heads[behind] += 1
        if heads[behind] == len(parts[behind]):
            return found


def _meets(one: Span, others: list[Span], before: int, after: int) -> bool:
    """Return whether a span of others, which do not reach over each other much, overlaps one."""
    return any(other.start < one.end + after and other.end > one.start - before for other in others)


def _holds(big: Span, others: list[Span]) -> bool:
    return any(big.start <= other.start and other.end <= big.end for other in others)


def _held(little: Span, others: list[Span]) -> bool:
    return any(other.start <= little.start and little.end <= other.end for other in others)


def only_terms(place: Place, takes: Callable[[str], bool]) -> tuple[list[bytes], list[tuple[str, Fits]]]:
    """Return the terms of the leaves of a tree, and the sets of terms, in fields that are marked."""
    terms: list[bytes] = []
    sets: list[tuple[str, Fits]] = []
    for leaf in leaves_of(place):
        if leaf.term is not None:
            if takes(leaf.term[0]):
                terms.append(leaf.term[1])
        elif leaf.several is not None and takes(leaf.several.field):
            fits = leaf_of(leaf)
            assert fits is not None
            sets.append((repr(leaf.several), fits))
    return terms, sets
