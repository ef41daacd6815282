"""What the queries about points on the earth share."""

from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, java_text, read_boolean
from lanner.engine.common.errors import IllegalArgument, QueryShardError, QueryValidationError
from lanner.engine.common.geo import Point, normalized, valid_lat, valid_lon
from lanner.engine.common.shapes import Shape
from lanner.engine.dsl.base import DslContext, read_common
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.geo_point import GeoPointFieldType
from lanner.engine.query.base import Query

STRICT, COERCE, IGNORE_MALFORMED = "strict", "coerce", "ignore_malformed"
METHODS = (STRICT, COERCE, IGNORE_MALFORMED)


def geo_field(
    context: DslContext, name: str, *, ignore_unmapped: bool, kind: str = "geo", shapes: bool = False
) -> FieldType | None:
    """Return a field of points, or of shapes if these may be; None if it is missing and may be.

    Raises QueryShardError.
    """
    field = context.mapping.field_type(name)
    if field is None:
        if ignore_unmapped:
            return None
        raise QueryShardError(f"failed to find {kind} field [{name}]")
    if not isinstance(field, GeoPointFieldType) and not (shapes and field.type_name == "geo_shape"):
        raise QueryShardError(f"field [{name}] is not a geo_point field")
    context.count(1)
    return field


def read_option(kind: str, body: dict[str, Any], key: str, values: dict[str, Any]) -> bool:
    """Read what all of these queries may have; False for another key."""
    value = body[key]
    if key in ("_name", "boost"):
        read_common(kind, body, key, values)
    elif key == "ignore_unmapped":
        values["ignore_unmapped"] = read_boolean(value)
    elif key == "validation_method":
        method = java_text(value).lower()
        if method not in METHODS:
            raise IllegalArgument(
                "operator needs to be either [STRICT], [IGNORE_MALFORMED], or [COERCE], "
                f"but was [{java_text(value)}]"
            )
        values["validation"] = method
    else:
        return False
    return True


def unexpected(kind: str, body: dict[str, Any], key: str) -> LocatedError:
    """Make the error for a key that a query does not have."""
    return LocatedError(f"failed to parse [{kind}] query. unexpected field [{key}]", Anchor(body, key))


def checked(point: Point, method: str, kind: str, names: tuple[str, str]) -> Point:
    """Return a point with degrees in range, after the method of validation.

    names: how the error calls the latitude and the longitude. Raises QueryShardError, or IllegalArgument
    where nothing was validated.
    """
    if method == COERCE:
        return normalized(point)
    for name, degrees, valid in zip(names, point, (valid_lat, valid_lon), strict=True):
        if valid(degrees):
            continue
        if method == STRICT:
            reason = f"Validation Failed: 1: [{kind}] {name} is invalid: {degrees};"
            raise QueryShardError(
                "couldn't validate latitude/ longitude values", caused_by=QueryValidationError(reason)
            )
        most = 90.0 if valid is valid_lat else 180.0
        short = "latitude" if valid is valid_lat else "longitude"
        raise IllegalArgument(f"invalid {short} {degrees}; must be between -{most} and {most}")
    return point


def shape_query(field: FieldType, shape: Shape) -> Query:
    """Return the shapes of a field that touch one; its package is needed only then."""
    from lanner.engine.query.geo_shape import GeoShapeQuery

    return GeoShapeQuery(field.name, shape)
