"""Parts of compound words: those that a dictionary has."""

from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.tokens import places_of
from lanner.engine.analysis.words import word_set
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList
from lanner.ext.analysis.word_set import WordSet

FilterMaker: TypeAlias = Callable[[], TokenFilter]


def _words(parameters: Parameters) -> WordSet:
    words = word_set(parameters, "word_list", ignore_case_key="word_list_case")
    if words is None:
        raise IllegalArgument(
            f"word_list must be provided for [{parameters.name}], either as a path to a file, or directly"
        )
    return words


class _Decompounder:
    """Adds the parts of a word that are words, in order of where they begin."""

    def __init__(
        self, words: WordSet, *, least_word: int, least_part: int, most_part: int, only_longest: bool
    ) -> None:
        self.words = words
        self.least_word = least_word
        self.least_part = least_part
        self.most_part = most_part
        self.only_longest = only_longest

    def __call__(self, stream: TokenList) -> None:
        """Put the parts beside the words."""
        found: list[Token] = []
        for token in stream.tokens:
            found.append(token)
            if places_of(token.term)[-1] >= self.least_word:
                for part in self.parts(token.term):
                    made = token.copy(part)
                    made.increment = 0
                    found.append(made)
        stream.tokens = found

    def parts(self, term: str) -> list[str]:
        """Return the parts of a term."""
        found: list[str] = []
        for start in range(len(term) - self.least_part + 1):
            most = min(self.most_part, len(term) - start)
            here = [
                term[start : start + size]
                for size in range(self.least_part, most + 1)
                if term[start : start + size] in self.words
            ]
            found += here[-1:] if self.only_longest else here
        return found


def dictionary_decompounder(parameters: Parameters) -> FilterMaker:
    """Parts that a list of words has."""
    words = _words(parameters)
    sizes = {
        name: parameters.integer(key, default)
        for name, key, default in (
            ("minWordSize", "min_word_size", 5),
            ("minSubwordSize", "min_subword_size", 2),
            ("maxSubwordSize", "max_subword_size", 15),
        )
    }
    only_longest = parameters.boolean("only_longest_match", False)

    def make() -> TokenFilter:
        for name, size in sizes.items():
            if size < 0:
                raise IllegalArgument(f"{name} cannot be negative")
        decompounder = _Decompounder(
            words,
            least_word=sizes["minWordSize"],
            least_part=max(sizes["minSubwordSize"], 1),
            most_part=min(sizes["maxSubwordSize"], MOST_CHARACTERS),
            only_longest=only_longest,
        )
        return StreamFilter(decompounder)

    return make


MOST_CHARACTERS = 1000  # of a part: what bounds the work on a term


def hyphenation_decompounder(parameters: Parameters) -> FilterMaker:
    """Parts between places of hyphenation; there is no folder that patterns may come from."""
    _words(parameters)
    if parameters.string("hyphenation_patterns_path") is None:
        raise IllegalArgument("hyphenation_patterns_path is a required setting.")
    raise IllegalArgument("Exception while reading hyphenation_patterns_path.")
