"""Words of a field that are spelled almost like a given one: the rules of Lucene's DirectSpellChecker.

Source: org.apache.lucene.search.spell.DirectSpellChecker of Lucene 9.12. The dictionaries of the segments are
walked in compiled code; Python sees the terms within one or two edits only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappush, heappushpop
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.search.suggest.distances import Distance, distance_named, internal
from lanner.engine.search.suggest.options import Options, at_least, count_or_share, single, text, whole
from lanner.ext.automaton.machine import SpellingMachine
from lanner.ext.automaton.term_walk import matching_terms
from lanner.ext.search.reader import IndexReader

MODES = ("missing", "popular", "always")
SORTS = ("score", "frequency")
_LONGEST = 32766  # of a term


class Word(NamedTuple):
    """A word of the index. freq: how many documents have it."""

    term: bytes
    score: float
    freq: int


def by_score(word: Word) -> Any:
    """Order words by score, then by how many documents have them."""
    return (-word.score, -word.freq, word.term)


def by_frequency(word: Word) -> Any:
    """Order words by how many documents have them, then by score."""
    return (-word.freq, -word.score, word.term)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """What words are looked for. Frequencies below 1 are shares of all documents."""

    mode: str = "missing"
    accuracy: float = 0.5
    sort: str = "score"
    distance: Distance = internal
    max_edits: int = 2
    max_inspections: int = 5
    max_term_freq: float = float.fromhex("0x1.47ae14p-7")  # 0.01 in 32 bits
    prefix_length: int = 1
    min_word_length: int = 4
    min_doc_freq: float = 0.0

    @property
    def order(self) -> Callable[[Word], Any]:
        """What words are sorted by."""
        return by_score if self.sort == "score" else by_frequency

    def similar(
        self, reader: IndexReader, field: str, term: bytes, count: int, *, least: float | None = None
    ) -> list[Word]:
        """Return the best words that are almost a term, at most so many, best first.

        least: takes the place of min_doc_freq.
        """
        threshold = self.min_doc_freq if least is None else least
        word = term.decode("utf-8", "replace")
        if self.min_word_length > 0 and len(word) < self.min_word_length:
            return []
        freq = reader.doc_freq(field, term)
        if self.mode == "missing" and freq:
            return []
        most = self.max_term_freq
        if freq > (most if most >= 1 else ceil(_share(most, reader))):
            return []
        floor = freq if self.mode == "popular" else 0
        if threshold >= 1:
            floor = max(floor, int(threshold))
        elif threshold > 0:
            floor = max(floor, int(_share(threshold, reader)) - 1)
        inspected = count * self.max_inspections
        found = self._near(reader, field, word, term, 1, floor, inspected)
        if self.max_edits > 1 and len(found) < inspected:
            for one in self._near(reader, field, word, term, self.max_edits, floor, inspected):
                if one not in found:
                    found.append(one)
        found.sort(key=self.order)
        return found[:count]

    def _near(
        self, reader: IndexReader, field: str, word: str, term: bytes, edits: int, floor: int, most: int
    ) -> list[Word]:
        """Return the nearest words, at most so many: by edits for each of their characters, then by term."""
        prefix = min(max(self.prefix_length, edits - 1), _LONGEST)
        heap: list[tuple[float, _Backwards, Word]] = []
        if most <= 0:
            return []
        near = matching_terms(reader, field, SpellingMachine(word, edits, prefix=prefix))
        for candidate in sorted(near):  # the order decides between those that are equally near
            if candidate == term:
                continue
            spelled = candidate.decode("utf-8", "replace")
            nearness = internal(word, spelled, near[candidate])
            if len(heap) >= most and nearness <= heap[0][0]:
                continue
            freq = reader.doc_freq(field, candidate)
            if freq <= floor:
                continue
            score = self.distance(word, spelled, near[candidate])
            if score < self.accuracy:
                continue
            item = (nearness, _Backwards(candidate), Word(candidate, score, freq))
            if len(heap) < most:
                heappush(heap, item)
            else:
                heappushpop(heap, item)
        return [item for _, _, item in heap]


class _Backwards:
    """A term that is less where it is greater: of equally near words the last one is dropped first."""

    __slots__ = ("term",)

    def __init__(self, term: bytes) -> None:
        self.term = term

    def __lt__(self, other: "_Backwards") -> bool:
        return self.term > other.term


def _share(share: float, reader: IndexReader) -> float:
    """Return a share of all documents, as 32-bit floats multiply."""
    return float(np.float32(share) * np.float32(reader.max_doc))


def suggest_mode(name: str) -> str:
    """Return a mode by its name; raises IllegalArgument."""
    if name.lower() not in MODES:
        kind = "org.opensearch.search.suggest.term.TermSuggestionBuilder.SuggestMode"
        raise IllegalArgument(f"No enum constant {kind}.{name.upper()}")
    return name.lower()


def sort_by(name: str) -> str:
    """Return an order by its name; raises IllegalArgument."""
    if name.lower() not in SORTS:
        raise IllegalArgument(f"No enum constant org.opensearch.search.suggest.SortBy.{name.upper()}")
    return name.lower()


def _named(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda value: read(text(value))


def _edits(value: Any) -> int:
    edits = whole(value)
    if not 1 <= edits <= 2:
        raise IllegalArgument("maxEdits must be between 1 and 2")
    return edits


#: the options that say what words are looked for
SPELLING: Options = {
    "suggest_mode": ("mode", _named(suggest_mode)),
    "accuracy": ("accuracy", at_least(single, 0, "accuracy must be between 0 and 1", most=1)),
    "sort": ("sort", _named(sort_by)),
    "string_distance": ("distance", _named(distance_named)),
    "max_edits": ("max_edits", _edits),
    "max_inspections": ("max_inspections", at_least(whole, 0, "maxInspections must be positive")),
    "max_term_freq": ("max_term_freq", count_or_share("maxTermFreq")),
    "prefix_length": ("prefix_length", at_least(whole, 0, "prefixLength must be positive")),
    "min_word_length": (
        "min_word_length",
        at_least(whole, 1, "minWordLength must be greater or equal to 1"),
    ),
    "min_doc_freq": ("min_doc_freq", count_or_share("minDocFreq")),
}
