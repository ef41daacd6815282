"""How probable a word is behind others: models of the language of a field, whose terms may be several words.

Source: WordScorer, LaplaceScorer, StupidBackoffScorer and LinearInterpolatingScorer of OpenSearch 2.19;
Brants et al., "Large Language Models in Machine Translation", 2007, for backing off.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import log10

from lanner.engine.search.suggest.candidates import Candidate

_TINY = 1e-11


class Counts:
    """How often terms come. size: all of them together; terms: different ones."""

    def __init__(self, count: Callable[[bytes], int], size: int, terms: int, separator: bytes) -> None:
        self._count = count
        self._known: dict[bytes, int] = {}
        self.size = size
        self.terms = terms
        self._separator = separator

    def of(self, *words: Candidate) -> int:
        """Return how often words come in a row."""
        term = self._separator.join(word.term for word in words)
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._count(term)
        return found

    def share(self, word: Candidate, added: float = 1.0) -> float:
        """Return how probable a word is alone, if every word comes so many times more than it does."""
        return _over(added + self.of(word), self.size + added * self.terms)


class Smoothing(ABC):
    """A model. word comes after before, which comes after first."""

    __slots__ = ()

    def unigram(self, counts: Counts, word: Candidate) -> float:
        """Return how probable a word is alone."""
        return counts.share(word)

    @abstractmethod
    def bigram(self, counts: Counts, before: Candidate, word: Candidate) -> float:
        """Return how probable a word is behind another."""

    @abstractmethod
    def trigram(self, counts: Counts, first: Candidate, before: Candidate, word: Candidate) -> float:
        """Return how probable a word is behind two others."""


@dataclass(frozen=True, slots=True)
class StupidBackoff(Smoothing):
    """Words that do not come in a row count as fewer words in a row, times a discount."""

    discount: float = 0.4

    def bigram(self, counts: Counts, before: Candidate, word: Candidate) -> float:
        """Return the share of the word among what follows."""
        count = counts.of(before, word)
        if count < 1:
            return self.discount * counts.share(word)
        return count / (before.total + _TINY)

    def trigram(self, counts: Counts, first: Candidate, before: Candidate, word: Candidate) -> float:
        """Return how often it follows both for each time that it follows one, as the reference has it."""
        pairs = counts.of(before, word)
        if pairs < 1:
            return self.discount * counts.share(word)
        count = counts.of(first, before, word)
        if count < 1:
            return self.discount * (pairs / (before.total + _TINY))
        return count / (pairs + _TINY)


@dataclass(frozen=True, slots=True)
class Laplace(Smoothing):
    """All words in a row count alpha times more than they come."""

    alpha: float = 0.5

    def unigram(self, counts: Counts, word: Candidate) -> float:
        """Return the share of the word."""
        return counts.share(word, self.alpha)

    def bigram(self, counts: Counts, before: Candidate, word: Candidate) -> float:
        """Return the share of the word among what follows."""
        return _over(self.alpha + counts.of(before, word), before.total + self.alpha * counts.terms)

    def trigram(self, counts: Counts, first: Candidate, before: Candidate, word: Candidate) -> float:
        """Return the share of the word among what follows both."""
        return _over(
            self.alpha + counts.of(first, before, word), counts.of(before, word) + self.alpha * counts.terms
        )


@dataclass(frozen=True, slots=True)
class LinearInterpolation(Smoothing):
    """What one, two and three words in a row say, weighed."""

    trigram_weight: float
    bigram_weight: float
    unigram_weight: float

    def bigram(self, counts: Counts, before: Candidate, word: Candidate) -> float:
        """Return what one and two words say."""
        count = counts.of(before, word)
        alone = self.unigram_weight * counts.share(word)
        if count < 1:
            return alone
        return self.bigram_weight * (count / (0.5 + before.total)) + alone

    def trigram(self, counts: Counts, first: Candidate, before: Candidate, word: Candidate) -> float:
        """Return what all three say; the reference looks for them in reverse."""
        count = counts.of(word, before, first)
        if count < 1:
            return self.bigram(counts, before, word)
        return self.trigram_weight * (count / (1.0 + counts.of(word, before))) + self.bigram(
            counts, before, word
        )


def _over(a: float, b: float) -> float:
    """Divide as Java does."""
    return a / b if b else float("inf")


def word_score(
    smoothing: Smoothing, counts: Counts, words: tuple[Candidate, ...], gram_size: int, likelihood: float
) -> float:
    """Return the logarithm of how probable the last of some words is behind the others.

    likelihood: that a word of the phrase is what was meant.
    """
    word = words[-1]
    channel = likelihood if word.likeness == 1.0 else word.likeness
    if len(words) == 1 or gram_size == 1:
        score = smoothing.unigram(counts, word)
    elif len(words) == 2 or gram_size == 2:
        score = smoothing.bigram(counts, words[-2], word)
    else:
        score = smoothing.trigram(counts, words[-3], words[-2], word)
    product = channel * score
    return log10(product) if product > 0 else float("-inf")  # as what is no number, it never competes
