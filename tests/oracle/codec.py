"""What the codecs should give, slow and obvious."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence


def vint(value: int) -> bytes:
    """Return an integer of variable length: seven bits a byte, low bits first, the high bit on all but the last."""
    out = bytearray()
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    out.append(value)
    return bytes(out)


class Dictionary:
    """Terms in order."""

    def __init__(self, terms: Iterable[bytes]) -> None:
        self.terms = sorted(set(terms))

    def ord(self, term: bytes) -> int:
        return self.terms.index(term) if term in self.terms else -1

    def ceiling(self, term: bytes) -> int:
        return bisect_left(self.terms, term)

    def prefixed(self, prefix: bytes) -> list[bytes]:
        return [term for term in self.terms if term.startswith(prefix)]

    def between(
        self, lower: bytes | None, upper: bytes | None, *, include_lower: bool, include_upper: bool
    ) -> list[bytes]:
        return [
            term
            for term in self.terms
            if (lower is None or term > lower or (include_lower and term == lower))
            and (upper is None or term < upper or (include_upper and term == upper))
        ]


def width_of(values: Sequence[int]) -> int:
    """Return the bytes that a column needs for each of its values."""
    span = max(values) - min(values) if values else 0
    return next(width for width in (1, 2, 4, 8) if span < 1 << 8 * width)
