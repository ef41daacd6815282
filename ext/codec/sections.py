r"""The file format that all parts of an index share: named runs of bytes, each with a checksum.

Layout, little-endian::

    header    8 bytes b"lanner\r\n", 4 bytes format name, 4 bytes version
    sections  each begins at a multiple of 64
    table     msgpack list of [name, offset, length, xxh3_64 of the bytes]
    footer    64 bytes of zeros, then offset and length of the table, xxh3_64 of the table, length of the
              file, header again

The zeros let a kernel load a whole vector at the very end of a section. A section whose checksum is 0 in the
table guards its own parts.
"""

import struct
from collections.abc import Iterable, Iterator

import msgspec
import xxhash

from lanner.ext.errors import CorruptIndexError, FormatVersionError

MAGIC = b"lanner\r\n"
VERSION = 1
ALIGNMENT = 64
HEADER = struct.Struct("<8s4sI")
FOOTER = struct.Struct("<64sQQQQ8s4sI")
TABLE = msgspec.msgpack.Decoder(list[tuple[str, int, int, int]])


def write_sections(
    kind: str,
    sections: Iterable[tuple[str, Iterable[object]]],
    *,
    unsummed: frozenset[str] = frozenset(),
) -> Iterator[bytes | memoryview]:
    """Yield the parts of a file of that kind, to be written one after the other.

    sections: names, each with buffers that follow each other; asked for as they are needed
    unsummed: sections that guard their own parts.
    """
    name = kind.encode().ljust(4, b"\0")
    yield HEADER.pack(MAGIC, name, VERSION)
    position = HEADER.size
    table = []
    for section, buffers in sections:
        gap = -position % ALIGNMENT
        yield bytes(gap)
        position += gap
        start, digest = position, xxhash.xxh3_64()
        for buffer in buffers:
            view = memoryview(buffer)  # type: ignore[arg-type]
            if view.nbytes == 0:
                continue  # an empty array cannot be cast
            view = view.cast("B")
            if section not in unsummed:
                digest.update(view)
            position += len(view)
            yield view
        table.append((section, start, position - start, 0 if section in unsummed else digest.intdigest()))
    encoded = msgspec.msgpack.encode(table)
    yield encoded
    total = position + len(encoded) + FOOTER.size
    yield FOOTER.pack(
        bytes(64), position, len(encoded), xxhash.xxh3_64_intdigest(encoded), total, MAGIC, name, VERSION
    )


def read_sections(kind: str, buffer: object, *, verify: bool) -> dict[str, memoryview]:
    """Return the sections of a file, by name, as views of the buffer.

    verify: compare every checksum, not only those of the table and of the section "meta", by which all others
    are read.
    Raises CorruptIndexError, FormatVersionError.
    """
    view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
    name = kind.encode().ljust(4, b"\0")
    if len(view) < HEADER.size + FOOTER.size:
        raise CorruptIndexError(f"[{kind}] file of {len(view)} bytes is cut short")
    magic, found, version = HEADER.unpack_from(view, 0)
    if magic != MAGIC or found != name:
        raise CorruptIndexError(f"[{kind}] header is damaged")
    if version != VERSION:
        raise FormatVersionError(f"[{kind}] format version {version} is not {VERSION}")
    zeros, offset, length, digest, total, *tail = FOOTER.unpack_from(view, len(view) - FOOTER.size)
    if tail != [magic, found, version] or total != len(view) or any(zeros):
        raise CorruptIndexError(f"[{kind}] footer is damaged or the file is cut short")
    if (
        offset + length + FOOTER.size != total
        or xxhash.xxh3_64_intdigest(view[offset : offset + length]) != digest
    ):
        raise CorruptIndexError(f"[{kind}] table of sections is damaged")
    sections = {}
    end = HEADER.size
    for section, start, size, expected in TABLE.decode(view[offset : offset + length]):
        if start < end or start + size > offset or start % ALIGNMENT or any(view[end:start]):
            raise CorruptIndexError(f"[{kind}] section {section} lies outside the file")
        part = view[start : start + size]
        if expected and (verify or section == "meta") and xxhash.xxh3_64_intdigest(part) != expected:
            raise CorruptIndexError(f"[{kind}] section {section} does not match its checksum")
        sections[section] = part
        end = start + size
    return sections
