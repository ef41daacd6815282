"""The text of a field of one document, and its tokens once more."""

from bisect import bisect_right
from collections.abc import Callable, Container
from typing import Any

from lanner.engine.search.fetch.highlight.wanted import Token

#: text -> (term, start, end, position, ...) with offsets in UTF-16 units
Tokenize = Callable[[str], list[Any]]


class FieldText:
    """The values of a field. Offsets of tokens go on from value to value, with one character between two.

    gap: positions between two values. tokenized: whether a value may have several tokens. has_offsets:
    whether the index holds offsets, so that nothing has to be analysed in the reference.
    most: offset in a value behind which nothing is looked at; None for no limit.
    """

    __slots__ = ("_tokenize", "bases", "gap", "has_offsets", "length", "most", "tokenized", "values")

    def __init__(
        self,
        values: list[str],
        tokenize: Tokenize,
        *,
        gap: int,
        tokenized: bool,
        has_offsets: bool,
        most: int | None = None,
    ) -> None:
        self.values = values
        self._tokenize = tokenize
        self.gap = gap
        self.tokenized = tokenized
        self.has_offsets = has_offsets
        self.most = most
        self.bases = []
        at = 0
        for value in values:
            self.bases.append(at)
            at += len(value) + 1
        self.length = max(at - 1, 0)

    def value_at(self, offset: int) -> int:
        """Return the number of the value that an offset is in."""
        return bisect_right(self.bases, offset) - 1 if len(self.bases) > 1 else 0

    def tokens_of(self, terms: Container[bytes]) -> list[Token]:
        """Return the tokens of some terms. Their positions mean nothing from the second value on."""
        found: list[Token] = []
        for value, base in zip(self.values, self.bases, strict=True):
            tokens = value_tokens(value, self._tokenize, self.most, terms)
            if base:
                tokens = [Token(term, start + base, end + base, at) for term, start, end, at in tokens]
            found += tokens
        return found

    def tokens(self, tokenize: Tokenize | None = None) -> list[Token]:
        """Return the tokens of all values, by the field's own analysis unless another is given."""
        found: list[Token] = []
        position = 0
        for value, base in zip(self.values, self.bases, strict=True):
            tokens = value_tokens(value, tokenize or self._tokenize, self.most)
            if not base and not position:
                found += tokens
            else:
                found += [
                    Token(term, start + base, end + base, at + position) for term, start, end, at in tokens
                ]
            position += (tokens[-1].position + 1 if tokens else 0) + self.gap
        return found


def value_tokens(
    value: str, tokenize: Tokenize, most: int | None = None, only: Container[bytes] | None = None
) -> list[Token]:
    """Return the tokens of one value; none begins behind the offset most. only: the terms that are wanted."""
    given = tokenize(value)
    if only is None:
        tokens = [Token(token[0], token[1], token[2], token[3]) for token in given]
    else:
        tokens = [Token(token[0], token[1], token[2], token[3]) for token in given if token[0] in only]
    if not value.isascii() and max(value) > "\uffff":
        at_unit: list[int] = []  # code point by UTF-16 unit
        for i, char in enumerate(value):
            at_unit += (i, i) if char > "\uffff" else (i,)
        at_unit.append(len(value))
        tokens = [Token(term, at_unit[start], at_unit[end], at) for term, start, end, at in tokens]
    if most is not None:
        tokens = [token for token in tokens if token.start <= most]
    return tokens
