from collections.abc import Sequence

from lanner.ext.query.scorer import Weight
from lanner.ext.search.reader import IndexReader

class GeoBoxWeight(Weight):
    def __init__(
        self, reader: IndexReader, field: str, south: int, north: int, west: int, east: int
    ) -> None: ...

class GeoDistanceWeight(Weight):
    def __init__(
        self, reader: IndexReader, field: str, south: int, north: int, lat: float, lon: float, metres: float
    ) -> None: ...

class GeoPolygonWeight(Weight):
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        south: int,
        north: int,
        lats: Sequence[float],
        lons: Sequence[float],
    ) -> None: ...
