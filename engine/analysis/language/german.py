"""The stemmer behind the filter `german_stem`.

Source: J. Caumanns, "A fast and simple stemming algorithm for German words" (1999), as Lucene 9.12 has it.
"""

import re

_PLAIN = {"ä": "a", "ö": "o", "ü": "u", "ß": "s"}
_MASKED = (("sch", "$"), ("ch", "§"), ("ei", "%"), ("ie", "&"), ("ig", "#"), ("st", "!"))
_UNMASKED = {mask: group for group, mask in _MASKED}


def _substitute(word: str) -> tuple[str, int]:
    """Return the word with masks for groups of letters and * for doubled ones, and the letters saved."""
    pending = list(reversed(word))  # the next character last
    kept: list[str] = []
    saved = 0
    while pending:
        char = pending.pop()
        if kept and char == kept[-1]:
            char = "*"
        elif char in _PLAIN:
            if char == "ß":
                pending.append("s")
                saved += 1
            char = _PLAIN[char]
        for group, mask in _MASKED:
            if char == group[0] and pending[: -len(group) : -1] == list(group[1:]):
                del pending[1 - len(group) :]
                saved += len(group) - 1
                char = mask
                break
        kept.append(char)
    return "".join(kept), saved


def _strip(word: str, saved: int) -> str:
    while len(word) > 3:
        size = len(word) + saved
        if (size > 5 and word.endswith("nd")) or (size > 4 and word.endswith(("em", "er"))):
            word = word[:-2]
        elif word[-1] in "esnt":
            word = word[:-1]
        else:
            break
    return word


def caumanns(word: str) -> str:
    """Return the stem."""
    word = word.lower()
    if not word.isalpha() or max(word) > "\uffff":  # halves of a pair are no letters
        return word
    word, saved = _substitute(word)
    word = _strip(word, saved)
    if len(word) > 5 and word.endswith("erin*"):
        word = _strip(word[:-1], saved)
    if word.endswith("z"):
        word = word[:-1] + "x"
    kept = ""
    for char in word:
        kept += kept[-1] if char == "*" else _UNMASKED.get(char, char)
    return re.sub("gege", "ge", kept, count=1) if len(kept) > 4 else kept
