"""Reads one document: from a segment, or from the translog while no segment has it."""

import os

from lanner.engine.index.operation import Current, GetResult
from lanner.engine.index.store import Store
from lanner.engine.index.translog import HAS_ROUTING, OPERATION, Translog, file_name
from lanner.ext.index.segment_reader import SegmentReader


def from_segment(reader: SegmentReader, doc: int) -> GetResult:
    """A document of a segment."""
    seq_no, primary_term, version = reader.versions(doc)
    _, routing, source = reader.stored_row(doc)
    return GetResult(version, seq_no, primary_term, source, routing)


def read_record(store: Store, translog: Translog, location: tuple[int, int, int]) -> bytes | None:
    """The logged operation at (generation, offset, length); None when the log of it is gone by now."""
    generation, offset, length = location
    record = translog.read_record(generation, offset, length)
    if record is not None:
        return record
    try:  # sealed by a flush that is under way
        file = store.files.open(os.path.join(store.translog_folder, file_name(generation)))
    except FileNotFoundError:
        return None
    try:
        return store.files.read_at(file, offset, length)
    finally:
        store.files.close(file)


def from_record(current: Current, record: bytes) -> GetResult:
    """A document of the translog."""
    _, flags, id_length, routing_length, _, _ = OPERATION.unpack_from(record)
    routing_at = OPERATION.size + id_length
    source_at = routing_at + routing_length
    routing = record[routing_at:source_at] if flags & HAS_ROUTING else None
    return GetResult(current.version, current.seq_no, current.primary_term, record[source_at:], routing)
