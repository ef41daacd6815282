"""Seeded texts whose words follow Zipf's law, for benchmarks that need no data from elsewhere."""

import random
from collections.abc import Sequence
from typing import Any

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.ext.index.document import Document
from lanner.ext.index.schema import DOCS, NUMBER, POSITIONS, TERM, TEXT, Field
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer

WORDS = 50_000
BODY = Field(
    "body", 8, TEXT, postings=POSITIONS, norms=True, chain=AnalysisRegistry({}).analyzer("standard").chain
)
TAG = Field("tag", 9, TERM, postings=DOCS, doc_values=True)
VIEWS = Field("views", 10, NUMBER, doc_values=True, points=True)


def texts(n: int, *, seed: int = 1, length: int = 80) -> list[str]:
    """Return n texts of about that many words."""
    rnd = random.Random(seed)
    weights = [1 / (rank + 2.7) for rank in range(WORDS)]
    words = rnd.choices([f"word{rank}" for rank in range(WORDS)], weights, k=n * length)
    return [" ".join(words[i * length : (i + 1) * length]) for i in range(n)]


def documents(bodies: Sequence[str], *, first: int = 0) -> list[Document]:
    """Return documents of a text, a tag out of 20 and a number."""
    return [
        Document(
            f"d{i}".encode(),
            b'{"n":%d}' % i,
            None,
            i,
            1,
            1,
            [(BODY, body), (TAG, b"tag%d" % (i % 20)), (VIEWS, i * 7919 % 100_000)],
        )
        for i, body in enumerate(bodies, first)
    ]


def write(bodies: Sequence[str], *, first: int = 0) -> dict[str, list[Any]]:
    """Return the files of a segment with these texts."""
    buffer = WriteBuffer()
    buffer.add(documents(bodies, first=first))
    return buffer.write_segment()


def segment(bodies: Sequence[str], *, first: int = 0) -> SegmentReader:
    """Return a segment with these texts, in memory."""
    files = write(bodies, first=first)
    return SegmentReader(b"".join(map(bytes, files["idx"])), b"".join(map(bytes, files["src"])))
