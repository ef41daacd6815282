"""The terms of a column, numbered over all segments of a reader in their order.

The ord of a term is its rank in one segment; here the sorted dictionaries of all segments are walked at once, and each ord gets the
rank of its term among the terms of all. Whoever groups documents by such a column needs no hash of terms.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.string cimport memcmp, memcpy

from lanner.ext.codec.terms cimport MAX_TERM, TermsCursor
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport uint8_t, uint32_t

from lanner.ext.errors import CorruptIndexError


cdef struct Entry:
    PyObject* cursor
    uint32_t* out


cdef bint before(const Entry* a, const Entry* b) noexcept nogil:
    cdef Py_ssize_t m = (<TermsCursor>a.cursor).length, n = (<TermsCursor>b.cursor).length
    cdef int order = memcmp((<TermsCursor>a.cursor).data, (<TermsCursor>b.cursor).data, min(m, n))
    return order < 0 if order else m < n


cdef void sift_down(Entry* heap, int n, int place) noexcept nogil:
    """Let an entry sink to where no smaller one is below it."""
    cdef Entry moved = heap[place]
    cdef int child = 2 * place + 1
    while child < n:
        if child + 1 < n and before(heap + child + 1, heap + child):
            child += 1
        if not before(heap + child, &moved):
            break
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = moved


cdef Py_ssize_t number_terms(Entry* heap, int n, uint8_t* last) noexcept nogil:
    """Number the terms that n cursors stand at the beginning of; return how many there are, or -1 for a damaged dictionary.

    last: room for a term.
    """
    cdef Py_ssize_t found = 0, length = -1
    cdef int i
    for i in range(n // 2 - 1, -1, -1):
        sift_down(heap, n, i)
    while n:
        if (<TermsCursor>heap.cursor).length != length or memcmp((<TermsCursor>heap.cursor).data, last, length):
            length = (<TermsCursor>heap.cursor).length
            memcpy(last, (<TermsCursor>heap.cursor).data, length)
            found += 1
        heap.out[(<TermsCursor>heap.cursor).ord] = <uint32_t>(found - 1)
        if not (<TermsCursor>heap.cursor).advance():
            if (<TermsCursor>heap.cursor).ord + 1 < (<TermsCursor>heap.cursor).reader.size:
                return -1
            n -= 1
            heap[0] = heap[n]
        if n:
            sift_down(heap, n, 0)
    return found


cdef class OrdinalMap:
    """The numbers of one segment."""

    cdef uint32_t* numbers

    def __cinit__(self, Py_ssize_t size):
        self.numbers = <uint32_t*>PyMem_Malloc(4 * size + 4)
        if self.numbers == NULL:
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.numbers)


cdef class GlobalOrdinals:
    """Numbers of terms, from 0 in the order of the terms."""

    cdef const uint32_t* of(self, int segment):
        cdef OrdinalMap found = <OrdinalMap>self.maps[segment]
        return NULL if found is None else found.numbers


cdef GlobalOrdinals ordinals_of(IndexReader reader, str field):
    found = reader.ordinals.get(field)
    if found is None:
        found = reader.ordinals[field] = number_column(reader, field)
    return <GlobalOrdinals>found


cdef GlobalOrdinals number_column(IndexReader reader, str field):
    cdef GlobalOrdinals made = GlobalOrdinals.__new__(GlobalOrdinals)
    cdef list cursors = []
    cdef FieldReader part
    cdef SegmentReader segment
    cdef TermsCursor cursor
    cdef OrdinalMap numbers
    cdef Entry* heap
    cdef uint8_t* last
    cdef int n
    made.maps = []
    for segment in reader.segments:
        part = segment.field(field)
        numbers = None
        if part is not None and part.column is not None and part.terms is not None and part.terms.size:
            numbers = OrdinalMap(part.terms.size)
            cursors.append((TermsCursor(part.terms), numbers))
        made.maps.append(numbers)
    if len(cursors) <= 1:
        made.maps = [None] * len(made.maps)
        made.size = (<TermsCursor>cursors[0][0]).reader.size if cursors else 0
        return made
    n = <int>len(cursors)
    heap = <Entry*>PyMem_Malloc(n * sizeof(Entry))
    last = <uint8_t*>PyMem_Malloc(MAX_TERM)
    try:
        if heap == NULL or last == NULL:
            raise MemoryError()
        for i, (cursor, numbers) in enumerate(cursors):
            if not cursor.seek(0):
                raise CorruptIndexError(f"the terms of [{field}] are damaged")
            heap[<int>i].cursor = <PyObject*>cursor
            heap[<int>i].out = numbers.numbers
        with nogil:
            made.size = number_terms(heap, n, last)
    finally:
        PyMem_Free(heap)
        PyMem_Free(last)
    if made.size < 0:
        raise CorruptIndexError(f"the terms of [{field}] are damaged")
    return made


def numbers_of(IndexReader reader not None, str field not None, int segment) -> list:
    """Return the number of each ord of a column in a segment; raises CorruptIndexError."""
    cdef GlobalOrdinals found = ordinals_of(reader, field)
    cdef FieldReader part = (<SegmentReader>reader.segments[segment]).field(field)
    cdef const uint32_t* numbers = found.of(segment)
    cdef uint32_t ord
    if part is None or part.terms is None:
        return []
    return [numbers[ord] if numbers != NULL else ord for ord in range(part.terms.size)]
