"""Named lists of stop words."""

import functools

from lanner.engine.analysis.language.lists import read_sections

# fmt: off
# the list of Lucene's EnglishAnalyzer
ENGLISH = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this",
    "to", "was", "will", "with",
]
# fmt: on


@functools.cache
def _lists() -> dict[str, list[str]]:
    return read_sections("stop_words.txt")


def of_language(language: str) -> list[str]:
    """Return the stop words of a language."""
    return ENGLISH if language == "english" else _lists()[language]


def named_list(name: str) -> list[str] | None:
    """Return the list that goes by a name like ``_french_``, None if there is none."""
    if not (name.startswith("_") and name.endswith("_") and len(name) > 2):
        return None
    if name == "_english_":
        return ENGLISH
    return None if name == "_cjk_" else _lists().get(name[1:-1])
