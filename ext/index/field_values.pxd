"""The column values of one document; see field_values.pyx."""

from cpython.ref cimport PyObject

from lanner.ext.types cimport int64_t, uint8_t

cdef struct Value:
    PyObject* field  # what the value is of: its kind says which of the others count
    const uint8_t* data  # of text (UTF-8) and terms; the FieldValues keeps what they lie in
    Py_ssize_t length
    int64_t number

cdef class FieldValues:
    cdef readonly bytes path  # of a nested row; None for a document
    cdef readonly list block  # of a document: its nested rows, children before parents; None if it has none
    cdef PyObject* document  # of a nested row that is being filled: the values of the document, which outlive it
    cdef Value* items
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef list kept  # the owners of fields and bytes

    # Keep an object for as long as the values.
    cdef int keep(self, object owner) except -1
    # Add a value whose field and bytes are kept.
    cdef int add(self, PyObject* field, const uint8_t* data, Py_ssize_t length, int64_t number) except -1
    # Add all values of another.
    cdef int extend(self, FieldValues other) except -1

cdef class RowValues(list):
    cdef readonly bytes path
    cdef readonly RowValues parent
    cdef readonly list block

# The nested rows of a document's values, or None.
cdef inline list block_of(object values):
    if type(values) is FieldValues:
        return (<FieldValues>values).block
    if type(values) is RowValues:
        return (<RowValues>values).block
    return None
