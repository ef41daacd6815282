"""Tokenizers for texts with a form of their own: lists, paths, patterns."""

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.automaton import Automaton
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Tokenizer
from lanner.ext.analysis.char_tokenizers import PathTokenizer
from lanner.ext.analysis.python_parts import FunctionTokenizer, Token

TokenizerMaker: TypeAlias = Callable[[], Tokenizer]

_GROUPS: dict[str, Callable[[str], bool]] = {
    "letter": lambda char: unicodedata.category(char)[0] == "L",
    "digit": lambda char: unicodedata.category(char) == "Nd",
    "whitespace": lambda char: char.isspace() and char not in "\xa0\u2007\u202f\x85",
    "punctuation": lambda char: unicodedata.category(char)[0] == "P",
    "symbol": lambda char: unicodedata.category(char)[0] == "S",
}
_ESCAPED = {"\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\r": "\r", "\\b": "\b", "\\f": "\f"}


def _separator(text: str) -> str:
    """Return the character that an entry of a list of characters stands for."""
    if text in _ESCAPED:
        return _ESCAPED[text]
    if text.startswith("\\u"):
        try:
            return chr(int(text[2:], 16))
        except (ValueError, OverflowError):
            raise IllegalArgument(f"Invalid escaped char in [{text}]") from None
    if text.startswith("\\") and len(text) > 1:
        raise IllegalArgument(f"Invalid escaped char {text[1]} in [{text}]")
    if len(text) != 1:
        raise IllegalArgument(f"Invalid escaped char in [{text}]")
    return text


def char_group(parameters: Parameters) -> TokenizerMaker:
    """Stretches without any of some characters."""
    from lanner.engine.analysis.tokenizers import MAX_TOKEN_LENGTH, check_length

    groups: list[Callable[[str], bool]] = []
    separators: set[str] = set()
    for entry in parameters.strings("tokenize_on_chars") or ():
        if entry in _GROUPS:
            groups.append(_GROUPS[entry])
        elif not entry:
            raise IllegalArgument("[tokenize_on_chars] cannot contain empty characters")
        else:
            separators.add(_separator(entry))
    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)

    def separates(char: str) -> bool:
        return char in separators or any(group(char) for group in groups)

    def tokenize(text: str) -> list[Token]:
        found: list[Token] = []
        start, units = -1, 0
        for at, char in enumerate(text):
            if separates(char):
                if start >= 0:
                    found.append(Token(text[start:at], start, at))
                start, units = -1, 0
                continue
            start = at if start < 0 else start
            units += 2 if char > "\uffff" else 1
            if units >= length:
                found.append(Token(text[start : at + 1], start, at + 1))
                start, units = -1, 0
        if start >= 0:
            found.append(Token(text[start:], start, len(text)))
        return found

    def make() -> Tokenizer:
        check_length(length)
        return FunctionTokenizer(tokenize)

    return make


def path_hierarchy(parameters: Parameters) -> TokenizerMaker:
    """A path and those above it."""
    delimiter = parameters.string("delimiter")
    delimiter = "/" if delimiter is None else delimiter
    if len(delimiter) != 1:
        raise IllegalArgument("delimiter must be a one char value")
    replacement = parameters.string("replacement")
    replacement = delimiter if replacement is None else replacement
    if len(replacement) != 1:
        raise IllegalArgument("replacement must be a one char value")
    skip = parameters.integer("skip", 0)
    reverse = parameters.boolean("reverse", False)

    def make() -> Tokenizer:
        if skip < 0:
            raise IllegalArgument("skip cannot be negative")
        return PathTokenizer(delimiter, replacement, skip=skip, reverse=reverse)

    return make


def simple_pattern(parameters: Parameters, *, splits: bool) -> TokenizerMaker:
    """What a regular expression of Lucene matches, or what lies between."""
    automaton = Automaton(parameters.string("pattern") or "")

    def matched(text: str) -> list[Token]:
        return [Token(text[start:end], start, end) for start, end in automaton.matches(text)]

    def between(text: str) -> list[Token]:
        found: list[Token] = []
        last = 0
        for start, end in (*automaton.matches(text), (len(text), len(text))):
            if start > last:
                found.append(Token(text[last:start], last, start))
            last = end
        return found

    return lambda: FunctionTokenizer(between if splits else matched, refuses=True)
