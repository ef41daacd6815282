"""Filters that make few tokens of all tokens of a text: fingerprints, hashes, paths through a graph."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.tokens import places_of, utf16_key
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList

FilterMaker: TypeAlias = Callable[[], TokenFilter]

MOST_HASHES = 100_000  # buckets of all hashes together


def summarize(separator: str, most: int) -> TokenFilter:
    """Return the filter that joins the terms of a text, sorted, if they have at most so many units."""

    def join(stream: TokenList) -> None:
        terms = dict.fromkeys(token.term for token in stream.tokens)
        size = sum(places_of(term)[-1] for term in terms) + max(len(terms) - 1, 0)
        kept = bool(terms) and (len(terms) == 1 or size <= most)
        text = separator.join(sorted(terms, key=utf16_key))
        stream.tokens = [Token(text, 0, stream.end_offset, type="fingerprint")] if kept else []
        stream.trailing_increment = 0

    return StreamFilter(join)


def fingerprint(parameters: Parameters) -> FilterMaker:
    """All terms as one."""
    separator = parameters.single_character("separator", " ")
    most = parameters.integer("max_output_size", 255)
    return lambda: summarize(separator, most)


_MASK = 2**64 - 1


def _units(value: int, n: int) -> str:
    """Return the first n of the four UTF-16 units of 64 bits."""
    return "".join(chr(value >> shift & 0xFFFF) for shift in (48, 32, 16, 0)[:n])


class _MinHash:
    """The least hashes of the terms in each of some buckets.

    Source: MinHashFilter of Lucene 9.12; MurmurHash3 (x64, 128 bits) of A. Appleby.
    """

    def __init__(self, n_hashes: int, n_buckets: int, set_size: int, *, rotates: bool) -> None:
        self.n_hashes = n_hashes
        self.n_buckets = n_buckets
        self.set_size = set_size
        self.rotates = rotates
        self.bucket_size = -(-(1 << 32) // n_buckets)

    def __call__(self, stream: TokenList) -> None:
        """Replace the tokens by hashes."""
        import mmh3

        if not stream.tokens:
            return
        end = stream.tokens[-1].end
        hashed = [
            mmh3.hash64(token.term.encode("utf-16-le", "surrogatepass"), 0, True, False)
            for token in stream.tokens
        ]
        found: list[Token] = []
        for number in range(self.n_hashes):
            low, high = mmh3.hash64(number.to_bytes(4, "big"), 0, True, False)
            buckets: dict[int, set[tuple[int, int]]] = {}
            for one, other in hashed:
                mixed = (other * 37 + high) & _MASK, (one * 37 + low) & _MASK
                buckets.setdefault((mixed[0] >> 32) // self.bucket_size, set()).add(mixed)
            for high_half, low_half in self.chosen(buckets):
                prefix = _units(number, 4)[2:] if self.n_hashes > 1 else ""
                term = prefix + _units(high_half, 4) + _units(low_half, 2 if self.n_hashes > 1 else 4)
                found.append(Token(term, 0, end, increment=0 if found else 1, type="MIN_HASH"))
        stream.tokens = found

    def chosen(self, buckets: dict[int, set[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
        """Yield the hashes of each bucket in order; an empty one borrows from the next that is not."""
        least = {number: sorted(values)[: self.set_size] for number, values in buckets.items()}
        if not (self.rotates and self.set_size == 1):
            for number in sorted(least):
                yield from least[number]
            return
        following = least[min(least)][0]
        filled: list[tuple[int, int]] = []
        for number in range(self.n_buckets - 1, -1, -1):
            following = least[number][0] if number in least else following
            filled.append(following)
        yield from reversed(filled)


def min_hash(parameters: Parameters) -> FilterMaker:
    """A sketch of the text."""
    n_hashes = parameters.integer("hash_count", 1)
    n_buckets = parameters.integer("bucket_count", 512)
    set_size = parameters.integer("hash_set_size", 1)
    rotates = parameters.boolean("with_rotation", n_buckets > 1)

    def make() -> TokenFilter:
        for name, value in (("hashCount", n_hashes), ("bucketCount", n_buckets), ("hashSetSize", set_size)):
            if value <= 0:
                raise IllegalArgument(f"{name} must be greater than zero")
        if n_hashes * n_buckets > MOST_HASHES:
            raise IllegalArgument(f"[hash_count] times [bucket_count] must be at most [{MOST_HASHES}]")
        return StreamFilter(_MinHash(n_hashes, n_buckets, set_size, rotates=rotates))

    return make


class _Paths:
    """The paths through the graph of a text, each as one term."""

    def __init__(self, separator: str, *, most: int, keeps_holes: bool) -> None:
        self.separator = separator
        self.most = most
        self.keeps_holes = keeps_holes

    def __call__(self, stream: TokenList) -> None:
        """Replace the tokens by paths."""
        if not stream.tokens:
            return
        edges, last = self.edges(stream)
        paths: set[str] = set()
        # depth first without recursion: (node, terms so far as a linked list)
        stack: list[tuple[int, tuple[object, str] | None]] = [(0, None)]
        while stack and len(paths) < self.most:
            node, terms = stack.pop()
            if node == last:
                paths.add(self.joined(terms))
                continue
            stack += [(to, (terms, term)) for term, to in sorted(edges.get(node, ()), reverse=True)]
        stream.tokens = [
            Token(path, 0, stream.end_offset, increment=0 if number else 1)
            # a path comes after those that go on from it, as the reference walks its automaton
            for number, path in enumerate(sorted(paths, key=lambda path: path.encode() + b"\xff"))
        ]
        stream.trailing_increment = 0

    def joined(self, terms: "tuple[object, str] | None") -> str:
        """Return a path as text."""
        words: list[str] = []
        while terms is not None:
            before, word = terms
            words.append(word)
            terms = before  # type: ignore[assignment]
        return self.separator.join(reversed(words))

    def edges(self, stream: TokenList) -> tuple[dict[int, list[tuple[str, int]]], int]:
        """Return the tokens by the node that they leave, and the node where the text ends."""
        edges: dict[int, list[tuple[str, int]]] = {}
        reached = {0}
        position, last = -1, 0
        for token in stream.tokens:
            position += token.increment if self.keeps_holes else min(token.increment, 1)
            if position not in reached:
                nearest = max(node for node in reached if node < position)
                for node in range(nearest, position):
                    edges.setdefault(node, []).append(("", node + 1))
                    reached.add(node + 1)
            end = position + token.position_length
            edges.setdefault(position, []).append((token.term, end))
            reached.add(end)
            last = max(last, end)
        if self.keeps_holes:
            for _ in range(stream.trailing_increment):
                edges.setdefault(last, []).append(("", last + 1))
                last += 1
        return edges, last


def concatenate_graph(parameters: Parameters) -> FilterMaker:
    """The text as one term for each path."""
    separator = parameters.string("token_separator")
    if separator is not None and len(separator) > 1:
        raise IllegalArgument("token_separator must be either empty or a single character")
    most = parameters.integer("max_graph_expansions", 100)
    paths = _Paths(
        " " if separator is None else separator,
        most=most,
        keeps_holes=parameters.boolean("preserve_position_increments", False),
    )
    return lambda: StreamFilter(paths)
