"""Sets of terms of one field: what tells whether a term belongs to the set, as values."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from lanner.ext.automaton.automaton import Automaton
from lanner.ext.automaton.machine import AutomatonMachine, Machine, SpellingMachine


class TermSet(ABC):
    """A set of terms; two that are described alike are equal."""

    __slots__ = ()

    @abstractmethod
    def machine(self) -> Machine:
        """Return a new machine that takes the terms."""

    def boost(self, term: bytes, value: int) -> float:
        """Return what a term counts, given what the machine says it is worth."""
        return 1.0

    @abstractmethod
    def written(self) -> str:
        """Return the pattern of the terms as Lucene writes it."""


@dataclass(frozen=True, slots=True)
class AutomatonTerms(TermSet):
    """Terms that an automaton accepts. kind and text say which automaton."""

    kind: str
    text: str
    automaton: Automaton = field(compare=False, repr=False)

    def machine(self) -> Machine:
        """Return a machine over the automaton."""
        return AutomatonMachine(self.automaton)

    def written(self) -> str:
        """Return the text with the signs of its kind; any case is for Lucene an automaton without a text."""
        if self.kind.startswith("regexp"):
            return f"/{self.text}/"
        if self.kind == "wildcard":
            return self.text
        return (
            f"{self.text}*"
            if self.kind in ("prefix", "prefix in spans")
            else f"AutomatonQuery {{\n{self.text}}}"
        )


@dataclass(frozen=True, slots=True)
class SpellingTerms(TermSet):
    """Terms at most so many edits away from a word; nearer ones count more."""

    word: str
    edits: int
    prefix_length: int = 0
    transpositions: bool = True

    def machine(self) -> Machine:
        """Return a machine that measures distances."""
        return SpellingMachine(self.word, self.edits, prefix=self.prefix_length, swaps=self.transpositions)

    def boost(self, term: bytes, value: int) -> float:
        """Return one minus the edits per character of the shorter of the two."""
        if value == 0:
            return 1.0
        shorter = min(len(term.decode("utf-8", "replace")), len(self.word))
        return max(0.0, 1.0 - value / shorter) if shorter else 0.0

    def written(self) -> str:
        """Return ``word~edits``."""
        return f"{self.word}~{self.edits}"
