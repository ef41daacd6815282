"""Small segments for the tests of the compiled core."""

import random
from collections.abc import Sequence
from typing import Any

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.ext.index.document import Document
from lanner.ext.index.schema import DOCS, NUMBER, POSITIONS, TERM, TEXT, Field
from lanner.ext.index.segment_merger import merge_segments
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer

BODY = Field(
    "body", 8, TEXT, postings=POSITIONS, norms=True, chain=AnalysisRegistry({}).analyzer("whitespace").chain
)
TAG = Field("tag", 9, TERM, postings=DOCS, doc_values=True)
VIEWS = Field("views", 10, NUMBER, doc_values=True, points=True)


def open_files(files: dict[str, list[Any]], name: str = "s") -> SegmentReader:
    """Open the files of a segment from memory."""
    return SegmentReader(b"".join(map(bytes, files["idx"])), b"".join(map(bytes, files["src"])), name=name)


def merge_files(segments: Sequence[SegmentReader]) -> tuple[dict[str, list[Any]], list[Any]]:
    """The files that a merge makes, as a write buffer gives them, and where the documents went."""
    files, doc_maps = merge_segments(segments)
    return {suffix: list(parts) for suffix, parts in files.items()}, doc_maps


def document(number: int, values: list[tuple[Field, Any]]) -> Document:
    return Document(f"d{number}".encode(), b'{"n":%d}' % number, None, number, 1, 1, values)


def text_values(number: int, tokens: Sequence[str]) -> list[tuple[Field, Any]]:
    """A text, a tag out of seven, and a number that grows with the document."""
    return [(BODY, " ".join(tokens)), (TAG, b"t%d" % (number % 7)), (VIEWS, number * 3)]


def segment(texts: Sequence[Sequence[str]], base: int = 0, name: str = "s") -> SegmentReader:
    """Index texts whose documents are numbered from base."""
    buffer = WriteBuffer()
    buffer.add([document(base + i, text_values(base + i, tokens)) for i, tokens in enumerate(texts)])
    return open_files(buffer.write_segment(), name)


def random_texts(n: int, seed: int, *, words: int = 800, longest: int = 120) -> list[list[str]]:
    """Texts whose words follow Zipf's law."""
    rnd = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    weights = [1 / (i + 1) for i in range(words)]
    return [rnd.choices(vocabulary, weights, k=rnd.randint(1, longest)) for _ in range(n)]
