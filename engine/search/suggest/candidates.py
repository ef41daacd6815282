"""Words that may stand for a word of a phrase, and the best phrases that can be made of them.

Source: DirectCandidateGenerator, NoisyChannelSpellChecker and CandidateScorer of OpenSearch 2.19. Phrases are
not tried one by one as there: word for word, of phrases that go on alike only those are kept that can still
be among the best.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, floor, isfinite, log10
from typing import Any, NamedTuple

from lanner.engine.search.suggest.spelling import Spelling
from lanner.ext.search.reader import IndexReader

_LOG_BASE = 5.0
_MOST_PHRASES = 10_000  # begun phrases that are followed at once


class Candidate(NamedTuple):
    """A word. likeness: to the word of the phrase, 1 for that itself; total: how often it comes."""

    term: bytes
    freq: int
    total: int
    likeness: float
    score: float
    own: bool  # the word of the phrase itself


@dataclass(slots=True)
class Choice:
    """A word of the phrase and what may stand for it, best first."""

    original: Candidate
    others: list[Candidate] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """Where the words come from. analyzers: what words go through before and after they are looked for."""

    field: str
    size: int = 5
    pre_filter: str | None = None
    post_filter: str | None = None
    spelling: Spelling = Spelling()


@dataclass(frozen=True, slots=True)
class BoundGenerator:
    """A generator over the statistics of a shard."""

    generator: Generator
    reader: IndexReader
    pre_filter: Any | None
    post_filter: Any | None
    occurrences: int  # of all words of the field
    likelihood: float  # of a word that the analyzer behind spells otherwise

    def candidate(self, term: bytes, likeness: float, *, own: bool) -> Candidate:
        """Return a word with what the field knows of it."""
        return self._known(term, self._before(term) if own else term, likeness, own=own)

    def _known(self, shown: bytes, term: bytes, likeness: float, *, own: bool) -> Candidate:
        name = self.generator.field
        freq = self.reader.doc_freq(name, term)
        total = self.reader.total_term_freq(name, term) if freq else 0
        return Candidate(shown, freq, total, likeness, self._score(total, likeness), own)

    def _score(self, total: int, likeness: float) -> float:
        return likeness * ((total + 1.0) / (self.occurrences + 1.0))

    def _before(self, term: bytes) -> bytes:
        if self.pre_filter is None:
            return term
        tokens = self.pre_filter.query_tokens(term.decode("utf-8", "replace"))
        return tokens[-1].term if tokens else b""

    def draw(self, choice: Choice) -> None:
        """Add the words that are spelled almost like the original."""
        term = self._before(choice.original.term)
        spelling = self.generator.spelling
        floor_freq = None
        if spelling.mode != "always" and choice.original.freq:
            floor_freq = self._threshold(choice.original.freq)
        found: dict[bytes, Candidate] = {}
        for word in spelling.similar(
            self.reader, self.generator.field, term, self.generator.size, least=floor_freq
        ):
            made = self._known(word.term, word.term, word.score, own=False)
            for one in self._after(made):
                found.setdefault(one.term, one)
        for one in choice.others:
            found.setdefault(one.term, one)
        choice.others = sorted(found.values(), key=lambda one: (-one.score, one.term))

    def _after(self, made: Candidate) -> list[Candidate]:
        if self.post_filter is None:
            return [made]
        tokens = self.post_filter.query_tokens(made.term.decode("utf-8", "replace"))
        return [
            made if token.term == made.term else made._replace(term=token.term, likeness=self.likelihood)
            for token in tokens
        ]

    def _threshold(self, freq: int) -> int:
        """Return in how many documents a word must be that stands for one which is in so many."""
        least = self.generator.spelling.min_doc_freq
        plateau = int(least) if least >= 1 else int(self.occurrences * least)
        if freq - plateau <= 0:
            return 0
        return max(0, floor(freq * (log10(freq - plateau) / log10(_LOG_BASE)) + 1 + 0.5))


def draw_candidates(choice: Choice, generators: list[BoundGenerator], most: int) -> None:
    """Let all generators add words; keep the best."""
    for generator in generators:
        generator.draw(choice)
    if len(choice.others) > most:
        choice.others = sorted(choice.others, key=lambda one: -one.score)[:most]


class Phrase(NamedTuple):
    """Words in a row, and the logarithm of how probable they are."""

    log_score: float
    words: tuple[Candidate, ...]
    errors: int  # words that may still be others

    @property
    def score(self) -> float:
        """How probable the phrase is."""
        return exp(self.log_score)


#: (word, the words before it, the original) -> how much it adds to the logarithm
WordScore = Callable[[tuple[Candidate, ...], Candidate], float]


def best_phrases(
    choices: list[Choice], scored: WordScore, *, errors: int, most: int, gram_size: int
) -> list[Phrase]:
    """Return the best phrases with so many words replaced at most, best first, equal ones by their words."""
    begun = [Phrase(0.0, (), errors)]
    context = max(gram_size - 1, 0)
    for number, choice in enumerate(choices):
        last = number == len(choices) - 1
        groups: dict[Any, list[Phrase]] = {}
        for phrase in begun:
            options = [(choice.original, phrase.errors)]
            if phrase.errors > 0:
                options += [(one, phrase.errors - 1) for one in choice.others]
            for word, left in options:
                words = (*phrase.words, word)
                made = Phrase(phrase.log_score + scored(words, choice.original), words, left)
                state = None if last else (left, words[len(words) - context :] if context else ())
                groups.setdefault(state, []).append(made)
        begun = [phrase for group in groups.values() for phrase in sorted(group, key=_order)[:most]]
        if len(begun) > _MOST_PHRASES:
            begun = sorted(begun, key=_order)[:_MOST_PHRASES]
    return [phrase for phrase in begun if isfinite(phrase.log_score)]


def _order(phrase: Phrase) -> Any:
    return (-phrase.log_score, [word.term for word in phrase.words])
