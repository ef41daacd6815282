"""What version control and real-time reads need of the documents of a write buffer: which of them has an id, its sequence
number and version, and where the log has it.
"""

from cpython.array cimport array
from cpython.dict cimport PyDict_GetItemWithError
from cpython.ref cimport PyObject
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from lanner.ext.index.document cimport Operation
from lanner.ext.index.field_values cimport block_of
from lanner.ext.types cimport int64_t


cdef struct Row:
    int64_t seq_no
    int64_t version
    int64_t offset  # in the log
    int64_t length


cdef class LiveVersions:
    """Rows by document, and documents by id: the newest one of each id, as long as nobody has forgotten it."""

    cdef dict docs
    cdef Row* rows
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    def __cinit__(self):
        self.docs = {}

    def __dealloc__(self):
        free(self.rows)

    cdef int reserve(self, Py_ssize_t size) except -1:
        cdef Py_ssize_t capacity = self.capacity
        cdef void* grown
        if size > capacity:
            capacity = max(size, 2 * capacity + 64)
            grown = realloc(self.rows, capacity * sizeof(Row))
            if grown == NULL:
                raise MemoryError()
            self.rows = <Row*>grown
            self.capacity = capacity
        return 0

    def note(self, Py_ssize_t first, list operations not None, int kind, int64_t offset, array starts not None) -> None:
        """Make the documents known that operations of this kind have put into the buffer, from number `first` on.

        offset: of all their records in the log; starts: of each within them, and the end of the last (see log_records).
        Nested rows stand before their document and have no place in the log.
        """
        cdef list block
        cdef Py_ssize_t i, doc = first, n = len(operations)
        cdef const long long* begins
        cdef Operation operation
        cdef Row* row
        if starts.typecode != u"q" or len(starts) != n + 1 or first != self.size:
            raise ValueError("not the next documents, or not their records")
        begins = starts.data.as_longlongs
        self.reserve(first + n)
        for i in range(n):
            operation = <Operation?>operations[i]
            if operation.kind == kind:
                block = block_of(operation.values)
                if block:
                    doc += len(block)
                    self.skip(doc)
                    self.reserve(doc + n - i)
                row = self.rows + doc
                row.seq_no = operation.seq_no
                row.version = operation.version
                row.offset = offset + begins[i]
                row.length = begins[i + 1] - begins[i]
                self.docs[operation.id] = doc
                doc += 1
                self.size = doc

    def skip(self, Py_ssize_t max_doc) -> None:
        """Leave documents up to this number without a row: they never came to be."""
        self.reserve(max_doc)
        if max_doc > self.size:
            memset(self.rows + self.size, 0, (max_doc - self.size) * sizeof(Row))
            self.size = max_doc

    cdef Row* row(self, Py_ssize_t doc) except NULL:
        if not 0 <= doc < self.size:
            raise ValueError(f"no document {doc}")
        return self.rows + doc

    def version(self, Py_ssize_t doc) -> tuple:
        """Return (seq_no, version) of a document."""
        cdef Row* row = self.row(doc)
        return row.seq_no, row.version

    def place(self, Py_ssize_t doc) -> tuple:
        """Return (offset, length) of a document in the log."""
        cdef Row* row = self.row(doc)
        return row.offset, row.length

    def find(self, bytes id not None) -> int:
        """Return the document with this id, or -1."""
        cdef PyObject* found = PyDict_GetItemWithError(self.docs, id)
        return -1 if found == NULL else <object>found

    def find_all(self, list ids not None) -> list:
        """Return (id, document) for those of the ids that have one."""
        cdef PyObject* found
        cdef list pairs = []
        for id in ids:
            found = PyDict_GetItemWithError(self.docs, id)
            if found != NULL:
                pairs.append((id, <object>found))
        return pairs

    def forget(self, bytes id not None) -> None:
        """Drop an id: it was deleted, or its newest state is elsewhere."""
        self.docs.pop(id, None)

    def __len__(self):
        return self.size
