"""The bytes of a stored row; see rows.pyx."""

from lanner.ext.codec.bytes_writer cimport BytesWriter

cdef int append_row(BytesWriter out, bytes id, bytes routing, bytes source) except -1
