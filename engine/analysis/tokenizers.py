"""The tokenizers, by the names that settings and requests use."""

from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.parameters import Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import Tokenizer
from lanner.ext.analysis.char_tokenizers import CharTokenizer, FilteredTokenizer, KeywordTokenizer
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


TOKENIZERS: dict[str, Callable[[Parameters], TokenizerMaker]] = {
    "keyword": _keyword,
    "letter": _letter,
    "lowercase": _lowercase,
    "standard": _standard,
    "whitespace": _whitespace,
}
