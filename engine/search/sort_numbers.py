"""The numbers of a field taken for those of another type, for sorting: ``numeric_type``."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanner.engine.common.errors import IllegalArgument, QueryShardError
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types import FIELD_TYPES
from lanner.engine.mapping.types.date_nanos import nanos_of
from lanner.engine.mapping.types.floating import FloatingFieldType
from lanner.ext.codec.column_reader import ColumnReader
from lanner.ext.codec.columns import write_column
from lanner.ext.index.column_arrays import column_values
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.search.reader import IndexReader

Cells = NDArray[np.int64]
#: gives the cells of one type the form of another's; told the segment, as terms are numbers of its own
Convert = Callable[[SegmentReader, Cells], Cells]

_PER_MILLI = 1_000_000
_SIGN = np.uint64(1 << 63)
_SIGN_FREE = np.int64(0x7FFF_FFFF_FFFF_FFFF)
#: per type of sortable bits: what they are made of, and the number that it is
_FLOATS: dict[str, tuple[Any, Any, int]] = {
    "double": (np.int64, np.float64, 0x7FFF_FFFF_FFFF_FFFF),
    "float": (np.int32, np.float32, 0x7FFF_FFFF),
    "half_float": (np.int16, np.float16, 0x7FFF),
}


def taken_as(wanted: str, field: FieldType, mapping: Mapping) -> tuple[FieldType, Convert | None]:
    """Return the type that a field is sorted as, and what converts its cells, if they have to be.

    wanted: long, double, date or date_nanos.
    """
    own = field.type_name
    if field.sort_kind != "number" and own != "boolean":
        raise QueryShardError(f"[numeric_type] option cannot be set on a non-numeric field, got {own}")
    if wanted == "date_nanos" and own not in ("date", "date_nanos"):
        raise IllegalArgument(
            "trying to convert a known date time formatter to a nanosecond one, wrong field used?"
        )
    if wanted == own or (own == "unsigned_long" and wanted != "double"):
        return field, None
    stands_in = mapping.make_field_type(field.name, FIELD_TYPES[wanted])
    if wanted == "date_nanos":
        return stands_in, _to_nanos
    if own == "date_nanos" and wanted != "long":
        convert: Convert = _to_millis
    else:
        convert = _reader(field)
    return stands_in, _as_double(convert) if wanted == "double" else _as_long(convert)


def number_of(field: FieldType) -> Callable[[Any], Any]:
    """Return what makes a plain number of a sort value, so that those of different types compare."""
    if isinstance(field, FloatingFieldType):
        return field.show
    if field.type_name in ("boolean", "scaled_float", "unsigned_long"):
        return field.sort_value
    return int


def converted_columns(field: str, reader: IndexReader, convert: Convert) -> list[ColumnReader | None]:
    """Return for each segment a column with the converted values of a field."""
    columns: list[ColumnReader | None] = []
    for segment in reader.segments:
        found = segment.fields_by_name.get(field)
        if found is None or found.column is None:
            columns.append(None)
            continue
        docs, cells = column_values(found)
        columns.append(column_of(docs, convert(segment, cells), segment.max_doc))
    return columns


def column_of(docs: NDArray[Any], cells: Cells, max_doc: int) -> ColumnReader | None:
    """Return a column in memory; None for one without values. docs may come in any order, and repeatedly."""
    if not len(docs):
        return None
    order = np.lexsort((cells, docs))
    about, arrays = write_column(docs[order].astype(np.uint32), cells[order], max_doc)
    parts = {name: np.ascontiguousarray(part).reshape(-1).view(np.uint8) for name, part in arrays.items()}
    return ColumnReader(
        max_doc, about, parts["dv"], parts.get("starts"), parts.get("present"), parts["zones"]
    )


def _reader(field: FieldType) -> Callable[[SegmentReader, Cells], Any]:
    """Return what makes plain numbers of the cells of a field."""
    own = field.type_name
    if own in _FLOATS:
        bits_type, number, mask = _FLOATS[own]

        def floats(segment: SegmentReader, cells: Cells) -> Any:
            bits = np.where(cells >= 0, cells, cells ^ np.int64(mask)).astype(bits_type)
            return bits.view(number).astype(np.float64)

        return floats
    if own == "scaled_float":
        unit = 1 / field.get("scaling_factor")
        return lambda segment, cells: cells * unit
    if own == "unsigned_long":
        return lambda segment, cells: (cells.view(np.uint64) ^ _SIGN).astype(np.float64)
    if own == "boolean":
        return lambda segment, cells: _truths(segment, cells, field.name)
    return lambda segment, cells: cells


def _truths(segment: SegmentReader, cells: Cells, field: str) -> Cells:
    terms = segment.fields_by_name[field].terms
    true = -1 if terms is None else terms.ord(b"T")
    truths: Cells = (cells == true).astype(np.int64)
    return truths


def _as_double(read: Callable[[SegmentReader, Cells], Any]) -> Convert:
    def convert(segment: SegmentReader, cells: Cells) -> Cells:
        bits = np.asarray(read(segment, cells), np.float64).view(np.int64)
        return np.where(bits >= 0, bits, bits ^ _SIGN_FREE)

    return convert


def _as_long(read: Callable[[SegmentReader, Cells], Any]) -> Convert:
    """Cut off what comes after the point; what is too large becomes the largest number, as Java casts."""

    def convert(segment: SegmentReader, cells: Cells) -> Cells:
        numbers = read(segment, cells)
        if numbers.dtype == np.int64:
            return np.asarray(numbers)
        limits = np.iinfo(np.int64)
        whole = np.nan_to_num(np.trunc(numbers), nan=0.0, posinf=np.inf, neginf=-np.inf)
        inside = (whole >= -(2.0**63)) & (whole < 2.0**63)
        cut = np.where(whole < 0, limits.min, limits.max)
        return np.where(inside, np.where(inside, whole, 0.0).astype(np.int64), cut)

    return convert


def _to_millis(segment: SegmentReader, cells: Cells) -> Cells:
    return cells // _PER_MILLI


def _to_nanos(segment: SegmentReader, cells: Cells) -> Cells:
    if len(cells):
        for end in (cells.min(), cells.max()):
            nanos_of(int(end), 0)  # for what it raises
    return cells * _PER_MILLI
