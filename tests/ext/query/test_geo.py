"""Points inside shapes on the earth, against formulas over the same points one by one."""

import math
import random

import pytest

from lanner.engine.common.geo import Point, decode_point, encode_point
from lanner.engine.query.base import WeightContext
from lanner.engine.query.geo import GeoBoxQuery, GeoDistanceQuery, GeoPolygonQuery
from lanner.ext.index.schema import NUMBER, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader
from tests.ext.segments import document, open_files

PLACE = Field("place", 8, NUMBER, doc_values=True, points=True)
EARTH = 6_371_008.7714


@pytest.fixture(scope="module")
def points() -> list[list[Point]]:
    rnd = random.Random(5)
    made = [
        [Point(rnd.uniform(-90, 90), rnd.uniform(-180, 180)) for _ in range(rnd.choice((1, 1, 1, 0, 3)))]
        for _ in range(3000)
    ]
    edges = [Point(lat, lon) for lat in (-90.0, 0.0, 90.0) for lon in (-180.0, 0.0, 180.0)]
    return [*made, *([edge] for edge in edges)]


@pytest.fixture(scope="module")
def reader(points: list[list[Point]]) -> IndexReader:
    segments = []
    for start in (0, 1000, 2048):
        buffer = WriteBuffer()
        end = {0: 1000, 1000: 2048, 2048: len(points)}[start]
        buffer.add([document(i, [(PLACE, encode_point(p)) for p in points[i]]) for i in range(start, end)])
        segments.append(open_files(buffer.write_segment()))
    return IndexReader(segments)


def found(reader: IndexReader, query: GeoBoxQuery | GeoDistanceQuery | GeoPolygonQuery) -> set[int]:
    sets = matching(reader, query.weight(WeightContext(reader, lambda _: None, scoring=False)))
    return {base + doc for base, docs in zip((0, 1000, 2048), sets, strict=True) for doc in docs}


def kept(point: Point) -> Point:
    return decode_point(encode_point(point))


def test_cells_keep_a_point_to_a_centimetre(points: list[list[Point]]) -> None:
    for some in points:
        for point in some:
            near = kept(point)
            assert abs(near.lat - point.lat) < 1e-7
            assert abs(near.lon - point.lon) < 1e-7


def test_boxes(points: list[list[Point]], reader: IndexReader) -> None:
    rnd = random.Random(6)
    for _ in range(200):
        south, north = sorted(rnd.uniform(-90, 90) for _ in range(2))
        west, east = rnd.uniform(-180, 180), rnd.uniform(-180, 180)
        wanted = set()
        for number, some in enumerate(points):
            for lat, lon in map(kept, some):
                inside = west <= lon <= east if west <= east else lon >= west or lon <= east
                if south <= lat <= north and inside:
                    wanted.add(number)
        assert found(reader, GeoBoxQuery("place", Point(north, west), Point(south, east))) == wanted


def test_the_whole_earth_is_a_box(points: list[list[Point]], reader: IndexReader) -> None:
    everything = {number for number, some in enumerate(points) if some}
    assert found(reader, GeoBoxQuery("place", Point(90, -180), Point(-90, 180))) == everything


def test_circles(points: list[list[Point]], reader: IndexReader) -> None:
    rnd = random.Random(7)
    centers = [Point(90, 0), Point(-90, 50), Point(0, 180), Point(0, -180)]
    centers += [Point(rnd.uniform(-90, 90), rnd.uniform(-180, 180)) for _ in range(100)]
    for center in centers:
        metres = 10 ** rnd.uniform(3, 7.3)
        wanted, close = set(), set()
        for number, some in enumerate(points):
            for lat, lon in map(kept, some):
                distance = haversine(center, Point(lat, lon))
                if distance <= metres:
                    wanted.add(number)
                if abs(distance - metres) < 1e-3:
                    close.add(number)
        assert found(reader, GeoDistanceQuery("place", center, metres)) ^ wanted <= close


def haversine(a: Point, b: Point) -> float:
    y1, x1, y2, x2 = map(math.radians, (*a, *b))
    h = math.sin((y2 - y1) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x2 - x1) / 2) ** 2
    return 2 * EARTH * math.asin(math.sqrt(min(1.0, h)))


def test_polygons(points: list[list[Point]], reader: IndexReader) -> None:
    rnd = random.Random(8)
    for _ in range(100):
        middle = Point(rnd.uniform(-40, 40), rnd.uniform(-100, 100))
        turns = sorted(rnd.uniform(0, 2 * math.pi) for _ in range(rnd.randint(3, 9)))
        corners = tuple(
            Point(
                middle.lat + rnd.uniform(5, 45) * math.sin(t), middle.lon + rnd.uniform(5, 70) * math.cos(t)
            )
            for t in turns
        )
        wanted = {
            number for number, some in enumerate(points) if any(winds_around(kept(p), corners) for p in some)
        }
        assert found(reader, GeoPolygonQuery("place", corners)) == wanted


def winds_around(point: Point, corners: tuple[Point, ...]) -> bool:
    """Whether the directions of the corners, seen from the point, turn an odd number of times."""
    total = 0.0
    angles = [math.atan2(lat - point.lat, lon - point.lon) for lat, lon in corners]
    for before, after in zip([angles[-1], *angles], angles, strict=False):
        turn = after - before
        total += turn - 2 * math.pi * round(turn / (2 * math.pi))
    return round(total / (2 * math.pi)) % 2 != 0


def test_a_border_belongs_to_its_polygon(reader: IndexReader, points: list[list[Point]]) -> None:
    triangle = (Point(0, 0), Point(0, 20), Point(20, 0))
    origin = next(i for i, some in enumerate(points) if some == [Point(0.0, 0.0)])
    assert origin in found(reader, GeoPolygonQuery("place", triangle))
