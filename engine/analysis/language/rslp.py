"""Suffix strippers of Portuguese and Galician: ordered steps of rules.

Source: V. M. Orengo, C. Huyck, "A stemming algorithm for the Portuguese language" (2001); "Regras do
lematizador para o galego". The steps lie in lists/rslp.txt.
"""

import functools
from dataclasses import dataclass, field

from lanner.engine.analysis.language.lists import read_list


@dataclass(frozen=True, slots=True)
class _Rule:
    suffix: str
    least: int  # characters of the stem
    instead: str
    exceptions: tuple[str, ...]


@dataclass(slots=True)
class _Step:
    least: int  # characters of the word
    whole: bool  # exceptions are words, not endings
    only: tuple[str, ...]
    rules: list[_Rule] = field(default_factory=list)

    def apply(self, word: str) -> str:
        """Return the word as the first rule that fits leaves it."""
        if len(word) < self.least or (self.only and not word.endswith(self.only)):
            return word
        for rule in self.rules:
            if len(word) - len(rule.suffix) < rule.least or not word.endswith(rule.suffix):
                continue
            spared = word in rule.exceptions if self.whole else word.endswith(rule.exceptions)
            if not (rule.exceptions and spared):
                return word[: len(word) - len(rule.suffix)] + rule.instead
        return word


@functools.cache
def _steps(language: str) -> dict[str, _Step]:
    steps: dict[str, _Step] = {}
    step = None
    for line in read_list("rslp.txt"):
        if line.startswith("["):
            owner, name, least, kind, *only = line.strip("[]").split()
            step = _Step(int(least), kind == "whole", tuple(only)) if owner == language else None
            if step is not None:
                steps[name] = step
        elif step is not None:
            suffix, shortest, instead, *exceptions = line.split()
            step.rules.append(
                _Rule(suffix, int(shortest), "" if instead == "-" else instead, tuple(exceptions))
            )
    for step in steps.values():
        if step.least == 0:
            step.least = min(rule.least + len(rule.suffix) for rule in step.rules)
    return steps


_PORTUGUESE = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy")
_GALICIAN = str.maketrans("áéêíóú", "aeeiou")


def portuguese(word: str) -> str:
    """Return the stem by RSLP."""
    steps = _steps("portuguese")
    for name in ("plural", "adverb", "feminine", "augmentative"):
        word = steps[name].apply(word)
    # a step counts as idle where the length of the word stays
    for name in ("noun", "verb", "vowel"):
        size = len(word)
        word = steps[name].apply(word)
        if len(word) != size:
            break
    return word.translate(_PORTUGUESE)


def portuguese_minimal(word: str) -> str:
    """Return the singular."""
    return _steps("portuguese")["plural"].apply(word)


def galician(word: str) -> str:
    """Return the stem by RSLG."""
    steps = _steps("galician")
    for name in ("plural", "unification", "adverb"):
        word = steps[name].apply(word)
    size = -1
    while len(word) != size:
        size = len(word)
        word = steps["augmentative"].apply(word)
    word = steps["noun"].apply(word)
    if len(word) == size:
        word = steps["verb"].apply(word)
    return steps["vowel"].apply(word).translate(_GALICIAN)


def galician_minimal(word: str) -> str:
    """Return the singular."""
    return _steps("galician")["plural"].apply(word)
