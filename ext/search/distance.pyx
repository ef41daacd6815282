"""How far the points of a document are from given ones, in some unit: by the haversine formula, or on a plane that touches the earth
halfway between two points. Cells are those of engine/common/geo.py.
"""

from array import array

from libc.math cimport INFINITY, NAN, asin, cos, sqrt
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from lanner.ext.codec.column_reader cimport ColumnReader
from lanner.ext.types cimport int32_t, int64_t, uint32_t

cdef double LAT_STEP = 180.0 / 4294967296.0
cdef double LON_STEP = 360.0 / 4294967296.0
cdef double RADIANS = 0.017453292519943295
cdef double EARTH = 6371008.7714  # metres, the mean radius
cdef int64_t LOW_BITS = 0x7FFFFFFFFFFFFFFF
cdef enum:
    MIN = 0
    MAX = 1
    AVERAGE = 3


cdef double arc(double lat, double lon, double other_lat, double other_lon) noexcept nogil:
    cdef double h = (1 - cos((lat - other_lat) * RADIANS)) + cos(lat * RADIANS) * cos(other_lat * RADIANS) * (
        1 - cos((lon - other_lon) * RADIANS)
    )
    cdef double root = sqrt(h * 0.5)
    return 2 * EARTH * asin(root if root < 1 else 1)


cdef double arc_to(double lat, double lon, int64_t cell) noexcept nogil:
    return arc(lat, lon, <double>(cell >> 32) * LAT_STEP, <double><int32_t><uint32_t>cell * LON_STEP)


cdef double flat(double lat, double lon, double other_lat, double other_lon) noexcept nogil:
    """Metres between two places in degrees as if the earth were flat."""
    cdef double x = (other_lon - lon) * RADIANS * cos((other_lat + lat) / 2 * RADIANS), y = (other_lat - lat) * RADIANS
    return sqrt(x * x + y * y) * EARTH


cdef class Distance:
    """Distances from points in degrees. unit: metres of one. plane: as if the earth were flat."""

    def __init__(self, lats, lons, double unit, *, bint plane=False):
        self.lats = array("d", lats)
        self.lons = array("d", lons)
        if self.lats.shape[0] != self.lons.shape[0] or self.lats.shape[0] == 0 or not unit > 0:
            raise ValueError("a distance needs points and a unit")
        self.unit = unit
        self.plane = plane

    def __dealloc__(self):
        free(self.sorted)

    cdef int64_t key(self, ColumnReader column, Py_ssize_t first, Py_ssize_t end, int mode) noexcept nogil:
        cdef double value = INFINITY if mode == MIN else 0, one, lat, lon
        cdef Py_ssize_t i, j, n = 0, pairs = (end - first) * self.lats.shape[0]
        cdef int64_t cell, bits
        cdef void* grown
        if mode > AVERAGE and pairs > self.capacity:
            grown = realloc(self.sorted, pairs * sizeof(double))
            if grown == NULL:
                value = NAN  # sorts behind all others
                memcpy(&bits, &value, 8)
                return bits
            self.sorted = <double*>grown
            self.capacity = pairs
        for i in range(first, end):
            cell = column.cell(i)
            lat = <double>(cell >> 32) * LAT_STEP
            lon = <double><int32_t><uint32_t>cell * LON_STEP
            for j in range(self.lats.shape[0]):
                if self.plane:
                    one = flat(self.lats[j], self.lons[j], lat, lon) / self.unit
                else:
                    one = arc(self.lats[j], self.lons[j], lat, lon) / self.unit
                if mode == MIN:
                    value = one if one < value else value
                elif mode == MAX:
                    value = one if one > value else value
                elif mode == AVERAGE:
                    value += one
                else:
                    self.sorted[n] = one
                    n += 1
        if mode == AVERAGE:
            value /= <double>pairs
        elif mode > AVERAGE:
            value = median(self.sorted, n)
        memcpy(&bits, &value, 8)
        return bits if bits >= 0 else bits ^ LOW_BITS


cdef double median(double* values, Py_ssize_t n) noexcept nogil:
    """The middle of some numbers, or the mean of the two there; their order changes."""
    cdef Py_ssize_t i
    cdef double below
    upper = select(values, n, n // 2)
    if n % 2:
        return upper
    below = values[0]
    for i in range(n // 2):
        below = values[i] if values[i] > below else below
    return (below + upper) / 2


cdef double select(double* values, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    """The k-th least number; less ones stand before it afterwards."""
    cdef Py_ssize_t lo = 0, hi = n - 1, i, j
    cdef double pivot, held
    while lo < hi:
        pivot = values[(lo + hi) // 2]
        i = lo
        j = hi
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                held = values[i]
                values[i] = values[j]
                values[j] = held
                i += 1
                j -= 1
        if k <= j:
            hi = j
        elif k >= i:
            lo = i
        else:
            break
    return values[k]


def metres(double lat, double lon, int64_t cell) -> float:
    """Return how far a place in degrees is from that of a cell."""
    return arc_to(lat, lon, cell)
