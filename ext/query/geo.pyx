"""Documents with a point inside a shape on the earth.

Cells (engine/common/geo.py) ascend with the latitude: the sorted points of the latitudes that a shape touches are looked at one by one.
"""

from array import array

from libc.math cimport asin, cos, sqrt

from lanner.ext.codec.column_reader cimport PointsReader
from lanner.ext.index.segment_reader cimport FieldReader, SegmentReader
from lanner.ext.query.doc_set cimport SetScorer, SetWeight, empty_set
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport doc_t, int32_t, int64_t, uint32_t, uint64_t

cdef int64_t STEPS = <int64_t>1 << 32  # of the longitude
cdef double LAT_STEP = 180.0 / 4294967296.0
cdef double LON_STEP = 360.0 / 4294967296.0
cdef double RADIANS = 0.017453292519943295
cdef double EARTH = 6371008.7714  # metres, the mean radius


cdef class GeoWeight(SetWeight):
    """Base: points of some latitudes that lie inside; score 1."""

    cdef str field
    cdef int64_t south  # in steps, both included
    cdef int64_t north

    cdef bint inside(self, int64_t lat, int64_t lon) noexcept nogil:
        return False

    cdef SetScorer make(self, int segment):
        cdef SegmentReader reader = <SegmentReader>self.reader.segments[segment]
        cdef SetScorer out = empty_set(reader.max_doc)
        cdef FieldReader field = reader.field(self.field)
        cdef PointsReader points
        cdef Py_ssize_t i, first, end
        cdef int64_t cell, lon
        cdef doc_t doc
        if field is None or field.points is None or self.south > self.north:
            return out
        points = field.points
        first = points.lower(self.south * STEPS)
        end = points.n_values if self.north >= 2147483647 else points.lower((self.north + 1) * STEPS)
        with nogil:
            for i in range(first, end):
                cell = points.cell(i)
                lon = <int32_t>(<uint32_t>cell)
                doc = points.docs[i]
                if doc < reader.max_doc and self.inside(cell >> 32, lon):
                    out.words[doc >> 6] |= <uint64_t>1 << (doc & 63)
        return out


cdef class GeoBoxWeight(GeoWeight):
    """Points between latitudes and longitudes, given in steps, both included; west > east goes over the date line."""

    cdef int64_t west
    cdef int64_t east

    def __init__(self, IndexReader reader not None, str field not None, int64_t south, int64_t north, int64_t west, int64_t east):
        self.reader = reader
        self.field = field
        self.south = south
        self.north = north
        self.west = west
        self.east = east

    cdef bint inside(self, int64_t lat, int64_t lon) noexcept nogil:
        if self.west <= self.east:
            return self.west <= lon <= self.east
        return lon >= self.west or lon <= self.east


cdef class GeoDistanceWeight(GeoWeight):
    """Points at most so many metres from a point in degrees, by the haversine formula. south, north: in steps."""

    cdef double lat
    cdef double lon
    cdef double cosine
    cdef double metres

    def __init__(
        self, IndexReader reader not None, str field not None, int64_t south, int64_t north, double lat, double lon, double metres
    ):
        self.reader = reader
        self.field = field
        self.south = south
        self.north = north
        self.lat = lat * RADIANS
        self.lon = lon * RADIANS
        self.cosine = cos(self.lat)
        self.metres = metres

    cdef bint inside(self, int64_t lat, int64_t lon) noexcept nogil:
        cdef double y = <double>lat * LAT_STEP * RADIANS, x = <double>lon * LON_STEP * RADIANS
        cdef double h = (1 - cos(self.lat - y)) + self.cosine * cos(y) * (1 - cos(self.lon - x))
        cdef double root = sqrt(h * 0.5)
        return 2 * EARTH * asin(root if root < 1 else 1) <= self.metres


cdef class GeoPolygonWeight(GeoWeight):
    """Points inside a ring of corners in degrees, or on its border, by crossings. lats, lons: closed or not."""

    cdef double[::1] lats
    cdef double[::1] lons

    def __init__(self, IndexReader reader not None, str field not None, int64_t south, int64_t north, lats, lons):
        self.reader = reader
        self.field = field
        self.south = south
        self.north = north
        self.lats = array("d", lats)
        self.lons = array("d", lons)
        if self.lats.shape[0] != self.lons.shape[0] or self.lats.shape[0] < 3:
            raise ValueError("a polygon needs three corners")

    cdef bint inside(self, int64_t lat, int64_t lon) noexcept nogil:
        cdef double y = <double>lat * LAT_STEP, x = <double>lon * LON_STEP, side
        cdef Py_ssize_t i, j = self.lats.shape[0] - 1
        cdef bint odd = False
        for i in range(self.lats.shape[0]):
            side = (self.lons[j] - self.lons[i]) * (y - self.lats[i]) - (x - self.lons[i]) * (self.lats[j] - self.lats[i])
            if side == 0 and (self.lats[i] - y) * (self.lats[j] - y) <= 0 and (self.lons[i] - x) * (self.lons[j] - x) <= 0:
                return True
            if (self.lats[i] > y) != (self.lats[j] > y) and (side < 0) == (self.lats[j] < self.lats[i]):
                odd = not odd
            j = i
        return odd
