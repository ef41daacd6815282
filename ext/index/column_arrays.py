"""Columns of segments as arrays of documents and values, on their way into another segment."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from lanner.ext.index.segment_reader import FieldReader

WIDTHS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
Docs = npt.NDArray[np.uint32]
Values = npt.NDArray[np.int64]
DocMap = npt.NDArray[np.int32]  # new number of each document, -1 if it is gone


def column_values(field: "FieldReader") -> tuple[Docs, Values]:
    """Return the doc values of a column, deleted documents included; ords for terms."""
    sections = field.owner
    values = _widened(sections["dv"], field.about["column"])
    docs = np.arange(field.max_doc, dtype=np.uint32)
    if "first" in sections:
        starts = np.frombuffer(sections["first"], np.uint32)
        return np.repeat(docs, np.diff(starts)), values
    if "present" in sections:
        bits = np.unpackbits(np.frombuffer(sections["present"], np.uint8), bitorder="little")
        present = bits[: field.max_doc].astype(bool)
        return docs[present], values[present]
    return docs, values


def point_values(field: "FieldReader") -> tuple[Docs, Values]:
    """Return the points of a column in ascending order, deleted documents included."""
    values = _widened(field.owner["values"], field.about["points"])
    return np.frombuffer(field.owner["docs"], np.uint32), values


def _widened(cells: Any, about: dict[str, Any]) -> Values:
    narrow = np.frombuffer(cells, WIDTHS[about["width"]])
    return (narrow.astype(np.uint64) + np.uint64(about["minimum"] & 0xFFFFFFFFFFFFFFFF)).view(np.int64)


def renumber(doc_map: DocMap, docs: Docs, values: Values) -> tuple[Docs, Values]:
    """Return what lives, under its new numbers."""
    mapped = doc_map[docs]
    alive = mapped >= 0
    return mapped[alive].astype(np.uint32), values[alive]


def join(pairs: list[tuple[Docs, Values]], *, in_order: bool) -> tuple[Docs, Values]:
    """Return documents and values of several segments, one after the other.

    in_order: by document instead; the values of one document stay in theirs.
    """
    docs = np.concatenate([pair[0] for pair in pairs])
    values = np.concatenate([pair[1] for pair in pairs])
    if in_order:
        order = np.argsort(docs, kind="stable")
        return docs[order], values[order]
    return docs, values
