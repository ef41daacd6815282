"""Shards in memory for tests of searching."""

import json
from functools import partial
from typing import Any

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import NoShardAvailable
from lanner.engine.dsl.stored_query import read_query
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.search.query_phase import ShardTarget
from lanner.ext.index.document import Document
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.search.reader import IndexReader


class MemorySearcher:
    def __init__(self, reader: IndexReader) -> None:
        self.reader = reader

    def close(self) -> None:
        pass


def make_shard(
    mapping_body: dict[str, Any],
    documents: list[Any],
    *,
    index: str,
    shard: int = 0,
    segments: int = 1,
    settings: dict[str, str] | None = None,
    broken: bool = False,
    registry: AnalysisRegistry | None = None,
) -> ShardTarget:
    """documents: (id, object or bytes), or these and a routing value."""
    reader = partial(read_query, index=index, uuid="U", now=lambda: 0, lookup=None)
    mapping = Mapping.parse(mapping_body, registry or AnalysisRegistry({}), settings or {}, reader)
    readers = []
    size = max(1, -(-len(documents) // segments))
    for start in range(0, len(documents), size):
        rows = []
        for i, (id_, source, *kept) in enumerate(documents[start : start + size]):
            raw = source if isinstance(source, bytes) else json.dumps(source).encode()
            routing = kept[0] if kept else None
            parsed = mapping.parse_document(raw, id=id_, routing=routing)
            if parsed.update is not None:
                mapping = mapping.merge(parsed.update)
                parsed = mapping.parse_document(raw, id=id_, routing=routing)
            stored = None if routing is None else routing.encode()
            rows.append(Document(id_.encode(), raw, stored, start + i, 1, 1, parsed.values))
        buffer = WriteBuffer()
        buffer.add(rows)
        files = {name: b"".join(map(bytes, parts)) for name, parts in buffer.write_segment().items()}
        readers.append(SegmentReader(files["idx"], files["src"], name=f"s{start}").searchable())
    whole = IndexReader(readers)

    def acquire() -> MemorySearcher:
        if broken:
            raise NoShardAvailable("no shard available")
        return MemorySearcher(whole)

    return ShardTarget(index, "U", shard, "node", mapping, settings or {}, acquire)
