"""Shapes on the earth.

A shape is kept as terms of one column: its bounding box, the number of the piece, and a piece of its WKB, the
corners rounded down to the 32 bits that the reference keeps of each (`ext/query/boxes.pyx`,
`engine/query/geo_shape.py`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
    MapperParsingError,
    UnsupportedOperation,
)
from lanner.engine.common.geo import encode_lat, encode_lon
from lanner.engine.common.geometry import check_available, geometry_of, quantized
from lanner.engine.common.shapes import (
    Shape,
    ShapeRules,
    parse_shape,
    read_orientation,
    to_geojson,
    to_text,
)
from lanner.engine.mapping.field_type import MAX_TERM_BYTES, BuildContext, Handler, Values, each
from lanner.engine.mapping.parameters import DOC_VALUES, META, STORE, Parameter, boolean
from lanner.engine.mapping.types.geometry import GeometryFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.exists import ExistsQuery
from lanner.ext.index.schema import DOCS, TERM, Field

_PIECE = 32_000  # bytes of WKB in a term
_SHIFT = 1 << 31


def _orientation(_: str, value: Any) -> str:
    return "RIGHT" if read_orientation(java_text(value)) else "LEFT"


class GeoShapeFieldType(GeometryFieldType):
    """One shape of any kind."""

    type_name = "geo_shape"
    sort_kind = "shapes"
    sort_refusal = "can't sort on geo_shape field without using specific sorting feature, like geo_distance"
    takes_lists = True
    parameters = (
        Parameter("index", True, boolean, ignored=True),
        DOC_VALUES,
        STORE,
        META,
        Parameter("ignore_malformed", False, boolean, updateable=True, explicit=True),
        Parameter("ignore_z_value", True, boolean, updateable=True, explicit=True),
        Parameter("coerce", False, boolean, updateable=True, explicit=True),
        Parameter("orientation", "RIGHT", _orientation, updateable=True, explicit=True),
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.rules = ShapeRules(
            self.get("coerce"), self.get("ignore_z_value"), self.get("orientation") == "RIGHT"
        )

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse the type where it cannot be."""
        check_available()
        return super().read(name, given, build_registry)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of terms, which are found by document too."""
        return Field(self.name, build.number(self.name), TERM, postings=DOCS, doc_values=True)

    @property
    def searchable(self) -> bool:
        """Return that there is always a column."""
        return True

    def exists_query(self) -> Query:
        """Return the documents with a shape."""
        return ExistsQuery(self.name)

    # -- documents

    def handler(self) -> Handler:
        """Take a shape, or an array of one."""
        field, name, malformed = self.field, self.name, self.get("ignore_malformed")
        ignored, own_name, single = self.metadata.ignored, name.encode(), self.has_doc_values
        assert field is not None

        def handle(value: Any, out: Values) -> None:
            if type(value) is list:
                shapes: list[Any] = []
                each(value, lambda one: None if one is None else shapes.append(one))
                if len(shapes) > 1 and not single:
                    value = {"type": "geometrycollection", "geometries": [_object(one) for one in shapes]}
                elif len(shapes) > 1:
                    raise _several(name)
                else:
                    value = shapes[0] if shapes else None
            if value is None:
                return
            if any(column is field for column, _ in out):
                raise _several(name)
            try:
                terms = _terms(parse_shape(value, self.rules))
            except LannerError as error:
                if malformed:
                    out.append((ignored, own_name))
                    return
                raise MapperParsingError(
                    f"failed to parse field [{name}] of type [geo_shape]", caused_by=error
                ) from None
            out.extend((field, term) for term in terms)

        return handle

    # -- queries

    # -- values in answers

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Refuse: what the reference shows is a summary of its triangles."""
        super().doc_values_format(pattern)
        raise IllegalArgument(
            f"Doc values of field [{self.name}] of type [geo_shape] are not supported by this version"
        )

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Show shapes in the given form, as they stand where they have it."""
        return shape_shower(pattern, self.rules)


def shape_shower(pattern: str | None, rules: ShapeRules) -> Callable[[Any], list[Any]]:
    """Return what shows a shape of a source as GeoJSON or well-known text; raises IllegalArgument."""
    if pattern not in (None, "geojson", "wkt"):
        raise IllegalArgument(f"Unrecognized geometry format [{pattern}].")
    if pattern == "wkt":
        return lambda value: [value if isinstance(value, str) else to_text(parse_shape(value, rules))]
    return lambda value: [value if isinstance(value, dict) else to_geojson(parse_shape(value, rules))]


def _several(name: str) -> IllegalArgument:
    return IllegalArgument(
        f'DocValuesField "{name}" appears more than once in this document '
        "(only one value is allowed per field)"
    )


def _object(value: Any) -> Any:
    """Return a shape as an object."""
    return to_geojson(parse_shape(value)) if isinstance(value, str) else value


def _terms(shape: Shape) -> list[bytes]:
    """Return the terms of a shape; raises IllegalArgument."""
    import shapely

    if shape.kind == "circle":
        raise UnsupportedOperation("circle geometry is not supported")
    geometry = quantized(geometry_of(shape))
    west, south, east, north = geometry.bounds
    steps = (encode_lat(south), encode_lon(west), encode_lat(north), encode_lon(east))
    box = b"".join((one + _SHIFT).to_bytes(4, "big") for one in steps)
    written = shapely.to_wkb(geometry)
    pieces = range(0, len(written), _PIECE)
    assert len(box) + 2 + _PIECE <= MAX_TERM_BYTES
    if len(pieces) > 0xFFFF:
        raise IllegalArgument("a shape has too many corners")
    return [
        box + number.to_bytes(2, "big") + written[start : start + _PIECE]
        for number, start in enumerate(pieces)
    ]
