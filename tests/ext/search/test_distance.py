"""Distances as sort keys, against the same formulas in plain Python."""

import math
import random
import statistics
import struct
from collections.abc import Callable

import pytest

from lanner.engine.common.geo import Point, decode_point, encode_point
from lanner.ext.index.schema import NUMBER, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.search.distance import Distance
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_fields import search_sorted
from tests.ext.segments import document, open_files

PLACE = Field("place", 12, NUMBER, doc_values=True, points=True)
EARTH = 6_371_008.7714
MODES: dict[str, Callable[[list[float]], float]] = {
    "min": min,
    "max": max,
    "avg": statistics.fmean,
    "median": statistics.median,
}


def arc(a: Point, b: Point) -> float:
    x, y = math.radians(a.lat), math.radians(b.lat)
    h = (
        math.sin((y - x) / 2) ** 2
        + math.cos(x) * math.cos(y) * math.sin(math.radians(b.lon - a.lon) / 2) ** 2
    )
    return 2 * EARTH * math.asin(math.sqrt(h))


def flat(a: Point, b: Point) -> float:
    x = math.radians(b.lon - a.lon) * math.cos(math.radians((a.lat + b.lat) / 2))
    return EARTH * math.hypot(x, math.radians(b.lat - a.lat))


def bits(value: float) -> int:
    found: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return found


def number(encoded: object) -> float:
    found: float = struct.unpack("<d", struct.pack("<q", encoded))[0]
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("plane", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_order(mode: str, plane: bool, reverse: bool) -> None:
    rnd = random.Random(5)

    def point() -> Point:
        return Point(rnd.uniform(-90, 90), rnd.uniform(-180, 180))

    places = [[point() for _ in range(rnd.choice([0, 1, 1, 2, 5]))] for _ in range(3000)]
    given = [point() for _ in range(3)]
    buffer = WriteBuffer()
    buffer.add([document(i, [(PLACE, encode_point(one)) for one in some]) for i, some in enumerate(places)])
    reader = IndexReader([open_files(buffer.write_segment())])
    measure = flat if plane else arc
    expected = []
    for doc, some in enumerate(places):
        cells = [decode_point(encode_point(one)) for one in some]
        pairs = [measure(one, cell) / 1000 for cell in cells for one in given]
        expected.append((MODES[mode](pairs) if pairs else math.inf, doc))
    expected.sort(key=lambda hit: (-hit[0] if reverse else hit[0], hit[1]))
    key = SortKey(
        "distance",
        "place",
        reverse=reverse,
        missing_value=bits(math.inf),
        mode=mode,
        distance=Distance([one.lat for one in given], [one.lon for one in given], 1000.0, plane=plane),
    )
    top = search_sorted(reader, MatchAllWeight(reader), 1500, [key])
    got = [number(row[0]) for row in top.values]
    assert got == pytest.approx([distance for distance, _ in expected[:1500]], rel=1e-7)
    by_doc = {doc: distance for distance, doc in expected}
    assert got == pytest.approx([by_doc[doc] for doc in top.docs], rel=1e-7)


def test_what_measures_nothing() -> None:
    with pytest.raises(ValueError, match="points and a unit"):
        Distance([], [], 1.0)
    with pytest.raises(ValueError, match="what measures it"):
        SortKey("distance", "place")
