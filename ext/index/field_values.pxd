"""The column values of one document; see field_values.pyx."""

from cpython.ref cimport PyObject

from lanner.ext.types cimport int64_t, uint8_t

cdef struct Value:
    PyObject* field  # what the value is of: its kind says which of the others count
    const uint8_t* data  # of text (UTF-8) and terms; the FieldValues keeps what they lie in
    Py_ssize_t length
    int64_t number

cdef class FieldValues:
    cdef Value* items
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef list kept  # the owners of fields and bytes

    # Keep an object for as long as the values.
    cdef int keep(self, object owner) except -1
    # Add a value whose field and bytes are kept.
    cdef int add(self, PyObject* field, const uint8_t* data, Py_ssize_t length, int64_t number) except -1
