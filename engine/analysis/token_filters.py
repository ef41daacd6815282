"""The token filters, by the names that settings and requests use."""

import re
from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.analyzer import PartType
from lanner.engine.analysis.parameters import MAX_INT, Parameters
from lanner.engine.analysis.stop_words import ENGLISH
from lanner.engine.analysis.words import stop_words, word_list
from lanner.engine.common.errors import ClassNotFound, IllegalArgument, PatternSyntaxError
from lanner.ext.analysis.case_filters import LowercaseFilter, UppercaseFilter
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.porter_stem import PorterStemFilter
from lanner.ext.analysis.removing_filters import LengthFilter, LimitFilter, StopFilter, UniqueFilter
from lanner.ext.analysis.term_filters import (
    KeywordMarkerFilter,
    PatternKeywordMarkerFilter,
    PossessiveFilter,
    ReverseFilter,
    TrimFilter,
    TruncateFilter,
)
from lanner.ext.analysis.word_set import WordSet

FilterMaker: TypeAlias = Callable[[], TokenFilter]


def _lowercase(parameters: Parameters) -> FilterMaker:
    language = parameters.string("language")

    def make() -> TokenFilter:
        if language is not None:
            raise IllegalArgument(f"language [{language}] not support for lower case")
        return LowercaseFilter()

    return make


def _ascii_folding(parameters: Parameters) -> FilterMaker:
    from lanner.ext.analysis.ascii_folding import AsciiFoldingFilter  # its tables are large

    preserve = parameters.boolean("preserve_original", False)
    return lambda: AsciiFoldingFilter(preserve_original=preserve)


def _stop(parameters: Parameters) -> FilterMaker:
    ignore_case = parameters.boolean("ignore_case", False)
    remove_trailing = parameters.boolean("remove_trailing", True)
    words = WordSet(stop_words(parameters, ENGLISH), ignore_case=ignore_case)
    return lambda: StopFilter(words, remove_trailing=remove_trailing)


def _length(parameters: Parameters) -> FilterMaker:
    least, most = parameters.integer("min", 0), parameters.integer("max", MAX_INT)

    def make() -> TokenFilter:
        if least < 0:
            raise IllegalArgument("minimum length must be greater than or equal to zero")
        if least > most:
            raise IllegalArgument("maximum length must not be greater than minimum length")
        return LengthFilter(least, most)

    return make


def _truncate(parameters: Parameters) -> FilterMaker:
    length = parameters.integer("length", -1)
    if length <= 0:
        raise IllegalArgument("length parameter must be provided")
    return lambda: TruncateFilter(length)


def _limit(parameters: Parameters) -> FilterMaker:
    most = parameters.integer("max_token_count", 1)
    consume_all = parameters.boolean("consume_all_tokens", False)

    def make() -> TokenFilter:
        if most < 1:
            raise IllegalArgument("maxTokenCount must be greater than zero")
        return LimitFilter(most, consume_all=consume_all)

    return make


def _unique(parameters: Parameters) -> FilterMaker:
    same_position = parameters.boolean("only_on_same_position", False)
    return lambda: UniqueFilter(same_position=same_position)


def _keyword_marker(parameters: Parameters) -> FilterMaker:
    ignore_case = parameters.boolean("ignore_case", False)
    pattern = parameters.string("keywords_pattern")
    if pattern is not None:
        if parameters.string("keywords") is not None or parameters.string("keywords_path") is not None:
            raise IllegalArgument("cannot specify both `keywords_pattern` and `keywords` or `keywords_path`")
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            text = f"{error.msg} near index {error.pos}\n{pattern}"
            raise PatternSyntaxError(text[:1].upper() + text[1:]) from None
        return lambda: PatternKeywordMarkerFilter(compiled)
    words = word_list(parameters, "keywords")
    if words is None:
        raise IllegalArgument(
            "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` "
            "to be configured"
        )
    keywords = WordSet(words, ignore_case=ignore_case)
    return lambda: KeywordMarkerFilter(keywords)


STEMMERS: dict[str, FilterMaker] = {
    "english": PorterStemFilter,
    "porter": PorterStemFilter,
    "possessive_english": PossessiveFilter,
}


def _stemmer(parameters: Parameters) -> FilterMaker:
    language = parameters.string("language") or parameters.string("name") or "porter"
    stemmer = STEMMERS.get(language.lower())
    if stemmer is None:
        name = language[:1].upper() + language[1:]
        raise IllegalArgument(
            f"Invalid stemmer class specified: {name}",
            caused_by=ClassNotFound(f"org.tartarus.snowball.ext.{name}Stemmer"),
        )
    return stemmer


def _removed(_: Parameters) -> FilterMaker:
    raise IllegalArgument("The [standard] token filter has been removed.")


def _plain(filter_class: FilterMaker) -> Callable[[Parameters], FilterMaker]:
    """Return the factory of a filter without parameters."""
    return lambda _: filter_class


TOKEN_FILTERS: dict[str, PartType[TokenFilter]] = {
    "asciifolding": PartType(_ascii_folding, normalizing=True),
    "keyword_marker": PartType(_keyword_marker, bare=None),
    "length": PartType(_length),
    "limit": PartType(_limit),
    "lowercase": PartType(_lowercase, normalizing=True),
    "porter_stem": PartType(_plain(PorterStemFilter)),
    "reverse": PartType(_plain(ReverseFilter)),
    "standard": PartType(_removed),
    "stemmer": PartType(_stemmer),
    "stop": PartType(_stop),
    "trim": PartType(_plain(TrimFilter), normalizing=True),
    "truncate": PartType(_truncate, bare={"length": "10"}),
    "unique": PartType(_unique),
    "uppercase": PartType(_plain(UppercaseFilter), normalizing=True),
}
