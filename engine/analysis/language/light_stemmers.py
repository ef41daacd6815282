"""Light and minimal stemmers of European languages.

Source: J. Savoy, "Report on CLEF-2001 Experiments" and its successors, "Light Stemming Approaches for the
French, Portuguese, German and Hungarian Languages" (2006); D. Harman, "How effective is suffixing?" (1991);
L. Dolamic, J. Savoy, papers on Russian, Bulgarian and Czech; K. Kreslins, "A stemming algorithm for Latvian"
(1996). The numbers and the order of the rules are those of Lucene 9.12.
"""

from lanner.engine.analysis.language.endings import by_length, endings, strip, without_doubles

_PLAIN = str.maketrans("àáâäòóôöèéêëùúûüìíîï", "aaaaooooeeeeuuuuiiii")


def spanish(word: str) -> str:
    """Return the light stem."""
    if len(word) < 5:
        return word
    word = word.translate(_PLAIN)
    if word.endswith(("o", "a", "e")):
        return word[:-1]
    if word.endswith("eses"):
        return word[:-2]
    if word.endswith("ces"):
        return word[:-3] + "z"
    return word[:-2] if word.endswith(("os", "as", "es")) else word


def italian(word: str) -> str:
    """Return the light stem."""
    if len(word) < 6:
        return word
    word = word.translate(_PLAIN)
    if word.endswith(("ie", "he", "hi", "ii", "ia", "io")):
        return word[:-2]
    return word[:-1] if word.endswith(("e", "i", "a", "o")) else word


_GERMAN = str.maketrans("äàáâöòóôïìíîüùúû", "aaaaooooiiiiuuuu")
_GERMAN_S = tuple(letter + "s" for letter in "bdfghklmnt")
_GERMAN_ST = tuple(letter + "st" for letter in "bdfghklmnt")


def german(word: str) -> str:
    """Return the light stem."""
    word = word.translate(_GERMAN)
    word = strip(
        word, ((5, ("ern",), 3), (4, ("em", "en", "er", "es"), 2), (3, ("e",), 1), (3, _GERMAN_S, 1))
    )
    return strip(word, ((5, ("est",), 3), (4, ("er", "en"), 2), (4, _GERMAN_ST, 2)))


_UMLAUTS = str.maketrans("äöü", "aou")


def german_minimal(word: str) -> str:
    """Return the minimal stem."""
    if len(word) < 5:
        return word
    return strip(
        word.translate(_UMLAUTS),
        ((6, ("nen",), 3), (5, ("en", "se", "es", "er"), 2), (0, ("n", "e", "s", "r"), 1)),
    )


def english_minimal(word: str) -> str:
    """Return the singular: the S-stemmer."""
    if len(word) < 3 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if word.endswith("ies") and len(word) > 3 and word[-4] not in "ae":
        return word[:-3] + "y"
    return word if word.endswith(("ies", "aes", "oes", "ees")) else word[:-1]


_OES = endings("shoes canoes oboes")
_CHES = endings(
    "cliches avalanches mustaches moustaches quiches headaches heartaches porsches tranches caches"
)


def english_plural(word: str) -> str:
    """Return the singular, as OpenSearch forms it."""
    size = len(word)
    if size < 3 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if size > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if size > 3 and word.endswith("oes"):
        return word[:-1] if _tail_of(word, _OES) else word[:-2]
    if size > 4 and word.endswith(("xes", "shes", "sses")):
        return word[:-2]
    if size > 4 and word.endswith("ches"):
        return word[:-1] if _tail_of(word, _CHES) else word[:-2]
    return word[:-1]


def _tail_of(word: str, others: tuple[str, ...]) -> bool:
    """Return whether the word and one of the others end alike as far as the shorter goes."""
    return word.endswith(others) or any(other.endswith(word) for other in others)


_FRENCH = str.maketrans("àáâôèéêùûîç", "aaaoeeeuuic")
# ending, what the word must be longer than, what stands in its place
_FRENCH_RULES = (
    ("issement", 9, "ir"), ("issant", 8, "ir"), ("ement", 6, "e"), ("ficatrice", 11, "fier"),
    ("ficateur", 10, "fier"), ("catrice", 9, "quer"), ("cateur", 8, "quer"), ("atrice", 8, "er"),
    ("ateur", 7, "er"),
)  # fmt: skip
_FRENCH_LATER = (
    ("ième", 5, ""), ("teuse", 7, "ter"), ("teur", 6, "ter"), ("euse", 5, "eu"), ("ère", 8, "er"),
    ("ive", 7, "if"), ("folle", 4, "fou"), ("molle", 4, "mou"), ("nnelle", 9, "n"), ("nnel", 9, "n"),
)  # fmt: skip


def french(word: str) -> str:
    """Return the light stem."""
    if len(word) > 5 and word.endswith("x"):
        word = word[:-2] + "l" if word.endswith("aux") and word[-4] != "e" else word[:-1]
    if len(word) > 3 and word.endswith("x"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("s"):
        word = word[:-1]
    for suffix, longer_than, instead in _FRENCH_RULES:
        if len(word) > longer_than and word.endswith(suffix):
            word = word[: -len(suffix)] + instead
            if suffix == "ement" and len(word) > 3 and word.endswith("ive"):
                word = word[:-2] + "f"
            return _french_norm(word)
    if len(word) > 6 and word.endswith("trice"):
        word = word[:-4] + "eur"
    for suffix, longer_than, instead in _FRENCH_LATER:
        if len(word) > longer_than and word.endswith(suffix):
            return _french_norm(word[: -len(suffix)] + instead)
    if len(word) > 4 and word.endswith("ète"):
        word = word[:-3] + "et"
    if len(word) > 8 and word.endswith("ique"):
        word = word[:-4]
    if len(word) > 8 and word.endswith("esse"):
        return _french_norm(word[:-3])
    if len(word) > 7 and word.endswith("inage"):
        return _french_norm(word[:-3])
    if len(word) > 9 and word.endswith("isation"):
        word = word[:-7]
        return _french_norm(word[:-2] + "el" if len(word) > 5 and word.endswith("ual") else word)
    return _french_norm(strip(word, ((9, ("isateur",), 7), (8, ("ation", "ition"), 5))))


def _french_norm(word: str) -> str:
    if len(word) > 4:
        word = without_doubles(word.translate(_FRENCH))
    if len(word) > 4 and word.endswith("ie"):
        word = word[:-2]
    if len(word) > 4:
        for ending in ("r", "e", "e"):
            word = word.removesuffix(ending)
        if word[-1] == word[-2] and word[-1].isalpha():
            word = word[:-1]
    return word


def french_minimal(word: str) -> str:
    """Return the minimal stem."""
    if len(word) < 6:
        return word
    if word.endswith("x"):
        return word[:-2] + "l" if word.endswith("aux") else word[:-1]
    for ending in ("s", "r", "e", "é"):
        word = word.removesuffix(ending)
    return word[:-1] if word[-1] == word[-2] and word[-1].isalpha() else word


_PORTUGUESE = str.maketrans("àáâäãòóôöõèéêëùúûüìíîïç", "aaaaaoooooeeeeuuuuiiiic")


def portuguese(word: str) -> str:
    """Return the light stem."""
    if len(word) < 4:
        return word
    word = _portuguese_suffix(word)
    if len(word) > 3 and word.endswith("a"):
        word = _portuguese_feminine(word)
    if len(word) > 4 and word.endswith(("e", "a", "o")):
        word = word[:-1]
    return word.translate(_PORTUGUESE)


def _portuguese_suffix(word: str) -> str:
    size = len(word)
    if size > 4 and word.endswith(("res", "ses", "les", "zes")):
        return word[:-2]
    if size > 3 and word.endswith("ns"):
        return word[:-2] + "m"
    if size > 4:
        for suffix, instead in (("eis", "el"), ("éis", "el"), ("ais", "al"), ("óis", "ol"), ("is", "il")):
            if word.endswith(suffix):
                return word[: -len(suffix)] + instead
    if size > 3 and word.endswith(("ões", "ães")):
        return word[:-3] + "ão"
    return strip(word, ((6, ("mente",), 5), (3, ("s",), 1)))


def _portuguese_feminine(word: str) -> str:
    size = len(word)
    if size > 7 and word.endswith(("inha", "iaca", "eira")):
        return word[:-1] + "o"
    if size > 6:
        if word.endswith(("osa", "ica", "ida", "ada", "iva", "ama")):
            return word[:-1] + "o"
        for suffix, instead in (("ona", "ão"), ("ora", "or"), ("esa", "ês"), ("na", "no")):
            if word.endswith(suffix):
                return word[: -len(suffix)] + instead
    return word


_FINNISH = str.maketrans("äåö", "aao")
_FINNISH_HN = tuple(f"h{vowel}n" for vowel in "aeiouy")
_FINNISH_N = tuple(f"{vowel}n" for vowel in "aeiouy")


def finnish(word: str) -> str:
    """Return the light stem."""
    if len(word) < 4:
        return word
    word = word.translate(_FINNISH)
    while len(word) > 8 and word.endswith(("kin", "ko")):
        word = word[:-3] if word.endswith("kin") else word[:-2]
    word = strip(word, ((11, ("dellinen",), 8), (11, ("dellisuus",), 9)))
    word = strip(word, ((5, ("lla", "tse", "sti"), 3), (5, ("ni",), 2), (5, ("aa",), 1)))
    word = _finnish_case(word)
    if len(word) > 5 and word.endswith("hde"):
        word = word[:-3] + "ksi"
    word = strip(word, ((4, ("ei", "at"), 2), (3, ("t", "s", "j", "e", "a", "i"), 1)))
    word = strip(word, ((8, ("e", "o", "u"), 1),))
    word = strip(word, ((4, ("i",), 1),))
    return without_doubles(word, "kpt") if len(word) > 4 else word


def _finnish_case(word: str) -> str:
    size = len(word)
    if size > 8:
        for suffix, instead in (("nnen", "s"), ("ntena", "s"), ("tten", ""), ("eiden", "")):
            if word.endswith(suffix):
                return word[: -len(suffix)] + instead
    if size > 6:
        if word.endswith(("neen", "niin", "seen", "teen", "inen")):
            return word[:-4]
        if word.endswith(_FINNISH_HN):
            return word[:-3]
        for suffix in ("den", "ksen"):
            if word.endswith(suffix):
                return word[: -len(suffix)] + "s"
    return strip(
        word,
        (
            (6, ("ssa", "sta", "lla", "lta", "tta", "ksi", "lle"), 3),
            (5, ("na", "ne"), 2),
            (5, ("nei",), 3),
            (4, ("ja", "ta"), 2),
            (4, ("a",), 1),
            (4, _FINNISH_N, 2),
            (4, ("n",), 1),
        ),
    )


_HUNGARIAN = str.maketrans("áëéíóőõöúűũûü", "aeeioooouuuuu")
_HUNGARIAN_VOWELS = "aeiouy"


def _vowel(word: str, at: int) -> bool:
    return word[at] in _HUNGARIAN_VOWELS


def hungarian(word: str) -> str:
    """Return the light stem."""
    word = _hungarian_possessive(_hungarian_case(word.translate(_HUNGARIAN)))
    if len(word) > 3 and word.endswith("k"):
        word = word[:-2] if len(word) > 4 and word.endswith(("ak", "ok", "ek")) else word[:-1]
    return strip(word, ((3, ("a", "e", "i", "o"), 1),))


_HUNGARIAN_CASES = endings("nak nek val vel ert rol ban ben bol nal nel hoz hez tol")


def _hungarian_case(word: str) -> str:
    size = len(word)
    if size > 6 and word.endswith("kent"):
        return word[:-4]
    if size > 5:
        if word.endswith(_HUNGARIAN_CASES):
            return word[:-3]
        if word.endswith(("al", "el")) and not _vowel(word, -3) and word[-3] == word[-4]:
            return word[:-3]
    if size > 4:
        if word.endswith(("at", "et", "ot", "va", "ve", "ra", "re", "ba", "be", "ul", "ig")):
            return word[:-2]
        if word.endswith(("on", "en")) and not _vowel(word, -3):
            return word[:-2]
        if word.endswith(("t", "n")):
            return word[:-1]
        if word.endswith(("a", "e")) and word[-2] == word[-3] and not _vowel(word, -2):
            return word[:-2]
    return word


def _hungarian_possessive(word: str) -> str:
    size = len(word)
    if size > 6:
        if not _vowel(word, -5) and word.endswith(("atok", "otok", "etek")):
            return word[:-4]
        if word.endswith(("itek", "itok")):
            return word[:-4]
    if size > 5:
        if not _vowel(word, -4) and word.endswith(("unk", "tok", "tek")):
            return word[:-3]
        if (_vowel(word, -4) and word.endswith("juk")) or word.endswith("ink"):
            return word[:-3]
    if size > 4:
        if not _vowel(word, -3) and word.endswith(("am", "em", "om", "ad", "ed", "od", "uk")):
            return word[:-2]
        if _vowel(word, -3) and word.endswith(("nk", "ja", "je")):
            return word[:-2]
        if word.endswith(("im", "id", "ik")):
            return word[:-2]
    if size > 3:
        if word.endswith(("a", "e")):
            return word if _vowel(word, -2) else word[:-1]
        if word.endswith(("m", "d")):
            return word[:-1] if _vowel(word, -2) else word
        if word.endswith("i"):
            return word[:-1]
    return word


_SWEDISH = (
    (7, ("elser", "heten"), 5),
    (6, endings("arne erna ande else aste orna aren"), 4),
    (5, ("are", "ast", "het"), 3),
    (4, endings("ar er or en at te et"), 2),
    (3, ("t", "a", "e", "n"), 1),
)


def swedish(word: str) -> str:
    """Return the light stem."""
    return strip(strip(word, ((4, ("s",), 1),)), _SWEDISH)


_BOKMAAL = (
    (7, ("heter", "heten"), 5),
    (5, ("dom", "het"), 3),
    (7, ("elser", "elsen"), 5),
    (6, endings("ende else este eren"), 4),
    (5, endings("ere est ene"), 3),
    (4, endings("er en et st te"), 2),
    (3, ("a", "e", "n"), 1),
)
_NYNORSK = (
    (7, ("heita",), 5),
    (8, ("heiter", "leiken", "leikar"), 6),
    (5, ("dom",), 3),
    (6, ("heit", "semd", "leik"), 4),
    (7, ("elser", "elsen"), 5),
    (6, endings("ande else aste aren"), 4),
    (5, endings("are ast ene ane"), 3),
    (4, endings("er en et ar te"), 2),
    (3, ("a", "e", "n"), 1),
)
_GENITIVE = ((4, ("s",), 1),)


def norwegian(word: str) -> str:
    """Return the light stem of Bokmål."""
    return strip(strip(word, _GENITIVE), _BOKMAAL)


def nynorsk(word: str) -> str:
    """Return the light stem of Nynorsk."""
    return strip(strip(word, _GENITIVE), _NYNORSK)


def norwegian_minimal(word: str) -> str:
    """Return the minimal stem of Bokmål."""
    return strip(strip(word, _GENITIVE), ((5, ("ene",), 3), (4, ("er", "en", "et"), 2), (3, ("a", "e"), 1)))


def nynorsk_minimal(word: str) -> str:
    """Return the minimal stem of Nynorsk."""
    return strip(
        strip(word, _GENITIVE),
        ((5, ("ene", "ane"), 3), (4, ("er", "en", "et", "ar"), 2), (3, ("a", "e"), 1)),
    )


_RUSSIAN = (
    (6, ("иями", "оями"), 4), (5, endings("иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев"), 3),
    (4, endings("ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми"),
    2), (3, endings("а е и о у й ы я ь"), 1),
)  # fmt: skip


def russian(word: str) -> str:
    """Return the light stem."""
    return strip(strip(word, _RUSSIAN), ((3, ("ь", "и", "нн"), 1),))


_CZECH = (
    *by_length("atech", 2),
    *by_length("ětem etem atům", 2),
    *by_length(
        "ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými",
        2,
    ),
    *by_length("em es ém ím ům at ám os us ým mi ou", 2),
    *by_length("a e i o u ů y á é í ý ě", 2),
)


def czech(word: str) -> str:
    """Return the light stem."""
    word = strip(strip(word, _CZECH), ((5, ("ov", "in", "ův"), 2),))
    for suffix, instead in (("čt", "ck"), ("št", "sk"), ("c", "k"), ("č", "k"), ("z", "h"), ("ž", "h")):
        if word.endswith(suffix):
            return word[: -len(suffix)] + instead
    if len(word) > 1 and word[-2] == "e":
        return word[:-2] + word[-1]
    if len(word) > 2 and word[-2] == "ů":
        return word[:-2] + "o" + word[-1]
    return word


def bulgarian(word: str) -> str:
    """Return the light stem."""
    if len(word) < 4:
        return word
    if len(word) > 5 and word.endswith("ища"):
        return word[:-3]
    word = strip(word, ((6, ("ият",), 3), (5, endings("ът то те та ия"), 2), (4, ("ят",), 2)))
    word = _bulgarian_plural(word)
    if len(word) > 3:
        word = word.removesuffix("я")
        if word.endswith(("а", "о", "е")):
            word = word[:-1]
    if len(word) > 4 and word.endswith("ен"):
        word = word[:-2] + "н"
    return word[:-2] + word[-1] if len(word) > 5 and word[-2] == "ъ" else word


def _bulgarian_plural(word: str) -> str:
    rules = (
        (6, "овци", "о"), (6, "ове", ""), (6, "еве", "й"), (5, "ища", ""), (5, "та", ""), (5, "ци", "к"),
        (5, "зи", "г"),
    )  # fmt: skip
    size = len(word)
    for longer_than, suffix, instead in rules:
        if size > longer_than and word.endswith(suffix):
            return word[: -len(suffix)] + instead
    if size > 5 and word[-3] == "е" and word[-1] == "и":
        return word[:-3] + "я" + word[-2]
    if size > 4 and word.endswith("си"):
        return word[:-2] + "х"
    return word[:-1] if size > 4 and word.endswith("и") else word


# ending, vowels that it counts for, whether what stands before is softened
_LATVIAN = (
    ("ajiem", 3, False), ("ajai", 3, False), ("ajam", 2, False), ("ajām", 2, False), ("ajos", 2, False),
    ("ajās", 2, False), ("iem", 2, True), ("ajā", 2, False), ("ais", 2, False), ("ai", 2, False),
    ("ei", 2, False), ("ām", 1, False), ("am", 1, False), ("ēm", 1, False), ("īm", 1, False),
    ("im", 1, False), ("um", 1, False), ("us", 1, True), ("as", 1, False), ("ās", 1, False),
    ("es", 1, False), ("os", 1, True), ("ij", 1, False), ("īs", 1, False), ("ēs", 1, False),
    ("is", 1, False), ("ie", 1, False), ("u", 1, True), ("a", 1, True), ("i", 1, True), ("e", 1, False),
    ("ā", 1, False), ("ē", 1, False), ("ī", 1, False), ("ū", 1, False), ("o", 1, False), ("s", 0, False),
    ("š", 0, False),
)  # fmt: skip
_LATVIAN_VOWELS = "aeiouāīēū"
_HARDENED = (
    ("pj", "p"), ("bj", "b"), ("mj", "m"), ("vj", "v"), ("šņ", "sn"), ("žņ", "zn"), ("šļ", "sl"),
    ("žļ", "zl"), ("ļņ", "ln"), ("ļļ", "ll"), ("č", "c"), ("ļ", "l"), ("ņ", "n"),
)  # fmt: skip


def latvian(word: str) -> str:
    """Return the light stem."""
    n_vowels = sum(char in _LATVIAN_VOWELS for char in word)
    for suffix, counts, softens in _LATVIAN:
        if n_vowels > counts and len(word) >= len(suffix) + 3 and word.endswith(suffix):
            stem = word[: -len(suffix)]
            return _harden(stem, suffix) if softens else stem
    return word


def _harden(stem: str, suffix: str) -> str:
    rules = (("kš", "kst"), ("ņņ", "nn"), *_HARDENED) if suffix.startswith("u") else _HARDENED
    for soft, hard in rules:
        if stem.endswith(soft):
            return stem[: -len(soft)] + hard
    return stem
