"""The order of hits: read from requests, bound to the fields of an index, shown in answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedXContentError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError, NumberFormatError, QueryShardError
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types import FIELD_TYPES
from lanner.engine.mapping.types.floating import FloatingFieldType
from lanner.engine.mapping.types.integer import IntegerFieldType
from lanner.ext.json.number import float32
from lanner.ext.search.sort_keys import SortKey

NUMERIC_TYPES = ("long", "double", "date", "date_nanos")
MODES = ("min", "max", "sum", "avg", "median")
_SHIFTED = ("unsigned_long", "scaled_float")  # whose cells are not their numbers
_SUMMING = ("sum", "avg", "median")


@dataclass(frozen=True, slots=True)
class Sort:
    """One criterion of a request.

    missing: "_last", "_first" or a replacement. distance: what is measured to points of the field (a
    GeoDistance), if that is the order.
    """

    field: str
    reverse: bool = False
    missing: Any = "_last"
    mode: str | None = None
    unmapped_type: str | None = None
    nested: Any = None  # NestedSort
    numeric_type: str | None = None
    distance: Any = None


@dataclass(frozen=True, slots=True)
class BoundSort:
    """A criterion bound to an index: the key of the compiled search, and how its values look in JSON.

    field: what is sorted, None where that is no field. convert: makes its cells numbers of that type, if they
    are not. columns: makes what stands in for the columns of the segments, where they have none. shared: what
    the values of different shards compare by, where it is not the values themselves.
    """

    key: SortKey
    show: Callable[[Any], Any]
    read: Callable[[Any], Any]
    field: FieldType | None = None
    convert: Callable[[Any, Any], Any] | None = None
    columns: Callable[[Any], Any] | None = None
    shared: Callable[[Any], Any] | None = None


# -- reading


def parse_sort(body: Any) -> tuple[Sort, ...]:
    """Return the criteria of a body's ``sort``; sorting by score alone is no sorting at all."""
    given = body if isinstance(body, list) else [body]
    sorts: list[Sort] = []
    for one in given:
        if isinstance(one, dict):
            sorts += [_parse_field(field, one) for field in one]
        elif isinstance(one, str) or not isinstance(body, list):
            name = java_text(one)
            sorts.append(Sort(name, reverse=name == "_score"))
        else:
            raise IllegalArgument(
                "malformed sort format, within the sort array, an object, or an actual string are allowed"
            )
    return _without_score_alone(sorts)


def parse_sort_parameter(text: str) -> tuple[Sort, ...]:
    """Return the criteria of the URL's ``sort``: ``field``, ``field:desc``, several with commas."""
    sorts = []
    for part in text.split(","):
        field, colon, order = part.rpartition(":")
        if not part:
            continue
        if not colon:
            sorts.append(Sort(part, reverse=part == "_score"))
        elif order in ("asc", "desc"):
            sorts.append(Sort(field, reverse=order == "desc"))
        # an order that is neither is passed over, as the API does
    return _without_score_alone(sorts)


def _without_score_alone(sorts: list[Sort]) -> tuple[Sort, ...]:
    return () if sorts == [Sort("_score", reverse=True)] else tuple(sorts)


def _parse_field(field: str, container: dict[str, Any]) -> Sort:
    given = container[field]
    reverse = field == "_score"
    if not isinstance(given, dict):
        return Sort(field, _order(java_text(given)))
    if field == "_geo_distance":
        from lanner.engine.search.geo_sort import parse_geo_distance_sort  # few ask for it

        return Sort(**parse_geo_distance_sort(given, _order, _mode))
    if field == "_script":
        raise IllegalArgument(f"Sorting by [{field}] is not supported by this version")
    values: dict[str, Any] = {"reverse": reverse}
    allowed = (
        ("order",)
        if field == "_score"
        else (
            "order",
            "missing",
            "mode",
            "unmapped_type",
            "numeric_type",
            "nested",
            "nested_path",
            "nested_filter",
        )
    )
    for key, value in given.items():
        try:
            if key not in allowed:
                kind = "_score" if field == "_score" else "field_sort"
                raise LocatedXContentError(f"[{kind}] unknown field [{key}]", Anchor(given, key, "key"))
            if key == "order":
                values["reverse"] = _order(java_text(value))
            elif key == "missing":
                values["missing"] = value
            elif key == "mode":
                values["mode"] = _mode(java_text(value))
            elif key == "numeric_type":
                if not isinstance(value, str):
                    raise LocatedXContentError(
                        f"[field_sort] numeric_type doesn't support values of type: {token_name(value)}",
                        Anchor(given, key),
                    )
                values["numeric_type"] = _numeric_type(java_text(value))
            elif key == "unmapped_type":
                values["unmapped_type"] = java_text(value)
            elif key == "nested":
                from lanner.engine.search.nested_sort import parse_nested_sort  # few ask for it

                values["nested"] = parse_nested_sort(given, key)
            elif key == "nested_path":
                from lanner.engine.search.nested_sort import NestedSort, parse_filter

                wanted = parse_filter(given, "nested_filter") if "nested_filter" in given else None
                values["nested"] = NestedSort(java_text(value), wanted)
            elif key == "nested_filter":
                continue  # read with the path
            else:
                raise IllegalArgument(f"[{key}] is not supported by this version")
        except LocatedXContentError:
            raise
        except LannerError as error:
            raise LocatedXContentError(
                f"[field_sort] failed to parse field [{key}]", Anchor(given, key), caused_by=error
            ) from None
    return Sort(field, **values)


def _order(text: str) -> bool:
    if text.lower() not in ("asc", "desc"):
        raise IllegalArgument(f"No enum constant org.opensearch.search.sort.SortOrder.{text.upper()}")
    return text.lower() == "desc"


def _numeric_type(text: str) -> str:
    if text not in NUMERIC_TYPES:
        raise IllegalArgument(
            f"invalid value for [numeric_type], must be [long, double, date, date_nanos], got {text}"
        )
    return text


def _mode(text: str) -> str:
    if text.lower() not in MODES:
        raise IllegalArgument(f"Unknown SortMode [{text}]")
    return text.lower()


# -- binding


def bind_sort(sorts: tuple[Sort, ...], mapping: Mapping, index: str) -> list[BoundSort]:
    """Return the criteria over the fields of an index; raises what a shard answers."""
    return [_bind(sort, mapping, index) for sort in sorts]


def _bind(sort: Sort, mapping: Mapping, index: str) -> BoundSort:
    if sort.field == "_score":
        return BoundSort(SortKey("score", reverse=sort.reverse), _show_score, _read_score)
    if sort.field == "_doc":
        return BoundSort(SortKey("doc", reverse=sort.reverse), int, _read_long)
    if sort.distance is not None:
        from lanner.engine.search.geo_sort import bind_geo_distance

        return BoundSort(
            *bind_geo_distance(sort.field, sort.distance, mapping, reverse=sort.reverse, mode=sort.mode)
        )
    field = mapping.field_type(sort.field)
    if field is None:
        field = _unmapped(sort, mapping)
    field.check_sortable()
    if field.sort_refusal:
        raise IllegalArgument(field.sort_refusal)
    convert = None
    if sort.numeric_type is not None:
        from lanner.engine.search.sort_numbers import taken_as  # few ask for it

        field, convert = taken_as(sort.numeric_type, field, mapping)
    kind = field.sort_kind or "number"
    numbers = "long"
    if sort.nested is not None and sort.mode == "median":
        raise IllegalArgument("Unsupported sort mode: MEDIAN")
    if sort.mode in _SUMMING:
        if kind != "number":
            raise QueryShardError("we only support AVG, MEDIAN and SUM on number based fields")
        if field.type_name in _SHIFTED:
            raise QueryShardError(
                f"mode [{sort.mode}] on fields of type [{field.type_name}] is not supported by this version"
            )
        if isinstance(field, FloatingFieldType):
            numbers = field.type_name
        elif isinstance(field, IntegerFieldType) and field.type_name != "long":
            numbers = "int"
        if numbers == "half_float":
            # what several of them make has the precision of a float
            field = mapping.make_field_type(sort.field, FIELD_TYPES["float"])
    if kind == "name":
        from lanner.engine.search.name_sort import by_id, by_index  # few ask for it

        return by_id(sort) if field.name == "_id" else by_index(sort, index)
    last = sort.missing != "_first"
    missing_value = None
    if sort.missing not in ("_last", "_first", None) and (kind == "number" or field.type_name == "boolean"):
        missing_value = field.sort_missing(sort.missing)
    key = SortKey(
        kind,
        field.name,
        reverse=sort.reverse,
        missing_first=not last,
        missing_value=missing_value,
        mode=sort.mode,
        numbers=numbers,
    )
    shown_missing = field.missing_sort_value(last=last, reverse=sort.reverse)
    sort_value = field.sort_value

    def show(value: Any) -> Any:
        return shown_missing if value is None else sort_value(value)

    def read(value: Any) -> Any:
        if value is None or value == shown_missing:
            return None
        try:
            return field.sort_after(value)
        except NumberFormatError as error:
            raise _after_fault(sort.field, error) from None
        except (ValueError, TypeError):
            raise _after_fault(
                sort.field, NumberFormatError(f'For input string: "{java_text(value)}"')
            ) from None

    return BoundSort(key, show, read, field, convert)


def _after_fault(field: str, cause: LannerError) -> IllegalArgument:
    return IllegalArgument(f"Failed to parse search_after value for field [{field}].", caused_by=cause)


def _unmapped(sort: Sort, mapping: Mapping) -> FieldType:
    if sort.unmapped_type is None:
        raise QueryShardError(f"No mapping found for [{sort.field}] in order to sort on")
    kind = FIELD_TYPES.get(sort.unmapped_type)
    if kind is None:
        raise IllegalArgument(f"No mapper found for type [{sort.unmapped_type}]")
    return mapping.make_field_type(sort.field, kind)


def _show_score(value: float) -> Any:
    return float32(value)


def _read_score(value: Any) -> float:
    try:
        return float(value)
    except (ValueError, TypeError):
        raise _after_fault("_score", NumberFormatError(f'For input string: "{java_text(value)}"')) from None


def _read_long(value: Any) -> int:
    try:
        return int(value)
    except (ValueError, TypeError):
        raise _after_fault("_doc", NumberFormatError(f'For input string: "{java_text(value)}"')) from None
