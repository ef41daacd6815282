"""Stemmers of Arabic, Persian, Sorani, Hindi, Bengali and Indonesian, with the rules of Lucene 9.12.

Source: L. Larkey, L. Ballesteros, M. Connell, "Light stemming for Arabic information retrieval" (2007);
A. Ramanathan, D. Rao, "A lightweight stemmer for Hindi" (2003); P. Sengupta, B. B. Chaudhuri, "Natural
language processing in an Indian language (Bengali)" (1993); F. Z. Tala, "A study of stemming effects on
information retrieval in Bahasa Indonesia" (2003).
"""

from lanner.engine.analysis.language.endings import by_length, endings, strip

_ARABIC_PREFIXES = endings("ال وال بال كال فال لل")
_ARABIC_SUFFIXES = endings("ها ان ات ون ين يه ية ه ة ي")


def arabic(word: str) -> str:
    """Return the light stem."""
    for prefix in _ARABIC_PREFIXES:
        if word.startswith(prefix) and len(word) >= len(prefix) + 2:
            word = word[len(prefix) :]
            break
    else:
        if word.startswith("و") and len(word) >= 4:
            word = word[1:]
    return _strip_each(word, _ARABIC_SUFFIXES)


_PERSIAN_SUFFIXES = ("ات", "ان", "ترين", "تر", "يي", "ي", "ها", "\u200c")


def persian(word: str) -> str:
    """Return the light stem."""
    return _strip_each(word, _PERSIAN_SUFFIXES)


def _strip_each(word: str, suffixes: tuple[str, ...]) -> str:
    """Take off each of the suffixes in turn, as long as two characters stay."""
    for suffix in suffixes:
        if word.endswith(suffix) and len(word) >= len(suffix) + 2:
            word = word[: -len(suffix)]
    return word


_SORANI = (
    (6, ("ێکی",), 3), (7, ("یەکی",), 4), (5, ("ێک",), 2), (6, ("یەک",), 3), (6, ("ەکە",), 3), (5, ("کە",),
    2), (7, ("ەکان",), 4), (6, ("کان",), 3), (7, ("یانی",), 4), (6, ("انی",), 3), (6, ("یان",), 3),
    (5, ("ان",), 2), (7, ("یانە",), 4), (6, ("انە",), 3), (5, ("ایە", "ەیە"), 2), (4, ("ە",), 1), (4, ("ی",),
    1),
)  # fmt: skip


def sorani(word: str) -> str:
    """Return the light stem."""
    word = strip(word, ((5, ("دا",), 2), (4, ("نا",), 1), (6, ("ەوە",), 3)))
    word = strip(word, ((6, ("مان", "یان", "تان"), 3),))
    return strip(word, _SORANI)


_HINDI = by_length(
    "ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां "
    "ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां "
    "ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं "
    "कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें "
    "ो े ू ु ी ि ा",
    1,
)


def hindi(word: str) -> str:
    """Return the light stem."""
    return strip(word, _HINDI)


# ya with a dot is one character here, as Lucene has it, not a letter and a nukta
_BENGALI = by_length(
    "িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা "
    "িয়াছিলি য়েদেরকে িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে িতেছি িতেছা িতেছে ছিলাম ছিলেন "
    "িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা "
    "খানি গুলো গুলি য়েরা েদের লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি "
    "বেন িবে ইবে ছেন য়োন য়ের েরা দের িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে ি "
    "ী া ো ে ব ত",
    1,
)


def bengali(word: str) -> str:
    """Return the light stem."""
    return strip(word, _BENGALI)


# prefix -> what stands in its place; the first that fits counts. A vowel must follow where a name is given
# twice
_FIRST_ORDER = (
    ("meng", "", "meng"), ("meny+", "s", "meng"), ("men", "", "meng"), ("mem", "", "meng"),
    ("me", "", "meng"), ("peng", "", "peng"), ("peny+", "s", "peng"), ("peny", "", "peng"),
    ("pen+", "t", "peng"), ("pen", "", "peng"), ("pem", "", "peng"), ("di", "", "di"), ("ter", "", "ter"),
    ("ke", "", "ke"),
)  # fmt: skip
_VOWELS = "aeiou"


class _Indonesian:
    """One word on its way."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.n_syllables = sum(char in _VOWELS for char in word)
        self.removed: set[str] = set()

    def strip(self, word: str) -> bool:
        """Take another form, which is shorter by a syllable."""
        self.word = word
        self.n_syllables -= 1
        return True

    def ending(self, suffixes: tuple[str, ...]) -> bool:
        """Take one of the endings off."""
        if self.n_syllables <= 2:
            return False
        for suffix in suffixes:
            if self.word.endswith(suffix):
                return self.strip(self.word[: -len(suffix)])
        return False

    def first_prefix(self) -> bool:
        """Take a prefix of the first order off."""
        if self.n_syllables <= 2:
            return False
        for pattern, instead, name in _FIRST_ORDER:
            prefix = pattern.rstrip("+")
            if not self.word.startswith(prefix):
                continue
            rest = self.word[len(prefix) :]
            if pattern != prefix and not (rest and rest[0] in _VOWELS):
                continue
            self.removed.add(name)
            return self.strip(instead + rest)
        return False

    def second_prefix(self) -> bool:
        """Take a prefix of the second order off."""
        word = self.word
        if self.n_syllables <= 2:
            return False
        if word.startswith("ber") or word == "belajar":
            self.removed.add("ber")
            return self.strip(word[3:])
        if len(word) > 4 and word.startswith("be") and word[2] not in _VOWELS and word[3:5] == "er":
            self.removed.add("ber")
            return self.strip(word[2:])
        if word.startswith("per") or word == "pelajar":
            return self.strip(word[3:])
        if word.startswith("pe"):
            self.removed.add("pe")
            return self.strip(word[2:])
        return False

    def suffix(self) -> bool:
        """Take a suffix off that goes with the prefixes that went."""
        word = self.word
        if self.n_syllables <= 2:
            return False
        if word.endswith("kan") and not self.removed & {"ke", "peng", "pe"}:
            return self.strip(word[:-3])
        if word.endswith("an") and not self.removed & {"di", "meng", "ter"}:
            return self.strip(word[:-2])
        if word.endswith("i") and not word.endswith("si") and not self.removed & {"ber", "ke", "peng"}:
            return self.strip(word[:-1])
        return False


def indonesian(word: str) -> str:
    """Return the stem."""
    state = _Indonesian(word)
    state.ending(("kah", "lah", "pun"))
    state.ending(("ku", "mu", "nya"))
    if state.first_prefix():
        if state.suffix():
            state.second_prefix()
    else:
        state.second_prefix()
        state.suffix()
    return state.word
