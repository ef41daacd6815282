"""Endings of words: the form that most stemmers have their rules in."""

from typing import TypeAlias

# a word of more than so many characters with one of these endings, all of one length, loses the last so many
Ending: TypeAlias = tuple[int, tuple[str, ...], int]


def endings(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


def strip(word: str, rules: tuple[Ending, ...]) -> str:
    """Return the word as the first rule that fits leaves it."""
    size = len(word)
    for longer_than, suffixes, n in rules:
        if size > longer_than and word.endswith(suffixes):
            return word[: size - n]
    return word


def by_length(text: str, room: int) -> tuple[Ending, ...]:
    """Return rules that take whole endings off, the longest first; room: what must be left, less one."""
    lengths: dict[int, list[str]] = {}
    for suffix in text.split():
        lengths.setdefault(len(suffix), []).append(suffix)
    return tuple((n + room, tuple(lengths[n]), n) for n in sorted(lengths, reverse=True))


def without_doubles(word: str, letters: str = "") -> str:
    """Return the word with runs of one letter as one letter; letters: only of these."""
    kept = word[:1]
    for char in word[1:]:
        if char != kept[-1] or not (char in letters if letters else char.isalpha()):
            kept += char
    return kept
