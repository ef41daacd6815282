"""Filters that take endings off words."""

import functools
from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.language import asian_stemmers, light_stemmers, snowball
from lanner.engine.analysis.language.endings import endings
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.words import refuse_path
from lanner.engine.common.errors import ClassNotFound, IllegalArgument
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.porter_stem import PorterStemFilter
from lanner.ext.analysis.python_parts import StreamFilter, TermFilter, TokenList
from lanner.ext.analysis.term_filters import PossessiveFilter

FilterMaker: TypeAlias = Callable[[], TokenFilter]


def stem_filter(function: Callable[[str], str]) -> TokenFilter:
    """Return the filter that applies a stemmer to all terms but keywords."""
    return TermFilter(function, spare_keywords=True)


def _kstem(word: str) -> str:
    from lanner.engine.analysis.language.kstem import kstem

    return kstem(word)


def _greek(word: str) -> str:
    from lanner.engine.analysis.language.greek import greek

    return greek(word)


def _brazilian(word: str) -> str:
    from lanner.engine.analysis.language.brazilian import brazilian

    return brazilian(word)


def _caumanns(word: str) -> str:
    from lanner.engine.analysis.language.german import caumanns

    return caumanns(word)


def _rslp(name: str) -> Callable[[str], str]:
    def stem(word: str) -> str:
        from lanner.engine.analysis.language import rslp

        return {
            "portuguese": rslp.portuguese,
            "portuguese_minimal": rslp.portuguese_minimal,
            "galician": rslp.galician,
            "galician_minimal": rslp.galician_minimal,
        }[name](word)

    return stem


# stemmers that are not Snowball's, by the names that settings use
FUNCTIONS: dict[str, Callable[[str], str]] = {
    "arabic": asian_stemmers.arabic,
    "bengali": asian_stemmers.bengali,
    "brazilian": _brazilian,
    "bulgarian": light_stemmers.bulgarian,
    "czech": light_stemmers.czech,
    "galician": _rslp("galician"),
    "german_caumanns": _caumanns,
    "greek": _greek,
    "hindi": asian_stemmers.hindi,
    "indonesian": asian_stemmers.indonesian,
    "latvian": light_stemmers.latvian,
    "light_english": _kstem,
    "light_finnish": light_stemmers.finnish,
    "light_french": light_stemmers.french,
    "light_german": light_stemmers.german,
    "light_hungarian": light_stemmers.hungarian,
    "light_italian": light_stemmers.italian,
    "light_norwegian": light_stemmers.norwegian,
    "light_nynorsk": light_stemmers.nynorsk,
    "light_portuguese": light_stemmers.portuguese,
    "light_russian": light_stemmers.russian,
    "light_spanish": light_stemmers.spanish,
    "light_swedish": light_stemmers.swedish,
    "minimal_english": light_stemmers.english_minimal,
    "minimal_french": light_stemmers.french_minimal,
    "minimal_galician": _rslp("galician_minimal"),
    "minimal_german": light_stemmers.german_minimal,
    "minimal_norwegian": light_stemmers.norwegian_minimal,
    "minimal_nynorsk": light_stemmers.nynorsk_minimal,
    "minimal_portuguese": _rslp("portuguese_minimal"),
    "persian": asian_stemmers.persian,
    "plural_english": light_stemmers.english_plural,
    "portuguese_rslp": _rslp("portuguese"),
    "sorani": asian_stemmers.sorani,
}

_COMPILED: dict[str, FilterMaker] = {
    "english": PorterStemFilter,
    "porter": PorterStemFilter,
    "possessive_english": PossessiveFilter,
}

# other spellings; camel case of the names with an underscore is understood too
_ALIASES = {
    "dutchkp": "kp",
    "dutch_kp": "kp",
    "kstem": "light_english",
    "light_finish": "light_finnish",
    "lightfinish": "light_finnish",
    "porter2": "English",
}
_HIDDEN = ("german_caumanns",)  # only behind a filter of their own


@functools.cache
def _spellings() -> dict[str, str]:
    names = [name for name in (*FUNCTIONS, *_COMPILED) if name not in _HIDDEN]
    unspelled = ("minimal_galician", "portuguese_rslp")
    return {name.replace("_", ""): name for name in names if name not in unspelled} | {
        name: name for name in names
    }


def language_stemmer(language: str) -> FilterMaker:
    """Return the maker of the stemmer that `stemmer` has for a language; raises IllegalArgument."""
    lowered = language.lower()
    name = _ALIASES.get(lowered) or _spellings().get(lowered) or lowered
    if name in _COMPILED:
        return _COMPILED[name]
    if name in FUNCTIONS:
        function = FUNCTIONS[name]
        return lambda: stem_filter(function)
    # Snowball's names are case-sensitive but for the languages that the filter knows by itself
    return snowball_stemmer(
        name[:1].upper() + name[1:] if name in KNOWN else language[:1].upper() + language[1:]
    )


KNOWN = frozenset(
    endings(
        "armenian basque catalan danish dutch kp lovins estonian finnish french german german2 hungarian "
        "irish italian lithuanian norwegian portuguese romanian russian spanish swedish turkish English"
    )
)


def snowball_stemmer(name: str) -> FilterMaker:
    """Return the maker of a stemmer of Snowball by the name of its class; raises IllegalArgument."""
    stem = snowball.stemmer(name)
    if stem is None:
        raise IllegalArgument(
            f"Invalid stemmer class specified: {name}",
            caused_by=ClassNotFound(f"org.tartarus.snowball.ext.{name}Stemmer"),
        )
    return lambda: stem_filter(stem)


def stemmer(parameters: Parameters) -> FilterMaker:
    """The stemmer of a language."""
    return language_stemmer(parameters.string("language") or parameters.string("name") or "porter")


def snowball_filter(parameters: Parameters) -> FilterMaker:
    """A stemmer of Snowball."""
    language = parameters.string("language") or parameters.string("name") or "English"
    return snowball_stemmer(language[:1].upper() + language[1:])


def one_stemmer(name: str) -> Callable[[Parameters], FilterMaker]:
    """Return the factory of a filter that is one stemmer: by its own name, or that of Snowball."""
    if name in FUNCTIONS:
        return lambda _: lambda: stem_filter(FUNCTIONS[name])
    return lambda _: snowball_stemmer(name)


def stemmer_override(parameters: Parameters) -> FilterMaker:
    """Stems by a list, which other stemmers then leave alone."""
    refuse_path(parameters, "rules")
    rules = parameters.strings("rules")
    if rules is None:
        raise IllegalArgument(
            "stemmer override filter requires either `rules` or `rules_path` to be configured"
        )
    stems: dict[str, str] = {}
    for number, rule in enumerate(rules, 1):
        left, arrow, right = rule.partition("=>")
        words = [word.strip() for word in left.split(",")]
        right = right.strip()
        if not arrow or "=>" in right or not right or "," in right or not all(words):
            raise IllegalArgument(f"Line [{number}]: Invalid keyword override rule: {rule}")
        for word in words:
            stems.setdefault(word, right)

    def override(stream: TokenList) -> None:
        for token in stream.tokens:
            stem = None if token.keyword else stems.get(token.term)
            if stem is not None:
                token.term, token.keyword = stem, True

    return lambda: StreamFilter(override, marks_keywords=True)


def hunspell(parameters: Parameters) -> FilterMaker:
    """Stems by a dictionary; there is no folder that dictionaries may come from."""
    locale = parameters.string("locale") or parameters.string("language") or parameters.string("lang")
    if locale is None:
        raise IllegalArgument("missing [locale | language | lang] configuration for hunspell token filter")
    raise IllegalArgument(f"Failed to load hunspell dictionary for locale: {locale}")
