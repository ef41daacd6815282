"""Search type ``dfs_query_then_fetch``: all shards of a search score by the statistics of all of them."""

from collections.abc import Sequence
from typing import Any

from lanner.engine.common.errors import LannerError
from lanner.engine.search.query_phase import ShardTarget
from lanner.ext.search.reader import IndexReader


class SharedReader(IndexReader):
    """The segments of one shard with the statistics of several.

    peers: the readers of these, its own among them.
    """

    def __init__(self, reader: IndexReader, peers: Sequence[IndexReader]) -> None:
        super().__init__(reader.segments)
        self._peers = peers
        self._statistics: dict[str, tuple[int, int, int]] = {}

    def field_statistics(self, field: str) -> tuple[int, int, int]:
        """Return (documents with the field, tokens, postings) over all shards."""
        found = self._statistics.get(field)
        if found is None:
            each = [peer.field_statistics(field) for peer in self._peers]
            doc_count, tokens, postings = (sum(part) for part in zip(*each, strict=True))
            found = self._statistics[field] = (doc_count, tokens, postings)
        return found

    def doc_freq(self, field: str, term: bytes) -> int:
        """Return how many documents of all shards hold a term."""
        return sum(peer.doc_freq(field, term) for peer in self._peers)

    def total_term_freq(self, field: str, term: bytes) -> int:
        """Return how often a term comes in all documents of all shards."""
        return sum(peer.total_term_freq(field, term) for peer in self._peers)


def together(shards: list[ShardTarget], searchers: list[Any]) -> dict[int, IndexReader | LannerError]:
    """Return the readers of shards that score alike, by the identity of the target.

    An error stands for a shard that cannot be opened. The searchers are added to those that the caller
    closes.
    """
    opened: dict[int, IndexReader | LannerError] = {}
    for target in shards:
        try:
            searcher = target.acquire()
            searchers.append(searcher)
            opened[id(target)] = searcher.reader
        except LannerError as error:
            opened[id(target)] = error
    peers = [reader for reader in opened.values() if isinstance(reader, IndexReader)]
    return {
        key: SharedReader(reader, peers) if isinstance(reader, IndexReader) else reader
        for key, reader in opened.items()
    }
