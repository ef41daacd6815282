"""The bytes of a stored row: packing and taking apart (layout in codec/stored_fields.py)."""

from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.varint cimport read_vint
from lanner.ext.errors import CorruptIndexError
from lanner.ext.types cimport uint8_t, uint64_t


def pack_row(bytes id not None, bytes routing, bytes source not None) -> bytes:
    """Return the row of a document, with its length in front."""
    cdef BytesWriter head = BytesWriter(), row = BytesWriter()
    cdef Py_ssize_t n
    head.append_vint(len(id))
    head.append(<const uint8_t*>id, len(id))
    if routing is None:
        head.append_vint(0)
    else:
        head.append_vint(len(routing) + 1)
        head.append(<const uint8_t*>routing, len(routing))
    n = head.size + len(source)
    row.append_vint(n)
    row.append(head.data, head.size)
    row.append(<const uint8_t*>source, len(source))
    return row.data[:row.size]


def split_rows(bytes data not None, Py_ssize_t n) -> list:
    """Return start and end of each of the n rows of a block, one after the other."""
    cdef const uint8_t* start = <const uint8_t*>data
    cdef const uint8_t* p = start
    cdef const uint8_t* end = start + len(data)
    cdef uint64_t length
    cdef Py_ssize_t i
    cdef list bounds = []
    for i in range(n):
        p = read_vint(p, end, &length)
        if p == NULL or length > <uint64_t>(end - p):
            raise CorruptIndexError("[src] rows of a block do not fit it")
        bounds.append(p - start)
        p += length
        bounds.append(p - start)
    if p != end:
        raise CorruptIndexError("[src] rows of a block do not fill it")
    return bounds


def unpack_row(bytes data not None, Py_ssize_t start, Py_ssize_t stop) -> tuple:
    """Return (id, routing or None, source) of the row at data[start:stop]."""
    cdef const uint8_t* base = <const uint8_t*>data
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef uint64_t length
    cdef bytes id, routing = None
    if start < 0 or stop > len(data) or start > stop:
        raise ValueError("row outside its block")
    p = base + start
    end = base + stop
    p = read_vint(p, end, &length)
    if p == NULL or length > <uint64_t>(end - p):
        raise CorruptIndexError("[src] row is damaged")
    id = p[:length]
    p = read_vint(p + length, end, &length)
    if p == NULL or (length and length - 1 > <uint64_t>(end - p)):
        raise CorruptIndexError("[src] row is damaged")
    if length:
        routing = p[:length - 1]
        p += length - 1
    return id, routing, p[:end - p]
