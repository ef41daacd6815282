"""The text of a field of one document, and its tokens once more."""

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from lanner.engine.search.fetch.highlight.wanted import Token

#: text -> (term, start, end, position, ...) with offsets in UTF-16 units
Tokenize = Callable[[str], list[Any]]


class FieldText:
    """The values of a field. Offsets of tokens go on from value to value, with one character between two.

    gap: positions between two values. most: offset in a value behind which nothing is looked at; None for no
    limit.
    """

    __slots__ = ("_tokenize", "bases", "gap", "most", "values")

    def __init__(
        self,
        values: list[str],
        tokenize: Tokenize,
        *,
        gap: int,
        most: int | None = None,
    ) -> None:
        self.values = values
        self._tokenize = tokenize
        self.gap = gap
        self.most = most
        self.bases = []
        at = 0
        for value in values:
            self.bases.append(at)
            at += len(value) + 1

    def value_at(self, offset: int) -> int:
        """Return the number of the value that an offset is in."""
        return bisect_right(self.bases, offset) - 1 if len(self.bases) > 1 else 0

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


def value_tokens(value: str, tokenize: Tokenize, most: int | None = None) -> list[Token]:
    """Return the tokens of one value; none begins behind the offset most."""
    tokens = [Token(token[0], token[1], token[2], token[3]) for token in tokenize(value)]
    if not value.isascii() and max(value) > "\uffff":
        at_unit: list[int] = []  # code point by UTF-16 unit
        for i, char in enumerate(value):
            at_unit += (i, i) if char > "\uffff" else (i,)
        at_unit.append(len(value))
        tokens = [Token(term, at_unit[start], at_unit[end], at) for term, start, end, at in tokens]
    if most is not None:
        tokens = [token for token in tokens if token.start <= most]
    return tokens
