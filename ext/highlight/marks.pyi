from collections.abc import Callable, Iterable
from typing import NamedTuple

from lanner.ext.analysis.chain import Chain

class PlacedToken(NamedTuple):
    """A token of a field. Offsets are code points in all values, with one character between two."""

    term: bytes
    start: int
    end: int
    position: int

class Marks:
    """What is marked in the values of a field."""

    def __len__(self) -> int: ...
    def add(self, term: bytes, start: int, end: int) -> None:
        """Mark a term that stands somewhere: code points, in all values with one character between two."""

class TermFinder:
    """Looks for terms in texts; for one thread.

    keeps: whether other terms are looked for, which tokens asks once for each.
    """

    def __init__(
        self, chain: Chain, terms: Iterable[bytes], *, keeps: Callable[[bytes], bool] | None = None
    ) -> None: ...
    def find(self, values: list[str], most: int = ...) -> Marks:
        """Return the marks of the values of a field; none begins behind the offset most of its value."""
    def tokens(self, values: list[str], gap: int, most: int = ...) -> list[PlacedToken]:
        """Return the tokens of the values that are kept; gap: positions between two values."""
