"""The column values of one document, as C structs: what documents become on the short way into the write buffer."""

from cpython.ref cimport PyObject
from libc.stdlib cimport free, realloc

from lanner.ext.index.schema cimport Field
from lanner.ext.types cimport int64_t, uint8_t

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef class FieldValues:
    """(Field, str | bytes | int) pairs in the order in which they came."""

    def __cinit__(self):
        self.items = NULL
        self.size = 0
        self.capacity = 0
        self.kept = []

    def __dealloc__(self):
        free(self.items)

    cdef int keep(self, object owner) except -1:
        self.kept.append(owner)
        return 0

    cdef int add(self, PyObject* field, const uint8_t* data, Py_ssize_t length, int64_t number) except -1:
        cdef Py_ssize_t capacity
        cdef void* grown
        cdef Value* item
        if self.size == self.capacity:
            capacity = 2 * self.capacity + 8
            grown = realloc(self.items, capacity * sizeof(Value))
            if grown == NULL:
                raise MemoryError()
            self.items = <Value*>grown
            self.capacity = capacity
        item = self.items + self.size
        item.field = field
        item.data = data
        item.length = length
        item.number = number
        self.size += 1
        return 0

    cdef int extend(self, FieldValues other) except -1:
        cdef Py_ssize_t i
        cdef Value* item
        self.kept.append(other)
        for i in range(other.size):
            item = other.items + i
            self.add(item.field, item.data, item.length, item.number)
        return 0

    def append(self, tuple pair not None) -> None:
        """Add a field and its value."""
        cdef Field field = <Field?>pair[0]
        cdef Py_ssize_t n = 0
        cdef const uint8_t* data = NULL
        cdef int64_t number = 0
        cdef bytes term
        cdef object value = pair[1]
        if field.kind == 2:
            number = value
        elif field.kind == 1:
            term = value
            data = <const uint8_t*>term
            n = len(term)
        else:
            data = <const uint8_t*>PyUnicode_AsUTF8AndSize(value, &n)
        self.keep(pair)
        self.add(<PyObject*>field, data, n, number)

    def __len__(self):
        return self.size

    def __iter__(self):
        cdef Py_ssize_t i
        cdef Value* item
        cdef Field field
        for i in range(self.size):
            item = self.items + i
            field = <Field>item.field
            if field.kind == 2:
                yield field, item.number
            elif field.kind == 1:
                yield field, (<const char*>item.data)[:item.length]
            else:
                yield field, (<const char*>item.data)[:item.length].decode()


cdef class RowValues(list):
    """The pairs of one row of a document that has nested objects, as the long way collects them: a list with a place.

    path: of a nested row; None for the document. parent: the row around it. block: the nested rows of the document that are
    done, children before parents, in the order in which they will stand before it; all rows of a document share it.
    """

    def __init__(self, bytes path=None, RowValues parent=None):
        self.path = path
        self.parent = parent
        self.block = [] if parent is None else parent.block

    @property
    def document(self) -> RowValues:
        """The row of the document itself."""
        cdef RowValues row = self
        while row.parent is not None:
            row = row.parent
        return row
