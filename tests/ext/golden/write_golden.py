#!/usr/bin/env python3
"""Write the golden segment of the present format version: once, never again after its release.

PYTHONPATH=build/view:. python tests/ext/golden/write_golden.py
"""

from pathlib import Path

from lanner.ext.codec.sections import VERSION
from lanner.ext.index.document import Document
from lanner.ext.index.schema import FREQS, TERM, TEXT, Field
from lanner.ext.index.write_buffer import WriteBuffer
from tests.ext.segments import BODY, TAG, VIEWS

FOLDER = Path(__file__).parent
FREQUENCIES = Field("frequencies", 11, TEXT, postings=FREQS, chain=BODY.chain)
STORED = Field("stored", 12, TERM, doc_values=True)
N = 1400


def documents() -> list[Document]:
    """Every kind of column; terms in one to all documents; no, one and several values."""
    found = []
    for i in range(N):
        words = [
            "all",
            *["most"] * (i % 4),
            *(f"w{i * 7919 % (1 + (i * 13 + j * 7) % 97)}" for j in range(i % 7)),
        ]
        values: list[tuple[Field, str | bytes | int]] = [
            (BODY, " ".join(words)),
            (FREQUENCIES, "f " * (i % 3 + 1)),
        ]
        values += [(TAG, b"t%d" % (i % 7))] * (i % 3) + [(TAG, b"\xff\x00")] * (i % 5 == 0)
        values += [(VIEWS, sign * (i * 977 % 1000)) for sign in (1, -1)[: i % 3]]
        values += [(STORED, b"s%d" % (i % 2))] if i % 2 else []
        routing = b"r%d" % i if i % 10 == 0 else None
        found.append(
            Document(b"d%d" % i, b'{"number":%d}' % i, routing, 10 * i, 1 + i // 700, 1 + i % 3, values)
        )
    return found


def main() -> None:
    buffer = WriteBuffer()
    buffer.add(documents())
    for suffix, parts in buffer.write_segment().items():
        (FOLDER / f"version{VERSION}.{suffix}").write_bytes(b"".join(map(bytes, parts)))


if __name__ == "__main__":
    main()
