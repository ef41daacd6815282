"""The ready-made analyzers, by the names that settings and requests use."""

from collections.abc import Callable

from lanner.engine.analysis.analyzer import Analyzer, Component
from lanner.engine.analysis.filters.plain import remove_articles
from lanner.engine.analysis.filters.stemming import language_stemmer, snowball_stemmer
from lanner.engine.analysis.filters.summaries import summarize
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.stop_words import ENGLISH, of_language
from lanner.engine.analysis.thai import make_thai
from lanner.engine.analysis.token_filters import TOKEN_FILTERS
from lanner.engine.analysis.tokenizers import (
    MAX_TOKEN_LENGTH,
    check_length,
    make_pattern,
    make_standard,
)
from lanner.engine.analysis.words import stop_words, word_list
from lanner.engine.common.java_regex import compile_java
from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import CharFilter, TokenFilter, Tokenizer
from lanner.ext.analysis.char_tokenizers import CharTokenizer, KeywordTokenizer
from lanner.ext.analysis.mapping_char_filter import MappingCharFilter
from lanner.ext.analysis.removing_filters import StopFilter
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer
from lanner.ext.analysis.term_filters import KeywordMarkerFilter
from lanner.ext.analysis.word_set import WordSet

LOWERCASE: Component[TokenFilter] = Component("lowercase", LowercaseFilter, normalizing=True)
LETTERS: Component[Tokenizer] = Component("letter", lambda: CharTokenizer("letter", MAX_TOKEN_LENGTH))
WORDS: Component[Tokenizer] = Component("standard", StandardTokenizer)
WHOLE: Component[Tokenizer] = Component("keyword", KeywordTokenizer)
THAI: Component[Tokenizer] = Component("thai", make_thai)

NON_WORDS = r"\W+"


def _stop(parameters: Parameters, default: list[str]) -> list[Component[TokenFilter]]:
    """Return the filter of stop words that settings ask for, or none for no words."""
    words = stop_words(parameters, default)
    if not words:
        return []
    found = WordSet(words, ignore_case=parameters.boolean("stopwords_case", False))
    return [Component("stop", lambda: StopFilter(found))]


def _marker(parameters: Parameters) -> list[Component[TokenFilter]]:
    """Return the filter of words that are not to be stemmed, or none."""
    excluded = word_list(parameters, "stem_exclusion")
    if not excluded or parameters.string("stem_exclusion") == "_none_":
        return []
    keywords = WordSet(excluded)
    return [Component("keyword_marker", lambda: KeywordMarkerFilter(keywords))]


def _standard(name: str, parameters: Parameters) -> Analyzer:
    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)
    make_standard(length)
    words: Component[Tokenizer] = Component("standard", lambda: make_standard(length))
    return Analyzer(name, words, [LOWERCASE, *_stop(parameters, [])])


def _simple(name: str, _: Parameters) -> Analyzer:
    return Analyzer(name, LETTERS, [LOWERCASE])


def _whitespace(name: str, parameters: Parameters) -> Analyzer:
    length = check_length(parameters.integer("max_token_length", MAX_TOKEN_LENGTH))
    words: Component[Tokenizer] = Component("whitespace", lambda: CharTokenizer("not_space", length))
    return Analyzer(name, words)


def _keyword(name: str, _: Parameters) -> Analyzer:
    return Analyzer(name, WHOLE)


def _stop_analyzer(name: str, parameters: Parameters) -> Analyzer:
    return Analyzer(name, LETTERS, [LOWERCASE, *_stop(parameters, ENGLISH)])


def _pattern(name: str, parameters: Parameters) -> Analyzer:
    lower = parameters.boolean("lowercase", True)
    pattern = compile_java(parameters.string("pattern") or NON_WORDS, parameters.string("flags"))
    pieces: Component[Tokenizer] = Component("pattern", lambda: make_pattern(pattern, -1))
    return Analyzer(name, pieces, [*([LOWERCASE] if lower else []), *_stop(parameters, [])])


def _fingerprint(name: str, parameters: Parameters) -> Analyzer:
    separator = parameters.single_character("separator", " ")
    most = parameters.integer("max_output_size", 255)
    joined: Component[TokenFilter] = Component("fingerprint", lambda: summarize(separator, most))
    return Analyzer(name, WORDS, [LOWERCASE, _filter("asciifolding"), *_stop(parameters, []), joined])


def _snowball(name: str, parameters: Parameters) -> Analyzer:
    language = parameters.string("language") or parameters.string("name") or "English"
    default = {"English": "english", "Porter": "english", "German": "german", "German2": "german",
               "French": "french", "Dutch": "dutch"}.get(language)  # fmt: skip
    stem: Component[TokenFilter] = Component("snowball", snowball_stemmer(language))
    first = [_filter("stemmer:possessive_english")] if language in ("English", "Porter", "Lovins") else []
    lower = _filter("lowercase:turkish") if language == "Turkish" else LOWERCASE
    stop = _stop(parameters, of_language(default) if default else [])
    return Analyzer(name, WORDS, [*first, lower, *stop, stem])


def _chinese(name: str, _: Parameters) -> Analyzer:
    return Analyzer(name, WORDS, [LOWERCASE, *_stop(Parameters({}), ENGLISH)])


# articles that an apostrophe follows, and other words with a filter of their own
_ARTICLES = {
    "catalan": "d l m n s t",
    "irish": "d m b",
    "italian": "c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d",
}
_HYPHENATED = WordSet(("h", "n", "t"), ignore_case=True)  # what Irish words begin with, cut off at a hyphen
_DUTCH_STEMS = ["fiets => fiets", "bromfiets => bromfiets", "ei => eier", "kind => kinder"]


def _filter(recipe: str) -> Component[TokenFilter]:
    """Return a filter by its bare name or by a name and what it is of."""
    name, _, of = recipe.partition(":")
    if name == "bengali":
        name, of = "stemmer", name
    if name == "stemmer":
        return Component(of, language_stemmer(of))
    if name == "snowball":
        return Component(of, snowball_stemmer(of))
    if name == "elision" and of:
        articles = WordSet(_ARTICLES[of].split(), ignore_case=True)
        return Component("elision", lambda: remove_articles(articles))
    if name == "hyphenated":
        return Component("stop", lambda: StopFilter(_HYPHENATED))
    if name == "stemmer_override":
        return TOKEN_FILTERS[name].component(name, Parameters({"rules": _DUTCH_STEMS}))
    if of:
        return TOKEN_FILTERS[name].component(name, Parameters({"language": of}))
    part = TOKEN_FILTERS[name].bare_component(name, Parameters({}).limits)
    assert part is not None
    return part


_JOINERS: Component[CharFilter] = Component("persian", lambda: MappingCharFilter([("\u200c", " ")]))

# filters in order; STOP: the stop words, MARKER: the words not to be stemmed
_LANGUAGES = {
    "arabic": "lowercase decimal_digit STOP arabic_normalization MARKER arabic_stem",
    "armenian": "lowercase STOP MARKER snowball:Armenian",
    "basque": "lowercase STOP MARKER snowball:Basque",
    "bengali": "lowercase decimal_digit MARKER indic_normalization bengali_normalization STOP bengali",
    "brazilian": "lowercase STOP MARKER brazilian_stem",
    "bulgarian": "lowercase STOP MARKER stemmer:bulgarian",
    "catalan": "elision:catalan lowercase STOP MARKER snowball:Catalan",
    "cjk": "cjk_width lowercase cjk_bigram STOP",
    "czech": "lowercase STOP MARKER czech_stem",
    "danish": "lowercase STOP MARKER snowball:Danish",
    "dutch": "lowercase STOP MARKER stemmer_override snowball:Dutch",
    "english": "stemmer:possessive_english lowercase STOP MARKER porter_stem",
    "estonian": "lowercase STOP MARKER snowball:Estonian",
    "finnish": "lowercase STOP MARKER snowball:Finnish",
    "french": "elision lowercase STOP MARKER stemmer:light_french",
    "galician": "lowercase STOP MARKER stemmer:galician",
    "german": "lowercase STOP MARKER german_normalization stemmer:light_german",
    "greek": "lowercase:greek STOP stemmer:greek",
    "hindi": "lowercase decimal_digit MARKER indic_normalization hindi_normalization STOP stemmer:hindi",
    "hungarian": "lowercase STOP MARKER snowball:Hungarian",
    "indonesian": "lowercase STOP MARKER stemmer:indonesian",
    "irish": "hyphenated elision:irish lowercase:irish STOP MARKER snowball:Irish",
    "italian": "elision:italian lowercase STOP MARKER stemmer:light_italian",
    "latvian": "lowercase STOP MARKER stemmer:latvian",
    "lithuanian": "lowercase STOP MARKER snowball:Lithuanian",
    "norwegian": "lowercase STOP MARKER snowball:Norwegian",
    "persian": "lowercase decimal_digit arabic_normalization persian_normalization STOP",
    "portuguese": "lowercase STOP MARKER stemmer:light_portuguese",
    "romanian": "lowercase STOP MARKER snowball:Romanian",
    "russian": "lowercase STOP MARKER snowball:Russian",
    "sorani": "sorani_normalization lowercase decimal_digit STOP MARKER stemmer:sorani",
    "spanish": "lowercase STOP MARKER stemmer:light_spanish",
    "swedish": "lowercase STOP MARKER snowball:Swedish",
    "thai": "lowercase decimal_digit STOP",
    "turkish": "apostrophe lowercase:turkish STOP MARKER snowball:Turkish",
}


def _language(name: str) -> Callable[[str, Parameters], Analyzer]:
    """Return the factory of the analyzer of a language."""

    def create(given_name: str, parameters: Parameters) -> Analyzer:
        filters: list[Component[TokenFilter]] = []
        for recipe in _LANGUAGES[name].split():
            if recipe == "STOP":
                filters += _stop(parameters, of_language(name))
            elif recipe == "MARKER":
                filters += _marker(parameters)
            else:
                filters.append(LOWERCASE if recipe == "lowercase" else _filter(recipe))
        chars = [_JOINERS] if name == "persian" else []
        return Analyzer(given_name, THAI if name == "thai" else WORDS, filters, chars)

    return create


ANALYZERS: dict[str, Callable[[str, Parameters], Analyzer]] = {
    "chinese": _chinese,
    "fingerprint": _fingerprint,
    "keyword": _keyword,
    "pattern": _pattern,
    "simple": _simple,
    "snowball": _snowball,
    "standard": _standard,
    "stop": _stop_analyzer,
    "whitespace": _whitespace,
    **{name: _language(name) for name in _LANGUAGES},
}
