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
    algorithm = _ALGORITHMS.get(name)
    if algorithm is None:
        return None
    stem = _algorithm(algorithm)
    return lambda word: stem(word) if len(word) <= LONGEST else word
