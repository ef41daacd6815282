from collections.abc import Iterable

from lanner.ext.analysis.chain import Chain

class Marks:
    """What is marked in the values of a field."""

    def __len__(self) -> int: ...
    def add(self, term: bytes, start: int, end: int) -> None:
        """Mark a term that stands somewhere: code points, in all values with one character between two."""

class TermFinder:
    """Looks for terms in texts; for one thread."""

    def __init__(self, chain: Chain, terms: Iterable[bytes]) -> None: ...
    def find(self, values: list[str], most: int = ...) -> Marks:
        """Return the marks of the values of a field; none begins behind the offset most of its value."""
