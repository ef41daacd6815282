"""BM25 as the formula says, over lists of tokens: slow and obvious."""

import math
from collections import Counter
from collections.abc import Sequence

K1, B = 1.2, 0.75


def stored_length(length: int) -> int:
    """Return the length of a field as one byte keeps it (four significant bits from 24 on)."""

    def code(value: int) -> int:
        bits = value.bit_length()
        return value if bits < 4 else ((value >> (bits - 4)) & 7) | (bits - 3) << 3

    def value_of(byte: int) -> int:
        return byte if byte < 8 else ((byte & 7) | 8) << ((byte >> 3) - 1)

    return length if length < 24 else 24 + value_of(code(length - 24))


class Collection:
    """Tokenised documents and their statistics."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self.documents = documents
        self.freqs = [Counter(tokens) for tokens in documents]
        self.doc_freq = Counter(term for freqs in self.freqs for term in freqs)
        self.n_docs = sum(1 for tokens in documents if tokens)
        self.average = sum(map(len, documents)) / max(self.n_docs, 1)

    def idf(self, term: str) -> float:
        n = self.doc_freq[term]
        return math.log(1 + (self.n_docs - n + 0.5) / (n + 0.5))

    def saturation(self, doc: int, freq: float) -> float:
        length = stored_length(len(self.documents[doc]))
        return freq / (freq + K1 * (1 - B + B * length / self.average))

    def term(self, doc: int, term: str) -> float:
        """Return the score of one term, 0 where it is missing."""
        freq = self.freqs[doc][term]
        return (K1 + 1) * self.idf(term) * self.saturation(doc, freq) if freq else 0.0

    def phrase_freq(self, doc: int, words: Sequence[str]) -> int:
        tokens = list(self.documents[doc])
        return sum(tokens[i : i + len(words)] == list(words) for i in range(len(tokens)))

    def phrase(self, doc: int, words: Sequence[str]) -> float:
        freq = self.phrase_freq(doc, words)
        return (K1 + 1) * sum(map(self.idf, words)) * self.saturation(doc, freq) if freq else 0.0

    def matches(self, op: str, words: Sequence[str]) -> dict[int, float]:
        """Return document -> score of everything that matches: op is "or", "and" or "phrase"."""
        found = {}
        for doc, freqs in enumerate(self.freqs):
            present = [word in freqs for word in words]
            if op == "phrase":
                if self.phrase_freq(doc, words):
                    found[doc] = self.phrase(doc, words)
            elif any(present) if op == "or" else all(present):
                found[doc] = sum(self.term(doc, word) for word in words)
        return found
