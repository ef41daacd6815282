"""What the codecs should give, slow and obvious."""

import itertools
import struct
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

LONG_HEADER = "<IIQQQIIfI8f"


def vint(value: int) -> bytes:
    """Return an integer as bytes of seven bits, low ones first, the high bit set on all but the last."""
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


def read_vint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of variable length and where the next one begins."""
    value = shift = 0
    while data[at] >= 128:
        value += (data[at] - 128) << shift
        shift += 7
        at += 1
    return value + (data[at] << shift), at + 1


def unpack(data: bytes, bits: int) -> list[int]:
    """Return the 128 integers of a packed block: value i is number i // 4 of lane i % 4, of four."""
    words = struct.unpack(f"<{4 * bits}I", data[: 16 * bits])
    lanes = [sum(word << 32 * w for w, word in enumerate(words[lane::4])) for lane in range(4)]
    return [lanes[i % 4] >> (i // 4 * bits) & ((1 << bits) - 1) for i in range(128)]


def unpack_tight(data: bytes, at: int, bits: int, n: int) -> tuple[list[int], int]:
    """Return n integers of `bits` bits each, packed one after the other, and where they end."""
    end = at + (n * bits + 7) // 8
    packed = int.from_bytes(data[at:end], "little")
    return [packed >> (i * bits) & ((1 << bits) - 1) for i in range(n)], end


def pack(values: Sequence[int], bits: int) -> bytes:
    lanes = [sum(value << (i * bits) for i, value in enumerate(values[lane::4])) for lane in range(4)]
    words = [lanes[i % 4] >> (32 * (i // 4)) & 0xFFFFFFFF for i in range(4 * bits)]
    return struct.pack(f"<{4 * bits}I", *words)


@dataclass(slots=True)
class Postings:
    """The postings of a term, and what a long record says of them."""

    docs: list[int]
    freqs: list[int]
    positions: list[list[int]]
    block_max: list[int] = field(default_factory=list)
    window_max: list[int] = field(default_factory=list)
    max_impact: float = 0
    seeds: tuple[float, ...] = ()
    bitmap: tuple[int, int] = (0, 0)  # offset and length


def sums(gaps: Iterable[int]) -> list[int]:
    return list(itertools.accumulate(gaps))


class PostingsDecoder:
    """The sections of one column, decoded as ext/codec/postings.pxd describes them."""

    def __init__(self, sections: Mapping[str, bytes], *, with_freqs: bool, with_positions: bool) -> None:
        self.entries = struct.unpack(f"<{len(sections['entries']) // 8}Q", sections["entries"])
        self.data = bytes(sections["postings"])
        self.positions = bytes(sections.get("positions", b""))
        self.with_freqs = with_freqs
        self.with_positions = with_positions

    def term(self, ord: int) -> Postings:  # noqa: A002
        entry = self.entries[ord]
        if entry >> 63:
            return Postings(
                [entry & 0xFFFFFFFF], [1], [[entry >> 32 & 0x3FFFFFFF]] if self.with_positions else []
            )
        if entry >> 62:
            return self.long(entry & ((1 << 62) - 1))
        n, bound = self.data[entry : entry + 2]
        docs, freqs, positions = self.tight(n, entry + 2, 0, positioned=self.with_positions)
        return Postings(docs, freqs, positions, [bound])

    def tight(
        self, n: int, at: int, doc: int, *, positioned: bool
    ) -> tuple[list[int], list[int], list[list[int]]]:
        (widths,) = struct.unpack_from("<H", self.data, at)
        gaps, at = unpack_tight(self.data, at + 2, widths & 31, n)
        rest, at = unpack_tight(self.data, at, widths >> 5 & 31, n)
        freqs = [x + 1 for x in rest]
        steps, _ = unpack_tight(self.data, at, widths >> 10, sum(freqs) if positioned else 0)
        positions, first = [], 0
        for freq in freqs if positioned else ():
            positions.append(sums(steps[first : first + freq]))
            first += freq
        return sums([doc + gaps[0], *gaps[1:]]), freqs, positions

    def long(self, at: int) -> Postings:
        header = struct.unpack_from(LONG_HEADER, self.data, at)
        n, n_windows, total, position_at, bitmap_at, bitmap_length, _, max_impact, _, *seeds = header
        n_full = n // 128
        at += struct.calcsize(LONG_HEADER)

        def take(kind: str, count: int) -> tuple[int, ...]:
            nonlocal at
            found = struct.unpack_from(f"<{count}{kind}", self.data, at)
            at += struct.calcsize(f"<{count}{kind}")
            return found

        last, start = take("I", n_full), take("I", n_full + 1)
        before = take("I", n_full + 1) if self.with_positions else ()
        doc_width, freq_width = take("B", n_full), take("B", n_full)
        block_max, window_max = take("B", n_full + 1), take("B", n_windows)
        data = -(-at // 16) * 16
        docs: list[int] = []
        freqs: list[int] = []
        for b in range(n_full):
            block = data + start[b]
            gaps = unpack(self.data[block:], doc_width[b])
            gaps[0] += docs[-1] if docs else 0
            docs += sums(gaps)
            freqs += [gap + 1 for gap in unpack(self.data[block + 16 * doc_width[b] :], freq_width[b])]
            assert docs[-1] == last[b]
        if n > 128 * n_full:
            rest, rest_freqs, _ = self.tight(
                n - 128 * n_full, data + start[n_full], docs[-1], positioned=False
            )
            docs += rest
            freqs += rest_freqs
        assert sum(freqs) == total
        if self.with_positions:
            assert before == tuple(sum(freqs[: 128 * b]) for b in range(n_full + 1))
        positions = self.packed_positions(position_at, freqs) if self.with_positions else []
        return Postings(
            docs,
            freqs,
            positions,
            list(block_max),
            list(window_max),
            max_impact,
            tuple(seeds),
            (bitmap_at, bitmap_length),
        )

    def packed_positions(self, at: int, freqs: Sequence[int]) -> list[list[int]]:
        n_blocks = -(-sum(freqs) // 128)
        start = struct.unpack_from(f"<{n_blocks}I", self.positions, at)
        width = self.positions[at + 4 * n_blocks : at + 5 * n_blocks]
        data = -(-(at + 5 * n_blocks) // 16) * 16
        gaps = [
            gap for b in range(n_blocks) for gap in unpack(self.positions[data + 16 * start[b] :], width[b])
        ]
        found, first = [], 0
        for freq in freqs:
            found.append(sums(gaps[first : first + freq]))
            first += freq
        return found
