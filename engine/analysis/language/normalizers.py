"""Normalizers of spelling, and the lower case of languages that have a way of their own, as in Lucene 9.12.

Source: P. Pingali, V. Varma, "Word normalization in Indian languages" (2005); N. UzZaman, M. Khan, "A Double
Metaphone encoding for Bangla" (2005); The Unicode Standard 5.2, chapter 9 (Arabic letters).
"""

import unicodedata

_HARAKAT = "\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652"  # and tatweel


def _table(pairs: str, gone: str = "") -> dict[int, int | None]:
    """Return a table for str.translate: every second character stands for the one before it."""
    table: dict[int, int | None] = {ord(pairs[i]): ord(pairs[i + 1]) for i in range(0, len(pairs), 2)}
    table.update((ord(char), None) for char in gone)
    return table


_ARABIC = _table("\u0622\u0627\u0623\u0627\u0625\u0627\u0649\u064a\u0629\u0647", _HARAKAT)
_PERSIAN = _table("\u06cc\u064a\u06d2\u064a\u06a9\u0643\u06c0\u0647\u06c1\u0647", "\u0654")


def arabic(term: str) -> str:
    """Return the term with one form of alef, yeh and heh, without short vowels."""
    return term.translate(_ARABIC)


def persian(term: str) -> str:
    """Return the term with the Arabic forms of yeh, kaf and heh."""
    return term.translate(_PERSIAN)


_SORANI = _table("\u064a\u06cc\u0649\u06cc\u0643\u06a9\u0629\u06d5\u06be\u0647\u0692\u0695", _HARAKAT)


def sorani(term: str) -> str:
    """Return the term with one form of its letters."""
    kept: list[str] = []
    last = len(term) - 1
    for i, char in enumerate(term):
        if char == "\u200c":  # makes the letter before it final
            if kept and kept[-1] == "\u0647":
                kept[-1] = "\u06d5"
        elif char == "\u0647":
            kept.append("\u06d5" if i == last else char)
        elif char == "\u0631":
            kept.append(char if kept else "\u0695")
        elif unicodedata.category(char) != "Cf":
            kept.append(char.translate(_SORANI))
    return "".join(kept)


_HINDI_LETTERS = _table(
    "\u0901\u0902\u0929\u0928\u0931\u0930\u0934\u0933\u0958\u0915\u0959\u0916\u095a\u0917\u095b\u091c\u095c\u0921"
    "\u095d\u0922\u095e\u092b\u095f\u092f\u0945\u0947\u0946\u0947\u0949\u094b\u094a\u094b\u090d\u090f\u090e\u090f"
    "\u0911\u0913\u0912\u0913\u0972\u0905\u0906\u0905\u0908\u0907\u090a\u0909\u0960\u090b\u0961\u090c\u0910\u090f"
    "\u0914\u0913\u0940\u093f\u0942\u0941\u0944\u0943\u0963\u0962\u0948\u0947\u094c\u094b",
    "\u093c\u200d\u200c\u094d",
)


def hindi(term: str) -> str:
    """Return the term without what spelling may leave out: nukta, virama, long vowels."""
    return term.replace("\u0928\u094d", "\u0902").translate(_HINDI_LETTERS)


_BENGALI_LETTERS = {
    "\u09c0": "\u09bf", "\u09c2": "\u09c1", "\u0999": "\u0982", "\u09b6": "\u09b8", "\u09b7": "\u09b8",
    "\u09a3": "\u09a8", "\u09dc": "\u09b0", "\u09dd": "\u09b0", "\u09ce": "\u09a4",
}  # fmt: skip


def bengali(term: str) -> str:
    """Return the term with letters that sound alike made one."""
    # the rules look at what earlier rules left, so they work on the characters in place
    s = list(term)
    i = 0
    while i < len(s):
        char = s[i]
        if char == "\u0981":  # chandrabindu
            del s[i]
            continue
        if char in _BENGALI_LETTERS:
            s[i] = _BENGALI_LETTERS[char]
        elif char == "\u0995" and s[i + 1 : i + 3] == ["\u09cd", "\u09bf"]:  # khio
            s[max(i, 0) : i + 3] = ["\u0996"] if i == 0 else ["\u0995", "\u0996"]
        elif char == "\u09af" and i >= 1 and s[i - 1] == "\u09cd":  # ja phala
            if i == 2:
                s[1:3] = ["\u09c7"]
                if s[2:3] == ["\u09be"]:
                    del s[2]
                i -= 1
            else:
                del s[i - 1 : i + 1]
                i -= 2
        elif char == "\u09ac" and i >= 1 and s[i - 1] == "\u09cd":  # ba phala
            if i == 2 or (i >= 5 and s[i - 3] == "\u09cd"):
                del s[i - 1 : i + 1]
                i -= 2
            elif i >= 2:
                s[i - 1] = s[i - 2]
                del s[i]
                i -= 1
        elif char == "\u0983":  # visarga
            if i < len(s) - 1:
                s[i] = s[i + 1]
            elif len(s) <= 3:
                s[i] = "\u09b9"
            else:
                del s[i]
        i += 1
    return "".join(s)


def german(term: str) -> str:
    """Return the term without umlauts, be they written with points or with an e after the vowel."""
    kept: list[str] = []
    state = "n"  # n: anything; v: an e may not vanish and a u begins no umlaut; u: an e here is an umlaut's
    for char in term:
        if char in "ao":
            state = "u"
        elif char == "u":
            state = "u" if state == "n" else "v"
        elif char == "e":
            if state == "u":
                state = "v"
                continue
            state = "v"
        elif char in "iqy":
            state = "v"
        elif char in "äöü":
            char = {"ä": "a", "ö": "o", "ü": "u"}[char]
            state = "v"
        else:
            char = "ss" if char == "ß" else char
            state = "n"
        kept.append(char)
    return "".join(kept)


_SERBIAN = str.maketrans(
    {
        **dict(zip("абвгдежзијклмнопрстуфхћцчшžčćš", "abvgdezzijklmnoprstufhcccszccs", strict=True)),
        "ђ": "dj",
        "đ": "dj",
        "љ": "lj",
        "њ": "nj",
        "џ": "dz",
    }  # fmt: skip
)


def serbian(term: str) -> str:
    """Return the term in Latin letters without marks."""
    return term.translate(_SERBIAN)


_SCANDINAVIAN = str.maketrans("äÄöÖ", "æÆøØ")
_PAIRS = {"aa": "å", "ao": "å", "ae": "æ", "oe": "ø", "oo": "ø"}


def scandinavian(term: str) -> str:
    """Return the term with å, æ and ø for all that is written in their place."""
    kept: list[str] = []
    i = 0
    while i < len(term):
        char = term[i]
        found = _PAIRS.get(term[i : i + 2].lower()) if char in "aAoO" else None
        if found is not None:
            kept.append(found.upper() if char.isupper() else found)
            i += 2
            continue
        kept.append(char.translate(_SCANDINAVIAN))
        i += 1
    return "".join(kept)


_FOLDED = str.maketrans("åäæÅÄÆøöØÖ", "aaaAAAooOO")
_FOLDED_PAIRS = {"a": "aeo", "o": "eo"}


def scandinavian_folding(term: str) -> str:
    """Return the term with a and o for å, æ, ø and all that is written in their place."""
    kept: list[str] = []
    i = 0
    while i < len(term):
        kept.append(term[i].translate(_FOLDED))
        following = _FOLDED_PAIRS.get(term[i].lower(), "") if term[i] in "aAoO" else ""
        i += 2 if following and term[i + 1 : i + 2].lower() in tuple(following) else 1
    return "".join(kept)


def decimal_digit(term: str) -> str:
    """Return the term with 0 to 9 for all decimal digits."""
    if term.isascii():
        return term
    return "".join(
        str(unicodedata.decimal(char)) if unicodedata.category(char) == "Nd" else char for char in term
    )


_GREEK = _table(
    "\u03c2\u03c3\u0386\u03b1\u03ac\u03b1\u0388\u03b5\u03ad\u03b5\u0389\u03b7\u03ae\u03b7\u038a\u03b9\u03aa\u03b9"
    "\u03af\u03b9\u03ca\u03b9\u0390\u03b9\u038e\u03c5\u03ab\u03c5\u03cd\u03c5\u03cb\u03c5\u03b0\u03c5\u038c\u03bf"
    "\u03cc\u03bf\u038f\u03c9\u03ce\u03c9\u03a2\u03c2"
)


def _lower(char: str) -> str:
    """Return the lower case as Java's Character has it: one character."""
    lowered = char.lower()
    return lowered if len(lowered) == 1 else lowered[0]


def greek_lower(term: str) -> str:
    """Return the term in lower case without accents, with one form of sigma."""
    # code point by code point: the lower case of a whole string would look at where a sigma stands
    return "".join(_lower(char) for char in term.translate(_GREEK)).translate({0x3C2: 0x3C3})


def turkish_lower(term: str) -> str:
    """Return the term in lower case, in which I without a dot stays without."""
    kept: list[str] = []
    after_i = False  # only marks stand between a capital I and this place
    for i, char in enumerate(term):
        after_i = char == "I" or (after_i and unicodedata.category(char) == "Mn")
        if after_i and char == "\u0307":
            continue
        if char == "I":
            after_i = _dot_follows(term, i + 1)
            kept.append("i" if after_i else "ı")
        else:
            kept.append(_lower(char))
    return "".join(kept)


def _dot_follows(term: str, at: int) -> bool:
    while at < len(term) and unicodedata.category(term[at]) == "Mn":
        if term[at] == "\u0307":
            return True
        at += 1
    return False


def irish_lower(term: str) -> str:
    """Return the term in lower case, with a hyphen after a n or t that eclipses a vowel."""
    if term[:1] in ("n", "t") and term[1:2] and term[1] in "AEIOUÁÉÍÓÚ":
        term = f"{term[0]}-{term[1:]}"
    return "".join(map(_lower, term))


_WIDE = {
    code: unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xFF01, 0xFF5F), *range(0xFF65, 0xFFA0))
}
_VOICED = "カキクケコサシスセソタチツテトハヒフヘホ"


def cjk_width(term: str) -> str:
    """Return the term with ASCII for wide Latin letters and wide katakana for narrow ones."""
    kept: list[str] = []
    for char in term:
        if char == "\uff9e" and kept and (kept[-1] in _VOICED or kept[-1] in "ウワヰヱヲヽ"):
            kept[-1] = unicodedata.normalize("NFC", kept[-1] + "\u3099")
        elif char == "\uff9f" and kept and kept[-1] in "ハヒフヘホ":
            kept[-1] = unicodedata.normalize("NFC", kept[-1] + "\u309a")
        else:
            kept.append(_WIDE.get(ord(char), char))
    return "".join(kept)
