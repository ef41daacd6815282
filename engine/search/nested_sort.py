"""Sorting by values of nested objects: a column per segment that has for each document those of its rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from lanner.engine.common.body import Anchor, LocatedXContentError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError, ParsingError, QueryShardError
from lanner.engine.dsl import DslQuery, parse_query_at
from lanner.engine.dsl.base import DslContext
from lanner.engine.query.base import WeightContext
from lanner.engine.search.inner_hits.nested import whole_reader
from lanner.engine.search.sort import BoundSort
from lanner.engine.search.sort_numbers import column_of
from lanner.ext.codec.column_reader import ColumnReader
from lanner.ext.index.column_arrays import column_values
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.nested import RowsWeight, rows_between
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader

MAX_CHILDREN = 2**31 - 1
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NestedSort:
    """Which rows count: of a path, matching a filter, at most so many per document. inner: rows inside."""

    path: str
    filter: DslQuery | None = None
    max_children: int = MAX_CHILDREN
    inner: "NestedSort | None" = None


def parse_nested_sort(container: dict[str, Any], key: str) -> NestedSort:
    """Return the ``nested`` of a sort."""
    given = container[key]
    if not isinstance(given, dict):
        raise LocatedXContentError(
            f"[field_sort] nested doesn't support values of type: {token_name(given)}", Anchor(container, key)
        )
    path: str | None = None
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "path" and not isinstance(value, dict | list):
            path = java_text(value)
        elif name == "filter" and isinstance(value, dict):
            values["filter"] = parse_filter(given, name)
        elif name == "max_children" and isinstance(value, int | str):
            values["max_children"] = int(value)
        elif name == "nested" and isinstance(value, dict):
            values["inner"] = parse_nested_sort(given, name)
        else:
            raise IllegalArgument(f"malformed nested sort format, unknown field name [{name}]")
    if path is None:
        raise IllegalArgument("malformed nested sort format, a path is needed")
    return NestedSort(path, **values)


def parse_filter(container: dict[str, Any], key: str) -> DslQuery:
    """Return the filter of a nested sort."""
    try:
        return parse_query_at(container, key)
    except LannerError as error:
        raise ParsingError("Expected nested_filter element.", caused_by=error) from None


def nested_columns(
    sort: NestedSort, bound: BoundSort, reader: IndexReader, context: DslContext, similarity: Any
) -> list[ColumnReader | None]:
    """Return for each segment a column whose documents have the values of a field in their rows."""
    whole = whole_reader(reader)
    kind = context.scope
    allowed: list[BitMap] | None = None
    level: NestedSort | None = sort
    around = kind
    while level is not None:
        check_path(context, level.path)
        weights = WeightContext(whole, similarity, scoring=False)
        weight: Any = RowsWeight(whole, level.path.encode())
        if level.filter is not None:
            outer, context.scope = context.scope, level.path
            wanted = level.filter.resolve(context).weight(weights)
            context.scope = outer
            weight = BooleanWeight(filter=[weight, wanted])
        found = matching(whole, weight)
        if allowed is not None and around is not None:
            found = [
                _inside(segment, rows, parents, around.encode())
                for segment, rows, parents in zip(whole.segments, found, allowed, strict=True)
            ]
        allowed, around, last, level = found, level.path, level, level.inner
    return [
        _column(segment, rows, kind, bound, last.max_children)
        for segment, rows in zip(whole.segments, allowed or [], strict=True)
    ]


def check_path(context: DslContext, path: str) -> None:
    """Refuse a path that is not that of a nested object."""
    if not context.mapping.is_object(path):
        raise QueryShardError(f"[nested] failed to find nested object under path [{path}]")
    if path not in context.mapping.nested_paths:
        raise QueryShardError(f"[nested] nested object under path [{path}] is not of nested type")


def _array(rows: BitMap) -> Rows:
    return np.frombuffer(rows.to_array(), np.uint32).astype(np.int64)


def _parents(segment: SegmentReader, rows: Rows, kind: bytes | None) -> Rows:
    """Return the row of a kind that each row belongs to."""
    every = np.array(rows_between(segment, kind, 0, segment.max_doc), np.int64)
    at = np.searchsorted(every, rows, "right")
    found: Rows = np.append(every, -1)[at]
    return found


def _inside(segment: SegmentReader, rows: BitMap, parents: BitMap, kind: bytes) -> BitMap:
    """Return the rows that belong to some parents of a kind."""
    array = _array(rows)
    return BitMap(array[np.isin(_parents(segment, array, kind), _array(parents))].astype(np.uint32))


def _column(
    segment: SegmentReader, rows: BitMap, kind: str | None, bound: BoundSort, most: int
) -> ColumnReader | None:
    found = segment.fields_by_name.get(bound.key.field)
    if found is None or found.column is None or not rows:
        return None
    array = _array(rows)
    parents = _parents(segment, array, None if kind is None else kind.encode())
    if most < len(array):
        first = np.searchsorted(parents, parents)  # of each row, the first one of the same parent
        kept = np.arange(len(array)) - first < most
        array, parents = array[kept], parents[kept]
    owner = np.full(segment.max_doc, -1, np.int64)
    owner[array] = parents
    nested, values = column_values(found)
    docs = owner[nested]
    alive = docs >= 0
    docs, values = docs[alive], values[alive]
    if bound.convert is not None:
        values = bound.convert(segment, values)
    return column_of(docs, values, segment.max_doc)
