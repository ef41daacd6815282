"""Which documents of a segment belong to one of several parts that a search is cut into."""

from cpython cimport array

from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.types cimport doc_t, uint64_t

from pyroaring import BitMap

cdef uint64_t MIX = <uint64_t>0x9E3779B9 << 32 | 0x7F4A7C15  # the golden ratio: multiplying by it spreads neighbours


def documents_of_part(SegmentReader segment not None, str field, int number, int parts) -> BitMap:
    """Return the documents of part `number` of `parts`, by the first value of a column, 0 without one.

    field: None for the sequence number, which stays the same as long as the document does.
    Raises ValueError unless 0 <= number < parts.
    """
    cdef FieldReader reader
    cdef ColumnReader column = segment.seq_no
    cdef array.array found = array.array("I")
    cdef unsigned int* docs
    cdef Py_ssize_t n = 0, first = 0, end = 0
    cdef uint64_t key
    cdef doc_t doc
    if not 0 <= number < parts:
        raise ValueError(f"there is no part {number} of {parts}")
    if field is not None:
        reader = segment.field(field)
        column = reader.column if reader is not None else None
    array.resize(found, segment.max_doc)
    docs = found.data.as_uints
    with nogil:
        for doc in range(segment.max_doc):
            key = 0
            if column is not None and column.bounds(doc, &first, &end):
                key = <uint64_t>column.cell(first)
            docs[n] = doc
            n += <int>((key * MIX >> 32) % <uint64_t>parts) == number
    array.resize(found, n)
    return BitMap(found)
