"""The unified highlighter: passages between the boundaries of sentences, the best ones by BM25.

Source: UnifiedHighlighter of Lucene 9 and the boundaries that OpenSearch gives it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from math import log, nan
from operator import itemgetter
from typing import NamedTuple

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.search.fetch.highlight.breaks import (
    DONE,
    Breaks,
    WordBreaks,
    sentence_breaks,
)
from lanner.engine.search.fetch.highlight.encoders import ENCODERS
from lanner.engine.search.fetch.highlight.request import Options
from lanner.engine.search.fetch.highlight.text import FieldText
from lanner.engine.search.fetch.highlight.wanted import Token, Wanted, marked

_PIVOT = 87.0
_K1 = 1.2
_B = 0.75
_BLANKS = "".join(map(chr, range(33)))
_PLACE = itemgetter(1, 2)  # of a token: its start, its end
_START = itemgetter(1)  # of (score, start, passage): where in all of the text the passage begins


@dataclass(slots=True)
class Passage:
    """A stretch of a value with what is marked in it. start, end: offsets in the value."""

    value: int
    start: int
    end: int
    matches: list[Token] = field(default_factory=list)
    score: float = nan


class Snippet(NamedTuple):
    """A passage as it is shown."""

    text: str
    score: float


class BoundedSentences:
    """Sentences, several together up to a length, and parts of those that are longer."""

    __slots__ = ("_end", "_inner_end", "_inner_start", "_most", "_sentences", "_start", "_words")

    def __init__(self, text: str, most: int) -> None:
        self._sentences = sentence_breaks(text)
        self._words = WordBreaks(text)
        self._most = most
        self._start = self._end = self._inner_start = -1
        self._inner_end = 0

    def preceding(self, offset: int) -> int:
        """Return where the passage of the character before an offset begins; offsets only grow."""
        if self._start < offset < self._end:
            self._inner_start = self._inner_end
            self._inner_end = self._end
        else:
            self._start = self._inner_start = self._sentences.preceding(offset)
            self._end = self._inner_end = self._sentences.following(offset - 1)
            while self._inner_end - self._inner_start < self._most:
                further = self._sentences.following(self._inner_end)
                if further == DONE or further - self._inner_start > self._most:
                    break
                self._end = self._inner_end = further
        if self._inner_end - self._inner_start > self._most:
            if offset - self._most > self._inner_start:
                self._inner_start = max(self._inner_start, self._words.preceding(offset - self._most))
            goal = max(offset, self._inner_start + self._most)
            if goal < self._end:
                self._inner_end = min(self._end, self._words.following(goal))
        return self._inner_start

    def following(self, offset: int) -> int:
        """Return where the passage that preceding found ends."""
        return self._inner_end


class WholeValue:
    """No boundaries inside."""

    __slots__ = ("_length",)

    def __init__(self, length: int) -> None:
        self._length = length

    def preceding(self, offset: int) -> int:
        """Return the beginning."""
        return 0

    def following(self, offset: int) -> int:
        """Return the end."""
        return self._length


def highlight_unified(text: FieldText, wanted: Wanted, options: Options) -> list[str]:
    """Return the fragments of a field, none if nothing is marked and nothing else asked for."""
    if wanted.phrases or wanted.sets or wanted.spans:
        matches = _matches(wanted, text.tokens())
    else:
        matches = text.tokens_of(wanted.terms)
    most = options.number_of_fragments
    passages = _passages(text, matches, options, most or 2**31 - 2)
    if not passages:
        return _without_matches(text, options)
    encode = ENCODERS.get(options.encoder or "", str)
    before, behind = (options.pre_tags or ("",))[0], (options.post_tags or ("",))[0]
    snippets = [_show(text.values[passage.value], passage, encode, before, behind) for passage in passages]
    if options.order == "score":
        snippets.sort(key=lambda snippet: -snippet.score)
    return [snippet.text for snippet in snippets]


def _breaks(text: FieldText, value: int, options: Options) -> Breaks:
    given = text.values[value]
    if options.number_of_fragments == 0 or not text.tokenized:
        return WholeValue(len(given))
    scanner = options.boundary_scanner or "sentence"
    if scanner == "word":
        return WordBreaks(given)
    if scanner != "sentence":
        raise IllegalArgument(f"Invalid boundary scanner type: {scanner}")
    if options.fragment_size > 0:
        return BoundedSentences(given, options.fragment_size)
    return sentence_breaks(given)


def _matches(wanted: Wanted, tokens: list[Token]) -> list[Token]:
    """Return what is marked: terms, and for each set that a token belongs to the token under its name."""
    found = [tokens[i] for i, _ in marked(Wanted(wanted.terms, [], wanted.phrases, wanted.spans), tokens)]
    for name, fits, _ in wanted.sets:
        term = name.encode()
        found += [Token(term, *token[1:]) for token in tokens if fits(token.term)]
    return found


def _passages(text: FieldText, matches: list[Token], options: Options, most: int) -> list[Passage]:
    """Return the best passages in the order of the text. matches: what is marked in it."""
    if not matches:
        if text.values:
            _breaks(text, 0, options)  # refuses what is not allowed
        return []
    weights = _weights(matches, text.length)
    best: list[tuple[float, int, Passage]] = []
    current: Passage | None = None
    breaks: Breaks | None = None
    at = -1
    several = len(text.values) > 1
    value = 0
    for token in sorted(matches, key=_PLACE):
        term, start, end, position = token
        if several:
            value = text.value_at(start)
            start, end = start - text.bases[value], end - text.bases[value]
            token = Token(term, start, end, position)
        if current is None or value != current.value or start >= current.end:
            if current is not None:
                _add(best, current, text, weights, most)
            if value != at:
                breaks, at = _breaks(text, value, options), value
            assert breaks is not None
            first = max(breaks.preceding(start + 1), 0)
            last = breaks.following(start)
            length = len(text.values[value])
            current = Passage(value, first, length if last == DONE else min(last, length))
        current.matches.append(token)
    assert current is not None
    _add(best, current, text, weights, most)
    return [passage for _, _, passage in sorted(best, key=_START)]


def _add(
    best: list[tuple[float, int, Passage]],
    passage: Passage,
    text: FieldText,
    weights: dict[bytes, float],
    most: int,
) -> None:
    """Keep a passage among the best. Of equal ones the later ones are kept."""
    start = text.bases[passage.value] + passage.start
    passage.score = _score(passage, start, weights)
    entry = (passage.score, start, passage)
    if len(best) < most:
        heappush(best, entry)
    elif passage.score >= best[0][0]:
        heappushpop(best, entry)


def _weights(matches: list[Token], length: int) -> dict[bytes, float]:
    """Return what each term that is marked counts. length: of all of the text."""
    freqs: dict[bytes, int] = {}
    for token in matches:
        freqs[token[0]] = freqs.get(token[0], 0) + 1
    count = 1 + length / _PIVOT
    return {term: (_K1 + 1) * log(1 + (count + 0.5) / (freq + 0.5)) for term, freq in freqs.items()}


def _score(passage: Passage, start: int, weights: dict[bytes, float]) -> float:
    """Return how good a passage is. start: where in all of the text it begins."""
    within: dict[bytes, int] = {}
    for token in passage.matches:
        within[token[0]] = within.get(token[0], 0) + 1
    norm = _K1 * ((1 - _B) + _B * ((passage.end - passage.start) / _PIVOT))
    score = 0.0
    for term, freq in within.items():
        score += freq / (freq + norm) * weights[term]
    return score * (1 + 1 / log(_PIVOT + start))


def _show(given: str, passage: Passage, encode: Callable[[str], str], before: str, behind: str) -> Snippet:
    """Mark the matches of a passage of a value."""
    parts = []
    at = passage.start
    for _, start, end, _ in passage.matches:
        if start > at:
            parts.append(encode(given[at:start]))
        if end > at:
            parts += (before, encode(given[start if start > at else at : end]), behind)
            at = end
    parts.append(encode(given[at : passage.end]))
    return Snippet(trim("".join(parts)), passage.score)


def trim(text: str) -> str:
    """Return a text without blanks and control characters around it, as Java trims."""
    return text.strip(_BLANKS)


def _without_matches(text: FieldText, options: Options) -> list[str]:
    """Return the beginning of a text of which nothing is marked, if it is asked for."""
    size = options.no_match_size
    given = next((value for value in text.values if value), None)
    if size <= 0 or given is None:
        return []
    end = len(given)
    if size < end:
        end = WordBreaks(given).following(size)
    return [trim(ENCODERS.get(options.encoder or "", str)(given[: len(given) if end == DONE else end]))]
