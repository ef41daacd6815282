"""The text of a field of one document."""

from bisect import bisect_right
from collections.abc import Callable, Iterable

from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.text import TextFieldType
from lanner.ext.highlight.marks import PlacedToken, TermFinder

#: values of a field, the offset in a value behind which no token may begin -> the tokens that are looked for
Tokenize = Callable[[list[str], int], list[PlacedToken]]


class FieldText:
    """The values of a field and their tokens, whose offsets go on from value to value."""

    __slots__ = ("bases", "tokens", "values")

    def __init__(self, values: list[str], tokens: list[PlacedToken]) -> None:
        self.values = values
        self.tokens = tokens
        self.bases = []
        at = 0
        for value in values:
            self.bases.append(at)
            at += len(value) + 1

    def value_at(self, offset: int) -> int:
        """Return the number of the value that an offset is in."""
        return bisect_right(self.bases, offset) - 1 if len(self.bases) > 1 else 0


def tokenizer_of(
    field: FieldType, gap: int, terms: Iterable[bytes], keeps: Callable[[bytes], bool] | None
) -> Tokenize:
    """Return what makes the tokens of a field that are some terms, or that keeps takes.

    gap: positions between two values. A field that is not tokenized has all of its tokens.
    """
    if isinstance(field, TextFieldType):
        finder = TermFinder(field.analyzer.chain, terms, keeps=keeps)
        return lambda values, most: finder.tokens(values, gap, most)
    encode = getattr(field, "encode_query", None)
    if encode is None:
        return lambda values, most: []

    def whole(values: list[str], most: int) -> list[PlacedToken]:
        found, at = [], 0
        for i, value in enumerate(values):
            found.append(PlacedToken(encode(value), at, at + len(value), 2 * i))
            at += len(value) + 1
        return found

    return whole


def gap_of(field: FieldType) -> int:
    """Return how many positions are between two values."""
    if not isinstance(field, TextFieldType):
        return 1
    gap: int | None = field.given.get("position_increment_gap")
    return field.analyzer.position_increment_gap if gap is None else gap
