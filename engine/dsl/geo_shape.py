"""geo_shape: documents with a shape, or a point, that stands in some relation to another shape."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, java_text, read_boolean
from lanner.engine.common.errors import IllegalArgument, ParseError, QueryShardError
from lanner.engine.common.geo import Point
from lanner.engine.common.geometry import check_available, check_degrees
from lanner.engine.common.shapes import KINDS, Shape, parse_shape
from lanner.engine.common.source_path import values_at
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, RequestFaultError, read_common
from lanner.engine.mapping.types.geo_point import GeoPointFieldType
from lanner.engine.mapping.types.geo_shape import GeoShapeFieldType
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.geo import GeoBoxQuery, GeoDistanceQuery
from lanner.engine.query.geo_shape import GeoPointInShapeQuery, GeoShapeQuery
from lanner.engine.query.match_all import MatchNoneQuery

_RELATIONS = ("intersects", "disjoint", "within", "contains")
_LINES = ("linestring", "multilinestring")


@dataclass(frozen=True, slots=True)
class IndexedShape:
    """A place in a document that holds a shape."""

    index: str
    id: str
    path: str
    routing: str | None

    def load(self, context: DslContext) -> Shape:
        """Return the shape; raises RequestFaultError."""
        source = context.source_of(self.index, self.id, self.routing)
        if source is None:
            raise RequestFaultError(IllegalArgument(f"Shape with ID [{self.id}] not found"))
        found = values_at(source, self.path)
        if not found:
            raise RequestFaultError(
                IllegalArgument(f"Shape with name [{self.id}] found but missing {self.path} field")
            )
        return parse_shape(found[0])


@dataclass(frozen=True, slots=True)
class GeoShapeDsl(DslQuery):
    """A field, a relation, and a shape or where it is found."""

    field: str
    shape: Shape | None
    place: IndexedShape | None = None
    relation: str = "intersects"
    ignore_unmapped: bool = False

    def resolve(self, context: DslContext) -> Query:
        """Return the query; its matches score nothing, as the reference has it, unless they are boosted."""
        return boosted(self.build(context), 0.0 if self.boost == 1.0 else self.boost)

    def build(self, context: DslContext) -> Query:
        """Ask the field."""
        shape = self.shape if self.place is None else self.place.load(context)
        assert shape is not None
        field = context.mapping.field_type(self.field)
        if field is None:
            if self.ignore_unmapped:
                return MatchNoneQuery()
            raise QueryShardError(f"failed to find type for field [{self.field}]")
        context.count(1)
        _check_places(shape)
        if isinstance(field, GeoPointFieldType):
            return self._points(field, shape)
        if not isinstance(field, GeoShapeFieldType):
            raise QueryShardError(
                f"Field [{self.field}] is of unsupported type [{field.type_name}] for [geo_shape] query"
            )
        if self.relation == "within" and _holds(shape, _LINES):
            raise IllegalArgument("LatLonShapeQuery does not support WITHIN queries with line geometries")
        return GeoShapeQuery(field.name, shape, self.relation)

    def _points(self, field: GeoPointFieldType, shape: Shape) -> Query:
        """Return the points inside an area."""
        if self.relation != "intersects":
            raise QueryShardError(
                f"{self.relation.upper()} query relation not supported for Field [{self.field}]."
            )
        if shape.kind == "geometrycollection":
            return BooleanQuery(should=tuple(self._points(field, part) for part in shape.parts))
        if shape.kind == "envelope":
            ((west, north), (east, south)) = shape.lines[0]
            return GeoBoxQuery(field.name, Point(north, west), Point(south, east))
        if shape.kind == "circle":
            ((lon, lat),) = shape.lines[0]
            return GeoDistanceQuery(field.name, Point(lat, lon), shape.metres)
        if not shape.polygons:
            raise QueryShardError(f"Field [{self.field}] does not support {shape.kind} queries")
        check_available()
        return GeoPointInShapeQuery(field.name, shape)


def _holds(shape: Shape, kinds: tuple[str, ...]) -> bool:
    return shape.kind in kinds or any(_holds(part, kinds) for part in shape.parts)


def _check_places(shape: Shape) -> None:
    """Refuse points that are nowhere: those of documents are moved to where they are meant to be."""
    if shape.kind in ("point", "multipoint", "circle"):
        for lon, lat in shape.lines[0]:
            check_degrees(lon, lat)
    for part in shape.parts:
        _check_places(part)


def parse_geo_shape(body: dict[str, Any], context: ParseContext) -> GeoShapeDsl:
    """Read the body of a geo_shape query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if isinstance(value, dict):
            if "field" in values:
                raise LocatedError(f"point specified twice. [{key}]", Anchor(body, key))
            values["field"] = key
            _read_field(value, values)
        elif key == "ignore_unmapped":
            values[key] = read_boolean(value)
        else:
            read_common("geo_shape", body, key, values)
    if "field" not in values:
        raise IllegalArgument("fieldName is required")
    if values.get("shape") is None and values.get("place") is None:
        raise IllegalArgument("either shape or indexedShapeId is required")
    values.setdefault("shape", None)
    return GeoShapeDsl(**values)


def _read_field(given: dict[str, Any], values: dict[str, Any]) -> None:
    for key, value in given.items():
        if key == "shape":
            values["shape"] = _read_shape(value)
        elif key == "relation":
            relation = java_text(value).lower()
            if relation not in _RELATIONS:
                raise LocatedError(f"Unknown shape operation [{java_text(value)} ]", Anchor(given, key))
            values["relation"] = relation
        elif key == "strategy":
            if java_text(value).lower() not in ("recursive", "term"):
                raise IllegalArgument(f"Unknown strategy [{java_text(value)}]")
        elif key == "indexed_shape" and isinstance(value, dict):
            values["place"] = IndexedShape(
                java_text(value.get("index", "shapes")),
                java_text(value.get("id")),
                java_text(value.get("path", "shape")),
                None if value.get("routing") is None else java_text(value["routing"]),
            )
            if value.get("id") is None:
                raise IllegalArgument("indexedShapeId is required")
        else:
            raise LocatedError(f"query does not support [{key}]", Anchor(given, key))


def _read_shape(value: Any) -> Shape:
    """Return the shape of a request; its complaints are those of an older reader of the reference."""
    kind = None
    if isinstance(value, dict):
        kind = java_text(value.get("type"))
    elif isinstance(value, str):
        kind = value.split("(")[0].strip()
    if kind is None:
        raise ParseError("shape must be an object consisting of type and coordinates")
    if kind.lower() not in KINDS:
        raise IllegalArgument(f"unknown geo_shape [{kind}]")
    return parse_shape(value)
