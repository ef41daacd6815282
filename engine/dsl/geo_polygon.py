"""geo_polygon: documents with a point inside a ring of points."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.geo import Point, parse_point
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.geo import STRICT, checked, geo_field, read_option
from lanner.engine.query.base import Query
from lanner.engine.query.geo import GeoPolygonQuery
from lanner.engine.query.match_all import MatchNoneQuery

_KIND = "geo_polygon"
_MOST_CORNERS = 65_536


@dataclass(frozen=True, slots=True)
class GeoPolygonDsl(DslQuery):
    """A ring."""

    field: str
    corners: tuple[Point, ...]
    ignore_unmapped: bool = False
    validation: str = STRICT

    def build(self, context: DslContext) -> Query:
        """Return the documents with a point in the ring."""
        field = geo_field(context, self.field, ignore_unmapped=self.ignore_unmapped, kind="geo_point")
        if field is None:
            return MatchNoneQuery()
        names = ("latitude", "longitude")
        return GeoPolygonQuery(
            field.name, tuple(checked(corner, self.validation, _KIND, names) for corner in self.corners)
        )


def parse_geo_polygon(body: dict[str, Any], context: ParseContext) -> GeoPolygonDsl:
    """Read the body of a geo_polygon query."""
    values: dict[str, Any] = {}
    corners: list[Point] = []
    for key, value in body.items():
        if isinstance(value, dict):
            values["field"] = key
            for inner, given in value.items():
                if inner != "points" or not isinstance(given, list):
                    raise LocatedError(
                        f"[{_KIND}] query does not support token type [{token_name(given)}] under [{inner}]",
                        Anchor(value, inner),
                    )
                corners = [parse_point(one) for one in given]
        elif not read_option(_KIND, body, key, values):
            raise LocatedError(f"[{_KIND}] query does not support [{key}]", Anchor(body, key))
    if not corners:
        raise IllegalArgument("polygon must not be null or empty")
    ring = corners if corners[0] == corners[-1] else [*corners, corners[0]]
    if len(ring) < 4:
        raise IllegalArgument("too few points defined for geo_polygon query")
    if len(ring) > _MOST_CORNERS:
        raise IllegalArgument(f"too many points defined for geo_polygon query: {len(ring)}")
    return GeoPolygonDsl(corners=tuple(corners), **values)
