"""The tokenizers, by the names that settings and requests use."""

from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.filters.grams import check_grams, gram_lengths
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.java_regex import JavaPattern, compile_java
from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import Tokenizer
from lanner.ext.analysis.char_tokenizers import CharTokenizer, FilteredTokenizer, KeywordTokenizer
from lanner.ext.analysis.ngrams import NGramTokenizer
from lanner.ext.analysis.python_parts import FunctionTokenizer, Token
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer

MAX_TOKEN_LENGTH = 255
TOKEN_LENGTH_LIMIT = 1024 * 1024

TokenizerMaker: TypeAlias = Callable[[], Tokenizer]


def make_standard(max_token_length: int) -> Tokenizer:
    """Return the tokenizer; raises IllegalArgument."""
    if max_token_length < 1:
        raise IllegalArgument("maxTokenLength must be greater than zero")
    if max_token_length > TOKEN_LENGTH_LIMIT:
        raise IllegalArgument(f"maxTokenLength may not exceed {TOKEN_LENGTH_LIMIT}")
    return StandardTokenizer(max_token_length)


def check_length(length: int) -> int:
    """Return a length that simple tokenizers accept; raises IllegalArgument."""
    if not 0 < length <= TOKEN_LENGTH_LIMIT:
        raise IllegalArgument(
            f"maxTokenLen must be greater than 0 and less than {TOKEN_LENGTH_LIMIT} passed: {length}"
        )
    return length


def _standard(parameters: Parameters) -> TokenizerMaker:
    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)
    return lambda: make_standard(length)


def _whitespace(parameters: Parameters) -> TokenizerMaker:
    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)
    return lambda: CharTokenizer("not_space", check_length(length))


def _letter(_: Parameters) -> TokenizerMaker:
    return lambda: CharTokenizer("letter", MAX_TOKEN_LENGTH)


def _lowercase(_: Parameters) -> TokenizerMaker:
    return lambda: FilteredTokenizer(CharTokenizer("letter", MAX_TOKEN_LENGTH), LowercaseFilter())


def _keyword(parameters: Parameters) -> TokenizerMaker:
    size = parameters.integer("buffer_size", 256)

    def make() -> Tokenizer:
        check_length(size)
        return KeywordTokenizer()

    return make


def make_pattern(pattern: JavaPattern, group: int) -> Tokenizer:
    """Return the tokenizer of what lies between matches (group -1) or of a group of each match."""
    if group > pattern.groups:
        raise IllegalArgument(f"invalid group specified: pattern only has: {pattern.groups} capturing groups")

    def between(text: str) -> list[Token]:
        found: list[Token] = []
        last = 0
        for match in pattern.find_all(text):
            if match.start() > last:
                found.append(Token(text[last : match.start()], last, match.start()))
            last = match.end()
        if last < len(text):
            found.append(Token(text[last:], last, len(text)))
        return found

    def groups(text: str) -> list[Token]:
        return [Token(match[group], *match.span(group)) for match in pattern.find_all(text) if match[group]]

    return FunctionTokenizer(between if group < 0 else groups, refuses=True)


def _pattern(parameters: Parameters) -> TokenizerMaker:
    pattern = parameters.string("pattern")
    compiled = compile_java(r"\W+" if pattern is None else pattern, parameters.string("flags"))
    group = parameters.integer("group", -1)
    return lambda: make_pattern(compiled, group)


def _thai(_: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.thai import make_thai  # few indexes have one

    return make_thai


# kinds of characters that words are made of: bits of the table of kinds
_KIND_BITS = {"letter": 1, "whitespace": 2, "digit": 4, "punctuation": 8, "symbol": 16}
# kinds that are categories of Unicode
_CATEGORIES = {
    "combining_spacing_mark": "Mc", "connector_punctuation": "Pc", "control": "Cc", "currency_symbol": "Sc",
    "dash_punctuation": "Pd", "decimal_digit_number": "Nd", "enclosing_mark": "Me", "end_punctuation": "Pe",
    "final_quote_punctuation": "Pf", "format": "Cf", "initial_quote_punctuation": "Pi", "letter_number": "Nl",
    "line_separator": "Zl", "lowercase_letter": "Ll", "math_symbol": "Sm", "modifier_letter": "Lm",
    "modifier_symbol": "Sk", "non_spacing_mark": "Mn", "other_letter": "Lo", "other_number": "No",
    "other_punctuation": "Po", "other_symbol": "So", "paragraph_separator": "Zp", "private_use": "Co",
    "space_separator": "Zs", "start_punctuation": "Ps", "surrogate": "Cs", "titlecase_letter": "Lt",
    "unassigned": "Cn", "uppercase_letter": "Lu",
}  # fmt: skip
# the order in which OpenSearch prints them
_PRINTED = (
    "symbol, private_use, paragraph_separator, start_punctuation, unassigned, enclosing_mark, "
    "connector_punctuation, letter_number, other_number, math_symbol, lowercase_letter, space_separator, "
    "surrogate, initial_quote_punctuation, decimal_digit_number, digit, other_punctuation, "
    "dash_punctuation, currency_symbol, non_spacing_mark, custom, format, modifier_letter, control, "
    "uppercase_letter, other_symbol, end_punctuation, modifier_symbol, other_letter, line_separator, "
    "titlecase_letter, letter, punctuation, combining_spacing_mark, final_quote_punctuation, whitespace"
)


def _of_categories(names: set[str]) -> list[int]:
    """Return the code points of some categories; slow, and seldom asked for."""
    import unicodedata

    return [point for point in range(0x110000) if unicodedata.category(chr(point)) in names]


def _characters(parameters: Parameters) -> tuple[int, list[int]]:
    """Return the bits and the code points of the characters that words are made of."""
    bits = 0
    others: list[int] = []
    categories: set[str] = set()
    for name in parameters.strings("token_chars") or ():
        lowered = name.strip().lower()
        if lowered in _KIND_BITS:
            bits |= _KIND_BITS[lowered]
        elif lowered == "custom":
            custom = parameters.string("custom_token_chars")
            if custom is None:
                raise IllegalArgument("Token type: 'custom' requires setting `custom_token_chars`")
            others += map(ord, custom)
        elif lowered in _CATEGORIES:
            categories.add(_CATEGORIES[lowered])
        else:
            raise IllegalArgument(f"Unknown token type: '{lowered}', must be one of [{_PRINTED}]")
    return bits, others + (_of_categories(categories) if categories else [])


def _ngram(parameters: Parameters) -> TokenizerMaker:
    least, most = gram_lengths(parameters)
    bits, others = _characters(parameters)

    def make() -> Tokenizer:
        check_grams(least, most)
        return NGramTokenizer(least, most, kind_bits=bits, others=others)

    return make


def _edge_ngram(parameters: Parameters) -> TokenizerMaker:
    least, most = parameters.integer("min_gram", 1), parameters.integer("max_gram", 2)
    bits, others = _characters(parameters)

    def make() -> Tokenizer:
        check_grams(least, most)
        return NGramTokenizer(least, most, edges=True, kind_bits=bits, others=others)

    return make


def _char_group(parameters: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.text_tokenizers import char_group

    return char_group(parameters)


def _path_hierarchy(parameters: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.text_tokenizers import path_hierarchy

    return path_hierarchy(parameters)


def _simple_pattern(parameters: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.text_tokenizers import simple_pattern

    return simple_pattern(parameters, splits=False)


def _simple_pattern_split(parameters: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.text_tokenizers import simple_pattern

    return simple_pattern(parameters, splits=True)


def _classic(parameters: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.url_tokenizers import classic

    return classic(parameters)


def _uax_url_email(parameters: Parameters) -> TokenizerMaker:
    from lanner.engine.analysis.url_tokenizers import uax_url_email

    return uax_url_email(parameters)


TOKENIZERS: dict[str, Callable[[Parameters], TokenizerMaker]] = {
    "PathHierarchy": _path_hierarchy,
    "char_group": _char_group,
    "classic": _classic,
    "edgeNGram": _edge_ngram,
    "edge_ngram": _edge_ngram,
    "keyword": _keyword,
    "letter": _letter,
    "lowercase": _lowercase,
    "nGram": _ngram,
    "ngram": _ngram,
    "path_hierarchy": _path_hierarchy,
    "pattern": _pattern,
    "simple_pattern": _simple_pattern,
    "simple_pattern_split": _simple_pattern_split,
    "standard": _standard,
    "thai": _thai,
    "uax_url_email": _uax_url_email,
    "whitespace": _whitespace,
}
