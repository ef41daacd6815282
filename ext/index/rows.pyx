"""The bytes of a stored row: packing and taking apart (layout in codec/stored_fields.py)."""

from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.varint cimport read_vint
from lanner.ext.errors import CorruptIndexError
from lanner.ext.types cimport uint8_t, uint64_t


cdef int append_row(BytesWriter out, bytes id, bytes routing, bytes source) except -1:
    """Add the row of a document to out, with its length in front."""
    cdef Py_ssize_t n_routing = 0 if routing is None else len(routing)
    cdef uint64_t mark = 0 if routing is None else <uint64_t>n_routing + 1
    out.append_vint(vint_size(len(id)) + len(id) + vint_size(mark) + n_routing + len(source))
    out.append_vint(len(id))
    out.append(<const char*>id, len(id))
    out.append_vint(mark)
    if n_routing:
        out.append(<const char*>routing, n_routing)
    out.append(<const char*>source, len(source))
    return 0


cdef inline Py_ssize_t vint_size(uint64_t value) noexcept nogil:
    """Bytes of a variable-length integer."""
    cdef Py_ssize_t n = 1
    while value >= 128:
        value >>= 7
        n += 1
    return n


def pack_row(bytes id not None, bytes routing, bytes source not None) -> bytes:
    """Return the row of a document, with its length in front."""
    cdef BytesWriter out = BytesWriter()
    append_row(out, id, routing, source)
    return out.data[:out.size]


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
