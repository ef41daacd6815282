"""Doc values and points as plain arrays, each as narrow as its values allow.

A column ("dv") holds value - minimum in 1, 2, 4 or 8 bytes, in order of documents. "present" is a bit per
document when some have no value; "starts" (uint32, one per document and one more) is there when some have
several, which then lie ascending. A column with one value at most per document has a cell for every document
(0 where there is none). "zones" holds the least and greatest value (int64) of every window of documents; a
window without values has greatest < least. Points are all values of a field in ascending order ("values", as
above) with their documents ("docs", uint32).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

WINDOW_SIZE = 2048
Values = npt.NDArray[np.int64]
Docs = npt.NDArray[np.uint32]


def narrow(values: Values, minimum: int) -> npt.NDArray[Any]:
    """Return value - minimum in the narrowest unsigned type, padded so that whole vectors can be loaded."""
    shifted = values.view(np.uint64) - np.uint64(minimum & 0xFFFFFFFFFFFFFFFF)
    top = int(shifted.max()) if len(shifted) else 0
    for kind in (np.uint8, np.uint16, np.uint32):
        if top <= np.iinfo(kind).max:
            return shifted.astype(kind)
    return shifted


def write_column(
    docs: Docs, values: Values, max_doc: int
) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return description and arrays of a column.

    docs: shape (n_values,), ascending. values: shape (n_values,), ascending within a document.
    """
    counts = np.bincount(docs, minlength=max_doc)
    minimum = int(values.min()) if len(values) else 0
    multiple = len(values) > 0 and int(counts.max()) > 1
    arrays: dict[str, npt.NDArray[Any]] = {}
    if multiple:
        starts = np.zeros(max_doc + 1, np.uint32)
        np.cumsum(counts, out=starts[1:])
        arrays["starts"] = starts
        arrays["dv"] = narrow(values, minimum)
    else:
        cells = np.full(max_doc, minimum, np.int64)
        cells[docs] = values
        arrays["dv"] = narrow(cells, minimum)
    n_docs = int(np.count_nonzero(counts))
    if n_docs < max_doc:
        bits = np.packbits(counts > 0, bitorder="little")
        arrays["present"] = np.concatenate([bits, np.zeros(-len(bits) % 8, np.uint8)])
    n_windows = -(-max_doc // WINDOW_SIZE)
    zones = np.empty((n_windows, 2), np.int64)
    zones[:, 0], zones[:, 1] = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    if len(values):
        window = docs // WINDOW_SIZE
        first = np.flatnonzero(np.diff(window, prepend=window[0] + 1 if window[0] == 0 else 0))
        first = np.unique(np.concatenate([[0], first]))
        zones[window[first], 0] = np.minimum.reduceat(values, first)
        zones[window[first], 1] = np.maximum.reduceat(values, first)
    arrays["zones"] = zones
    return {"minimum": minimum, "width": arrays["dv"].itemsize, "docs": n_docs, "values": len(values)}, arrays


def write_points(docs: Docs, values: Values) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return description and arrays of the points of a field; shapes as for write_column."""
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    minimum = int(ascending[0]) if len(ascending) else 0
    cells = narrow(ascending, minimum)
    return (
        {"minimum": minimum, "width": cells.itemsize, "values": len(values)},
        {"values": cells, "docs": docs[order].astype(np.uint32)},
    )
