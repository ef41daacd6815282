"""In which order the documents of a sorted index lie in a segment.

Source: the settings ``index.sort.*``. Documents that are equal by all keys keep the order in which they came.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lanner.ext.index.column_arrays import DocMap, Docs, Values, column_values

if TYPE_CHECKING:
    from lanner.ext.index.segment_reader import FieldReader, SegmentReader


@dataclass(frozen=True, slots=True)
class SortKey:
    """One of the fields that an index is sorted by."""

    field: str
    descending: bool
    missing_first: bool
    greatest: bool  # of several values of a document; otherwise the least


def live_documents(reader: "SegmentReader") -> npt.NDArray[np.bool_]:
    """Return which documents of a segment live, shape (max_doc,)."""
    alive = np.ones(reader.max_doc, bool)
    if reader.num_deleted:
        alive[np.fromiter(reader.deleted, np.int64, len(reader.deleted))] = False
    return alive


def doc_maps_in_sequence(readers: Sequence["SegmentReader"]) -> list[DocMap]:
    """Return the new numbers when the documents of one segment follow those of the one before."""
    found = []
    base = 0
    for reader in readers:
        alive = live_documents(reader)
        found.append(np.where(alive, np.cumsum(alive, dtype=np.int32) - 1 + base, -1).astype(np.int32))
        base += reader.num_docs
    return found


def sorted_doc_maps(readers: Sequence["SegmentReader"], keys: Sequence[SortKey]) -> list[DocMap]:
    """Return the new numbers when the documents of all segments are sorted."""
    alive = np.concatenate([live_documents(reader) for reader in readers])
    columns: list[npt.NDArray[np.int64]] = []
    for key in keys:
        fields = [reader.fields_by_name.get(key.field) for reader in readers]
        ranks = _ranks(fields)
        present, values = [], []
        for reader, field in zip(readers, fields, strict=True):
            has, value = _single(reader.max_doc, field, key, ranks)
            present.append(has)
            values.append(value)
        has_value = np.concatenate(present)[alive]
        value = np.concatenate(values)[alive]
        columns.append((has_value == key.missing_first).astype(np.int64))
        columns.append(~value if key.descending else value)  # ~ turns the order around without overflow
    order = np.lexsort(columns[::-1])
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.arange(len(order), dtype=np.int32)
    found = np.full(len(alive), -1, np.int32)
    found[alive] = numbers
    ends = np.cumsum([reader.max_doc for reader in readers])
    return np.split(found, ends[:-1])


def _ranks(fields: Sequence["FieldReader | None"]) -> dict[bytes, int]:
    """The place of each term of a keyword among those of all segments; nothing for numbers."""
    terms: set[bytes] = set()
    for field in fields:
        if field is not None and field.terms is not None:
            terms.update(field.terms.term(ord_) for ord_ in range(field.about["terms"]))
    return {term: rank for rank, term in enumerate(sorted(terms))}


def _single(
    max_doc: int, field: "FieldReader | None", key: SortKey, ranks: dict[bytes, int]
) -> tuple[npt.NDArray[np.bool_], Values]:
    """Whether each document has a value, and the one by which it is sorted (0: it has none)."""
    has, chosen = np.zeros(max_doc, bool), np.zeros(max_doc, np.int64)
    if field is None or field.column is None:
        return has, chosen
    docs: Docs
    docs, values = column_values(field)
    if not len(docs):
        return has, chosen
    if field.terms is not None:
        places = [ranks[field.terms.term(ord_)] for ord_ in range(field.about["terms"])]
        values = np.array(places, np.int64)[values]
    has[docs] = True
    # values ascend within a document: the last one written stays
    if key.greatest:
        chosen[docs] = values
    else:
        chosen[docs[::-1]] = values[::-1]
    return has, chosen
