"""The records of operations in the translog; their layout stands in engine/index/translog.py."""

from cpython.array cimport array, clone
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memcpy

from lanner.ext.index.document cimport Operation
from lanner.ext.types cimport uint8_t, uint16_t, uint32_t, uint64_t

from array import array as make_array

cdef enum:
    HAS_ROUTING = 1

cdef array template = make_array("q")


cdef packed struct Head:
    uint8_t kind
    uint8_t flags
    uint16_t id_length
    uint32_t routing_length
    uint32_t source_length
    uint64_t version


def pack_records(list operations not None) -> tuple:
    """Return the records of operations, one after the other, and where each begins and the last one ends."""
    cdef Operation operation
    cdef Head head
    cdef Py_ssize_t i, n = len(operations), size = 0
    cdef array starts = clone(template, n + 1, False)
    cdef long long* begins = starts.data.as_longlongs
    cdef bytes body
    cdef uint8_t* out
    for i in range(n):
        operation = <Operation?>operations[i]
        begins[i] = size
        if len(operation.id) > 0xFFFF or len(operation.source) > 0xFFFFFFFF:
            raise ValueError("an id or a source is too long for the translog")
        size += sizeof(Head) + len(operation.id) + len(operation.source)
        if operation.routing is not None:
            size += len(operation.routing)
    begins[n] = size
    body = PyBytes_FromStringAndSize(NULL, size)
    out = <uint8_t*><char*>body
    for i in range(n):
        operation = <Operation>operations[i]
        head.kind = <uint8_t>operation.kind
        head.flags = 0
        head.id_length = <uint16_t>len(operation.id)
        head.routing_length = 0
        head.source_length = <uint32_t>len(operation.source)
        head.version = <uint64_t>operation.version
        if operation.routing is not None:
            head.flags = HAS_ROUTING
            head.routing_length = <uint32_t>len(operation.routing)
        memcpy(out, &head, sizeof(Head))
        out += sizeof(Head)
        memcpy(out, <const char*>operation.id, head.id_length)
        out += head.id_length
        if operation.routing is not None:
            memcpy(out, <const char*>operation.routing, head.routing_length)
            out += head.routing_length
        memcpy(out, <const char*>operation.source, head.source_length)
        out += head.source_length
    return body, starts
