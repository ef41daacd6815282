"""Filters that change each term by itself."""

from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.language import normalizers
from lanner.engine.analysis.language.endings import endings
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.words import word_set
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.java_regex import JavaPattern, Replacement, compile_java, new_deadline
from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, TermFilter, Token, TokenList
from lanner.ext.analysis.term_filters import TruncateFilter
from lanner.ext.analysis.word_set import WordSet

FilterMaker: TypeAlias = Callable[[], TokenFilter]

_LOWER_CASES: dict[str, Callable[[str], str]] = {
    "greek": normalizers.greek_lower,
    "irish": normalizers.irish_lower,
    "turkish": normalizers.turkish_lower,
}


def each_term(function: Callable[[str], str]) -> Callable[[Parameters], FilterMaker]:
    """Return the factory of a filter without parameters that applies a function to each term."""
    return lambda _: lambda: TermFilter(function)


def lowercase(parameters: Parameters) -> FilterMaker:
    """Lower case, of a language perhaps."""
    language = parameters.string("language")

    def make() -> TokenFilter:
        if language is None:
            return LowercaseFilter()
        convert = _LOWER_CASES.get(language.lower())
        if convert is None:
            raise IllegalArgument(f"language [{language}] not support for lower case")
        return TermFilter(convert)

    return make


def ascii_folding(parameters: Parameters) -> FilterMaker:
    """ASCII in place of letters with marks."""
    from lanner.ext.analysis.ascii_folding import AsciiFoldingFilter  # its tables are large

    preserve = parameters.boolean("preserve_original", False)
    return lambda: AsciiFoldingFilter(preserve_original=preserve)


def ascii_folding_only(_: Parameters) -> FilterMaker:
    """The folding of rules of synonyms, which may not have two terms at one place."""
    from lanner.ext.analysis.ascii_folding import AsciiFoldingFilter

    return AsciiFoldingFilter


def truncate(parameters: Parameters) -> FilterMaker:
    """The first characters."""
    length = parameters.integer("length", -1)
    if length <= 0:
        raise IllegalArgument("length parameter must be provided")
    return lambda: TruncateFilter(length)


def _apostrophe_at(term: str) -> int:
    places = [at for at in (term.find("'"), term.find("\u2019")) if at >= 0]
    return min(places, default=-1)


def remove_articles(articles: WordSet) -> TokenFilter:
    """Return the filter that takes articles off that an apostrophe follows."""

    def elide(term: str) -> str:
        at = _apostrophe_at(term)
        return term[at + 1 :] if at >= 0 and term[:at] in articles else term

    return TermFilter(elide)


FRENCH_ARTICLES = WordSet(endings("l m t qu n s j d c jusqu quoiqu lorsqu puisqu"), ignore_case=True)


def elision(parameters: Parameters) -> FilterMaker:
    """Terms without articles."""
    articles = word_set(parameters, "articles", ignore_case_key="articles_case")
    if articles is None:
        raise IllegalArgument("elision filter requires [articles] or [articles_path] setting")
    return lambda: remove_articles(articles)


def french_elision() -> TokenFilter:
    """Return the filter that goes by the bare name."""
    return remove_articles(FRENCH_ARTICLES)


def before_apostrophe(term: str) -> str:
    """Return what stands before an apostrophe."""
    at = _apostrophe_at(term)
    return term if at < 0 else term[:at]


def _classic(stream: TokenList) -> None:
    for token in stream.tokens:
        if token.type == "<APOSTROPHE>" and token.term[-2:] in ("'s", "'S"):
            token.term = token.term[:-2]
        elif token.type == "<ACRONYM>":
            token.term = token.term.replace(".", "")


def classic(_: Parameters) -> FilterMaker:
    """Acronyms without full stops, names without possessive."""
    return lambda: StreamFilter(_classic)


def pattern_replace(parameters: Parameters) -> FilterMaker:
    """What a regular expression finds, replaced."""
    pattern = parameters.string("pattern")
    if pattern is None:
        raise IllegalArgument(
            f"pattern is missing for [{parameters.name}] token filter of type 'pattern_replace'"
        )
    compiled = compile_java(pattern, parameters.string("flags"))
    replacement = parameters.string("replacement") or ""
    everywhere = parameters.boolean("all", True)

    def replaced(term: str, deadline: float) -> str:
        pieces: list[str] = []
        last = 0
        for match in compiled.find_all(term, deadline):
            # as in Java, a faulty replacement is nobody's concern until something matches
            pieces += (term[last : match.start()], Replacement(replacement, compiled).expand(match))
            last = match.end()
            if not everywhere:
                break
        return "".join(pieces) + term[last:]

    def replace(stream: TokenList) -> None:
        deadline = new_deadline()
        for token in stream.tokens:
            token.term = replaced(token.term, deadline)

    return lambda: StreamFilter(replace, refuses=True)


def _capture(patterns: list[JavaPattern], stream: TokenList, *, preserve: bool) -> None:
    found: list[Token] = []
    deadline = new_deadline()
    for token in stream.tokens:
        # groups of all patterns by where they begin; of one place the longest first
        spans: list[tuple[int, int, int]] = []
        for number, pattern in enumerate(patterns):
            for match in pattern.find_all(token.term, deadline):
                for group in range(1, pattern.groups + 1):
                    start, end = match.span(group)
                    if start < end and (not preserve or (start, end) != (0, len(token.term))):
                        spans.append((start, number, end))
        if preserve or not spans:
            found.append(token)
        for at, (start, _, end) in enumerate(sorted(spans, key=lambda span: span[0])):
            made = token.copy(token.term[start:end])
            if at or preserve:
                made.increment = 0
            found.append(made)
    stream.tokens = found


def pattern_capture(parameters: Parameters) -> FilterMaker:
    """What the groups of regular expressions find."""
    given = parameters.strings("patterns")
    if given is None:
        raise IllegalArgument(f"required setting 'patterns' is missing for token filter [{parameters.name}]")
    patterns = [compile_java(pattern) for pattern in given]
    preserve = parameters.boolean("preserve_original", True)
    return lambda: StreamFilter(lambda stream: _capture(patterns, stream, preserve=preserve), refuses=True)
