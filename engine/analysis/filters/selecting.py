"""Filters that take tokens away, mark them or repeat them."""

from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.parameters import MAX_INT, Parameters
from lanner.engine.analysis.stop_words import ENGLISH
from lanner.engine.analysis.tokens import keep_tokens
from lanner.engine.analysis.words import stop_words, word_list, word_set
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.java_regex import compile_java, new_deadline
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList
from lanner.ext.analysis.removing_filters import LengthFilter, LimitFilter, StopFilter, UniqueFilter
from lanner.ext.analysis.term_filters import KeywordMarkerFilter
from lanner.ext.analysis.word_set import WordSet

FilterMaker: TypeAlias = Callable[[], TokenFilter]


def stop(parameters: Parameters) -> FilterMaker:
    """All but the words of a list."""
    ignore_case = parameters.boolean("ignore_case", False)
    remove_trailing = parameters.boolean("remove_trailing", True)
    words = WordSet(stop_words(parameters, ENGLISH), ignore_case=ignore_case)
    return lambda: StopFilter(words, remove_trailing=remove_trailing)


def length(parameters: Parameters) -> FilterMaker:
    """Terms of some lengths."""
    least, most = parameters.integer("min", 0), parameters.integer("max", MAX_INT)

    def make() -> TokenFilter:
        if least < 0:
            raise IllegalArgument("minimum length must be greater than or equal to zero")
        if least > most:
            raise IllegalArgument("maximum length must not be greater than minimum length")
        return LengthFilter(least, most)

    return make


def limit(parameters: Parameters) -> FilterMaker:
    """The first tokens."""
    most = parameters.integer("max_token_count", 1)
    consume_all = parameters.boolean("consume_all_tokens", False)

    def make() -> TokenFilter:
        if most < 1:
            raise IllegalArgument("maxTokenCount must be greater than zero")
        return LimitFilter(most, consume_all=consume_all)

    return make


def unique(parameters: Parameters) -> FilterMaker:
    """Each term once."""
    same_position = parameters.boolean("only_on_same_position", False)
    return lambda: UniqueFilter(same_position=same_position)


def keyword_marker(parameters: Parameters) -> FilterMaker:
    """Marks terms, so that stemmers leave them alone."""
    ignore_case = parameters.boolean("ignore_case", False)
    pattern = parameters.string("keywords_pattern")
    if pattern is not None:
        if parameters.string("keywords") is not None or parameters.string("keywords_path") is not None:
            raise IllegalArgument("cannot specify both `keywords_pattern` and `keywords` or `keywords_path`")
        compiled = compile_java(pattern)

        def mark(stream: TokenList) -> None:
            deadline = new_deadline()
            for token in stream.tokens:
                token.keyword = token.keyword or compiled.matches(token.term, deadline)

        return lambda: StreamFilter(mark, marks_keywords=True, refuses=True)
    words = word_list(parameters, "keywords")
    if words is None:
        raise IllegalArgument(
            "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` "
            "to be configured"
        )
    keywords = WordSet(words, ignore_case=ignore_case)
    return lambda: KeywordMarkerFilter(keywords)


def keep(parameters: Parameters) -> FilterMaker:
    """The words of a list only."""
    words = word_set(parameters, "keep_words", ignore_case_key="keep_words_case")
    if words is None or (parameters.has("keep_words") and parameters.has("keep_words_path")):
        raise IllegalArgument("keep requires either `keep_words` or `keep_words_path` to be configured")

    def choose(stream: TokenList) -> None:
        keep_tokens(stream, [token.term in words for token in stream.tokens])

    return lambda: StreamFilter(choose)


def keep_types(parameters: Parameters) -> FilterMaker:
    """Tokens of some types, or all others."""
    types = frozenset(parameters.strings("types") or ())
    if not types:
        raise IllegalArgument("keep_types requires `types` to be configured")
    mode = parameters.string("mode") or "include"
    if mode.lower() not in ("include", "exclude"):
        raise IllegalArgument(
            f"`keep_types` tokenfilter mode can only be [include] or [exclude] but was [{mode}]."
        )
    wanted = mode.lower() == "include"

    def choose(stream: TokenList) -> None:
        keep_tokens(stream, [(token.type in types) == wanted for token in stream.tokens])

    return lambda: StreamFilter(choose)


def _repeat(stream: TokenList) -> None:
    found: list[Token] = []
    for token in stream.tokens:
        second = token.copy(token.term)
        token.keyword = True
        second.keyword = False
        second.increment = 0
        found += (token, second)
    stream.tokens = found


def keyword_repeat(_: Parameters) -> FilterMaker:
    """Each token twice, once as a keyword."""
    return lambda: StreamFilter(_repeat, marks_keywords=True)


def _remove_duplicates(stream: TokenList) -> None:
    seen: set[str] = set()
    found: list[Token] = []
    for token in stream.tokens:
        if token.increment > 0:
            seen.clear()
        elif token.term in seen:
            continue
        seen.add(token.term)
        found.append(token)
    stream.tokens = found


def remove_duplicates(_: Parameters) -> FilterMaker:
    """Each term once at a position."""
    return lambda: StreamFilter(_remove_duplicates)
