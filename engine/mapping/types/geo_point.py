"""Points on the earth."""

from collections.abc import Callable
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError
from lanner.engine.common.geo import (
    Point,
    check_indexed,
    decode_point,
    encode_point,
    normalized,
    parse_point,
)
from lanner.engine.common.geohash import MOST_LETTERS, encode
from lanner.engine.mapping.field_type import BuildContext, FieldType, Handler, Values
from lanner.engine.mapping.parameters import DOC_VALUES, META, STORE, Parameter, boolean
from lanner.engine.mapping.types.geometry import GeometryFieldType
from lanner.ext.index.schema import NUMBER, Field


def _null_point(_: str, value: Any) -> dict[str, float]:
    point = normalized(parse_point(value))
    return {"lat": point.lat, "lon": point.lon}


class GeoPointFieldType(GeometryFieldType):
    """One or several points, as cells (see `engine/common/geo.py`)."""

    type_name = "geo_point"
    sort_kind = "number"
    sort_refusal = "can't sort on geo_point field without using specific sorting feature, like geo_distance"
    takes_lists = True
    parameters = (
        Parameter("ignore_malformed", False, boolean, updateable=True, explicit=True),
        Parameter("ignore_z_value", True, boolean, updateable=True, explicit=True),
        Parameter("null_value", None, _null_point, nullable=True),
        Parameter("index", True, boolean, ignored=True),
        DOC_VALUES,
        STORE,
        META,
    )

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of cells."""
        return Field(self.name, build.number(self.name), NUMBER, doc_values=self.has_doc_values, points=True)

    @property
    def searchable(self) -> bool:
        """Return that there are always points."""
        return True

    def handler(self) -> Handler:
        """Take a point, or an array of points; an array that begins with a number is one point."""
        field, name, malformed = self.field, self.name, self.get("ignore_malformed")
        ignore_z, null_value = self.get("ignore_z_value"), self.get("null_value")
        names, ignored, own_name = self.metadata.field_names, self.metadata.ignored, name.encode()
        report = self.reports_names()
        assert field is not None

        def take(value: Any, out: Values) -> None:
            try:
                point = parse_point(value, ignore_z=ignore_z)
                fault = check_indexed(point, name)
                if fault is not None:
                    raise fault
            except LannerError as error:
                if malformed:
                    out.append((ignored, own_name))
                    return
                raise MapperParsingError(
                    f"failed to parse field [{name}] of type [geo_point]", caused_by=error
                ) from None
            out.append((field, encode_point(point)))
            if report:
                out.append((names, own_name))

        def handle(value: Any, out: Values) -> None:
            if value is None:
                if null_value is not None:
                    out.append((field, encode_point(Point(**null_value))))
            elif type(value) is not list or (value and type(value[0]) in (int, float)):
                take(value, out)
            else:
                for one in value:
                    handle(one, out)

        return handle

    def values_below(self, value: Any, field: FieldType) -> list[Any]:
        """Return the geohashes of the points, which the multi-fields of this field take."""
        if value is None:
            return []
        if type(value) is list and not (value and type(value[0]) in (int, float)):
            return [cell for one in value for cell in self.values_below(one, field)]
        try:
            return [encode(parse_point(value, ignore_z=self.get("ignore_z_value")), MOST_LETTERS)]
        except LannerError:
            return []  # a point that is let pass though it is none

    def sort_missing(self, value: Any) -> Any:
        """Refuse."""
        raise IllegalArgument(f"Field [{self.name}] of type [geo_point] cannot be sorted by")

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Show points as GeoJSON or well-known text."""
        if pattern not in (None, "geojson", "wkt"):
            raise IllegalArgument(f"Unrecognized geometry format [{pattern}].")

        def show(value: Any) -> list[Any]:
            lat, lon = parse_point(value)
            if pattern == "wkt":
                return [f"POINT ({java_text(lon)} {java_text(lat)})"]
            return [{"coordinates": [lon, lat], "type": "Point"}]

        return show

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show ``latitude, longitude``."""
        super().doc_values_format(pattern)

        def show(cell: int) -> str:
            point = decode_point(cell)
            return f"{java_text(point.lat)}, {java_text(point.lon)}"

        return show
