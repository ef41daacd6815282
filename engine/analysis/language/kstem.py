"""The Krovetz stemmer: endings go where a lexicon knows what is left.

Source: R. Krovetz, "Viewing morphology as an inference process" (1993), with the order and the lexicon of
Lucene 9.12 (lists/kstem.txt). Each step looks whether it may take an ending off; the first that finds a word
ends the work.
"""

import functools
from collections.abc import Callable

from lanner.engine.analysis.language.lists import read_sections

_LONGEST = 50


class _Lexicon:
    """Words that are stems, words that are stems only as they stand, and words with another stem."""

    def __init__(self) -> None:
        sections = read_sections("kstem.txt")
        self.stems = dict(pair.split("=") for pair in sections["conflations"])
        self.words = {*sections["stems"], *sections["exceptions"], *self.stems}
        self.exceptions = frozenset(sections["exceptions"])


@functools.cache
def _lexicon() -> _Lexicon:
    return _Lexicon()


class _FoundError(Exception):
    """A step has come to a word of the lexicon, or ends the work; carries no state."""


class _Word:
    """A word on its way. text changes only where a step succeeds or has a default."""

    def __init__(self, text: str, lexicon: _Lexicon) -> None:
        self.text = text
        self.lexicon = lexicon

    def accept(self, *forms: str) -> bool:
        """Take the first of the forms that the lexicon has."""
        for form in forms:
            if form in self.lexicon.words:
                self.text = form
                raise _FoundError
        return False

    def default(self, form: str) -> None:
        """Take a form, and stop if the lexicon has it."""
        self.text = form
        self.accept(form)

    def stem(self, ending: str) -> str | None:
        """Return what stands before an ending, which must be at least one character."""
        return (
            self.text[: -len(ending)] if len(self.text) > len(ending) and self.text.endswith(ending) else None
        )


def _consonant(text: str, at: int) -> bool:
    char = text[at]
    if char in "aeiou":
        return False
    if char != "y" or at == 0:
        return True
    # y is a consonant after a vowel: count back over a run of y
    first = at
    while first > 0 and text[first] == "y":
        first -= 1
    consonant = True if text[first] == "y" else text[first] not in "aeiou"
    return consonant if (at - first) % 2 == 0 else not consonant


def _doubled(text: str) -> bool:
    return len(text) > 1 and text[-1] == text[-2] and _consonant(text, len(text) - 1)


def _has_vowel(text: str) -> bool:
    return any(not _consonant(text, i) for i in range(len(text)))


def _plural(word: _Word) -> None:
    text = word.text
    if not text.endswith("s"):
        return
    if (stem := word.stem("ies")) is not None:
        word.accept(stem + "ie")
        word.default(stem + "y")
    elif (stem := word.stem("es")) is not None:
        keeps_e = len(stem) > 1 and not stem.endswith("ss")
        if keeps_e:
            word.accept(stem + "e")
        word.accept(stem)
        word.text = stem + "e"
        if not keeps_e:
            word.accept(stem + "e")
    elif len(text) > 3 and text[-2] != "s" and word.stem("ous") is None:
        word.default(text[:-1])


def _past_tense(word: _Word) -> None:
    if len(word.text) <= 4:
        return
    if (stem := word.stem("ied")) is not None:
        word.accept(stem + "ie")
        word.default(stem + "y")
    elif (stem := word.stem("ed")) is not None and _has_vowel(stem):
        _with_e(word, stem)
        if _doubled(stem):
            word.accept(stem[:-1])
            word.default(stem)
        elif not stem.startswith("un"):
            word.text = stem + "e"


def _with_e(word: _Word, stem: str) -> None:
    """Accept the stem with an e, unless that is an exception, or without."""
    form = stem + "e"
    if form not in word.lexicon.exceptions:
        word.accept(form)
    word.accept(stem)


def _aspect(word: _Word) -> None:
    if len(word.text) <= 5:
        return
    stem = word.stem("ing")
    if stem is None or not _has_vowel(stem):
        return
    _with_e(word, stem)
    if _doubled(stem):
        word.accept(stem[:-1])
        word.default(stem)
    elif len(stem) > 1 and _consonant(stem, len(stem) - 1) and _consonant(stem, len(stem) - 2):
        word.text = stem
    else:
        word.text = stem + "e"


def _ity(word: _Word) -> None:
    stem = word.stem("ity")
    if stem is None:
        return
    word.accept(stem, stem + "e")
    if len(stem) > 1 and stem.endswith("il"):
        word.default(stem[:-2] + "le")
    elif len(stem) > 1 and stem.endswith("iv"):
        word.default(stem + "e")
    elif len(stem) > 1 and stem.endswith("al"):
        word.default(stem)
    else:
        word.accept(word.text)
        word.text = stem


def _ness(word: _Word) -> None:
    stem = word.stem("ness")
    if stem is not None:
        word.default(stem[:-1] + "y" if stem.endswith("i") else stem)


def _ion(word: _Word) -> None:
    if word.stem("ion") is None:
        return
    if (stem := word.stem("ization")) is not None:
        word.default(stem + "ize")
        return
    if (stem := word.stem("ition")) is not None:
        word.accept(stem + "e")
    elif (stem := word.stem("ation")) is not None:
        word.accept(stem + "ate", stem + "e", stem)
    if (stem := word.stem("ication")) is not None:
        word.accept(stem + "y")
    stem = word.text[:-3]
    word.accept(stem + "e", stem)


def _er_and_or(word: _Word) -> None:
    if (stem := word.stem("izer")) is not None:
        word.default(stem + "ize")
        return
    for ending in ("er", "or"):
        stem = word.stem(ending)
        if stem is None:
            continue
        if _doubled(stem):
            word.accept(stem[:-1])
        if stem.endswith("i"):
            word.accept(stem[:-1] + "y")
        if stem.endswith("e"):
            word.accept(stem[:-1])
        word.accept(stem + ending[0], stem, stem + "e")


def _ly(word: _Word) -> None:
    stem = word.stem("ly")
    if stem is None:
        return
    word.accept(stem + "le", stem)
    word.text = stem
    if len(stem) > 1 and stem.endswith("al"):
        return
    if len(stem) > 1 and stem.endswith("ab"):
        word.text = stem + "le"
        return
    if stem.endswith("i"):
        word.accept(stem[:-1] + "y")


def _al(word: _Word) -> None:
    stem = word.stem("al") if len(word.text) >= 4 else None
    if stem is None:
        return
    word.accept(stem)
    if _doubled(stem):
        word.accept(stem[:-1])
    word.accept(stem + "e", stem + "um")
    if len(stem) > 1 and stem.endswith("ic"):
        word.accept(stem[:-2], stem[:-2] + "y")
        word.default(stem)
    elif stem.endswith("i"):
        word.accept(stem[:-1], word.text)


def _ive(word: _Word) -> None:
    stem = word.stem("ive")
    if stem is None:
        return
    word.accept(stem, stem + "e")
    if len(stem) > 1 and stem.endswith("at"):
        word.accept(stem[:-2] + "e", stem[:-2])
    word.accept(stem + "ion")


def _ize(word: _Word) -> None:
    stem = word.stem("ize")
    if stem is None:
        return
    word.accept(stem)
    if _doubled(stem):
        word.accept(stem[:-1])
    word.accept(stem + "e")


def _ment(word: _Word) -> None:
    if (stem := word.stem("ment")) is not None:
        word.accept(stem)


def _ble(word: _Word) -> None:
    stem = word.stem("ble")
    if stem is None or not stem.endswith(("a", "i")):
        return
    stem = stem[:-1]
    word.accept(stem)
    if _doubled(stem):
        word.accept(stem[:-1])
    word.accept(stem + "e", stem + "ate")


def _ism(word: _Word) -> None:
    if (stem := word.stem("ism")) is not None:
        word.default(stem)


def _ic(word: _Word) -> None:
    if (stem := word.stem("ic")) is not None:
        word.accept(stem + "ical", stem + "y", stem + "e", stem)


def _ncy(word: _Word) -> None:
    stem = word.stem("ncy")
    if stem is not None and stem.endswith(("e", "a")):
        word.accept(stem + "nt")
        word.default(stem + "nce")


def _nce(word: _Word) -> None:
    stem = word.stem("nce")
    if stem is not None and stem.endswith(("e", "a")):
        word.accept(stem[:-1] + "e", stem[:-1])


_STEPS: tuple[Callable[[_Word], None], ...] = (
    _plural, _past_tense, _aspect, _ity, _ness, _ion, _er_and_or, _ly, _al, _ive, _ize, _ment, _ble, _ism,
    _ic, _ncy, _nce,
)  # fmt: skip


def kstem(text: str) -> str:
    """Return the stem of a word in lower case."""
    if not 2 < len(text) < _LONGEST or not (text.isascii() and text.isalpha() and text.islower()):
        return text
    lexicon = _lexicon()
    if text in lexicon.words:
        return lexicon.stems.get(text, text)
    word = _Word(text, lexicon)
    try:
        for step in _STEPS:
            step(word)
    except _FoundError:
        pass
    return lexicon.stems.get(word.text, word.text)
