"""The stemmers of the Snowball project, run by PyStemmer, and what its release lacks.

Source: https://snowballstem.org; PyStemmer 2.2 holds the release 2.2 of Snowball, whose stems are those of
Lucene 9.12.
"""

import functools
import re
from collections.abc import Callable

from lanner.engine.analysis.language.endings import endings

# names of stemmers as Lucene's classes have them, without Stemmer -> the algorithm of PyStemmer
_ALGORITHMS = {
    name: name.lower()
    for name in endings(
        "Arabic Armenian Basque Catalan Danish Dutch English Finnish French German Greek Hindi Hungarian "
        "Indonesian Irish Italian Lithuanian Nepali Norwegian Porter Portuguese Romanian Russian Serbian "
        "Spanish Swedish Tamil Turkish"
    )
}

LONGEST = 4096  # characters; some algorithms take more than linear time on one word


def _german2(word: str) -> str:
    """Return the word as the stemmer for German likes it: ae, oe and ue are umlauts."""
    word = re.sub(r"(?<=[aeiouyäöü])([uy])(?=[aeiouyäöü])", lambda match: match[1].upper(), word)
    word = re.sub(
        "qu|ae|oe|ue|ß",
        lambda match: {"qu": "qu", "ae": "ä", "oe": "ö", "ue": "ü", "ß": "ss"}[match[0]],
        word,
    )
    return word.lower()


def _dutch(word: str) -> str:
    """Return the stem; the algorithm in C counts the bytes of the first letters where it means letters."""
    stem = _algorithm("dutch")
    head = word[:2]
    if head.isascii():
        return stem(word)
    stands_in = []
    for char, around in zip(head, (word[1:2], word[:1] + word[2:3]), strict=False):
        if char == "è":
            char = next(vowel for vowel in "aou" if vowel not in around)
        elif not char.isascii() and char not in "äëïöüáéíóú":
            char = "#"
        stands_in.append(char)
    changed = "".join(stands_in)
    if changed == head:
        return stem(word)
    stemmed = stem(changed + word[2:])
    beginning = zip(stemmed, changed, head, strict=False)
    return "".join(was if new == old else new for new, old, was in beginning) + stemmed[2:]


@functools.cache
def _algorithm(name: str) -> Callable[[str], str]:
    import Stemmer  # type: ignore[import-not-found]  # compiled, without stubs

    stem: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord
    return stem


def stemmer(name: str) -> Callable[[str], str] | None:
    """Return the function from word to stem for a name like ``English``, None if there is none."""
    if name == "German2":
        german = _algorithm("german")
        return lambda word: german(_german2(word)) if len(word) <= LONGEST else word
    if name == "Dutch":
        return lambda word: _dutch(word) if len(word) <= LONGEST else word
    algorithm = _ALGORITHMS.get(name)
    if algorithm is None:
        return None
    stem = _algorithm(algorithm)
    return lambda word: stem(word) if len(word) <= LONGEST else word
