"""The ready-made analyzers, by the names that settings and requests use."""

from collections.abc import Callable

from lanner.engine.analysis.analyzer import Analyzer, Component
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.stop_words import ENGLISH
from lanner.engine.analysis.tokenizers import MAX_TOKEN_LENGTH, check_length, make_standard
from lanner.engine.analysis.words import stop_words, word_list
from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import TokenFilter, Tokenizer
from lanner.ext.analysis.char_tokenizers import CharTokenizer, KeywordTokenizer
from lanner.ext.analysis.porter_stem import PorterStemFilter
from lanner.ext.analysis.removing_filters import StopFilter
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer
from lanner.ext.analysis.term_filters import KeywordMarkerFilter, PossessiveFilter
from lanner.ext.analysis.word_set import WordSet

LOWERCASE: Component[TokenFilter] = Component("lowercase", LowercaseFilter, normalizing=True)
LETTERS: Component[Tokenizer] = Component("letter", lambda: CharTokenizer("letter", MAX_TOKEN_LENGTH))
WORDS: Component[Tokenizer] = Component("standard", StandardTokenizer)
WHOLE: Component[Tokenizer] = Component("keyword", KeywordTokenizer)


def _stop(words: list[str]) -> list[Component[TokenFilter]]:
    """Return a stop filter, or none for no words."""
    if not words:
        return []
    found = WordSet(words)
    return [Component("stop", lambda: StopFilter(found))]


def _standard(name: str, parameters: Parameters) -> Analyzer:
    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)
    make_standard(length)
    words: Component[Tokenizer] = Component("standard", lambda: make_standard(length))
    return Analyzer(name, words, [LOWERCASE, *_stop(stop_words(parameters, []))])


def _simple(name: str, _: Parameters) -> Analyzer:
    return Analyzer(name, LETTERS, [LOWERCASE])


def _whitespace(name: str, parameters: Parameters) -> Analyzer:
    length = check_length(parameters.integer("max_token_length", MAX_TOKEN_LENGTH))
    words: Component[Tokenizer] = Component("whitespace", lambda: CharTokenizer("not_space", length))
    return Analyzer(name, words)


def _keyword(name: str, _: Parameters) -> Analyzer:
    return Analyzer(name, WHOLE)


def _stop_analyzer(name: str, parameters: Parameters) -> Analyzer:
    return Analyzer(name, LETTERS, [LOWERCASE, *_stop(stop_words(parameters, ENGLISH))])


def _english(name: str, parameters: Parameters) -> Analyzer:
    filters: list[Component[TokenFilter]] = [
        Component("possessive_english", PossessiveFilter),
        LOWERCASE,
        *_stop(stop_words(parameters, ENGLISH)),
    ]
    excluded = word_list(parameters, "stem_exclusion")
    if excluded:
        keywords = WordSet(excluded)
        filters.append(Component("keyword_marker", lambda: KeywordMarkerFilter(keywords)))
    return Analyzer(name, WORDS, [*filters, Component("porter_stem", PorterStemFilter)])


ANALYZERS: dict[str, Callable[[str, Parameters], Analyzer]] = {
    "english": _english,
    "keyword": _keyword,
    "simple": _simple,
    "standard": _standard,
    "stop": _stop_analyzer,
    "whitespace": _whitespace,
}
