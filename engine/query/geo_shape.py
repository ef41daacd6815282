"""Documents with a shape, or a point, that stands in some relation to another shape.

Bounding boxes and cells tell in compiled code which documents may; shapely tells which do.
"""

from dataclasses import dataclass
from typing import Any

from pyroaring import BitMap

from lanner.engine.common.geo import decode_point, encode_lat, encode_lon
from lanner.engine.common.geometry import geometry_of, quantized
from lanner.engine.common.shapes import Shape
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.query.boxes import BoxesWeight
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.query.exists import ExistsWeight
from lanner.ext.query.geo import GeoBoxWeight
from lanner.ext.search.count import matching

_AT_ONCE = 1024  # shapes that are unpacked together
_POINTS, _LINES = ("point", "multipoint"), ("linestring", "multilinestring")
HEAD = 18  # bytes of a term before its piece of a shape: the box, and the number of the piece


def _sides(geometry: Any) -> tuple[int, int, int, int]:
    """Return least and greatest latitude, then longitude, in steps."""
    west, south, east, north = geometry.bounds
    return (encode_lat(south), encode_lat(north, up=True), encode_lon(west), encode_lon(east, up=True))


def _compared(shape: Shape) -> Any:
    """Return the geometry of a query: the reference rounds the corners of points and lines, not of areas."""
    if shape.parts:
        import shapely

        return shapely.GeometryCollection([_compared(part) for part in shape.parts])
    geometry = geometry_of(shape)
    return quantized(geometry) if shape.kind in (*_POINTS, *_LINES) else geometry


@dataclass(frozen=True, slots=True)
class GeoShapeQuery(Query):
    """Shapes of a column. relation: "intersects", "disjoint", "within" (it) or "contains" (it)."""

    field: str
    shape: Shape
    relation: str = "intersects"

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the documents that fit."""
        import shapely

        reader = context.reader
        geometry = _compared(self.shape)
        shapely.prepare(geometry)
        candidates = matching(reader, BoxesWeight(reader, self.field, *_sides(geometry)))
        sets = [
            self._fitting(segment, docs, geometry)
            for segment, docs in zip(reader.segments, candidates, strict=True)
        ]
        if self.relation == "disjoint":
            having = matching(reader, ExistsWeight(reader, self.field))
            sets = [every - touching for every, touching in zip(having, sets, strict=True)]
        return ConstantWeight(DocSetWeight(reader, sets), boost)

    def _fitting(self, segment: SegmentReader, docs: BitMap, geometry: Any) -> BitMap:
        import shapely

        found = BitMap()
        waiting = list(docs)
        for start in range(0, len(waiting), _AT_ONCE):
            some = waiting[start : start + _AT_ONCE]
            pieces = [b"".join(term[HEAD:] for term in segment.terms(self.field, doc)) for doc in some]
            shapes = shapely.from_wkb(pieces)
            if self.relation == "within":
                fits = shapely.covers(geometry, shapes)
            elif self.relation == "contains":
                fits = shapely.covers(shapes, geometry)
                if self.shape.kind in _LINES:  # no line contains a line
                    fits &= shapely.get_dimensions(shapes) == 2
            else:
                fits = shapely.intersects(geometry, shapes)
            found.update(doc for doc, fit in zip(some, fits, strict=True) if fit)
        return found


@dataclass(frozen=True, slots=True)
class GeoPointInShapeQuery(Query):
    """Points of a column that lie inside a shape or on its border."""

    field: str
    shape: Shape

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the documents that fit."""
        import shapely

        reader = context.reader
        geometry = geometry_of(self.shape)
        shapely.prepare(geometry)
        sides = _sides(geometry)
        candidates = matching(reader, GeoBoxWeight(reader, self.field, *sides))
        sets = []
        for segment, docs in zip(reader.segments, candidates, strict=True):
            cells = [(doc, decode_point(cell)) for doc in docs for cell in segment.numbers(self.field, doc)]
            lons = [point.lon for _, point in cells]
            inside = shapely.intersects_xy(geometry, lons, [point.lat for _, point in cells])
            sets.append(BitMap(doc for (doc, _), fits in zip(cells, inside, strict=True) if fits))
        return ConstantWeight(DocSetWeight(reader, sets), boost)
