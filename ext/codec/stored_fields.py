"""Rows of documents (_id, _routing, _source), compressed a few kilobytes at a time.

A row is vint(length of id) id, vint(length of routing + 1) or 0, routing, source up to the end of the row. A
block is a zstd frame of vint(length of row) row, row after row. Sections: "blocks" (the frames), "first"
uint32 first document of each block and, last, the number of documents, "offset" uint64 of each block and the
end, "sums" uint64 xxh3 of each frame: the frames carry their checksums themselves because they are read one
at a time.
"""

import itertools
import struct
import threading
from bisect import bisect_right
from collections import OrderedDict

import xxhash
import zstandard

from lanner.ext.codec.sections import read_sections, write_sections
from lanner.ext.errors import CorruptIndexError
from lanner.ext.index.rows import split_rows

BLOCK_BYTES = 4096
MOST_BYTES = 1 << 31  # of one block, unpacked
LEVEL = 3
SERIALS = itertools.count()  # tells the readers that share a cache apart


class StoredFieldsWriter:
    """Collects the rows of one segment; documents come in order."""

    def __init__(self) -> None:
        self.blocks: list[bytes | memoryview] = []
        self.first: list[int] = [0]
        self.offset: list[int] = [0]
        self.sums: list[int] = []
        self.pending: list[bytes] = []
        self.pending_bytes = 0
        self.n_docs = 0
        self.compressor = zstandard.ZstdCompressor(level=LEVEL, write_content_size=True)

    def add(self, row: bytes) -> None:
        """Add the row of the next document, with its length in front."""
        self.pending.append(row)
        self.pending_bytes += len(row)
        self.n_docs += 1
        if self.pending_bytes >= BLOCK_BYTES:
            self.end_block()

    def end_block(self) -> None:
        """Compress what is pending."""
        if self.pending:
            self.add_block(b"".join(self.pending), self.n_docs)
            self.pending = []
            self.pending_bytes = 0

    def add_block(self, rows: bytes | memoryview, n_docs: int) -> None:
        """Compress a block of rows; n_docs: documents up to its end."""
        frame = self.compressor.compress(rows)
        self.blocks.append(frame)
        self.sums.append(xxhash.xxh3_64_intdigest(frame))
        self.offset.append(self.offset[-1] + len(frame))
        self.first.append(n_docs)
        self.n_docs = n_docs

    def copy(self, reader: "StoredFieldsReader") -> None:
        """Add all rows of another segment without unpacking them."""
        self.end_block()
        reader.check()
        end = self.offset[-1]
        self.blocks.append(reader.blocks)
        self.sums.extend(reader.sums)
        self.offset.extend([end + offset for offset in reader.offset[1:]])
        self.first.extend([self.n_docs + first for first in reader.first[1:]])
        self.n_docs = self.first[-1]

    @property
    def ram_bytes(self) -> int:
        """Bytes held."""
        return self.offset[-1] + self.pending_bytes

    def parts(self) -> list[bytes | memoryview]:
        """Return the parts of the file."""
        self.end_block()
        sections = (
            ("blocks", self.blocks),
            ("first", [struct.pack(f"<{len(self.first)}I", *self.first)]),
            ("offset", [struct.pack(f"<{len(self.offset)}Q", *self.offset)]),
            ("sums", [struct.pack(f"<{len(self.sums)}Q", *self.sums)]),
        )
        return list(write_sections("src", sections, unsummed=frozenset(["blocks"])))


class BlockCache:
    """The blocks unpacked last, of all segments that share it."""

    def __init__(self, most_bytes: int = 16 << 20) -> None:
        self.most_bytes = most_bytes
        self.held = 0
        self.blocks: OrderedDict[tuple[int, int], tuple[bytes, list[int]]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: tuple[int, int]) -> tuple[bytes, list[int]] | None:
        """Return a block, or None."""
        found = self.blocks.get(key)
        if found is not None and self.held > self.most_bytes // 2:
            with self.lock:  # while there is room enough, the order does not matter
                if key in self.blocks:
                    self.blocks.move_to_end(key)
        return found

    def put(self, key: tuple[int, int], block: tuple[bytes, list[int]]) -> None:
        """Keep a block and drop the oldest ones."""
        with self.lock:
            if key not in self.blocks:
                self.blocks[key] = block
                self.held += len(block[0])
                while self.held > self.most_bytes and len(self.blocks) > 1:
                    self.held -= len(self.blocks.popitem(last=False)[1][0])


class StoredFieldsReader:
    """The rows of a segment."""

    def __init__(self, buffer: object, max_doc: int, cache: BlockCache) -> None:
        sections = read_sections("src", buffer, verify=True)
        self.blocks = sections["blocks"]
        self.first = sections["first"].cast("I")
        self.offset = sections["offset"].cast("Q")
        self.sums = sections["sums"].cast("Q")
        self.n_blocks = len(self.sums)
        self.cache = cache
        self.serial = next(SERIALS)
        if len(self.first) != self.n_blocks + 1 or len(self.offset) != self.n_blocks + 1:
            raise CorruptIndexError("[src] sizes of the block index do not agree")
        if self.first[self.n_blocks] != max_doc or self.offset[self.n_blocks] != len(self.blocks):
            raise CorruptIndexError("[src] blocks do not cover all documents")

    def frame(self, block: int) -> memoryview:
        """Return a compressed block, its checksum compared."""
        frame = self.blocks[self.offset[block] : self.offset[block + 1]]
        if xxhash.xxh3_64_intdigest(frame) != self.sums[block]:
            raise CorruptIndexError(f"[src] block {block} does not match its checksum")
        return frame

    def unpack(self, block: int) -> tuple[bytes, list[int]]:
        """Return an unpacked block and where its rows begin and end: (start, end) after (start, end)."""
        frame = self.frame(block)
        try:
            data = zstandard.ZstdDecompressor().decompress(frame, max_output_size=MOST_BYTES)
        except zstandard.ZstdError as error:
            raise CorruptIndexError(f"[src] block {block} cannot be unpacked: {error}") from error
        found = (data, split_rows(data, self.first[block + 1] - self.first[block]))
        self.cache.put((self.serial, block), found)
        return found

    def block(self, block: int) -> tuple[bytes, list[int]]:
        """Return what unpack returns, unpacked now or before."""
        return self.cache.get((self.serial, block)) or self.unpack(block)

    def row(self, doc: int) -> tuple[bytes, int, int]:
        """Return (data, start, end) of a document's row."""
        block = bisect_right(self.first, doc) - 1
        data, bounds = self.block(block)
        i = 2 * (doc - self.first[block])
        return data, bounds[i], bounds[i + 1]

    def check(self) -> None:
        """Read every block."""
        for block in range(self.n_blocks):
            self.frame(block)
